; Attacks remat, under a register pressure that makes it work: keys of one number, and conditions.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Shows: a key is computed again with the wrong constant or of the wrong register, after its reader, or not where it is read.
define ptx_kernel void @keys(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pk = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %k = load volatile i32, ptr addrspace(1) %pk
  %a0 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 0
  %w0 = load volatile <4 x i32>, ptr addrspace(1) %a0
  %a1 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 1
  %w1 = load volatile <4 x i32>, ptr addrspace(1) %a1
  %a2 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 2
  %w2 = load volatile <4 x i32>, ptr addrspace(1) %a2
  %a3 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 3
  %w3 = load volatile <4 x i32>, ptr addrspace(1) %a3
  %a4 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 4
  %w4 = load volatile <4 x i32>, ptr addrspace(1) %a4
  %a5 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 5
  %w5 = load volatile <4 x i32>, ptr addrspace(1) %a5
  %a6 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 6
  %w6 = load volatile <4 x i32>, ptr addrspace(1) %a6
  %a7 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 7
  %w7 = load volatile <4 x i32>, ptr addrspace(1) %a7
  %a8 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 8
  %w8 = load volatile <4 x i32>, ptr addrspace(1) %a8
  %a9 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 9
  %w9 = load volatile <4 x i32>, ptr addrspace(1) %a9
  %a10 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 10
  %w10 = load volatile <4 x i32>, ptr addrspace(1) %a10
  %a11 = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 11
  %w11 = load volatile <4 x i32>, ptr addrspace(1) %a11
  %k1 = add i32 %k, 101
  %k2 = xor i32 %k, 102
  %k3 = shl i32 %k, 3
  %k4 = lshr i32 %k, 4
  %k5 = ashr i32 %k, 5
  %k6 = and i32 %k, 65535
  %k7 = or i32 %k, 4097
  %k8 = sub i32 107, %k
  %k9 = mul i32 %k, 9
  %k10 = add i32 %k, -101
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %s = phi i32 [ %t, %entry ], [ %s.out, %next ]
  %sm = and i32 %s, 127
  %ps = getelementptr i32, ptr addrspace(1) %in, i32 %sm
  %x = load volatile i32, ptr addrspace(1) %ps
  %y = xor i32 %x, %k
  %some = icmp slt i32 %x, 0
  br i1 %some, label %keys, label %next
keys:
  %u1 = xor i32 %y, %k1
  %h1 = mul i32 %u1, 3
  %u2 = xor i32 %h1, %k2
  %h2 = mul i32 %u2, 5
  %u3 = xor i32 %h2, %k3
  %h3 = mul i32 %u3, 7
  %u4 = xor i32 %h3, %k4
  %h4 = mul i32 %u4, 9
  %u5 = xor i32 %h4, %k5
  %h5 = mul i32 %u5, 11
  %u6 = xor i32 %h5, %k6
  %h6 = mul i32 %u6, 13
  %u7 = xor i32 %h6, %k7
  %h7 = mul i32 %u7, 15
  %u8 = xor i32 %h7, %k8
  %h8 = mul i32 %u8, 17
  %u9 = xor i32 %h8, %k9
  %h9 = mul i32 %u9, 19
  %u10 = xor i32 %h9, %k10
  %h10 = mul i32 %u10, 21
  %g = add i32 %h10, %k1
  %less = icmp slt i32 %g, 5
  br i1 %less, label %two, label %next
two:
  %e = and i32 %k1, %k2
  %e2 = sub i32 %e, %k8
  %e3 = xor i32 %e2, %k5
  br label %next
next:
  %p = phi i32 [ %y, %loop ], [ %g, %keys ], [ %e3, %two ]
  %sp = mul i32 %s, 31
  %sq = add i32 %sp, %p
  %sr = add i32 %sq, %k3
  %s.out = xor i32 %sr, %k
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %z0 = add i32 0, %s.out
  %l0 = extractelement <4 x i32> %w0, i32 0
  %f0 = mul i32 %z0, 31
  %z1 = add i32 %f0, %l0
  %l1 = extractelement <4 x i32> %w0, i32 1
  %f1 = mul i32 %z1, 31
  %z2 = add i32 %f1, %l1
  %l2 = extractelement <4 x i32> %w0, i32 2
  %f2 = mul i32 %z2, 31
  %z3 = add i32 %f2, %l2
  %l3 = extractelement <4 x i32> %w0, i32 3
  %f3 = mul i32 %z3, 31
  %z4 = add i32 %f3, %l3
  %l4 = extractelement <4 x i32> %w1, i32 0
  %f4 = mul i32 %z4, 31
  %z5 = add i32 %f4, %l4
  %l5 = extractelement <4 x i32> %w1, i32 1
  %f5 = mul i32 %z5, 31
  %z6 = add i32 %f5, %l5
  %l6 = extractelement <4 x i32> %w1, i32 2
  %f6 = mul i32 %z6, 31
  %z7 = add i32 %f6, %l6
  %l7 = extractelement <4 x i32> %w1, i32 3
  %f7 = mul i32 %z7, 31
  %z8 = add i32 %f7, %l7
  %l8 = extractelement <4 x i32> %w2, i32 0
  %f8 = mul i32 %z8, 31
  %z9 = add i32 %f8, %l8
  %l9 = extractelement <4 x i32> %w2, i32 1
  %f9 = mul i32 %z9, 31
  %z10 = add i32 %f9, %l9
  %l10 = extractelement <4 x i32> %w2, i32 2
  %f10 = mul i32 %z10, 31
  %z11 = add i32 %f10, %l10
  %l11 = extractelement <4 x i32> %w2, i32 3
  %f11 = mul i32 %z11, 31
  %z12 = add i32 %f11, %l11
  %l12 = extractelement <4 x i32> %w3, i32 0
  %f12 = mul i32 %z12, 31
  %z13 = add i32 %f12, %l12
  %l13 = extractelement <4 x i32> %w3, i32 1
  %f13 = mul i32 %z13, 31
  %z14 = add i32 %f13, %l13
  %l14 = extractelement <4 x i32> %w3, i32 2
  %f14 = mul i32 %z14, 31
  %z15 = add i32 %f14, %l14
  %l15 = extractelement <4 x i32> %w3, i32 3
  %f15 = mul i32 %z15, 31
  %z16 = add i32 %f15, %l15
  %l16 = extractelement <4 x i32> %w4, i32 0
  %f16 = mul i32 %z16, 31
  %z17 = add i32 %f16, %l16
  %l17 = extractelement <4 x i32> %w4, i32 1
  %f17 = mul i32 %z17, 31
  %z18 = add i32 %f17, %l17
  %l18 = extractelement <4 x i32> %w4, i32 2
  %f18 = mul i32 %z18, 31
  %z19 = add i32 %f18, %l18
  %l19 = extractelement <4 x i32> %w4, i32 3
  %f19 = mul i32 %z19, 31
  %z20 = add i32 %f19, %l19
  %l20 = extractelement <4 x i32> %w5, i32 0
  %f20 = mul i32 %z20, 31
  %z21 = add i32 %f20, %l20
  %l21 = extractelement <4 x i32> %w5, i32 1
  %f21 = mul i32 %z21, 31
  %z22 = add i32 %f21, %l21
  %l22 = extractelement <4 x i32> %w5, i32 2
  %f22 = mul i32 %z22, 31
  %z23 = add i32 %f22, %l22
  %l23 = extractelement <4 x i32> %w5, i32 3
  %f23 = mul i32 %z23, 31
  %z24 = add i32 %f23, %l23
  %l24 = extractelement <4 x i32> %w6, i32 0
  %f24 = mul i32 %z24, 31
  %z25 = add i32 %f24, %l24
  %l25 = extractelement <4 x i32> %w6, i32 1
  %f25 = mul i32 %z25, 31
  %z26 = add i32 %f25, %l25
  %l26 = extractelement <4 x i32> %w6, i32 2
  %f26 = mul i32 %z26, 31
  %z27 = add i32 %f26, %l26
  %l27 = extractelement <4 x i32> %w6, i32 3
  %f27 = mul i32 %z27, 31
  %z28 = add i32 %f27, %l27
  %l28 = extractelement <4 x i32> %w7, i32 0
  %f28 = mul i32 %z28, 31
  %z29 = add i32 %f28, %l28
  %l29 = extractelement <4 x i32> %w7, i32 1
  %f29 = mul i32 %z29, 31
  %z30 = add i32 %f29, %l29
  %l30 = extractelement <4 x i32> %w7, i32 2
  %f30 = mul i32 %z30, 31
  %z31 = add i32 %f30, %l30
  %l31 = extractelement <4 x i32> %w7, i32 3
  %f31 = mul i32 %z31, 31
  %z32 = add i32 %f31, %l31
  %l32 = extractelement <4 x i32> %w8, i32 0
  %f32 = mul i32 %z32, 31
  %z33 = add i32 %f32, %l32
  %l33 = extractelement <4 x i32> %w8, i32 1
  %f33 = mul i32 %z33, 31
  %z34 = add i32 %f33, %l33
  %l34 = extractelement <4 x i32> %w8, i32 2
  %f34 = mul i32 %z34, 31
  %z35 = add i32 %f34, %l34
  %l35 = extractelement <4 x i32> %w8, i32 3
  %f35 = mul i32 %z35, 31
  %z36 = add i32 %f35, %l35
  %l36 = extractelement <4 x i32> %w9, i32 0
  %f36 = mul i32 %z36, 31
  %z37 = add i32 %f36, %l36
  %l37 = extractelement <4 x i32> %w9, i32 1
  %f37 = mul i32 %z37, 31
  %z38 = add i32 %f37, %l37
  %l38 = extractelement <4 x i32> %w9, i32 2
  %f38 = mul i32 %z38, 31
  %z39 = add i32 %f38, %l38
  %l39 = extractelement <4 x i32> %w9, i32 3
  %f39 = mul i32 %z39, 31
  %z40 = add i32 %f39, %l39
  %l40 = extractelement <4 x i32> %w10, i32 0
  %f40 = mul i32 %z40, 31
  %z41 = add i32 %f40, %l40
  %l41 = extractelement <4 x i32> %w10, i32 1
  %f41 = mul i32 %z41, 31
  %z42 = add i32 %f41, %l41
  %l42 = extractelement <4 x i32> %w10, i32 2
  %f42 = mul i32 %z42, 31
  %z43 = add i32 %f42, %l42
  %l43 = extractelement <4 x i32> %w10, i32 3
  %f43 = mul i32 %z43, 31
  %z44 = add i32 %f43, %l43
  %l44 = extractelement <4 x i32> %w11, i32 0
  %f44 = mul i32 %z44, 31
  %z45 = add i32 %f44, %l44
  %l45 = extractelement <4 x i32> %w11, i32 1
  %f45 = mul i32 %z45, 31
  %z46 = add i32 %f45, %l45
  %l46 = extractelement <4 x i32> %w11, i32 2
  %f46 = mul i32 %z46, 31
  %z47 = add i32 %f46, %l46
  %l47 = extractelement <4 x i32> %w11, i32 3
  %f47 = mul i32 %z47, 31
  %z48 = add i32 %f47, %l47
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %z48, ptr addrspace(1) %o
  ret void
}

