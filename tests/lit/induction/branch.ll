; An address that is computed in one of two ways to the loop is not taken as a start value: both start values are computed in
; front of the loop.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}1 induction variables erased{{$}}
; STATS: {{ }}2 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @branch(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func branch(
; CHECK: // %then
; CHECK-COUNT-2: add.s64
; CHECK: // %before
; CHECK-COUNT-2: add.s64
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  %is = icmp sgt i32 %n, 0
  br i1 %is, label %then, label %before
then:
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 %x2
  store volatile i32 0, ptr addrspace(1) %a1
  store volatile i32 0, ptr addrspace(1) %a2
  br label %before
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %before ], [ %q.next, %loop ]
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
