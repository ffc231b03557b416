; Where cp.async copies to the name of a shared variable, the address in global memory is the first register that it reads. Each copy keeps its own
; source: the constants between the sources are not offsets of the variable's, nor of the number of bytes.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"
@buffer = internal addrspace(3) global [64 x i32] undef, align 16

; Sources that wrap at other places than each other, so that no register can stand for both.
; CHECK-LABEL: .entry copies(
; CHECK-DAG: cp.async.ca.shared.global [{{buffer|%rd?[0-9]+}}], [[[A:%rd[0-9]+]]], 16;
; CHECK-DAG: cp.async.ca.shared.global [{{buffer\+16|%rd?[0-9]+(\+16)?}}], [[[B:%rd[0-9]+]]], 16;
; CHECK: ret;
define ptx_kernel void @copies(ptr addrspace(1) %p, i32 %i) {
  %more = add i32 %i, 4
  %j = zext i32 %i to i64
  %k = zext i32 %more to i64
  %g = getelementptr i32, ptr addrspace(1) %p, i64 %j
  %h = getelementptr i32, ptr addrspace(1) %p, i64 %k
  %b = getelementptr i32, ptr addrspace(3) @buffer, i32 4
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) @buffer, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %b, ptr addrspace(1) %h)
  ret void
}

declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
