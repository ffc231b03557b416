; LoopStrengthReduce keeps the loops that ptxas would unroll into too many instructions, and those through which several pointers walk
; already: the code is that of -ptx-lsr.

; RUN: %llc -mcpu=sm_80 -ptx-verify %s -o %t.ptx -ptx-stats=all 2>%t.stats
; RUN: %llc -mcpu=sm_80 -ptx-lsr %s -o %t.lsr
; RUN: diff %t.lsr %t.ptx
; RUN: FileCheck %s <%t.stats
; CHECK: induction: 2 functions
; CHECK: {{^ +}}0 loops left alone by LoopStrengthReduce

; With fewer iterations it leaves the first one alone.
; RUN: sed -e 's/%next, 600/%next, 8/' %s | %llc -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=SHORT
; SHORT: {{^ +}}1 loops left alone by LoopStrengthReduce

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @long(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %stride) {
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
  %more = icmp slt i32 %next, 600
  br i1 %more, label %loop, label %end

end:
  ret void
}

define void @pointers(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i32 %n, i64 %stride) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %p.next, %loop ]
  %q = phi ptr addrspace(1) [ %b, %entry ], [ %q.next, %loop ]
  %r = phi ptr addrspace(1) [ %c, %entry ], [ %r.next, %loop ]
  %x = load float, ptr addrspace(1) %p
  %y = load float, ptr addrspace(1) %q
  %sum = fadd float %x, %y
  store float %sum, ptr addrspace(1) %r
  %p.next = getelementptr inbounds float, ptr addrspace(1) %p, i64 %stride
  %q.next = getelementptr inbounds float, ptr addrspace(1) %q, i64 %stride
  %r.next = getelementptr inbounds float, ptr addrspace(1) %r, i64 %stride
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @long, !"kernel", i32 1}
!1 = !{ptr @pointers, !"kernel", i32 1}
