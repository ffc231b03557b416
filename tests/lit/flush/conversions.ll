; Numbers that were integers or halves are zero or normal, whichever way they were rounded. The checker knew only the nearest, and called these miscompiled.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.ui2f.rz(i32)
declare float @llvm.nvvm.i2f.rm(i32)

; CHECK-LABEL: to_zero(
; CHECK: cvt.rz.f32.u32
; CHECK: rsqrt.approx.ftz.f32
define float @to_zero(i32 %x) {
  %float = call float @llvm.nvvm.ui2f.rz(i32 %x)
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %float)
  ret float %root
}

; CHECK-LABEL: down(
; CHECK: cvt.rm.f32.s32
; CHECK: rsqrt.approx.ftz.f32
define float @down(i32 %x) {
  %float = call float @llvm.nvvm.i2f.rm(i32 %x)
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %float)
  ret float %root
}

; CHECK-LABEL: half_flushes(
; CHECK: cvt{{(.ftz)?}}.f32.f16
; CHECK: sqrt.approx.ftz.f32
define float @half_flushes(half %h) "denormal-fp-math-f32"="preserve-sign" {
  %float = fpext half %h to float
  %root = call float @llvm.nvvm.sqrt.approx.f(float %float)
  ret float %root
}
