; A conversion between float and integer registers is removed where it is there only because an instruction was selected
; for the other class (conversions.rs; from LLVM 21 on there is one class).

; UNSUPPORTED: llvm-21-up
; RUN: %llc <%s -mcpu=sm_80 -verify-machineinstrs -ptx-stats -o %t.ptx 2>%t.said
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=COUNT <%t.said
; COUNT-DAG: {{ 14}} conversions between classes seen
; COUNT-DAG: {{ 5}} conversions between classes made copies
; COUNT-DAG: {{ 5}} copies joined

; LiveIntervals are right for a later pass; the upstream profile does nothing of it.
; RUN: %llc <%s -mcpu=sm_80 -enable-misched -verify-machineinstrs -o /dev/null
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)

; A shuffle of integers becomes the one of floats.
; CHECK-LABEL: .func {{.*}}shuffled(
; CHECK:       add.rn.f32 [[X:%f[0-9]+]],
; CHECK-NEXT:  shfl.sync.down.b32 [[F:%f[0-9]+]], [[X]], 16, 31, -1;
; CHECK-NEXT:  add.rn.f32 {{%f[0-9]+}}, [[F]], [[X]];
define float @shuffled(float %a) {
  %x = fadd float %a, 1.0
  %i = bitcast float %x to i32
  %s = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %i, i32 16, i32 31)
  %f = bitcast i32 %s to float
  %r = fadd float %f, %x
  ret float %r
}

; An integer instruction reads it too.
; CHECK-LABEL: .func {{.*}}shuffled_bits(
; CHECK:       mov.b32 %r
; CHECK:       shfl.sync.bfly.b32 %r{{.*}}, %r
; CHECK:       mov.b32 %f
define float @shuffled_bits(float %a, ptr %p) {
  %x = fadd float %a, 1.0
  %i = bitcast float %x to i32
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 16, i32 31)
  %o = or i32 %s, 1
  store i32 %o, ptr %p
  %f = bitcast i32 %s to float
  %r = fadd float %f, %x
  ret float %r
}

; A load and stores name the type.
; CHECK-LABEL: .func {{.*}}loaded(
; CHECK:       ld.global.f32 %f
; CHECK-NOT:   mov.b32
; CHECK:       add.rn.f32
define float @loaded(ptr addrspace(1) %p, i1 %c) {
entry:
  %i = load i32, ptr addrspace(1) %p
  br i1 %c, label %then, label %else
then:
  %f = bitcast i32 %i to float
  %r = fadd float %f, 1.0
  ret float %r
else:
  %g = bitcast i32 %i to float
  %s = fmul float %g, 3.0
  ret float %s
}

; CHECK-LABEL: .func {{.*}}stored(
; CHECK-NOT:   mov.b32
; CHECK:       st.global.f32 {{.*}}, %f
; CHECK:       st.volatile.global.f32 {{.*}}, %f
define void @stored(ptr addrspace(1) %p, float %a, i1 %c) {
entry:
  %x = fadd float %a, 1.0
  %i = bitcast float %x to i32
  br i1 %c, label %then, label %else
then:
  store i32 %i, ptr addrspace(1) %p
  ret void
else:
  store volatile i32 %i, ptr addrspace(1) %p
  ret void
}

; A load that extends cannot be one of floats.
; CHECK-LABEL: .func {{.*}}narrow(
; CHECK:       ld.global.{{[us]}}16
; CHECK:       mov.b32 %f
; CHECK:       mov.b32 %f
define float @narrow(ptr addrspace(1) %p, i1 %c) {
entry:
  %i = load i16, ptr addrspace(1) %p
  %z = zext i16 %i to i32
  br i1 %c, label %then, label %else
then:
  %f = bitcast i32 %z to float
  %r = fadd float %f, 1.0
  ret float %r
else:
  %g = bitcast i32 %z to float
  %s = fmul float %g, 3.0
  ret float %s
}

; CHECK-LABEL: .func {{.*}}narrow64(
; CHECK:       ld.global.{{[bu]}}32 %rd
; CHECK:       mov.b64 %fd
; CHECK:       mov.b64 %fd
define double @narrow64(ptr addrspace(1) %p, i1 %c) {
entry:
  %i = load i32, ptr addrspace(1) %p
  %z = zext i32 %i to i64
  br i1 %c, label %then, label %else
then:
  %f = bitcast i64 %z to double
  %r = fadd double %f, 1.0
  ret double %r
else:
  %g = bitcast i64 %z to double
  %s = fmul double %g, 3.0
  ret double %s
}

; Nor can a store that truncates.
; CHECK-LABEL: .func {{.*}}stored_low(
; CHECK:       st.global.{{[bu]}}32 {{.*}}, %r
define void @stored_low(ptr addrspace(1) %p, double %a, i1 %c) {
entry:
  %x = fadd double %a, 1.0
  %i = bitcast double %x to i64
  br i1 %c, label %then, label %else
then:
  %t = trunc i64 %i to i32
  store i32 %t, ptr addrspace(1) %p
  ret void
else:
  store volatile double %x, ptr addrspace(1) %p
  ret void
}

; Nor is an immediate: there is no selp.f64 of integers.
; CHECK-LABEL: .func {{.*}}selected(
; CHECK:       selp.{{[bu]}}64 %rd{{[0-9]+}}, 3, 5
; CHECK:       mov.b64 %fd
define double @selected(i1 %c, i1 %d) {
entry:
  %i = select i1 %c, i64 3, i64 5
  br i1 %d, label %then, label %else
then:
  %f = bitcast i64 %i to double
  %r = fadd double %f, 1.0
  ret double %r
else:
  %g = bitcast i64 %i to double
  %s = fmul double %g, 3.0
  ret double %s
}