; Shows: a condition is computed again of other registers, as its opposite, or with another comparison; each is read in two places.
define ptx_kernel void @conditions(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %po = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %a = load volatile i32, ptr addrspace(1) %pt
  %pb = getelementptr i32, ptr addrspace(1) %pt, i32 32
  %b = load volatile i32, ptr addrspace(1) %pb
  %x1 = icmp ne i32 %a, 495397697
  %y1 = icmp ugt i32 %b, 1522142063
  %c1 = or i1 %x1, %y1
  %x2 = icmp sge i32 %a, 990795394
  %y2 = icmp ult i32 %b, 896800478
  %c2 = xor i1 %x2, %y2
  %x3 = icmp slt i32 %a, 1486193091
  %y3 = icmp eq i32 %b, 271458893
  %c3 = and i1 %x3, %y3
  %x4 = icmp eq i32 %a, 1981590788
  %y4 = icmp uge i32 %b, 1793600956
  %c4 = or i1 %x4, %y4
  %x5 = icmp ugt i32 %a, 329504837
  %y5 = icmp slt i32 %b, 1168259371
  %c5 = xor i1 %x5, %y5
  %x6 = icmp sle i32 %a, 824902534
  %y6 = icmp ule i32 %b, 542917786
  %c6 = and i1 %x6, %y6
  %x7 = icmp ule i32 %a, 1320300231
  %y7 = icmp sge i32 %b, 2065059849
  %c7 = or i1 %x7, %y7
  %x8 = icmp uge i32 %a, 1815697928
  %y8 = icmp sle i32 %b, 1439718264
  %c8 = xor i1 %x8, %y8
  %x9 = icmp ult i32 %a, 163611977
  %y9 = icmp ne i32 %b, 814376679
  %c9 = and i1 %x9, %y9
  %x10 = icmp ne i32 %a, 659009674
  %y10 = icmp ugt i32 %b, 189035094
  %c10 = or i1 %x10, %y10
  %x11 = icmp sge i32 %a, 1154407371
  %y11 = icmp ult i32 %b, 1711177157
  %c11 = xor i1 %x11, %y11
  %x12 = icmp slt i32 %a, 1649805068
  %y12 = icmp eq i32 %b, 1085835572
  %c12 = and i1 %x12, %y12
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %next ]
  br label %b1
