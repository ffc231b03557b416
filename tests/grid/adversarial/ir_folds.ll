; Attacks fold-addresses in shapes where it folds: the result is right only with the right offsets, factors and extensions.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

@tile = internal addrspace(3) global [1024 x i32] undef, align 16

; Shows: the low bits of a shifted index are clear, and no others; bits that the shift drops do not come back.
define ptx_kernel void @or_below_a_shift(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %n, %t
  %i = shl i32 %x, 2
  %w0 = zext i32 %i to i64
  %p0 = getelementptr i32, ptr addrspace(1) %in, i64 %w0
  %v0 = load i32, ptr addrspace(1) %p0, align 4
  %m0 = mul i32 0, 31
  %s0 = add i32 %m0, %v0
  %i1 = or i32 %i, 1
  %w1 = zext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %in, i64 %w1
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %m1 = mul i32 %s0, 31
  %s1 = add i32 %m1, %v1
  %i2 = or i32 %i, 2
  %w2 = zext i32 %i2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %in, i64 %w2
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %m2 = mul i32 %s1, 31
  %s2 = add i32 %m2, %v2
  %i3 = or i32 %i1, 2
  %w3 = zext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %in, i64 %w3
  %v3 = load i32, ptr addrspace(1) %p3, align 4
  %m3 = mul i32 %s2, 31
  %s3 = add i32 %m3, %v3
  %i4 = or i32 %i, 4
  %w4 = zext i32 %i4 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %in, i64 %w4
  %v4 = load i32, ptr addrspace(1) %p4, align 4
  %m4 = mul i32 %s3, 31
  %s4 = add i32 %m4, %v4
  %i5 = or i32 %i, 9
  %w5 = zext i32 %i5 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %in, i64 %w5
  %v5 = load i32, ptr addrspace(1) %p5, align 4
  %m5 = mul i32 %s4, 31
  %s5 = add i32 %m5, %v5
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s5, ptr addrspace(1) %o
  ret void
}

; Shows: the same with a sign: an `or` does not change it.
define ptx_kernel void @signed_below_a_shift(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %n, %t
  %middle = getelementptr i32, ptr addrspace(1) %in, i64 1024
  %y = shl i32 %x, 26
  %i = ashr i32 %y, 22
  %i1 = or i32 %i, 1
  %w0 = sext i32 %i1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %middle, i64 %w0
  %v0 = load i32, ptr addrspace(1) %p0, align 4
  %m0 = mul i32 0, 31
  %s0 = add i32 %m0, %v0
  %i2 = or i32 %i, 2
  %w1 = sext i32 %i2 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %middle, i64 %w1
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %m1 = mul i32 %s0, 31
  %s1 = add i32 %m1, %v1
  %i3 = xor i32 %i1, 14
  %w2 = sext i32 %i3 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %middle, i64 %w2
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %m2 = mul i32 %s1, 31
  %s2 = add i32 %m2, %v2
  %i4 = xor i32 %i, -16
  %w3 = sext i32 %i4 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %middle, i64 %w3
  %v3 = load i32, ptr addrspace(1) %p3, align 4
  %m3 = mul i32 %s2, 31
  %s3 = add i32 %m3, %v3
  %i5 = add i32 %i, -9
  %w4 = sext i32 %i5 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %middle, i64 %w4
  %v4 = load i32, ptr addrspace(1) %p4, align 4
  %m4 = mul i32 %s3, 31
  %s4 = add i32 %m4, %v4
  %i6 = add i32 %i, 100
  %w5 = sext i32 %i6 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %middle, i64 %w5
  %v5 = load i32, ptr addrspace(1) %p5, align 4
  %m5 = mul i32 %s4, 31
  %s5 = add i32 %m5, %v5
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s5, ptr addrspace(1) %o
  ret void
}

