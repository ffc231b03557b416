; Two variables, each read only through a sum with the same distance after the step, become two others: the distance goes.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}2 induction variables erased{{$}}
; STATS: {{ }}2 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @shared(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func shared(
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x = load volatile i64, ptr addrspace(1) %d
  %b = load volatile ptr addrspace(1), ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %r = phi ptr addrspace(1) [ %b, %entry ], [ %r.next, %loop ]
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %r.next = getelementptr i8, ptr addrspace(1) %r, i64 %step
  %q1 = getelementptr i8, ptr addrspace(1) %q.next, i64 %x
  %r1 = getelementptr i8, ptr addrspace(1) %r.next, i64 %x
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %r1
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
