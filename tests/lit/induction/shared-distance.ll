; Pointers that share one distance: as many walk on if the sums become variables, and one register ends, the product of 32 bits. That is
; worth it for three pointers, and not for ten: ptxas then has all addresses at once, and loads from all before it uses the first value.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}3 induction variables erased{{$}}
; STATS: {{ }}3 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @three(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func three(
; CHECK: Inner Loop Header
; CHECK-NEXT: ld.volatile
; CHECK: ret;
entry:
  %x = load volatile i32, ptr addrspace(1) %d
  %y = add i32 %x, 1
  %w = sext i32 %y to i64
  %p0 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p1 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p2 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q0 = phi ptr addrspace(1) [ %p0, %entry ], [ %q0.next, %loop ]
  %q1 = phi ptr addrspace(1) [ %p1, %entry ], [ %q1.next, %loop ]
  %q2 = phi ptr addrspace(1) [ %p2, %entry ], [ %q2.next, %loop ]
  %a0 = getelementptr i32, ptr addrspace(1) %q0, i64 %w
  %v0 = load volatile i32, ptr addrspace(1) %a0
  %a1 = getelementptr i32, ptr addrspace(1) %q1, i64 %w
  %v1 = load volatile i32, ptr addrspace(1) %a1
  %a2 = getelementptr i32, ptr addrspace(1) %q2, i64 %w
  %v2 = load volatile i32, ptr addrspace(1) %a2
  %q0.next = getelementptr i8, ptr addrspace(1) %q0, i64 %step
  %q1.next = getelementptr i8, ptr addrspace(1) %q1, i64 %step
  %q2.next = getelementptr i8, ptr addrspace(1) %q2, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

define void @ten(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func ten(
; CHECK: Inner Loop Header
; CHECK-COUNT-20: add.s64
; CHECK: ret;
entry:
  %x = load volatile i32, ptr addrspace(1) %d
  %y = add i32 %x, 1
  %w = sext i32 %y to i64
  %p0 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p1 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p2 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p3 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p4 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p5 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p6 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p7 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p8 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  %p9 = load volatile ptr addrspace(1), ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q0 = phi ptr addrspace(1) [ %p0, %entry ], [ %q0.next, %loop ]
  %q1 = phi ptr addrspace(1) [ %p1, %entry ], [ %q1.next, %loop ]
  %q2 = phi ptr addrspace(1) [ %p2, %entry ], [ %q2.next, %loop ]
  %q3 = phi ptr addrspace(1) [ %p3, %entry ], [ %q3.next, %loop ]
  %q4 = phi ptr addrspace(1) [ %p4, %entry ], [ %q4.next, %loop ]
  %q5 = phi ptr addrspace(1) [ %p5, %entry ], [ %q5.next, %loop ]
  %q6 = phi ptr addrspace(1) [ %p6, %entry ], [ %q6.next, %loop ]
  %q7 = phi ptr addrspace(1) [ %p7, %entry ], [ %q7.next, %loop ]
  %q8 = phi ptr addrspace(1) [ %p8, %entry ], [ %q8.next, %loop ]
  %q9 = phi ptr addrspace(1) [ %p9, %entry ], [ %q9.next, %loop ]
  %a0 = getelementptr i32, ptr addrspace(1) %q0, i64 %w
  %v0 = load volatile i32, ptr addrspace(1) %a0
  %a1 = getelementptr i32, ptr addrspace(1) %q1, i64 %w
  %v1 = load volatile i32, ptr addrspace(1) %a1
  %a2 = getelementptr i32, ptr addrspace(1) %q2, i64 %w
  %v2 = load volatile i32, ptr addrspace(1) %a2
  %a3 = getelementptr i32, ptr addrspace(1) %q3, i64 %w
  %v3 = load volatile i32, ptr addrspace(1) %a3
  %a4 = getelementptr i32, ptr addrspace(1) %q4, i64 %w
  %v4 = load volatile i32, ptr addrspace(1) %a4
  %a5 = getelementptr i32, ptr addrspace(1) %q5, i64 %w
  %v5 = load volatile i32, ptr addrspace(1) %a5
  %a6 = getelementptr i32, ptr addrspace(1) %q6, i64 %w
  %v6 = load volatile i32, ptr addrspace(1) %a6
  %a7 = getelementptr i32, ptr addrspace(1) %q7, i64 %w
  %v7 = load volatile i32, ptr addrspace(1) %a7
  %a8 = getelementptr i32, ptr addrspace(1) %q8, i64 %w
  %v8 = load volatile i32, ptr addrspace(1) %a8
  %a9 = getelementptr i32, ptr addrspace(1) %q9, i64 %w
  %v9 = load volatile i32, ptr addrspace(1) %a9
  %q0.next = getelementptr i8, ptr addrspace(1) %q0, i64 %step
  %q1.next = getelementptr i8, ptr addrspace(1) %q1, i64 %step
  %q2.next = getelementptr i8, ptr addrspace(1) %q2, i64 %step
  %q3.next = getelementptr i8, ptr addrspace(1) %q3, i64 %step
  %q4.next = getelementptr i8, ptr addrspace(1) %q4, i64 %step
  %q5.next = getelementptr i8, ptr addrspace(1) %q5, i64 %step
  %q6.next = getelementptr i8, ptr addrspace(1) %q6, i64 %step
  %q7.next = getelementptr i8, ptr addrspace(1) %q7, i64 %step
  %q8.next = getelementptr i8, ptr addrspace(1) %q8, i64 %step
  %q9.next = getelementptr i8, ptr addrspace(1) %q9, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
