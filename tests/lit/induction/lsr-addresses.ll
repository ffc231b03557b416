; LoopStrengthReduce keeps a loop whose index has a constant step and is read by addresses and the loop's end alone: the code is that of
; -ptx-lsr.

; RUN: %llc -mcpu=sm_80 -ptx-verify %s -o %t.ptx -ptx-stats=all 2>%t.stats
; RUN: %llc -mcpu=sm_80 -ptx-lsr %s -o %t.lsr
; RUN: diff %t.lsr %t.ptx
; RUN: FileCheck %s <%t.stats
; CHECK: {{^ +}}0 loops left alone by LoopStrengthReduce

; It leaves the loop alone where the step is known at run time only, or where the index is a value as well.
; RUN: sed -e 's/add nsw i32 %i, 1/add nsw i32 %i, %delta/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=LEFT
; RUN: sed -e 's/%bits = bitcast float %value to i32/%bits = add i32 %i, 7/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=LEFT
; RUN: sed -e 's/%bits = bitcast float %value to i32/%is = icmp sgt i32 %i, %delta/; s/i32 %bits, ptr/i1 %is, ptr/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=LEFT

; And where the loop has more than two pointers, or more than four accesses: LLVM has unrolled it then.
; RUN: sed -e 's/^  %value = load float, ptr addrspace(1) %from/  %another = getelementptr inbounds float, ptr addrspace(1) %c, i64 %at.wide\n  %value = load float, ptr addrspace(1) %from\n  store float %value, ptr addrspace(1) %another/' %s \
; RUN:   | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=LEFT
; RUN: sed -e 's/^  store i32 %bits, ptr addrspace(1) %into/  store volatile i32 %bits, ptr addrspace(1) %into\n  store volatile i32 0, ptr addrspace(1) %into\n  store volatile i32 1, ptr addrspace(1) %into\n  store volatile i32 2, ptr addrspace(1) %into/' %s \
; RUN:   | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=LEFT
; LEFT: {{^ +}}1 loops left alone by LoopStrengthReduce

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @rows(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i32 %n, i32 %delta) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at.wide = sext i32 %i to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at.wide
  %into = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %at.wide
  %value = load float, ptr addrspace(1) %from
  %bits = bitcast float %value to i32
  store i32 %bits, ptr addrspace(1) %into
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @rows, !"kernel", i32 1}
