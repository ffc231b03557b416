; LoopStrengthReduce leaves a loop alone whose step is known at run time only, so that the pointers stay what they are: sums of a base and an
; index.
; With -ptx-lsr, where the stage does not run, and in the upstream profile it makes pointers walk.

; RUN: %llc -mcpu=sm_80 -ptx-verify %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %llc -mcpu=sm_80 -ptx-lsr -ptx-verify %s -o - -ptx-stats 2>%t.none | FileCheck %s --check-prefix=LSR
; RUN: FileCheck %s --check-prefix=NONE --implicit-check-not="LoopStrengthReduce" <%t.none
; RUN: %llc -mcpu=sm_80 -ptx-passes=emitter,phi-elim,two-address,coalescer %s -o - | FileCheck %s --check-prefix=LSR
; RUN: %stock-llc -mcpu=sm_80 %s -o %t.stock
; RUN: %llc -mcpu=sm_80 -ptx-profile=upstream %s -o - | diff %t.stock -
; RUN: FileCheck %s --check-prefix=LSR <%t.stock

; CHECK-LABEL: .entry rows(
; CHECK:       BB0_1:
; CHECK:         mul.wide.s32 [[OFFSET:%rd[0-9]+]], {{%r[0-9]+}}, 4;
; CHECK:         add.s64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, [[OFFSET]];
; CHECK:         bra

; LSR-LABEL: .entry rows(
; LSR:       BB0_1:
; LSR-NOT:     mul.wide
; LSR:         bra

; STATS: induction: 1 functions
; STATS: 1 loops left alone by LoopStrengthReduce
; NONE:  induction: 1 functions

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @rows(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, i32 %step) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at.wide = sext i32 %i to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at.wide
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %at.wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @rows, !"kernel", i32 1}
