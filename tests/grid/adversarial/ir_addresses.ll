; Attacks fold-addresses and short-addresses: addresses that wrap around, by getelementptr without inbounds. A load may read outside of
; the buffer; then its value is masked.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

@tile = internal addrspace(3) global [64 x i32] undef, align 4

; Shows: an `or` of an index and a constant is a sum in one loop, and none in the next one, whose counter begins elsewhere.
define ptx_kernel void @or_in_loops(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %start, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %even
even:
  %i = phi i32 [ 0, %entry ], [ %i1, %even ]
  %s = phi i32 [ 0, %entry ], [ %s1, %even ]
  %a1 = or i32 %i, 1
  %p0 = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %p1 = getelementptr i32, ptr addrspace(1) %in, i32 %a1
  %v0 = load i32, ptr addrspace(1) %p0
  %v1 = load i32, ptr addrspace(1) %p1
  %m = mul i32 %s, 31
  %m1 = add i32 %m, %v0
  %x = mul i32 %v1, 3
  %s1 = add i32 %m1, %x
  %i1 = add i32 %i, 2
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %even, label %between
between:
  br label %odd
odd:
  %j = phi i32 [ %start, %between ], [ %j1, %odd ]
  %r = phi i32 [ %s1, %between ], [ %r1, %odd ]
  %b1 = or i32 %j, 1
  %q0 = getelementptr i32, ptr addrspace(1) %in, i32 %j
  %q1 = getelementptr i32, ptr addrspace(1) %in, i32 %b1
  %w0 = load i32, ptr addrspace(1) %q0
  %w1 = load i32, ptr addrspace(1) %q1
  %k = mul i32 %r, 31
  %k1 = add i32 %k, %w0
  %y = mul i32 %w1, 3
  %r1 = add i32 %k1, %y
  %j1 = add i32 %j, 2
  %again = icmp slt i32 %j1, %n
  br i1 %again, label %odd, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r1, ptr addrspace(1) %o
  ret void
}

; Shows: the extension of a sum is that of its parts. All four loads stand in one block; two of the indices wrap around.
define ptx_kernel void @wrapped_in_one_block(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %start, i64 %bias) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %start, %t
  %j = add i32 %i, 16
  %k = add i32 %i, -16
  %zi = zext i32 %i to i64
  %zj = zext i32 %j to i64
  %zk = zext i32 %k to i64
  %sj = sext i32 %j to i64
  %bi = add i64 %zi, %bias
  %bj = add i64 %zj, %bias
  %bk = add i64 %zk, %bias
  %bs = add i64 %sj, %bias
  %pi = getelementptr i32, ptr addrspace(1) %in, i64 %bi
  %pj = getelementptr i32, ptr addrspace(1) %in, i64 %bj
  %pk = getelementptr i32, ptr addrspace(1) %in, i64 %bk
  %ps = getelementptr i32, ptr addrspace(1) %in, i64 %bs
  %vi = load i32, ptr addrspace(1) %pi
  %vj = load i32, ptr addrspace(1) %pj
  %vk = load i32, ptr addrspace(1) %pk
  %vs = load i32, ptr addrspace(1) %ps
  %ci = icmp ult i64 %bi, 1024
  %cj = icmp ult i64 %bj, 1024
  %ck = icmp ult i64 %bk, 1024
  %cs = icmp ult i64 %bs, 1024
  %mi = sext i1 %ci to i32
  %mj = sext i1 %cj to i32
  %mk = sext i1 %ck to i32
  %ms = sext i1 %cs to i32
  %xi = and i32 %vi, %mi
  %xj = and i32 %vj, %mj
  %xk = and i32 %vk, %mk
  %xs = and i32 %vs, %ms
  %a = mul i32 %xi, 3
  %a1 = add i32 %a, %xj
  %b = mul i32 %a1, 5
  %b1 = add i32 %b, %xk
  %c = mul i32 %b1, 7
  %c1 = add i32 %c, %xs
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %c1, ptr addrspace(1) %o
  ret void
}

