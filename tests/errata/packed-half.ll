; The fault in stock LLVM's code: the stage ptxas-errata avoids it. LLVM adds both halves and reads one, from PTX 8.0 on.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @packed_half(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = mul i32 %t, 327683
  %v = bitcast i32 %x to <2 x i16>
  %s = add <2 x i16> %v, <i16 1, i16 1>
  %e = extractelement <2 x i16> %s, i32 0
  %z = zext i16 %e to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %z, ptr addrspace(1) %p
  ret void
}
