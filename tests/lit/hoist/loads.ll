; Loads below a branch are not moved up over the store in it.
;
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=63 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=63 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: hoist:
; STATS: {{ }}0 instructions moved up{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @loads(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func loads(
; CHECK: bra
; CHECK: st.global
; CHECK-COUNT-6: ld.global{{(.nc)?}}.{{[bf]}}32
; CHECK: ret;
entry:
  %a0 = load ptr addrspace(1), ptr addrspace(1) %p
  %p1 = getelementptr i64, ptr addrspace(1) %p, i64 1
  %a1 = load ptr addrspace(1), ptr addrspace(1) %p1
  %p2 = getelementptr i64, ptr addrspace(1) %p, i64 2
  %a2 = load ptr addrspace(1), ptr addrspace(1) %p2
  %p3 = getelementptr i64, ptr addrspace(1) %p, i64 3
  %a3 = load ptr addrspace(1), ptr addrspace(1) %p3
  %p4 = getelementptr i64, ptr addrspace(1) %p, i64 4
  %a4 = load ptr addrspace(1), ptr addrspace(1) %p4
  %p5 = getelementptr i64, ptr addrspace(1) %p, i64 5
  %a5 = load ptr addrspace(1), ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %v0 = load float, ptr addrspace(1) %a0
  %v1 = load float, ptr addrspace(1) %a1
  %v2 = load float, ptr addrspace(1) %a2
  %v3 = load float, ptr addrspace(1) %a3
  %v4 = load float, ptr addrspace(1) %a4
  %v5 = load float, ptr addrspace(1) %a5
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %v2
  %s2 = fadd float %s1, %v3
  %s3 = fadd float %s2, %v4
  %s4 = fadd float %s3, %v5
  store float %s4, ptr addrspace(1) %p
  ret void
}
