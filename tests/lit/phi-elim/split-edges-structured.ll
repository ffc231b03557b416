; On targets whose control flow has to stay structured, as NVPTX, LLVM splits no edge; from 22 on it splits
; those to the header of a loop. (Without loop strength reduction, sinking and hoisting the loop has no preheader.)
; Found by examples/rotate_hash.ll with -phi-elim-split-all-critical-edges.

; RUN: %same --pass=phi-elim --levels=O1,O2,O2-lis -- %s -disable-lsr -disable-machine-sink -disable-machine-licm | FileCheck %s --check-prefix=%if llvm-22-up && !llvm-24-up %{SPLIT%} %else %{WHOLE%}
; RUN: %same --pass=phi-elim --asm --levels=O2,O2-lis -- %s -disable-lsr -disable-machine-sink -disable-machine-licm
; RUN: %same --pass=phi-elim --levels=O2 -- %s -phi-elim-split-all-critical-edges | FileCheck %s --check-prefix=%if llvm-22-up && !llvm-24-up %{ALL%} %else %{WHOLE%}
; RUN: %same --pass=phi-elim --asm --levels=O2,O2-lis -- %s -phi-elim-split-all-critical-edges

; SPLIT: O2: {{.*}}critical edges split 1
; ALL: O2: {{.*}}critical edges split 1
; WHOLE-NOT: critical edges split

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
