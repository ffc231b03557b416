; In a block that nothing reaches a value may be its own operand. The search for what computes an address did not end there.

; RUN: %llc -O2 -mcpu=sm_80 < %s | FileCheck %s
; CHECK-LABEL: .entry dead(
; CHECK:         ret;

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @dead(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
entry:
  ret void
unreached:
  %v = load i32, ptr addrspace(1) %a
  store i32 %v, ptr addrspace(1) %b, !alias.scope !2
  %x = getelementptr i32, ptr addrspace(1) %x, i64 1
  %w = load i32, ptr addrspace(1) %x, !noalias !2
  store i32 %w, ptr addrspace(1) %b
  br label %unreached
}

!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
