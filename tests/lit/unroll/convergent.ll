; A loop with a barrier gets no loop for what is left over, in which some threads would come to another barrier than the others. With a known number of
; iterations it is unrolled wholly.

; RUN: %llc-unroll -ptx-unroll=all -mcpu=sm_80 %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; STATS:      unroll: 2 functions
; STATS-NEXT: {{^ +}}1 loops left: threads have to stay together in them
; STATS-NEXT: {{^ +}}1 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.barrier0() convergent nounwind

; CHECK-LABEL: .func unknown(
; CHECK:         {{bar|barrier}}.
; CHECK-NOT:     {{bar|barrier}}.
; CHECK:         ret;
define void @unknown(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier0()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL:   .func known(
; CHECK-COUNT-3: {{bar|barrier}}.
; CHECK-NOT:     {{bar|barrier}}.
; CHECK:         ret;
define void @known() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier0()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}
