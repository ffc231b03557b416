; A double whose halves are packed again in another block, one through a copy of its own, is read there itself.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"

declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @llvm.nvvm.d2i.lo(double)
declare i32 @llvm.nvvm.d2i.hi(double)

define void @again(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func again
; CHECK-NOT: {%r{{[0-9]+}}, %r{{[0-9]+}}}
; CHECK: ret;
entry:
  %d = load double, ptr addrspace(1) %p
  %l = call i32 @llvm.nvvm.d2i.lo(double %d)
  %h = call i32 @llvm.nvvm.d2i.hi(double %d)
  %c = icmp slt i32 %h, %n
  br i1 %c, label %then, label %exit
then:
  %e = call double @llvm.nvvm.lohi.i2d(i32 %l, i32 %h)
  %f = fadd double %e, 1.0
  store double %f, ptr addrspace(1) %p
  br label %exit
exit:
  ret void
}