; Shows: offsets whose sum wraps around 2^64, or does not fit in 32 bits, folded in parts.
define ptx_kernel void @far_offsets(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %far) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = zext i32 %t to i64
  %y = shl i64 %x, 2
  %b = getelementptr i8, ptr addrspace(1) %in, i64 %y
  %m = getelementptr i8, ptr addrspace(1) %b, i64 %far
  %p0 = getelementptr i8, ptr addrspace(1) %m, i64 9223372036854775807
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i64 -9223372036854775807
  %p2 = getelementptr i8, ptr addrspace(1) %m, i64 4294967296
  %p3 = getelementptr i8, ptr addrspace(1) %p2, i64 -4294967292
  %p4 = getelementptr i8, ptr addrspace(1) %m, i64 2147483648
  %p5 = getelementptr i8, ptr addrspace(1) %p4, i64 -2147483640
  %p6 = getelementptr i8, ptr addrspace(1) %m, i64 8388608
  %p7 = getelementptr i8, ptr addrspace(1) %p6, i64 -8388596
  %u = sub i64 0, %far
  %p8 = getelementptr i8, ptr addrspace(1) %p7, i64 %u
  %v1 = load i32, ptr addrspace(1) %p1
  %v3 = load i32, ptr addrspace(1) %p3
  %v5 = load i32, ptr addrspace(1) %p5
  %v8 = load i32, ptr addrspace(1) %p8
  %a = mul i32 %v1, 3
  %a1 = add i32 %a, %v3
  %b0 = mul i32 %a1, 5
  %b1 = add i32 %b0, %v5
  %c = mul i32 %b1, 7
  %c1 = add i32 %c, %v8
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %c1, ptr addrspace(1) %o
  ret void
}

; Shows: an address of shared memory that goes below 0 on its way, and one that is also compared, extended and stored.
define ptx_kernel void @shared_wraps(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %far) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = zext i32 %t to i64
  %pin = getelementptr i32, ptr addrspace(1) %in, i64 %x
  %v = load i32, ptr addrspace(1) %pin
  %own = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %x
  store i32 %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier0()
  %n = sub i64 0, %x
  %end = getelementptr i32, ptr addrspace(3) @tile, i64 63
  %down = getelementptr i32, ptr addrspace(3) %end, i64 %n
  %a = load i32, ptr addrspace(3) %down
  %there = getelementptr i32, ptr addrspace(3) @tile, i64 %far
  %other = xor i64 %x, 5
  %back = sub i64 %other, %far
  %q = getelementptr i32, ptr addrspace(3) %there, i64 %back
  %b = load i32, ptr addrspace(3) %q
  %qi = ptrtoint ptr addrspace(3) %q to i64
  %ti = ptrtoint ptr addrspace(3) @tile to i64
  %d = sub i64 %qi, %ti
  %d32 = trunc i64 %d to i32
  %di = sub i64 %ti, %qi
  %neg = icmp slt i64 %di, 0
  %high = lshr i64 %di, 32
  %h32 = trunc i64 %high to i32
  %h = xor i32 %h32, %d32
  %negative = zext i1 %neg to i32
  %s = mul i32 %a, 3
  %s1 = add i32 %s, %b
  %s2 = add i32 %s1, %h
  %s3 = add i32 %s2, %negative
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %s3, ptr addrspace(1) %o
  ret void
}

; Shows: a generic address of shared memory, and one of global memory, by a select and by a PHI.
define ptx_kernel void @generic_of_both(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = zext i32 %t to i64
  %pin = getelementptr i32, ptr addrspace(1) %in, i64 %x
  %v = load i32, ptr addrspace(1) %pin
  %own = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %x
  %v7 = mul i32 %v, 7
  store i32 %v7, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier0()
  %gs = addrspacecast ptr addrspace(3) @tile to ptr
  %gg = addrspacecast ptr addrspace(1) %in to ptr
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = phi ptr [ %gs, %entry ], [ %p1, %loop ]
  %s = phi i32 [ %v, %entry ], [ %s1, %loop ]
  %q = getelementptr i32, ptr %p, i64 %x
  %l = load i32, ptr %q
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %l
  %bit = and i32 %s1, 8
  %c = icmp eq i32 %bit, 0
  %p1 = select i1 %c, ptr %gs, ptr %gg
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %x
  store i32 %s1, ptr addrspace(1) %o
  ret void
}
