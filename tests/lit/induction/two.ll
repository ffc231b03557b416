; A variable with two distances becomes two variables. Their start values are computed before the loop.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}1 induction variables erased{{$}}
; STATS: {{ }}2 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @two(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func two(
; CHECK: ld.volatile.global.{{[bu]}}64 [[X1:%rd[0-9]+]], [
; CHECK: ld.volatile.global.{{[bu]}}64 [[X2:%rd[0-9]+]], [
; CHECK: add.s64 [[Q1:%rd[0-9]+]], [[P:%rd[0-9]+]], [[X1]];
; CHECK: add.s64 [[Q2:%rd[0-9]+]], [[P]], [[X2]];
; CHECK: Inner Loop Header
; CHECK-NOT: add.s64
; CHECK: ld.volatile.global.{{[bu]}}32 [[V:%r[0-9]+]], {{\[}}[[Q1]]];
; CHECK: st.volatile.global.{{[bu]}}32 {{\[}}[[Q2]]], [[V]];
; CHECK: add.s64 [[Q1]], [[Q1]], [[STEP:%rd[0-9]+]];
; CHECK: add.s64 [[Q2]], [[Q2]], [[STEP]];
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
