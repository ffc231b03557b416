; Inline assembly that loads, as Triton's does under a mask: a distance that is a product of 32 bits counts as one register,
; and the sums stay.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}0 induction variables erased{{$}}
; STATS: {{ }}0 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @assembly_loads(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func assembly_loads(
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64
; CHECK: first
; CHECK: second
; CHECK: ret;
entry:
  %x1 = load volatile i32, ptr addrspace(1) %d
  %x2 = load volatile i32, ptr addrspace(1) %d
  %y1 = add i32 %x1, 1
  %y2 = add i32 %x2, 1
  %w1 = sext i32 %y1 to i64
  %w2 = sext i32 %y2 to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 %w1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 %w2
  %v1 = call i32 asm sideeffect "// first $0, [$1]", "=r,l"(ptr addrspace(1) %q1)
  %v2 = call i32 asm sideeffect "// second $0, [$1]", "=r,l"(ptr addrspace(1) %q2)
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
