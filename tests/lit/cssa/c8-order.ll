; Row C8: the operand that most edges of a PHI have in common is joined first. One edge brings %x, which is live together with
; %a. Joined first, it would keep %a out, and the other edges would need three copies. The same with %y and %b in another order.
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -stop-after=phi-node-elimination -o - %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: order
; CHECK:       bb.0.entry:
; CHECK:       bb.{{[0-9]}}.loop:
; CHECK-COUNT-2: COPY
; CHECK-NOT:   COPY
; CHECK:       Return
define void @order(i32 %n, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %latch ]
  %x = load volatile i32, ptr %p
  %a = load volatile i32, ptr %p
  %y = load volatile i32, ptr %p
  %b = load volatile i32, ptr %p
  switch i32 %i, label %c0 [ i32 1, label %c1
                             i32 2, label %c2
                             i32 3, label %c3 ]
c0:
  store volatile i32 4, ptr %p
  br label %latch
c1:
  store volatile i32 1, ptr %p
  br label %latch
c2:
  store volatile i32 2, ptr %p
  br label %latch
c3:
  store volatile i32 3, ptr %p
  br label %latch
latch:
  %r = phi i32 [ %x, %c0 ], [ %a, %c1 ], [ %a, %c2 ], [ %a, %c3 ]
  %s = phi i32 [ %b, %c0 ], [ %b, %c1 ], [ %b, %c2 ], [ %y, %c3 ]
  store volatile i32 %r, ptr %p
  store volatile i32 %s, ptr %p
  %next = add i32 %i, -3
  %c = icmp sgt i32 %next, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
