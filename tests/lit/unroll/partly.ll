; With -ptx-unroll=all a short loop with an unknown trip count is unrolled by four. Another loop runs what is left over. ptxas is to unroll neither.

; RUN: %llc-unroll -ptx-unroll=all -mcpu=sm_80 %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %llc-unroll -mcpu=sm_80 -ptx-unroll=off %s -o - | FileCheck %s --check-prefix=OFF
; RUN: %llc-unroll -mcpu=sm_80 %s -o - | FileCheck %s --check-prefix=OFF

; CHECK-LABEL:   .func {{.*}} sum(
; CHECK:         .pragma "nounroll";
; CHECK-COUNT-4: ld.global
; CHECK-NOT:     ld.global
; CHECK:         bra
; CHECK:         .pragma "nounroll";
; CHECK:         ld.global
; CHECK-NOT:     ld.global
; CHECK:         ret;

; OFF-NOT:   .pragma
; OFF:       ld.global
; OFF-NOT:   ld.global

; STATS:      unroll: 1 functions
; STATS-NEXT: {{^ +}}1 loops unrolled by a number

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define float @sum(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = zext i32 %i to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %p, i64 %at
  %value = load float, ptr addrspace(1) %from
  %more = fadd float %x, %value
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret float %more
}
