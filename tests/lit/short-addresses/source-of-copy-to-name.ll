; Where cp.async copies to the name of a shared variable, the first register that it reads is the address that it copies from, in global memory. That
; was taken for the one in shared memory, and only its low half was left (LLVM 21 to 23): ptxas accepts it, and drops the copy.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"
@buffer = internal addrspace(3) global [64 x i32] undef, align 16
@dynamic = external addrspace(3) global [0 x i32], align 16

; CHECK-LABEL: .entry copies(
; CHECK: cp.async.ca.shared.global [{{.*}}], [%rd{{[0-9]+}}{{(\+[0-9]+)?}}], 16;
; CHECK: cp.async.cg.shared.global [{{.*}}], [%rd{{[0-9]+}}{{(\+[0-9]+)?}}], 16;
; CHECK: cp.async.ca.shared.global [{{.*}}], [%rd{{[0-9]+}}{{(\+[0-9]+)?}}], 8;
; CHECK: cp.async.ca.shared.global [{{.*}}], [%rd{{[0-9]+}}{{(\+[0-9]+)?}}], 4;
; CHECK: cp.async.ca.shared.global [{{.*}}], [%rd{{[0-9]+}}{{(\+[0-9]+)?}}], 16, %r{{[0-9]+}};
; CHECK: ret;
define ptx_kernel void @copies(ptr addrspace(1) %p, ptr addrspace(1) %o, i32 %i, i32 %size) {
  %j = sext i32 %i to i64
  %g = getelementptr i32, ptr addrspace(1) %p, i64 %j
  %g1 = getelementptr i32, ptr addrspace(1) %g, i64 4
  %b1 = getelementptr i32, ptr addrspace(3) @buffer, i32 4
  %b2 = getelementptr i32, ptr addrspace(3) @dynamic, i32 8
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) @buffer, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %b1, ptr addrspace(1) %g1)
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) @dynamic, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %b2, ptr addrspace(1) %g1)
  call void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3) @buffer, ptr addrspace(1) %g, i32 %size)
  call void @llvm.nvvm.cp.async.wait.all()
  %v = load i32, ptr addrspace(3) @buffer
  store i32 %v, ptr addrspace(1) %o
  ret void
}

declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.wait.all()
