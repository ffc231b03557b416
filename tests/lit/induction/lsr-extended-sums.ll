; LoopStrengthReduce leaves a loop alone whose addresses extend sums of 32 bits that may wrap: no pointer can walk in their place.

; RUN: %llc -mcpu=sm_80 -ptx-verify %s -o %t.ptx -ptx-stats=all 2>%t.stats
; RUN: FileCheck %s <%t.stats
; RUN: %llc -mcpu=sm_80 -disable-lsr %s -o %t.without
; RUN: diff %t.without %t.ptx
; CHECK: {{^ +}}1 loops left alone by LoopStrengthReduce

; It keeps the loop where a product can become a sum. A product with a constant is not a reason.
; RUN: sed -e 's/%at = add i32 %i, %delta/%at = mul i32 %i, %delta/' %s | %llc -mcpu=sm_80 -ptx-verify -o %t.product -ptx-stats=all 2>%t.kept
; RUN: FileCheck %s --check-prefix=KEPT <%t.kept
; RUN: sed -e 's/%at = add i32 %i, %delta/%at = mul i32 %i, 12/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats=all 2>&1 | FileCheck %s
; KEPT: {{^ +}}0 loops left alone by LoopStrengthReduce

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @rows(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, i32 %delta) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %i, %delta
  %wide = zext i32 %at to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %into = getelementptr inbounds float, ptr addrspace(1) %b, i64 %wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %into
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @rows, !"kernel", i32 1}
