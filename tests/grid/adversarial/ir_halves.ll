; Attacks wide-phis: halves of packed registers that go around loops. `mov.b32` by assembly keeps them packed.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Shows: a pair of PHIs becomes one though one half is read alone, or takes the value of the wrong edge.
define ptx_kernel void @pairs_around(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %v0 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %v)
  %b0 = bitcast i32 %v0 to <2 x half>
  %lo0 = extractelement <2 x half> %b0, i32 0
  %hi0 = extractelement <2 x half> %b0, i32 1
  br label %loop
loop:
  %lo = phi half [ %lo0, %entry ], [ %lo1, %latch ]
  %hi = phi half [ %hi0, %entry ], [ %hi1, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s1, %latch ]
  %t0 = insertelement <2 x half> poison, half %lo, i32 0
  %t1 = insertelement <2 x half> %t0, half %hi, i32 1
  %packed = bitcast <2 x half> %t1 to i32
  %r = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %packed)
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %r
  %bit = and i32 %s1, 8
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %load, label %latch
load:
  %am = and i32 %s1, 255
  %pn = getelementptr i32, ptr addrspace(1) %in, i32 %am
  %vn = load i32, ptr addrspace(1) %pn
  %next = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %vn)
  %b = bitcast i32 %next to <2 x half>
  %lo2 = extractelement <2 x half> %b, i32 0
  %hi2 = extractelement <2 x half> %b, i32 1
  br label %latch
latch:
  %lo1 = phi half [ %lo, %loop ], [ %lo2, %load ]
  %hi1 = phi half [ %hi, %loop ], [ %hi2, %load ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %e = bitcast half %hi1 to i16
  %e1 = zext i16 %e to i32
  %x = add i32 %s1, %e1
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; Shows: halves that change places around the loop stay where they are.
define ptx_kernel void @swapped(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %v0 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %v)
  %b0 = bitcast i32 %v0 to <2 x half>
  %lo0 = extractelement <2 x half> %b0, i32 0
  %hi0 = extractelement <2 x half> %b0, i32 1
  br label %loop
loop:
  %lo = phi half [ %lo0, %entry ], [ %hi1, %loop ]
  %hi = phi half [ %hi0, %entry ], [ %lo1, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s1, %loop ]
  %t0 = insertelement <2 x half> poison, half %lo, i32 0
  %t1 = insertelement <2 x half> %t0, half %hi, i32 1
  %packed = bitcast <2 x half> %t1 to i32
  %r = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %packed)
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %r
  %x = xor i32 %s1, %v
  %next = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %x)
  %b = bitcast i32 %next to <2 x half>
  %lo1 = extractelement <2 x half> %b, i32 0
  %hi1 = extractelement <2 x half> %b, i32 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s1, ptr addrspace(1) %o
  ret void
}

; Shows: halves of two values are those of one; and the half of one value is in two pairs.
define ptx_kernel void @of_two_values(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %v0 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %v)
  %w0 = call i32 asm sideeffect "not.b32 $0, $1;", "=r,r"(i32 %v)
  %b0 = bitcast i32 %v0 to <2 x half>
  %c0 = bitcast i32 %w0 to <2 x half>
  %lo0 = extractelement <2 x half> %b0, i32 0
  %hi0 = extractelement <2 x half> %c0, i32 1
  br label %loop
loop:
  %lo = phi half [ %lo0, %entry ], [ %lo1, %loop ]
  %hi = phi half [ %hi0, %entry ], [ %hi1, %loop ]
  %k = phi half [ %hi0, %entry ], [ %lo1, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s1, %loop ]
  %t0 = insertelement <2 x half> poison, half %lo, i32 0
  %t1 = insertelement <2 x half> %t0, half %hi, i32 1
  %packed = bitcast <2 x half> %t1 to i32
  %u0 = insertelement <2 x half> poison, half %k, i32 0
  %u1 = insertelement <2 x half> %u0, half %hi, i32 1
  %other = bitcast <2 x half> %u1 to i32
  %r = call i32 asm sideeffect "add.u32 $0, $1, $2;", "=r,r,r"(i32 %packed, i32 %other)
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %r
  %x = xor i32 %s1, %v
  %next = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %x)
  %last = call i32 asm sideeffect "not.b32 $0, $1;", "=r,r"(i32 %s1)
  %b = bitcast i32 %next to <2 x half>
  %c = bitcast i32 %last to <2 x half>
  %lo1 = extractelement <2 x half> %b, i32 0
  %hi1 = extractelement <2 x half> %c, i32 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s1, ptr addrspace(1) %o
  ret void
}

; Shows: of two pairs of 64 bits, which are packed of 16-bit parts, one gets a part of the other; the reader of one half is overlooked.
define ptx_kernel void @four_parts(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %v0 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %v)
  %b0 = bitcast i64 %v0 to <4 x half>
  %x0 = extractelement <4 x half> %b0, i32 0
  %x1 = extractelement <4 x half> %b0, i32 1
  %x2 = extractelement <4 x half> %b0, i32 2
  %x3 = extractelement <4 x half> %b0, i32 3
  br label %loop