b1:
  %p1 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c1, label %t1, label %m1
t1:
  %q1 = mul i32 %s, 5
  %v1 = add i32 %q1, %p1
  store volatile i32 %v1, ptr addrspace(1) %po
  br label %m1
m1:
  %r1 = phi i32 [ %s, %b1 ], [ %v1, %t1 ]
  br label %b2
b2:
  %p2 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c2, label %t2, label %m2
t2:
  %q2 = mul i32 %r1, 7
  %v2 = add i32 %q2, %p2
  store volatile i32 %v2, ptr addrspace(1) %po
  br label %m2
m2:
  %r2 = phi i32 [ %r1, %b2 ], [ %v2, %t2 ]
  br label %b3
b3:
  %p3 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c3, label %t3, label %m3
t3:
  %q3 = mul i32 %r2, 9
  %v3 = add i32 %q3, %p3
  store volatile i32 %v3, ptr addrspace(1) %po
  br label %m3
m3:
  %r3 = phi i32 [ %r2, %b3 ], [ %v3, %t3 ]
  br label %b4
b4:
  %p4 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c4, label %t4, label %m4
t4:
  %q4 = mul i32 %r3, 11
  %v4 = add i32 %q4, %p4
  store volatile i32 %v4, ptr addrspace(1) %po
  br label %m4
