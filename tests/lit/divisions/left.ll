; Divisions stay if there is one of a divisor in the block, if one needs the other, if memory may change between them and a load would have to
; move over that, if they round less than to nearest or by an option, and in functions that are compiled for size. The reciprocal of a root
; stays: LLVM has one instruction for both.

; RUN: %llc -ptx-divisions -mcpu=sm_80 < %s -ptx-stats 2>%t.stats | FileCheck --implicit-check-not='rcp.approx.ftz' %s
; RUN: FileCheck --check-prefix=STATS %s < %t.stats
; RUN: sed -e 's/ arcp / /;s/ optsize / /' %s | %llc -ptx-divisions -mcpu=sm_80 -nvptx-prec-divf32=1 | FileCheck --check-prefix=LESS --implicit-check-not='rcp.approx.ftz' %s

; STATS:      divisions: 5 functions
; STATS-NEXT: 6 divisors left: of one division, or too many
; LESS:       div.full.f32

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry chain(
; CHECK-COUNT-2: div.rn.f32
define ptx_kernel void @chain(ptr addrspace(1) %out, float %x, float %d) {
  %a = fdiv float %x, %d
  %b = fdiv float %a, %d
  store float %b, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry memory(
; CHECK-COUNT-2: div.rn.f32
define ptx_kernel void @memory(ptr addrspace(1) %p, ptr addrspace(1) %out, float %d) {
  %x = load float, ptr addrspace(1) %p
  %a = fdiv float %x, %d
  store float %a, ptr addrspace(1) %out
  %y = load float, ptr addrspace(1) %p
  %b = fdiv float %y, %d
  store float %b, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry blocks(
define ptx_kernel void @blocks(ptr addrspace(1) %out, float %x, float %d, i1 %c) {
  br i1 %c, label %first, label %second
first:
  %a = fdiv float %x, %d
  store volatile float %a, ptr addrspace(1) %out
  ret void
second:
  ret void
}

; Approximate code has its own.
; CHECK-LABEL: .entry reciprocals(
define ptx_kernel void @reciprocals(ptr addrspace(1) %out, float %x, float %y, float %d) {
  %a = fdiv arcp float %x, %d
  %b = fdiv arcp float %y, %d
  store volatile float %a, ptr addrspace(1) %out
  store volatile float %b, ptr addrspace(1) %out
  ret void
}

; This was wrong once: 1 / root was not what stock's code has.
; CHECK-LABEL: .entry root(
; CHECK-DAG:     {{rsqrt.approx|rcp.rn}}.f32
; CHECK-DAG:     div.rn.f32
define ptx_kernel void @root(ptr addrspace(1) %out, float %x, float %y) {
  %d = call float @llvm.nvvm.sqrt.approx.f(float %x)
  %a = fdiv float %y, %d
  %b = fdiv float 1.0, %d
  store volatile float %a, ptr addrspace(1) %out
  store volatile float %b, ptr addrspace(1) %out
  ret void
}
declare float @llvm.nvvm.sqrt.approx.f(float)

; CHECK-LABEL: .entry small(
define ptx_kernel void @small(ptr addrspace(1) %out, float %x, float %y, float %d) optsize {
  %a = fdiv float %x, %d
  %b = fdiv float %y, %d
  store volatile float %a, ptr addrspace(1) %out
  store volatile float %b, ptr addrspace(1) %out
  ret void
}
