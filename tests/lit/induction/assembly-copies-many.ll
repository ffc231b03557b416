; Inline assembly that copies by more than eight addresses: a distance that is a product of 32 bits counts as one register,
; and the sums stay.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}0 induction variables erased{{$}}
; STATS: {{ }}0 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @assembly_copies_many(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func assembly_copies_many(
; CHECK: Inner Loop Header
; CHECK-COUNT-9: add.s64
; CHECK: copy 1
; CHECK: ret;
entry:
  %x1 = load volatile i32, ptr addrspace(1) %d
  %y1 = add i32 %x1, 1
  %w1 = sext i32 %y1 to i64
  %x2 = load volatile i32, ptr addrspace(1) %d
  %y2 = add i32 %x2, 1
  %w2 = sext i32 %y2 to i64
  %x3 = load volatile i32, ptr addrspace(1) %d
  %y3 = add i32 %x3, 1
  %w3 = sext i32 %y3 to i64
  %x4 = load volatile i32, ptr addrspace(1) %d
  %y4 = add i32 %x4, 1
  %w4 = sext i32 %y4 to i64
  %x5 = load volatile i32, ptr addrspace(1) %d
  %y5 = add i32 %x5, 1
  %w5 = sext i32 %y5 to i64
  %x6 = load volatile i32, ptr addrspace(1) %d
  %y6 = add i32 %x6, 1
  %w6 = sext i32 %y6 to i64
  %x7 = load volatile i32, ptr addrspace(1) %d
  %y7 = add i32 %x7, 1
  %w7 = sext i32 %y7 to i64
  %x8 = load volatile i32, ptr addrspace(1) %d
  %y8 = add i32 %x8, 1
  %w8 = sext i32 %y8 to i64
  %x9 = load volatile i32, ptr addrspace(1) %d
  %y9 = add i32 %x9, 1
  %w9 = sext i32 %y9 to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 %w1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 %w2
  %q3 = getelementptr i32, ptr addrspace(1) %q, i64 %w3
  %q4 = getelementptr i32, ptr addrspace(1) %q, i64 %w4
  %q5 = getelementptr i32, ptr addrspace(1) %q, i64 %w5
  %q6 = getelementptr i32, ptr addrspace(1) %q, i64 %w6
  %q7 = getelementptr i32, ptr addrspace(1) %q, i64 %w7
  %q8 = getelementptr i32, ptr addrspace(1) %q, i64 %w8
  %q9 = getelementptr i32, ptr addrspace(1) %q, i64 %w9
  call void asm sideeffect "// copy 1 $0", "l"(ptr addrspace(1) %q1)
  call void asm sideeffect "// copy 2 $0", "l"(ptr addrspace(1) %q2)
  call void asm sideeffect "// copy 3 $0", "l"(ptr addrspace(1) %q3)
  call void asm sideeffect "// copy 4 $0", "l"(ptr addrspace(1) %q4)
  call void asm sideeffect "// copy 5 $0", "l"(ptr addrspace(1) %q5)
  call void asm sideeffect "// copy 6 $0", "l"(ptr addrspace(1) %q6)
  call void asm sideeffect "// copy 7 $0", "l"(ptr addrspace(1) %q7)
  call void asm sideeffect "// copy 8 $0", "l"(ptr addrspace(1) %q8)
  call void asm sideeffect "// copy 9 $0", "l"(ptr addrspace(1) %q9)
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
