; A distance of two loops, one after the other, ends before the second loop: the sums of that one become induction
; variables, those of the first stay.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}1 induction variables erased{{$}}
; STATS: {{ }}2 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @twice(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func twice(
; CHECK: Inner Loop Header
; CHECK: add.s64 [[Q1:%rd[0-9]+]], [[Q:%rd[0-9]+]], [[X1:%rd[0-9]+]];
; CHECK: ld.volatile.global.{{[bu]}}32 {{%r[0-9]+}}, {{\[}}[[Q1]]];
; CHECK: add.s64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, [[X1]];
; CHECK: Inner Loop Header
; CHECK: ld.volatile
; CHECK-COUNT-2: add.s64
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
  %v = load volatile i32, ptr addrspace(1) %q1
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %second
second:
  %j = phi i32 [ 0, %loop ], [ %j.next, %second ]
  %r = phi ptr addrspace(1) [ %d, %loop ], [ %r.next, %second ]
  %r1 = getelementptr i8, ptr addrspace(1) %r, i64 %x1
  %r2 = getelementptr i8, ptr addrspace(1) %r, i64 %x2
  %w = load volatile i32, ptr addrspace(1) %r1
  store volatile i32 %w, ptr addrspace(1) %r2
  %r.next = getelementptr i8, ptr addrspace(1) %r, i64 %step
  %j.next = add i32 %j, 1
  %on = icmp slt i32 %j.next, %n
  br i1 %on, label %second, label %out
out:
  ret void
}
