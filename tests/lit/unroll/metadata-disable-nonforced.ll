; No loop is changed unasked where the source forbids that.

; RUN: %llc-unroll -mcpu=sm_80 %s -o - | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .func only_if_forced(
; CHECK:       st{{.*}}32
; CHECK-NOT:   st{{.*}}32
define void @only_if_forced(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.disable_nonforced"}