m4:
  %r4 = phi i32 [ %r3, %b4 ], [ %v4, %t4 ]
  br label %b5
b5:
  %p5 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c5, label %t5, label %m5
t5:
  %q5 = mul i32 %r4, 13
  %v5 = add i32 %q5, %p5
  store volatile i32 %v5, ptr addrspace(1) %po
  br label %m5
m5:
  %r5 = phi i32 [ %r4, %b5 ], [ %v5, %t5 ]
  br label %b6
b6:
  %p6 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c6, label %t6, label %m6
t6:
  %q6 = mul i32 %r5, 15
  %v6 = add i32 %q6, %p6
  store volatile i32 %v6, ptr addrspace(1) %po
  br label %m6
m6:
  %r6 = phi i32 [ %r5, %b6 ], [ %v6, %t6 ]
  br label %b7
b7:
  %p7 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c7, label %t7, label %m7
t7:
  %q7 = mul i32 %r6, 17
  %v7 = add i32 %q7, %p7
  store volatile i32 %v7, ptr addrspace(1) %po
  br label %m7
m7:
  %r7 = phi i32 [ %r6, %b7 ], [ %v7, %t7 ]
  br label %b8
b8:
  %p8 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c8, label %t8, label %m8
t8:
  %q8 = mul i32 %r7, 19
  %v8 = add i32 %q8, %p8
  store volatile i32 %v8, ptr addrspace(1) %po
  br label %m8
m8:
  %r8 = phi i32 [ %r7, %b8 ], [ %v8, %t8 ]
  br label %b9
b9:
  %p9 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c9, label %t9, label %m9
t9:
  %q9 = mul i32 %r8, 21
  %v9 = add i32 %q9, %p9
  store volatile i32 %v9, ptr addrspace(1) %po
  br label %m9
m9:
  %r9 = phi i32 [ %r8, %b9 ], [ %v9, %t9 ]
  br label %b10
b10:
  %p10 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c10, label %t10, label %m10
t10:
  %q10 = mul i32 %r9, 23
  %v10 = add i32 %q10, %p10
  store volatile i32 %v10, ptr addrspace(1) %po
  br label %m10
m10:
  %r10 = phi i32 [ %r9, %b10 ], [ %v10, %t10 ]
  br label %b11
b11:
  %p11 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c11, label %t11, label %m11
t11:
  %q11 = mul i32 %r10, 25
  %v11 = add i32 %q11, %p11
  store volatile i32 %v11, ptr addrspace(1) %po
  br label %m11
m11:
  %r11 = phi i32 [ %r10, %b11 ], [ %v11, %t11 ]
  br label %b12
b12:
  %p12 = load volatile i32, ptr addrspace(1) %pt
  br i1 %c12, label %t12, label %m12
t12:
  %q12 = mul i32 %r11, 27
  %v12 = add i32 %q12, %p12
  store volatile i32 %v12, ptr addrspace(1) %po
  br label %m12
m12:
  %r12 = phi i32 [ %r11, %b12 ], [ %v12, %t12 ]
  br label %next
