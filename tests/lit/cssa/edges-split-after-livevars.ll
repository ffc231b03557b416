; Where edges were split after LiveVariables, CSSA analyses the function again: the new block is not in the old analysis.
; It is about LiveVariables, which LLVM 24 does not compute.
; REQUIRES: live-variables
; RUN: %if llvm-22-up %{ %llc -O2 -mcpu=sm_80 -ptx-verify -ptx-stats -usedessa=2 -phi-elim-split-all-critical-edges -o /dev/null %s 2>&1 | FileCheck %s %}

; CHECK-NOT: functions that LiveVariables had analysed
; CHECK: 1 critical edges split

target triple = "nvptx64-nvidia-cuda"

; %a goes into the loop and, beside it, into %other, but not around the loop.
define i32 @enters(i32 %x, i32 %n, ptr %p) {
entry:
  %a = mul i32 %x, %n
  store volatile i32 %a, ptr %p
  %c = icmp sgt i32 %n, 7
  br i1 %c, label %header, label %other
header:
  %v = phi i32 [ %a, %entry ], [ %w, %header ]
  %w = mul i32 %v, %v
  store volatile i32 %v, ptr %p
  %d = icmp slt i32 %w, %n
  br i1 %d, label %header, label %exit
exit:
  ret i32 %w
other:
  %t = add i32 %a, 1
  ret i32 %t
}
