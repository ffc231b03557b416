; ptxas is predicted to use 31 registers: all warps are resident anyway, so nothing moves. One more value, and the product moves: enough-registers.ll.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck %s
; CHECK: sink:
; CHECK: {{ }}0 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @branch(ptr addrspace(1) %p) {
entry:
  %v0 = load volatile i32, ptr addrspace(1) %p
  %v1 = load volatile i32, ptr addrspace(1) %p
  %v2 = load volatile i32, ptr addrspace(1) %p
  %v3 = load volatile i32, ptr addrspace(1) %p
  %v4 = load volatile i32, ptr addrspace(1) %p
  %v5 = load volatile i32, ptr addrspace(1) %p
  %v6 = load volatile i32, ptr addrspace(1) %p
  %v7 = load volatile i32, ptr addrspace(1) %p
  %v8 = load volatile i32, ptr addrspace(1) %p
  %v9 = load volatile i32, ptr addrspace(1) %p
  %v10 = load volatile i32, ptr addrspace(1) %p
  %v11 = load volatile i32, ptr addrspace(1) %p
  %v12 = load volatile i32, ptr addrspace(1) %p
  %v13 = load volatile i32, ptr addrspace(1) %p
  %v14 = load volatile i32, ptr addrspace(1) %p
  %v15 = load volatile i32, ptr addrspace(1) %p
  %v16 = load volatile i32, ptr addrspace(1) %p
  %v17 = load volatile i32, ptr addrspace(1) %p
  %v18 = load volatile i32, ptr addrspace(1) %p
  %v19 = load volatile i32, ptr addrspace(1) %p
  %ab = mul i32 %v0, %v1
  %x = add i32 %ab, %v2
  %some = icmp slt i32 %v0, 0
  br i1 %some, label %then, label %out
then:
  store volatile i32 7, ptr addrspace(1) %p
  br label %out
out:
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 %v0, ptr addrspace(1) %p
  store volatile i32 %v1, ptr addrspace(1) %p
  store volatile i32 %v2, ptr addrspace(1) %p
  store volatile i32 %v3, ptr addrspace(1) %p
  store volatile i32 %v4, ptr addrspace(1) %p
  store volatile i32 %v5, ptr addrspace(1) %p
  store volatile i32 %v6, ptr addrspace(1) %p
  store volatile i32 %v7, ptr addrspace(1) %p
  store volatile i32 %v8, ptr addrspace(1) %p
  store volatile i32 %v9, ptr addrspace(1) %p
  store volatile i32 %v10, ptr addrspace(1) %p
  store volatile i32 %v11, ptr addrspace(1) %p
  store volatile i32 %v12, ptr addrspace(1) %p
  store volatile i32 %v13, ptr addrspace(1) %p
  store volatile i32 %v14, ptr addrspace(1) %p
  store volatile i32 %v15, ptr addrspace(1) %p
  store volatile i32 %v16, ptr addrspace(1) %p
  store volatile i32 %v17, ptr addrspace(1) %p
  store volatile i32 %v18, ptr addrspace(1) %p
  store volatile i32 %v19, ptr addrspace(1) %p
  ret void
}