next:
  %ab = xor i32 %a, %b
  %s0 = mul i32 %r12, 31
  %s1 = add i32 %s0, %ab
  %z1 = select i1 %c1, i32 3, i32 %i
  %z2 = select i1 %c2, i32 %z1, i32 5
  %z3 = select i1 %c3, i32 %z2, i32 %s1
  %s.next = add i32 %s1, %z3
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  store volatile i32 %s.next, ptr addrspace(1) %po
  ret void
}

; Shows: the same where each condition is read once, after branches, and both numbers to the end.
define ptx_kernel void @conditions_once(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %po = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %a = load volatile i32, ptr addrspace(1) %pt
  %pb = getelementptr i32, ptr addrspace(1) %pt, i32 32
  %b = load volatile i32, ptr addrspace(1) %pb
  %x1 = icmp ne i32 %a, 495397697
  %y1 = icmp ugt i32 %b, 1522142063
  %c1 = or i1 %x1, %y1
  %x2 = icmp sge i32 %a, 990795394
  %y2 = icmp ult i32 %b, 896800478
  %c2 = xor i1 %x2, %y2
  %x3 = icmp slt i32 %a, 1486193091
  %y3 = icmp eq i32 %b, 271458893
  %c3 = and i1 %x3, %y3
  %x4 = icmp eq i32 %a, 1981590788
  %y4 = icmp uge i32 %b, 1793600956
  %c4 = or i1 %x4, %y4
  %x5 = icmp ugt i32 %a, 329504837
  %y5 = icmp slt i32 %b, 1168259371
  %c5 = xor i1 %x5, %y5
  %x6 = icmp sle i32 %a, 824902534
  %y6 = icmp ule i32 %b, 542917786
  %c6 = and i1 %x6, %y6
  %x7 = icmp ule i32 %a, 1320300231
  %y7 = icmp sge i32 %b, 2065059849
  %c7 = or i1 %x7, %y7
  %x8 = icmp uge i32 %a, 1815697928
  %y8 = icmp sle i32 %b, 1439718264
  %c8 = xor i1 %x8, %y8
  store volatile i32 %t, ptr addrspace(1) %po
  br label %b1
b1:
  br i1 %c1, label %t1, label %b2
t1:
  %p1 = load volatile i32, ptr addrspace(1) %po
  %q1 = mul i32 %p1, 5
  %v1 = add i32 %q1, 1
  store volatile i32 %v1, ptr addrspace(1) %po
  br label %b2
b2:
  br i1 %c2, label %t2, label %b3
t2:
  %p2 = load volatile i32, ptr addrspace(1) %po
  %q2 = mul i32 %p2, 7
  %v2 = add i32 %q2, 2
  store volatile i32 %v2, ptr addrspace(1) %po
  br label %b3
b3:
  br i1 %c3, label %t3, label %b4
t3:
  %p3 = load volatile i32, ptr addrspace(1) %po
  %q3 = mul i32 %p3, 9
  %v3 = add i32 %q3, 3
  store volatile i32 %v3, ptr addrspace(1) %po
  br label %b4
b4:
  br i1 %c4, label %t4, label %b5
t4:
  %p4 = load volatile i32, ptr addrspace(1) %po
  %q4 = mul i32 %p4, 11
  %v4 = add i32 %q4, 4
  store volatile i32 %v4, ptr addrspace(1) %po
  br label %b5
b5:
  br i1 %c5, label %t5, label %b6
t5:
  %p5 = load volatile i32, ptr addrspace(1) %po
  %q5 = mul i32 %p5, 13
  %v5 = add i32 %q5, 5
  store volatile i32 %v5, ptr addrspace(1) %po
  br label %b6
b6:
  br i1 %c6, label %t6, label %b7
t6:
  %p6 = load volatile i32, ptr addrspace(1) %po
  %q6 = mul i32 %p6, 15
  %v6 = add i32 %q6, 6
  store volatile i32 %v6, ptr addrspace(1) %po
  br label %b7
b7:
  br i1 %c7, label %t7, label %b8
t7:
  %p7 = load volatile i32, ptr addrspace(1) %po
  %q7 = mul i32 %p7, 17
  %v7 = add i32 %q7, 7
  store volatile i32 %v7, ptr addrspace(1) %po
  br label %b8
b8:
  br i1 %c8, label %t8, label %b9
t8:
  %p8 = load volatile i32, ptr addrspace(1) %po
  %q8 = mul i32 %p8, 19
  %v8 = add i32 %q8, 8
  store volatile i32 %v8, ptr addrspace(1) %po
  br label %b9
b9:
  %p9 = load volatile i32, ptr addrspace(1) %po
  %x = xor i32 %p9, %a
  %y = add i32 %x, %b
  store volatile i32 %y, ptr addrspace(1) %po
  ret void
}
