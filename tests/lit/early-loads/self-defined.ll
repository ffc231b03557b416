; In a block that nothing reaches a value may be its own operand. The search for what computes an address did not end there.

; RUN: %llc -O2 -mcpu=sm_80 < %s | FileCheck %s
; CHECK-LABEL: .entry dead(
; CHECK:         ret;

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @dead(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  ret void
unreached:
  %v = load i32, ptr addrspace(1) %a, !tbaa !0
  store i32 %v, ptr addrspace(1) %b, !tbaa !0
  %x = getelementptr i32, ptr addrspace(1) %x, i64 1
  %w = load double, ptr addrspace(1) %x, !tbaa !2
  store double %w, ptr addrspace(1) %b, !tbaa !2
  br label %unreached
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !4, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"double", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C++ TBAA"}
