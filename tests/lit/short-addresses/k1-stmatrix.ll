; The address of stmatrix is its first operand, though its name begins like that of a store, whose address is the last: the checker took
; a stored value for the address, and called the code miscompiled (requirement K1).

; REQUIRES: llvm-22-up
; RUN: %llc %s -mcpu=sm_90 -mattr=+ptx78 -ptx-verify -verify-machineinstrs -ptx-stats -o %t.ptx 2>&1 | FileCheck %s --check-prefix=STATS
; STATS: short-addresses: 1 functions
; STATS: addresses of 32 bits
; RUN: FileCheck %s <%t.ptx

; CHECK-LABEL: .entry store(
; CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r{{[0-9]+}}

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [4096 x i8] undef, align 16

define ptx_kernel void @store(i32 %at, i32 %a, i32 %b, i32 %c, i32 %d) {
  %wide = sext i32 %at to i64
  %p = getelementptr i8, ptr addrspace(3) @tile, i64 %wide
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %p, i32 %a, i32 %b, i32 %c, i32 %d)
  ret void
}

declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
