; Vector code for targets with sub-registers: values that are put together from parts and
; taken apart, multiply-adds, interleaved loads and stores. No target is named here.

; A fused multiply-add whose operands can change places three ways.
define <4 x float> @multiply_add(<4 x float> %a, <4 x float> %b, <4 x float> %c, ptr %p) {
  %v = load <4 x float>, ptr %p
  %x = call <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
  %y = call <4 x float> @llvm.fma.v4f32(<4 x float> %x, <4 x float> %v, <4 x float> %a)
  %z = call <4 x float> @llvm.fma.v4f32(<4 x float> %y, <4 x float> %x, <4 x float> %c)
  %w = call <4 x float> @llvm.fma.v4f32(<4 x float> %v, <4 x float> %y, <4 x float> %z)
  ret <4 x float> %w
}

; Accumulators around a loop.
define float @dot(ptr %p, ptr %q, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi <4 x float> [ zeroinitializer, %entry ], [ %t, %body ]
  %u = phi <4 x float> [ <float 1.0, float 2.0, float 3.0, float 4.0>, %entry ], [ %s, %body ]
  %pi = getelementptr <4 x float>, ptr %p, i64 %i
  %qi = getelementptr <4 x float>, ptr %q, i64 %i
  %a = load <4 x float>, ptr %pi, align 4
  %b = load <4 x float>, ptr %qi, align 4
  %m = call <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %s)
  %t = call <4 x float> @llvm.fma.v4f32(<4 x float> %m, <4 x float> %u, <4 x float> %a)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  %r = fadd <4 x float> %t, %u
  %r0 = extractelement <4 x float> %r, i32 0
  %r2 = extractelement <4 x float> %r, i32 2
  %f = fadd float %r0, %r2
  ret float %f
}

; Interleaved: two and four vectors that must lie side by side.
define void @interleave(ptr %in, ptr %out) {
  %wide = load <8 x i32>, ptr %in, align 4
  %even = shufflevector <8 x i32> %wide, <8 x i32> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %odd = shufflevector <8 x i32> %wide, <8 x i32> poison, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %sum = add <4 x i32> %even, %odd
  %diff = sub <4 x i32> %even, %odd
  %both = shufflevector <4 x i32> %sum, <4 x i32> %diff, <8 x i32> <i32 0, i32 4, i32 1, i32 5, i32 2, i32 6, i32 3, i32 7>
  store <8 x i32> %both, ptr %out, align 4
  ret void
}

define void @interleave_four(ptr %in, ptr %out) {
  %a = load <16 x i32>, ptr %in, align 4
  %v0 = shufflevector <16 x i32> %a, <16 x i32> poison, <4 x i32> <i32 0, i32 4, i32 8, i32 12>
  %v1 = shufflevector <16 x i32> %a, <16 x i32> poison, <4 x i32> <i32 1, i32 5, i32 9, i32 13>
  %v2 = shufflevector <16 x i32> %a, <16 x i32> poison, <4 x i32> <i32 2, i32 6, i32 10, i32 14>
  %v3 = shufflevector <16 x i32> %a, <16 x i32> poison, <4 x i32> <i32 3, i32 7, i32 11, i32 15>
  %x = mul <4 x i32> %v0, %v3
  %lo = shufflevector <4 x i32> %v3, <4 x i32> %v1, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %hi = shufflevector <4 x i32> %x, <4 x i32> %v2, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %all = shufflevector <8 x i32> %lo, <8 x i32> %hi, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 1, i32 5, i32 9, i32 13, i32 2, i32 6, i32 10, i32 14, i32 3, i32 7, i32 11, i32 15>
  store <16 x i32> %all, ptr %out, align 4
  ret void
}

; One element put into a vector, again and again, and undefined ones left out.
define <4 x i32> @insert(<4 x i32> %a, i32 %x, i32 %y) {
  %b = insertelement <4 x i32> %a, i32 %x, i32 1
  %c = insertelement <4 x i32> %b, i32 %y, i32 3
  %d = add <4 x i32> %c, %a
  %e = insertelement <4 x i32> poison, i32 %y, i32 2
  %f = xor <4 x i32> %d, %e
  ret <4 x i32> %f
}

define <8 x i16> @parts(<4 x i16> %a, <4 x i16> %b) {
  %c = shufflevector <4 x i16> %a, <4 x i16> %b, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
  %d = shufflevector <4 x i16> %a, <4 x i16> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 undef, i32 undef, i32 undef, i32 undef>
  %e = mul <8 x i16> %c, %d
  ret <8 x i16> %e
}

; Narrow and wide integers in one register.
define i64 @narrow(i8 %a, i16 %b, i64 %c) {
  %x = zext i8 %a to i64
  %y = sext i16 %b to i64
  %z = trunc i64 %c to i8
  %w = zext i8 %z to i64
  %and = and i64 %c, -65536
  %or = or i64 %and, %y
  %sum = add i64 %or, %x
  %r = mul i64 %sum, %w
  ret i64 %r
}

declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
