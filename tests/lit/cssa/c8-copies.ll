; Row C8: registers that PHIs join share one where they do not interfere, and PHI elimination makes no copy for them.
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -stop-after=phi-node-elimination < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -usedessa=1 -ptx-verify -verify-machineinstrs -stop-after=phi-node-elimination < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -o /dev/null < %s

target triple = "nvptx64-nvidia-cuda"

; A counter: one register, no copy.
define i32 @counter(i32 %n, ptr %p) {
; CHECK-LABEL: name: counter
; CHECK: bb.0.entry:
; CHECK-NOT: COPY
; CHECK: Return
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, -3
  %c = icmp sgt i32 %next, 0
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %next
}

; The lost copy problem: %i is read after the loop, beside %next. One copy, where the back edge begins or ends.
define i32 @lost_copy(i32 %n, ptr %p) {
; CHECK-LABEL: name: lost_copy
; CHECK: bb.0.entry:
; CHECK-NOT: COPY
; CHECK: bb.1.loop:
; CHECK-COUNT-1: COPY
; CHECK-NOT: COPY
; CHECK: Return
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %v = load volatile i32, ptr %p
  %c = icmp sgt i32 %v, %next
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %i
}

; The swap problem: no register can hold both. What goes around stays in registers of its own.
define i32 @swap(i32 %x, i32 %y, ptr %p) {
; CHECK-LABEL: name: swap
; CHECK: bb.0.entry:
; CHECK-NOT: COPY
; CHECK: bb.1.loop:
; CHECK-COUNT-4: COPY
; CHECK-NOT: COPY
; CHECK: Return
entry:
  br label %loop
loop:
  %a = phi i32 [ %x, %entry ], [ %b, %loop ]
  %b = phi i32 [ %y, %entry ], [ %a, %loop ]
  %v = load volatile i32, ptr %p
  %c = icmp sgt i32 %v, %a
  br i1 %c, label %loop, label %exit
exit:
  %d = sub i32 %a, %b
  ret i32 %d
}

; Equal constants: each edge has its own, or one is copied for two PHIs. The accumulators never share a register.
define i32 @constants(i32 %n, ptr %p) {
; CHECK-LABEL: name: constants
; CHECK: bb.1.loop:
; CHECK-NOT: COPY
; CHECK: Return
entry:
  br label %loop
loop:
  %a = phi i32 [ 7, %entry ], [ %a1, %loop ]
  %b = phi i32 [ 7, %entry ], [ %b1, %loop ]
  %v = load volatile i32, ptr %p
  %a1 = add i32 %a, %v
  %b1 = xor i32 %b, %v
  %c = icmp sgt i32 %v, %n
  br i1 %c, label %loop, label %exit
exit:
  %d = sub i32 %a1, %b1
  ret i32 %d
}

; A critical edge: from %entry to %join, with %x and %y read on both sides.
define i32 @critical(i32 %x, i32 %y, ptr %p) {
; CHECK-LABEL: name: critical
; CHECK: Return
entry:
  %c = icmp sgt i32 %x, %y
  br i1 %c, label %join, label %other
other:
  store volatile i32 %x, ptr %p
  %z = mul i32 %x, %y
  br label %join
join:
  %v = phi i32 [ %x, %entry ], [ %z, %other ]
  %w = phi i32 [ %y, %entry ], [ %x, %other ]
  store volatile i32 %v, ptr %p
  store volatile i32 %w, ptr %p
  %s = add i32 %v, %w
  ret i32 %s
}
