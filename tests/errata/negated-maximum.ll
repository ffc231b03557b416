; The fault in stock LLVM's code: the stage ptxas-errata avoids it.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.smax.i32(i32, i32)

define void @negated_maximum(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m0 = mul i32 %t, 1103515245
  %a = xor i32 %m0, %t
  %y = lshr i32 %t, 2
  %n = sub i32 0, %a
  %m = call i32 @llvm.smax.i32(i32 %a, i32 %n)
  %g = call i32 @llvm.smax.i32(i32 %m, i32 %y)
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %g, ptr addrspace(1) %p
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @negated_maximum, !"kernel", i32 1}