loop:
  %a = phi half [ %x0, %entry ], [ %y0, %loop ]
  %b = phi half [ %x1, %entry ], [ %y1, %loop ]
  %c = phi half [ %x2, %entry ], [ %y2, %loop ]
  %d = phi half [ %x3, %entry ], [ %y3, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i64 [ %v, %entry ], [ %s1, %loop ]
  %t0 = insertelement <4 x half> poison, half %a, i32 0
  %t1 = insertelement <4 x half> %t0, half %b, i32 1
  %t2 = insertelement <4 x half> %t1, half %c, i32 2
  %t3 = insertelement <4 x half> %t2, half %d, i32 3
  %packed = bitcast <4 x half> %t3 to i64
  %r = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %packed)
  %m = mul i64 %s, 31
  %s0 = add i64 %m, %r
  %ci = bitcast half %c to i16
  %cz = zext i16 %ci to i64
  %s1 = add i64 %s0, %cz
  %x = xor i64 %s1, %v
  %next = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %x)
  %e = bitcast i64 %next to <4 x half>
  %y0 = extractelement <4 x half> %e, i32 0
  %y1 = extractelement <4 x half> %e, i32 1
  %y2 = extractelement <4 x half> %e, i32 2
  %y3 = extractelement <4 x half> %e, i32 3
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %s1, ptr addrspace(1) %o
  ret void
}

; Shows: the halves of a double that go around a loop, packed again and read alone.
define ptx_kernel void @halves_of_doubles(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %w = bitcast i64 %v to <2 x i32>
  %lo0 = extractelement <2 x i32> %w, i32 0
  %hi0 = extractelement <2 x i32> %w, i32 1
  br label %loop
loop:
  %lo = phi i32 [ %lo0, %entry ], [ %lo1, %latch ]
  %hi = phi i32 [ %hi0, %entry ], [ %hi1, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %s = phi i64 [ %v, %entry ], [ %s1, %latch ]
  %t0 = insertelement <2 x i32> poison, i32 %lo, i32 0
  %t1 = insertelement <2 x i32> %t0, i32 %hi, i32 1
  %packed = bitcast <2 x i32> %t1 to i64
  %r = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %packed)
  %m = mul i64 %s, 31
  %s1 = add i64 %m, %r
  %bit = and i64 %s1, 32
  %c = icmp eq i64 %bit, 0
  br i1 %c, label %other, label %latch
other:
  %x = xor i64 %s1, %v
  %next = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %x)
  %e = bitcast i64 %next to <2 x i32>
  %lo2 = extractelement <2 x i32> %e, i32 0
  %hi2 = extractelement <2 x i32> %e, i32 1
  br label %latch
latch:
  %lo1 = phi i32 [ %hi, %loop ], [ %lo2, %other ]
  %hi1 = phi i32 [ %lo, %loop ], [ %hi2, %other ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %z = zext i32 %hi1 to i64
  %y = add i64 %s1, %z
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %y, ptr addrspace(1) %o
  ret void
}

; Shows: the pair that becomes one has its halves exchanged, or the half of the next value is that of this one.
define ptx_kernel void @pairs_made_wide(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %v0 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %v)
  %b0 = bitcast i32 %v0 to <2 x half>
  %lo0 = extractelement <2 x half> %b0, i32 0
  %hi0 = extractelement <2 x half> %b0, i32 1
  br label %loop
loop:
  %lo = phi half [ %lo0, %entry ], [ %lo1, %latch ]
  %hi = phi half [ %hi0, %entry ], [ %hi1, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s3, %latch ]
  %t0 = insertelement <2 x half> poison, half %lo, i32 0
  %t1 = insertelement <2 x half> %t0, half %hi, i32 1
  %packed = bitcast <2 x half> %t1 to i32
  %r = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %packed)
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %r
  %bit = and i32 %s1, 8
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %load, label %latch
load:
  %am = and i32 %s1, 255
  %pn = getelementptr i32, ptr addrspace(1) %in, i32 %am
  %vn = load i32, ptr addrspace(1) %pn
  %next = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %vn)
  %b = bitcast i32 %next to <2 x half>
  %lo2 = extractelement <2 x half> %b, i32 0
  %hi2 = extractelement <2 x half> %b, i32 1
  %l16 = bitcast half %lo2 to i16
  %l32 = zext i16 %l16 to i32
  %s2 = add i32 %s1, %l32
  br label %latch
latch:
  %s3 = phi i32 [ %s1, %loop ], [ %s2, %load ]
  %lo1 = phi half [ %lo, %loop ], [ %lo2, %load ]
  %hi1 = phi half [ %hi, %loop ], [ %hi2, %load ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s3, ptr addrspace(1) %o
  ret void
}

; Shows: four parts that become one are in the wrong order.
define ptx_kernel void @four_parts_made_wide(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %v0 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %v)
  %b0 = bitcast i64 %v0 to <4 x half>
  %x0 = extractelement <4 x half> %b0, i32 0
  %x1 = extractelement <4 x half> %b0, i32 1
  %x2 = extractelement <4 x half> %b0, i32 2
  %x3 = extractelement <4 x half> %b0, i32 3
  br label %loop
