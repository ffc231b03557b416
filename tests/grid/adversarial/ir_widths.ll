; Attacks what reads machine code of odd widths: integers of 1, 24, 33, 48 bits, vectors of bytes.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i32 @llvm.bitreverse.i32(i32)
declare i16 @llvm.bswap.i16(i16)
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare i32 @llvm.ssub.sat.i32(i32, i32)

; Shows: bits above the width of a number count.
define ptx_kernel void @odd_widths(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %by) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %a = trunc i64 %v to i24
  %b = trunc i64 %v to i33
  %c = trunc i64 %v to i48
  %a1 = add i24 %a, 5
  %a2 = mul i24 %a1, %a1
  %a3 = ashr i24 %a2, 3
  %as = sext i24 %a3 to i64
  %b24 = zext i24 %a2 to i33
  %b1 = sub i33 %b, %b24
  %b2 = lshr i33 %b1, 7
  %b3 = icmp slt i33 %b1, 0
  %bz = zext i33 %b2 to i64
  %byc = trunc i64 %by to i48
  %c1 = shl i48 %c, %byc
  %c2 = icmp ugt i48 %c1, %c
  %cs = sext i48 %c1 to i64
  %b3z = zext i1 %b3 to i64
  %c2s = sext i1 %c2 to i64
  %o = getelementptr [4 x i64], ptr addrspace(1) %out, i32 %t
  store i64 %as, ptr addrspace(1) %o
  %o1 = getelementptr i64, ptr addrspace(1) %o, i32 1
  %bb = add i64 %bz, %b3z
  store i64 %bb, ptr addrspace(1) %o1
  %o2 = getelementptr i64, ptr addrspace(1) %o, i32 2
  store i64 %cs, ptr addrspace(1) %o2
  %o3 = getelementptr i64, ptr addrspace(1) %o, i32 3
  store i64 %c2s, ptr addrspace(1) %o3
  ret void
}

; Shows: intrinsics of shifts and of sums that stop at the end.
define ptx_kernel void @intrinsics(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %by) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %a = trunc i64 %v to i32
  %h = lshr i64 %v, 32
  %b = trunc i64 %h to i32
  %f = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %by)
  %byw = zext i32 %by to i64
  %g = call i64 @llvm.fshr.i64(i64 %v, i64 %h, i64 %byw)
  %r = call i32 @llvm.bitreverse.i32(i32 %a)
  %a16 = trunc i32 %a to i16
  %s = call i16 @llvm.bswap.i16(i16 %a16)
  %ab = call i32 @llvm.abs.i32(i32 %b, i1 false)
  %us = call i32 @llvm.uadd.sat.i32(i32 %a, i32 %b)
  %ss = call i32 @llvm.ssub.sat.i32(i32 %a, i32 %b)
  %sz = sext i16 %s to i32
  %o = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %t
  store i32 %f, ptr addrspace(1) %o
  %o1 = getelementptr i32, ptr addrspace(1) %o, i32 1
  store i32 %r, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 2
  store i64 %g, ptr addrspace(1) %o2
  %o4 = getelementptr i32, ptr addrspace(1) %o, i32 4
  store i32 %sz, ptr addrspace(1) %o4
  %o5 = getelementptr i32, ptr addrspace(1) %o, i32 5
  store i32 %ab, ptr addrspace(1) %o5
  %o6 = getelementptr i32, ptr addrspace(1) %o, i32 6
  store i32 %us, ptr addrspace(1) %o6
  %o7 = getelementptr i32, ptr addrspace(1) %o, i32 7
  store i32 %ss, ptr addrspace(1) %o7
  ret void
}

; Shows: elements of vectors in the wrong order, or with the bits of their neighbours; loads of 8 and 16 bytes in parts.
define ptx_kernel void @vectors(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %k) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %b = load <8 x i8>, ptr addrspace(1) %p, align 8
  %h = load <4 x i16>, ptr addrspace(1) %p, align 8
  %w = load <2 x i32>, ptr addrspace(1) %p, align 8
  %bs = shufflevector <8 x i8> %b, <8 x i8> %b, <4 x i32> <i32 7, i32 2, i32 5, i32 0>
  %one = add <4 x i8> %bs, <i8 1, i8 127, i8 -1, i8 -128>
  %wide = sext <4 x i8> %one to <4 x i32>
  %hz = zext <4 x i16> %h to <4 x i32>
  %m = mul <4 x i32> %wide, %hz
  %e = extractelement <4 x i32> %m, i32 %k
  %w1 = extractelement <2 x i32> %w, i32 1
  %ins = insertelement <4 x i32> %m, i32 %w1, i32 2
  %low = shufflevector <4 x i32> %ins, <4 x i32> poison, <2 x i32> <i32 3, i32 2>
  %o = getelementptr [8 x i32], ptr addrspace(1) %out, i32 %t
  store <4 x i32> %ins, ptr addrspace(1) %o, align 16
  %o4 = getelementptr i32, ptr addrspace(1) %o, i32 4
  store <2 x i32> %low, ptr addrspace(1) %o4, align 8
  %o6 = getelementptr i32, ptr addrspace(1) %o, i32 6
  store i32 %e, ptr addrspace(1) %o6
  %o7 = getelementptr i32, ptr addrspace(1) %o, i32 7
  store <4 x i8> %one, ptr addrspace(1) %o7, align 4
  ret void
}

; Shows: a predicate that is stored as a byte, loaded and compared again.
define ptx_kernel void @stored_predicates(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %c = icmp slt i32 %v, %n
  %d = icmp ult i32 %v, %n
  %o = getelementptr [4 x i8], ptr addrspace(1) %out, i32 %t
  store i1 %c, ptr addrspace(1) %o
  %o1 = getelementptr i8, ptr addrspace(1) %o, i32 1
  store i1 %d, ptr addrspace(1) %o1
  %e = load volatile i8, ptr addrspace(1) %o
  %f = trunc i8 %e to i1
  %x = xor i1 %f, %d
  %y = select i1 %x, i8 -56, i8 %e
  %z = sext i8 %y to i16
  %o2 = getelementptr i8, ptr addrspace(1) %o, i32 2
  store i16 %z, ptr addrspace(1) %o2
  ret void
}
