; The fault in stock LLVM's code: the stage ptxas-errata avoids it. LLVM adds both halves and reads one, from PTX 8.0 on: by a move, by a sign
; extension, by a store of 16 bits, and through another sum.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @packed_half(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = mul i32 %t, 327683
  %v = bitcast i32 %x to <2 x i16>
  %s = add <2 x i16> %v, <i16 1, i16 1>
  %e = extractelement <2 x i16> %s, i32 0
  %z = zext i16 %e to i32
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %z, ptr addrspace(1) %p
  %s2 = add <2 x i16> %v, <i16 3, i16 7>
  %e2 = extractelement <2 x i16> %s2, i32 0
  %z2 = sext i16 %e2 to i32
  %p2 = getelementptr i8, ptr addrspace(1) %p, i32 128
  store i32 %z2, ptr addrspace(1) %p2
  %s3 = add <2 x i16> %v, <i16 5, i16 9>
  %b3 = bitcast <2 x i16> %s3 to i32
  %z3 = trunc i32 %b3 to i16
  %p3 = getelementptr i8, ptr addrspace(1) %p, i32 256
  store i16 %z3, ptr addrspace(1) %p3
  %s4 = add <2 x i16> %v, <i16 11, i16 13>
  %odd = trunc i32 %t to i1
  br i1 %odd, label %through, label %done
through:
  %w = mul <2 x i16> %v, %v
  %u = add <2 x i16> %s4, %w
  %e4 = extractelement <2 x i16> %u, i32 1
  %z4 = zext i16 %e4 to i32
  %p4 = getelementptr i8, ptr addrspace(1) %p, i32 384
  store i32 %z4, ptr addrspace(1) %p4
  ret void
done:
  ret void
}
