; Approximations whose operand may be subnormal stay as they are.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s --implicit-check-not=.ftz
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: flush:
; STATS: {{ }}0 approximations that flush{{$}}
; STATS: {{ }}9 approximations that may meet subnormal numbers{{$}}

target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.rsqrt.approx.f(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.fma.f32(float, float, float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.maximum.f32(float, float)

; CHECK-LABEL: any(
; CHECK: rsqrt.approx.f32
define float @any(float %x) {
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %x)
  ret float %root
}

; CHECK-LABEL: square(
; CHECK: rsqrt.approx.f32
define float @square(float %x) {
  %x2 = fmul float %x, %x
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %x2)
  ret float %root
}

; The constant is subnormal.
; CHECK-LABEL: constant(
; CHECK: rsqrt.approx.f32
define float @constant(float %x) {
  %x2 = fmul float %x, %x
  %sum = fadd float %x2, 0x37A16C2000000000
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %sum)
  ret float %root
}

; A product may be negative, and cancel the constant.
; CHECK-LABEL: product(
; CHECK: lg2.approx.f32
define float @product(float %x, float %y) {
  %sum = call float @llvm.fma.f32(float %x, float %y, float 0x3810000000000000)
  %logarithm = call float @llvm.nvvm.lg2.approx.f(float %sum)
  ret float %logarithm
}

; CHECK-LABEL: difference(
; CHECK: rsqrt.approx.f32
define float @difference(float %x, float %y) {
  %x2 = fmul float %x, %x
  %sum = fadd float %x2, 0x3810000000000000
  %y2 = fmul float %y, %y
  %difference = fsub float %sum, %y2
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %difference)
  ret float %root
}

; If %x is NaN so is the sum, and the greater one is %y.
; CHECK-LABEL: greater(
; CHECK: rsqrt.approx.f32
define float @greater(float %x, float %y) {
  %x2 = fmul float %x, %x
  %sum = fadd float %x2, 1.0
  %greater = call float @llvm.maxnum.f32(float %sum, float %y)
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %greater)
  ret float %root
}

; If %x is NaN so is the inner one, and the greater one is the square.
; CHECK-LABEL: greater_or_nan(
; CHECK: rsqrt.approx.f32
define float @greater_or_nan(float %x, float %y) {
  %inner = call float @llvm.maximum.f32(float %x, float 1.0)
  %y2 = fmul float %y, %y
  %greater = call float @llvm.maxnum.f32(float %inner, float %y2)
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %greater)
  ret float %root
}

; CHECK-LABEL: sum(
; CHECK: rsqrt.approx.f32
define float @sum(float %x, float %y) {
  %sum = fadd float %x, %y
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %sum)
  ret float %root
}

; A range goes through no PHI.
; CHECK-LABEL: loop(
; CHECK: rsqrt.approx.f32
define float @loop(float %x, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 1.0, %entry ], [ %new, %body ]
  %x2 = fmul float %x, %x
  %new = fadd float %sum, %x2
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  %root = call float @llvm.nvvm.rsqrt.approx.f(float %new)
  ret float %root
}
