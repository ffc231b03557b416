; A pointer that walks through shared memory has 32 bits, as its step has, though that is a parameter of 64.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s

target triple = "nvptx64-nvidia-cuda"

define i32 @loop(ptr addrspace(3) %p, i64 %step, i32 %n) {
; CHECK-LABEL: loop(
; CHECK-DAG: cvt.u32.u64 [[S:%r[0-9]+]], {{%rd[0-9]+}};
; CHECK-DAG: cvt.u32.u64 [[P:%r[0-9]+]], {{%rd[0-9]+}};
; CHECK: $L__BB{{[0-9]+}}_1:
; CHECK-NOT: %rd
; CHECK: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [%r{{[0-9]+}}{{(\+4)?}}];
; CHECK: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, [[S]];
; CHECK: ret;
; STOCK-LABEL: loop(
; STOCK: $L__BB0_1:
; STOCK: add.s64
; STOCK: ret;
entry:
  br label %body
body:
  %q = phi ptr addrspace(3) [ %p, %entry ], [ %q1, %body ]
  %i = phi i32 [ 0, %entry ], [ %i1, %body ]
  %s = phi i32 [ 0, %entry ], [ %s1, %body ]
  %e = getelementptr i8, ptr addrspace(3) %q, i64 4
  %x = load volatile i32, ptr addrspace(3) %e
  %s1 = add i32 %s, %x
  %q1 = getelementptr i8, ptr addrspace(3) %q, i64 %step
  %i1 = add i32 %i, 1
  %c = icmp slt i32 %i1, %n
  br i1 %c, label %body, label %end
end:
  ret i32 %s1
}