loop:
  %a = phi half [ %x0, %entry ], [ %y0, %loop ]
  %b = phi half [ %x1, %entry ], [ %y1, %loop ]
  %c = phi half [ %x2, %entry ], [ %y2, %loop ]
  %d = phi half [ %x3, %entry ], [ %y3, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i64 [ %v, %entry ], [ %s1, %loop ]
  %t0 = insertelement <4 x half> poison, half %a, i32 0
  %t1 = insertelement <4 x half> %t0, half %b, i32 1
  %t2 = insertelement <4 x half> %t1, half %c, i32 2
  %t3 = insertelement <4 x half> %t2, half %d, i32 3
  %packed = bitcast <4 x half> %t3 to i64
  %r = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %packed)
  %m = mul i64 %s, 31
  %s0 = add i64 %m, %r
  %s1 = add i64 %s0, 3
  %x = xor i64 %s1, %v
  %next = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %x)
  %e = bitcast i64 %next to <4 x half>
  %y0 = extractelement <4 x half> %e, i32 0
  %y1 = extractelement <4 x half> %e, i32 1
  %y2 = extractelement <4 x half> %e, i32 2
  %y3 = extractelement <4 x half> %e, i32 3
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %s1, ptr addrspace(1) %o
  ret void
}

; Shows: the halves of 64 bits that become one are in the wrong order.
define ptx_kernel void @halves_made_wide(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr addrspace(1) %in, i32 %t
  %v = load i64, ptr addrspace(1) %p
  %w = bitcast i64 %v to <2 x i32>
  %lo0 = extractelement <2 x i32> %w, i32 0
  %hi0 = extractelement <2 x i32> %w, i32 1
  br label %loop
loop:
  %lo = phi i32 [ %lo0, %entry ], [ %lo1, %latch ]
  %hi = phi i32 [ %hi0, %entry ], [ %hi1, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %s = phi i64 [ %v, %entry ], [ %s1, %latch ]
  %t0 = insertelement <2 x i32> poison, i32 %lo, i32 0
  %t1 = insertelement <2 x i32> %t0, i32 %hi, i32 1
  %packed = bitcast <2 x i32> %t1 to i64
  %r = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %packed)
  %m = mul i64 %s, 31
  %s1 = add i64 %m, %r
  %bit = and i64 %s1, 32
  %c = icmp eq i64 %bit, 0
  br i1 %c, label %other, label %latch
other:
  %x = xor i64 %s1, %v
  %next = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %x)
  %e = bitcast i64 %next to <2 x i32>
  %lo2 = extractelement <2 x i32> %e, i32 0
  %hi2 = extractelement <2 x i32> %e, i32 1
  br label %latch
latch:
  %lo1 = phi i32 [ %lo, %loop ], [ %lo2, %other ]
  %hi1 = phi i32 [ %hi, %loop ], [ %hi2, %other ]
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i64, ptr addrspace(1) %out, i32 %t
  store i64 %s1, ptr addrspace(1) %o
  ret void
}

; Shows: of two pairs that become one each, one is taken for the other.
define ptx_kernel void @two_pairs(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %v0 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %v)
  %w0 = call i32 asm sideeffect "not.b32 $0, $1;", "=r,r"(i32 %v)
  %b0 = bitcast i32 %v0 to <2 x half>
  %c0 = bitcast i32 %w0 to <2 x half>
  %lo0 = extractelement <2 x half> %b0, i32 0
  %hi0 = extractelement <2 x half> %b0, i32 1
  %k0 = extractelement <2 x half> %c0, i32 0
  %g0 = extractelement <2 x half> %c0, i32 1
  br label %loop
loop:
  %lo = phi half [ %lo0, %entry ], [ %lo1, %loop ]
  %hi = phi half [ %hi0, %entry ], [ %hi1, %loop ]
  %k = phi half [ %k0, %entry ], [ %k1, %loop ]
  %g = phi half [ %g0, %entry ], [ %g1, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s1, %loop ]
  %t0 = insertelement <2 x half> poison, half %lo, i32 0
  %t1 = insertelement <2 x half> %t0, half %hi, i32 1
  %packed = bitcast <2 x half> %t1 to i32
  %u0 = insertelement <2 x half> poison, half %k, i32 0
  %u1 = insertelement <2 x half> %u0, half %g, i32 1
  %other = bitcast <2 x half> %u1 to i32
  %r = call i32 asm sideeffect "sub.u32 $0, $1, $2;", "=r,r,r"(i32 %packed, i32 %other)
  %m = mul i32 %s, 31
  %s1 = add i32 %m, %r
  %x = xor i32 %s1, %v
  %next = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %x)
  %last = call i32 asm sideeffect "not.b32 $0, $1;", "=r,r"(i32 %s1)
  %b = bitcast i32 %next to <2 x half>
  %c = bitcast i32 %last to <2 x half>
  %lo1 = extractelement <2 x half> %b, i32 0
  %hi1 = extractelement <2 x half> %b, i32 1
  %k1 = extractelement <2 x half> %c, i32 0
  %g1 = extractelement <2 x half> %c, i32 1
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s1, ptr addrspace(1) %o
  ret void
}
