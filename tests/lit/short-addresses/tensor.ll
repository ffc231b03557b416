; From LLVM 21 on, tensor accesses to shared memory take addresses of 32 bits, and offsets.
;
; REQUIRES: llvm-21-up
; RUN: %llc -O2 -mcpu=sm_80 -mattr=+ptx78 -verify-machineinstrs < %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [0 x i8], align 16
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3))

define i32 @tensor(i32 %i) {
; CHECK-LABEL: tensor(
; CHECK: ldmatrix.sync.aligned.m8n8.x2.shared.b16 {{{.*}}}, [[[P:%r[0-9]+]]];
; CHECK: ldmatrix.sync.aligned.m8n8.x2.shared.b16 {{{.*}}}, [[[P]]+512];
; CHECK: ret;
  %j = add i32 %i, 512
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %j to i64
  %p = getelementptr i8, ptr addrspace(3) @tile, i64 %w0
  %q = getelementptr i8, ptr addrspace(3) @tile, i64 %w1
  %a = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %p)
  %b = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3(ptr addrspace(3) %q)
  %a0 = extractvalue { i32, i32 } %a, 0
  %b0 = extractvalue { i32, i32 } %b, 1
  %s = add i32 %a0, %b0
  ret i32 %s
}
