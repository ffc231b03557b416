; What needs a high half keeps 64 bits: a shift to the right, a comparison, and an address that is stored.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

define i32 @shifted(ptr addrspace(3) %p, i64 %i, i64 %k) {
; CHECK-LABEL: shifted(
; CHECK: add.s64 [[I:%rd[0-9]+]], {{%rd[0-9]+}}, {{%rd[0-9]+}};
; CHECK: shr.u64 [[S:%rd[0-9]+]], [[I]], 5;
; CHECK: cvt.u32.u64 {{%r[0-9]+}}, [[S]];
; CHECK: ret;
  %j = add i64 %i, %k
  %s = lshr i64 %j, 5
  %q = getelementptr i8, ptr addrspace(3) %p, i64 %s
  %x = load i32, ptr addrspace(3) %q
  ret i32 %x
}

define i32 @compared(ptr addrspace(3) %p, ptr addrspace(3) %end, i64 %i) {
; CHECK-LABEL: compared(
; CHECK: add.s64 [[Q:%rd[0-9]+]], {{%rd[0-9]+}}, {{%rd[0-9]+}};
; CHECK-DAG: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [[[Q]]];
; CHECK-DAG: setp.{{[a-z]+}}.{{[bsu]}}64 {{%p[0-9]+}}, [[Q]], {{%rd[0-9]+}};
; CHECK: ret;
  %q = getelementptr i8, ptr addrspace(3) %p, i64 %i
  %x = load i32, ptr addrspace(3) %q
  %c = icmp eq ptr addrspace(3) %q, %end
  %y = select i1 %c, i32 %x, i32 7
  ret i32 %y
}

define void @stored(ptr addrspace(3) %p, i64 %i) {
; CHECK-LABEL: stored(
; CHECK: add.s64 [[Q:%rd[0-9]+]], {{%rd[0-9]+}}, {{%rd[0-9]+}};
; CHECK: st{{(.volatile)?}}.shared.{{[bu]}}64 [[[Q]]], [[Q]];
; CHECK: ret;
  %q = getelementptr i8, ptr addrspace(3) %p, i64 %i
  store ptr addrspace(3) %q, ptr addrspace(3) %q
  ret void
}
