; The halves of a double that was packed from two integers are these integers, in the same block too.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"

declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @llvm.nvvm.d2i.lo(double)
declare i32 @llvm.nvvm.d2i.hi(double)

define void @scale(ptr addrspace(1) %p, i32 %lo, i32 %hi) {
; CHECK-LABEL: .func scale
; CHECK: mov.b64 {{.*}}, {[[LO:%r[0-9]+]], [[HI:%r[0-9]+]]};
; CHECK-NOT: mov.b64
; CHECK: add.s32 [[H1:%r[0-9]+]], [[HI]], 1048576;
; CHECK: mov.b64 {{.*}}, {[[LO]], [[H1]]};
; CHECK: ret;
  %d = call double @llvm.nvvm.lohi.i2d(i32 %lo, i32 %hi)
  store volatile double %d, ptr addrspace(1) %p
  %l = call i32 @llvm.nvvm.d2i.lo(double %d)
  %h = call i32 @llvm.nvvm.d2i.hi(double %d)
  %h1 = add i32 %h, 1048576
  %e = call double @llvm.nvvm.lohi.i2d(i32 %l, i32 %h1)
  store volatile double %e, ptr addrspace(1) %p
  ret void
}
