; LoopStrengthReduce keeps a loop of several accesses that extends or multiplies several times, though LLVM has unrolled it: the code is that of
; -ptx-lsr.

; RUN: %llc -mcpu=sm_80 -ptx-verify %s -o %t.ptx -ptx-stats=all 2>%t.stats
; RUN: %llc -mcpu=sm_80 -ptx-lsr %s -o %t.lsr
; RUN: diff %t.lsr %t.ptx
; RUN: FileCheck %s <%t.stats
; CHECK: {{^ +}}0 loops left alone by LoopStrengthReduce

; It leaves the loop alone with one product less, or three pointers.
; RUN: sed -e 's/mul i32 %w1, %w0/xor i32 %w1, %w0/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=LEFT
; RUN: sed -e 's/i8, ptr addrspace(1) %from0, i64 4/i32, ptr addrspace(1) %c, i64 %at.wide/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=LEFT
; LEFT: {{^ +}}1 loops left alone by LoopStrengthReduce

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @rows(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %d, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at.wide = sext i32 %i to i64
  %from0 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at.wide
  %from1 = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %at.wide
  %from2 = getelementptr inbounds i8, ptr addrspace(1) %from0, i64 4
  %from3 = getelementptr inbounds i8, ptr addrspace(1) %from1, i64 4
  %from4 = getelementptr inbounds i8, ptr addrspace(1) %from0, i64 8
  %w0 = load i32, ptr addrspace(1) %from0
  %w1 = load i32, ptr addrspace(1) %from1
  %w2 = load i32, ptr addrspace(1) %from2
  %w4 = load i32, ptr addrspace(1) %from4
  %m0 = mul i32 %w1, %w0
  %m1 = mul i32 %m0, %w2
  %m2 = xor i32 %m1, %w4
  store i32 %m2, ptr addrspace(1) %from3
  %next = add nsw i32 %i, 2
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @rows, !"kernel", i32 1}