; Shows: masks say how large an index is, and that a sum of it does not wrap around.
define ptx_kernel void @sums_of_masked(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add i32 %n, %t
  %i = and i32 %x, 252
  %j = lshr i32 %x, 26
  %w0 = zext i32 %i to i64
  %p0 = getelementptr i32, ptr addrspace(1) %in, i64 %w0
  %v0 = load i32, ptr addrspace(1) %p0, align 4
  %m0 = mul i32 0, 31
  %s0 = add i32 %m0, %v0
  %i1 = add i32 %i, 5
  %w1 = zext i32 %i1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %in, i64 %w1
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %m1 = mul i32 %s0, 31
  %s1 = add i32 %m1, %v1
  %i2 = add i32 %i, %j
  %w2 = zext i32 %i2 to i64
  %p2 = getelementptr i32, ptr addrspace(1) %in, i64 %w2
  %v2 = load i32, ptr addrspace(1) %p2, align 4
  %m2 = mul i32 %s1, 31
  %s2 = add i32 %m2, %v2
  %i3 = add i32 %i2, 7
  %w3 = zext i32 %i3 to i64
  %p3 = getelementptr i32, ptr addrspace(1) %in, i64 %w3
  %v3 = load i32, ptr addrspace(1) %p3, align 4
  %m3 = mul i32 %s2, 31
  %s3 = add i32 %m3, %v3
  %i4 = shl i32 %i1, 1
  %w4 = zext i32 %i4 to i64
  %p4 = getelementptr i32, ptr addrspace(1) %in, i64 %w4
  %v4 = load i32, ptr addrspace(1) %p4, align 4
  %m4 = mul i32 %s3, 31
  %s4 = add i32 %m4, %v4
  %i5 = mul i32 %i3, 3
  %w5 = zext i32 %i5 to i64
  %p5 = getelementptr i32, ptr addrspace(1) %in, i64 %w5
  %v5 = load i32, ptr addrspace(1) %p5, align 4
  %m5 = mul i32 %s4, 31
  %s5 = add i32 %m5, %v5
  %i6 = sub i32 300, %i
  %w6 = zext i32 %i6 to i64
  %p6 = getelementptr i32, ptr addrspace(1) %in, i64 %w6
  %v6 = load i32, ptr addrspace(1) %p6, align 4
  %m6 = mul i32 %s5, 31
  %s6 = add i32 %m6, %v6
  %i7 = sub i32 %i1, 5
  %w7 = zext i32 %i7 to i64
  %p7 = getelementptr i32, ptr addrspace(1) %in, i64 %w7
  %v7 = load i32, ptr addrspace(1) %p7, align 4
  %m7 = mul i32 %s6, 31
  %s7 = add i32 %m7, %v7
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s7, ptr addrspace(1) %o
  ret void
}

; Shows: an index with a sign that is shifted before a loop is multiplied with the factor of another one, or without its sign.
define ptx_kernel void @shifts(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pd = getelementptr i32, ptr addrspace(1) %d, i32 %t
  %a = load i32, ptr addrspace(1) %pd
  %pe = getelementptr i32, ptr addrspace(1) %pd, i32 32
  %b = load i32, ptr addrspace(1) %pe
  %c = xor i32 %b, -1
  %a64 = sext i32 %a to i64
  %b64 = sext i32 %b to i64
  %c64 = sext i32 %c to i64
  %am = and i32 %a, 63
  %am1 = add i32 %am, 1
  %d64 = zext i32 %am1 to i64
  %base = getelementptr i8, ptr addrspace(1) %in, i64 2048
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %base, %entry ], [ %q.next, %loop ]
  %qa = getelementptr i32, ptr addrspace(1) %q, i64 %a64
  %qb = getelementptr i64, ptr addrspace(1) %q, i64 %b64
  %qc = getelementptr <4 x i32>, ptr addrspace(1) %q, i64 %c64
  %qd = getelementptr i32, ptr addrspace(1) %q, i64 %d64
  %va = load volatile i32, ptr addrspace(1) %qa
  %vb = load volatile i32, ptr addrspace(1) %qb
  %vc = load volatile i32, ptr addrspace(1) %qc
  %vd = load volatile i32, ptr addrspace(1) %qd
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %va
  %x2 = mul i32 %vb, 3
  %y2 = add i32 %y1, %x2
  %x3 = mul i32 %vc, 5
  %y3 = add i32 %y2, %x3
  %x4 = mul i32 %vd, 7
  %s.next = add i32 %y3, %x4
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi i32 [ %t, %entry ], [ %s.next, %loop ]
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: products of 64 bits that are shifted once, of which one is shifted otherwise, read elsewhere, or so long that bits are lost.
define ptx_kernel void @products(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %f, i64 %g) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %j = xor i64 %i, 3
  %a = mul i64 %i, %f
  %b = mul i64 %j, %g
  %pa = getelementptr i32, ptr addrspace(1) %in, i64 %a
  %pb = getelementptr i32, ptr addrspace(1) %pa, i64 %b
  %v1 = load i32, ptr addrspace(1) %pb
  %c = mul i64 %i, %g
  %d = mul i64 %j, %f
  %pc = getelementptr i32, ptr addrspace(1) %in, i64 %c
  %pd = getelementptr i64, ptr addrspace(1) %pc, i64 %d
  %v2 = load i32, ptr addrspace(1) %pd
  %e = mul i64 %d, %g
  %pe = getelementptr i32, ptr addrspace(1) %in, i64 %e
  %h = shl i64 %e, 2
  %k = lshr i64 %h, 2
  %pf = getelementptr i32, ptr addrspace(1) %pe, i64 %c
  %ok = icmp ult i64 %e, 512
  %v3 = load i32, ptr addrspace(1) %pf
  %mask = sext i1 %ok to i32
  %w3 = and i32 %v3, %mask
  %k32 = trunc i64 %k to i32
  %x1 = mul i32 %v1, 3
  %x2 = mul i32 %v2, 5
  %y1 = add i32 %x1, %x2
  %y2 = add i32 %y1, %w3
  %y3 = xor i32 %y2, %k32
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y3, ptr addrspace(1) %o
  ret void
}

