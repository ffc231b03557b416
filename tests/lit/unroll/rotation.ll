; Values that rotate through three PHIs: unrolled by six, two times the length, no value is moved in the loop.

; RUN: %llc-unroll -ptx-unroll=all -mcpu=sm_80 %s -o - | FileCheck %s
; RUN: %llc-unroll -mcpu=sm_80 -ptx-unroll=off %s -o - | FileCheck %s --check-prefix=OFF

; CHECK:         .pragma "nounroll";
; CHECK-NOT:     mov
; CHECK-COUNT-6: mad.lo
; CHECK-NOT:     {{mov|mad}}
; CHECK:         bra

; OFF-LABEL: // %loop
; OFF:       mov
; OFF:       bra

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @hash(i32 %n, i32 %seed) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi i32 [ %seed, %entry ], [ %new, %loop ]
  %b = phi i32 [ 1, %entry ], [ %a, %loop ]
  %c = phi i32 [ 2, %entry ], [ %b, %loop ]
  %product = mul i32 %c, %a
  %new = add i32 %product, %b
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret i32 %new
}
