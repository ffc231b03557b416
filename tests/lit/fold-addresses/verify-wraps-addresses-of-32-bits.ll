; The checker compares addresses in registers of 32 bits modulo 2^32 in all address spaces. It called this code, whose second address is the first
; one plus 4, miscompiled: where the sum wraps around, it had one bit more.
;
; RUN: %llc %s -march=nvptx -mcpu=sm_80 -o - | FileCheck %s
target triple = "nvptx-nvidia-cuda"

; CHECK-LABEL: k(
; CHECK: st.volatile.global{{.*}} [%r[[#A:]]], %r
; CHECK: st.volatile.global
define void @k(ptr addrspace(1) %a, i32 %i) {
  %i4 = shl i32 %i, 2
  %o1 = or i32 %i4, 1
  %p0 = getelementptr i32, ptr addrspace(1) %a, i32 %i4
  %p1 = getelementptr i32, ptr addrspace(1) %a, i32 %o1
  store volatile i32 %o1, ptr addrspace(1) %p0
  store volatile i32 1, ptr addrspace(1) %p1
  ret void
}