; Shows: addresses of shared memory of 32 bits for assembly: the sum with a constant is one of 64 bits, or the `or` is a sum.
define ptx_kernel void @assembly(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %fill
fill:
  %k = phi i32 [ 0, %entry ], [ %k.next, %fill ]
  %kt = add i32 %k, %t
  %pk = getelementptr i32, ptr addrspace(1) %in, i32 %kt
  %vk = load i32, ptr addrspace(1) %pk
  %qk = getelementptr [1024 x i32], ptr addrspace(3) @tile, i32 0, i32 %kt
  store i32 %vk, ptr addrspace(3) %qk
  %k.next = add i32 %k, 32
  %filling = icmp ult i32 %k.next, 1024
  br i1 %filling, label %fill, label %read
read:
  call void @llvm.nvvm.barrier0()
  %x = add i32 %n, %t
  %x4 = shl i32 %x, 2
  %low = and i32 %x4, 1020
  %low1 = or i32 %low, 1024
  %low2 = or i32 %low, 2048
  %low3 = or i32 %low, 512
  %low4 = xor i32 %low1, 3072
  %w = zext i32 %low to i64
  %w1 = zext i32 %low1 to i64
  %w2 = zext i32 %low2 to i64
  %w3 = zext i32 %low3 to i64
  %w4 = zext i32 %low4 to i64
  %b = ptrtoint ptr addrspace(3) @tile to i64
  %s = add i64 %w, %b
  %s1 = add i64 %w1, %b
  %s2 = add i64 %w2, %b
  %s3 = add i64 %w3, %b
  %s4 = add i64 %w4, %b
  %t0 = trunc i64 %s to i32
  %t1 = trunc i64 %s1 to i32
  %t2 = trunc i64 %s2 to i32
  %t3 = trunc i64 %s3 to i32
  %t4 = trunc i64 %s4 to i32
  %v0 = call i32 asm sideeffect "ld.shared.u32 $0, [$1];", "=r,r"(i32 %t0)
  %v1 = call i32 asm sideeffect "ld.shared.u32 $0, [$1];", "=r,r"(i32 %t1)
  %v2 = call i32 asm sideeffect "ld.shared.u32 $0, [$1];", "=r,r"(i32 %t2)
  %v3 = call i32 asm sideeffect "ld.shared.u32 $0, [$1];", "=r,r"(i32 %t3)
  %v4 = call i32 asm sideeffect "ld.shared.u32 $0, [$1];", "=r,r"(i32 %t4)
  %x1 = mul i32 %v0, 3
  %y1 = add i32 %x1, %v1
  %x2 = mul i32 %y1, 5
  %y2 = add i32 %x2, %v2
  %x3 = mul i32 %y2, 7
  %y3 = add i32 %x3, %v3
  %z4 = mul i32 %y3, 9
  %y4 = add i32 %z4, %v4
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y4, ptr addrspace(1) %o
  ret void
}

; Shows: sums of a counter and of thread bits before the loop share one sum where their bits are apart, and only there.
define ptx_kernel void @counters(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %start, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %t, 15
  %a = or i32 %low, 16
  %b = or i32 %low, 32
  %c = or i32 %low, 8
  %s4 = shl i32 %start, 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i32 [ %s4, %entry ], [ %j.next, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %loop ]
  %ia = or i32 %i, %a
  %ib = or i32 %i, %b
  %ic = or i32 %i, %c
  %ja = or i32 %j, %a
  %jb = or i32 %j, %b
  %jl = or i32 %j, %low
  %pa = getelementptr i32, ptr addrspace(1) %in, i32 %ia
  %pb = getelementptr i32, ptr addrspace(1) %in, i32 %ib
  %pc = getelementptr i32, ptr addrspace(1) %in, i32 %ic
  %qa = getelementptr i32, ptr addrspace(1) %in, i32 %ja
  %qb = getelementptr i32, ptr addrspace(1) %in, i32 %jb
  %ql = getelementptr i32, ptr addrspace(1) %in, i32 %jl
  %va = load volatile i32, ptr addrspace(1) %pa
  %vb = load volatile i32, ptr addrspace(1) %pb
  %vc = load volatile i32, ptr addrspace(1) %pc
  %wa = load volatile i32, ptr addrspace(1) %qa
  %wb = load volatile i32, ptr addrspace(1) %qb
  %wl = load volatile i32, ptr addrspace(1) %ql
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %va
  %x2 = mul i32 %vb, 3
  %y2 = add i32 %y1, %x2
  %x3 = mul i32 %vc, 5
  %y3 = add i32 %y2, %x3
  %x4 = mul i32 %wa, 7
  %y4 = add i32 %y3, %x4
  %x5 = mul i32 %wb, 9
  %y5 = add i32 %y4, %x5
  %x6 = mul i32 %wl, 11
  %s.next = add i32 %y5, %x6
  %i.next = add i32 %i, 64
  %j.next = add i32 %j, 32
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s.next, ptr addrspace(1) %o
  ret void
}
