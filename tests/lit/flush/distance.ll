; A sum of squares and a normal constant is never subnormal, so its root may flush.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: flush:
; STATS: {{ }}3 approximations that flush{{$}}
; STATS: {{ }}0 approximations that may meet subnormal numbers{{$}}

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: inverse(
; CHECK: rsqrt.approx.ftz.f32
; STOCK-LABEL: inverse(
; STOCK: rsqrt.approx.f32
define float @inverse(float %x, float %y, float %z) {
  %x2 = fmul contract float %x, %x
  %y2 = call float @llvm.fma.f32(float %y, float %y, float %x2)
  %z2 = call float @llvm.fma.f32(float %z, float %z, float %y2)
  %sum = fadd contract float %z2, 0x3E112E0BE0000000
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %sum)
  ret float %root
}

; CHECK-LABEL: distance(
; CHECK: sqrt.approx.ftz.f32
; STOCK-LABEL: distance(
; STOCK: sqrt.approx.f32
define float @distance(float %x, float %y) {
  %x2 = fmul float %x, %x
  %y2 = fmul float %y, %y
  %squares = fadd float %x2, %y2
  %sum = fadd float %squares, 0x3E112E0BE0000000
  %root = call float @llvm.nvvm.sqrt.approx.f(float %sum)
  ret float %root
}

; The number of an item, from 1.
; CHECK-LABEL: digits(
; CHECK: lg2.approx.ftz.f32
; STOCK-LABEL: digits(
; STOCK: lg2.approx.f32
define float @digits(i32 %n) {
  %float = uitofp i32 %n to float
  %logarithm = call float @llvm.nvvm.lg2.approx.f(float %float)
  ret float %logarithm
}
