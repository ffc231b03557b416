; A sum moves up over the branch except for its last addition, which reads a PHI of the branches.
;
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=63 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=63 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: hoist:
; STATS: {{ }}5 instructions moved up{{$}}

target triple = "nvptx64-nvidia-cuda"

define float @phi(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}phi(
; CHECK-COUNT-5: add.{{(rn.)?}}f32
; CHECK: bra
; CHECK: add.{{(rn.)?}}f32
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  %l = load float, ptr addrspace(1) %q
  br label %rest
rest:
  %n = phi float [ 1.0, %entry ], [ %l, %yes ]
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  %s5 = fadd float %s4, %n
  ret float %s5
}
