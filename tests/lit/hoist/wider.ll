; A sum of doubles moves up over the branch, and with it the conversion from float that it reads, though the float is the
; smaller register.
;
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=63 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=63 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: hoist:
; STATS: {{ }}5 instructions moved up{{$}}

target triple = "nvptx64-nvidia-cuda"

define double @wider(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}wider(
; CHECK: cvt.f64.f32
; CHECK-COUNT-4: add.{{(rn.)?}}f64
; CHECK: bra
; CHECK: ret;
entry:
  %f = load float, ptr addrspace(1) %q
  %a = load double, ptr addrspace(1) %p
  %p1 = getelementptr double, ptr addrspace(1) %p, i64 1
  %b = load double, ptr addrspace(1) %p1
  %p2 = getelementptr double, ptr addrspace(1) %p, i64 2
  %d = load double, ptr addrspace(1) %p2
  %p3 = getelementptr double, ptr addrspace(1) %p, i64 3
  %e = load double, ptr addrspace(1) %p3
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %w = fpext float %f to double
  %s0 = fadd double %w, %a
  %s1 = fadd double %s0, %b
  %s2 = fadd double %s1, %d
  %s3 = fadd double %s2, %e
  store double %w, ptr addrspace(1) %q
  ret double %s3
}
