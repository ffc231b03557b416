; A sum of three loaded values moves up over the branch if the function is to fit in 24 registers: it saves two. Without a target it stays.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -maxreg=24 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=TIGHT %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=NONE %s
; RUN: %upstream-is-stock
; TIGHT: hoist:
; TIGHT: {{ }}2 instructions moved up{{$}}
; NONE: hoist:
; NONE: {{ }}0 instructions moved up{{$}}

target triple = "nvptx64-nvidia-cuda"

define float @sum(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load float, ptr addrspace(1) %p2
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %v2
  ret float %s1
}
