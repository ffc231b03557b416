; The block that divides is split, and instruction selection sees one block at a time. A product and a sum that it fuses stay together, as do a
; root and its reciprocal. What moves with one divisor is not moved back by another one.

; RUN: %llc -ptx-divisions -mcpu=sm_80 < %s | FileCheck %s
; RUN: %stock-llc -mcpu=sm_80 < %s | FileCheck --check-prefix=STOCK %s

target triple = "nvptx64-nvidia-cuda"

; This was wrong once: a product and a sum in two blocks are rounded twice. A product that nothing else needs goes where the sum is.
; CHECK-LABEL: .entry fused(
; CHECK:          rcp.approx.ftz.f32
; CHECK:          // %divided
; CHECK-NOT:      add.{{(rn.)?}}f32
; CHECK:          fma.rn.f32
; CHECK-NOT:      add.{{(rn.)?}}f32
; CHECK:          st.volatile.global
; STOCK-LABEL: .entry fused(
; STOCK:          fma.rn.f32
define ptx_kernel void @fused(ptr addrspace(1) %out, float %a, float %b, float %d) {
  %m = fmul contract float %a, %b
  %q1 = fdiv contract float %a, %d
  %q2 = fdiv contract float %b, %d
  %s = fadd contract float %m, %q2
  store volatile float %s, ptr addrspace(1) %out
  store volatile float %q1, ptr addrspace(1) %out
  ret void
}

; If a quotient needs it, the divisions stay.
; CHECK-LABEL: .entry needed(
; CHECK-NOT:      rcp
; CHECK:          fma.rn.f32
; CHECK-NOT:      rcp
; CHECK:        // -- End function
; STOCK-LABEL: .entry needed(
; STOCK:          fma.rn.f32
define ptx_kernel void @needed(ptr addrspace(1) %out, float %a, float %b, float %d) {
  %m = fmul contract float %a, %b
  %q1 = fdiv contract float %m, %d
  %q2 = fdiv contract float %b, %d
  %s = fadd contract float %m, %q2
  store volatile float %s, ptr addrspace(1) %out
  store volatile float %q1, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry root(
; CHECK:          {{rsqrt.approx|rcp.rn}}.f32
; CHECK:          rcp.approx.ftz.f32
; STOCK-LABEL: .entry root(
; STOCK:          {{rsqrt.approx|rcp.rn}}.f32
define ptx_kernel void @root(ptr addrspace(1) %out, float %x, float %y, float %z) {
  %d = call float @llvm.nvvm.sqrt.approx.f(float %x)
  %a = fdiv float %y, %d
  %b = fdiv float %z, %d
  %c = fdiv float 1.0, %d
  store volatile float %a, ptr addrspace(1) %out
  store volatile float %b, ptr addrspace(1) %out
  store volatile float %c, ptr addrspace(1) %out
  ret void
}
declare float @llvm.nvvm.sqrt.approx.f(float)

; This was not valid IR once.
; CHECK-LABEL: .entry both(
; CHECK:          add.{{(rn.)?}}f32
; CHECK:          rcp.approx.ftz.f32
; CHECK:          rcp.approx.ftz.f32
; STOCK-LABEL: .entry both(
define ptx_kernel void @both(ptr addrspace(1) %out, float %a, float %b, float %c, float %d, float %e) {
  %q1 = fdiv float %a, %d
  %r1 = fdiv float %b, %e
  %t = fadd float %c, %a
  %q2 = fdiv float %t, %d
  %r2 = fdiv float %t, %e
  store volatile float %q1, ptr addrspace(1) %out
  store volatile float %q2, ptr addrspace(1) %out
  store volatile float %r1, ptr addrspace(1) %out
  store volatile float %r2, ptr addrspace(1) %out
  ret void
}

; Undefined and unusual numbers do not take part, so that the branch is defined and the others share their divisor.
; CHECK-LABEL: .entry unusual(
; CHECK-COUNT-2:  add.s32
; CHECK:          add.s32
; CHECK:          add.s32
; CHECK:          setp.eq.{{[bs]}}32
; CHECK:          rcp.approx.ftz.f32
; STOCK-LABEL: .entry unusual(
define ptx_kernel void @unusual(ptr addrspace(1) %out, float %a, float %b, float %d, i1 %c) {
  %q = fdiv float %a, %d
  %r = fdiv float %b, %d
  %zero = fdiv float 0.0, %d
  %none = fdiv float poison, %d
  %some = select i1 true, float %r, float %none
  store volatile float %q, ptr addrspace(1) %out
  store volatile float %some, ptr addrspace(1) %out
  store volatile float %zero, ptr addrspace(1) %out
  ret void
}
