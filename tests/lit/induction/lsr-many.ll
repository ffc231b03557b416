; LoopStrengthReduce keeps short loops that ptxas would unroll where all of them together become too many instructions: the code is that
; of -ptx-lsr.

; RUN: %llc -mcpu=sm_80 -ptx-verify %s -o %t.ptx -ptx-stats=all 2>%t.stats
; RUN: %llc -mcpu=sm_80 -ptx-lsr %s -o %t.lsr
; RUN: diff %t.lsr %t.ptx
; RUN: FileCheck %s <%t.stats
; CHECK: {{^ +}}0 loops left alone by LoopStrengthReduce

; With fewer iterations of the second one it leaves both alone.
; RUN: sed -e 's/%next2, 30/%next2, 8/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=SHORT
; SHORT: {{^ +}}2 loops left alone by LoopStrengthReduce

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @two(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %stride) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = mul nsw i32 %i, %stride
  %at.wide = sext i32 %at to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at.wide
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %at.wide
  %value = load float, ptr addrspace(1) %from
  %number = sitofp i32 %i to float
  %sum = fadd float %value, %number
  store float %sum, ptr addrspace(1) %to
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 30
  br i1 %more, label %loop, label %loop2

loop2:
  %i2 = phi i32 [ 0, %loop ], [ %next2, %loop2 ]
  %at2 = mul nsw i32 %i2, %stride
  %at2.wide = sext i32 %at2 to i64
  %from2 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %at2.wide
  %to2 = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at2.wide
  %value2 = load float, ptr addrspace(1) %from2
  %number2 = sitofp i32 %i2 to float
  %sum2 = fadd float %value2, %number2
  store float %sum2, ptr addrspace(1) %to2
  %next2 = add nsw i32 %i2, 1
  %more2 = icmp slt i32 %next2, 30
  br i1 %more2, label %loop2, label %end

end:
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @two, !"kernel", i32 1}
