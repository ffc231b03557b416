; Row C8: registers that PHIs join share one where they do not interfere, and PHI elimination makes no copy for them.
; RUN: %llc -O2 -mcpu=sm_80 -cssa-coalesce -ptx-verify -verify-machineinstrs -stop-after=phi-node-elimination < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -cssa-coalesce -usedessa=1 -ptx-verify -verify-machineinstrs -stop-after=phi-node-elimination < %s | FileCheck --check-prefixes=CHECK,PLAIN %s
; RUN: %llc -O2 -mcpu=sm_80 -cssa-coalesce -ptx-verify -verify-machineinstrs < %s | FileCheck --check-prefix=PTX %s

target triple = "nvptx64-nvidia-cuda"

; A counter: one register, no copy.
define i32 @counter(i32 %n, ptr %p) {
; CHECK-LABEL: name: counter
; CHECK: bb.1.loop:
; CHECK-NOT: COPY
; CHECK: bb.2.exit:
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

; The lost copy problem: %i is read behind the loop, beside %next.
define i32 @lost_copy(i32 %n, ptr %p) {
; CHECK-LABEL: name: lost_copy
; CHECK: bb.1.loop:
; CHECK: COPY
; CHECK: bb.2.exit:
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

; The swap problem: neither register can hold both.
define i32 @swap(i32 %x, i32 %y, ptr %p) {
; CHECK-LABEL: name: swap
; CHECK: bb.1.loop:
; CHECK-COUNT-3: COPY
; CHECK: bb.2.exit:
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
