; A loop whose metadata forbids unrolling, or says that it was unrolled, is left as it is. A count is obeyed, and one wanted wholly is unrolled
; however long it gets.

; RUN: %llc-unroll -mcpu=sm_80 %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; STATS:      unroll: 4 functions
; STATS-NEXT: {{^ +}}2 loops left: they are not to be unrolled, or were
; STATS-NEXT: {{^ +}}1 loops unrolled by a number
; STATS-NEXT: {{^ +}}1 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .func disabled(
; CHECK:         st.volatile.global
; CHECK-NOT:     st.volatile.global
; CHECK:         ret;
define void @disabled(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: .func one(
; CHECK:         st.volatile.global
; CHECK-NOT:     st.volatile.global
; CHECK:         ret;
define void @one(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end, !llvm.loop !2
end:
  ret void
}

; CHECK-LABEL:   .func two(
; CHECK:         .pragma "nounroll";
; CHECK-COUNT-2: st.volatile.global
; CHECK-NOT:     st.volatile.global
; CHECK:         ret;
define void @two(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end, !llvm.loop !4
end:
  ret void
}

; CHECK-LABEL:     .func whole(
; CHECK-COUNT-600: st.volatile.global
; CHECK-NOT:       st.volatile.global
; CHECK:           ret;
define void @whole(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 600
  br i1 %more, label %loop, label %end, !llvm.loop !6
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 1}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.count", i32 2}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll.full"}
