; Code of a host: operations that are two-address ones on many targets, in the shapes that
; the two-address pass treats differently. No target is named here.

; The second operand dies, the first does not: commuted.
define i32 @commute(i32 %a, i32 %b) {
  %x = mul i32 %a, %b
  %y = add i32 %x, %a
  %z = and i32 %y, %b
  %w = or i32 %z, %a
  ret i32 %w
}

; A value that stays live and is added to: LEA.
define i64 @three_address(i64 %a, i64 %b) {
  %x = add i64 %a, %b
  %y = add i64 %a, 42
  %z = shl i64 %b, 3
  %u = mul i64 %x, %y
  %v = mul i64 %u, %z
  %w = mul i64 %v, %a
  %t = mul i64 %w, %b
  ret i64 %t
}

; Shifts by a value in a physical register, and division, which has two.
define i32 @physical(i32 %a, i32 %b) {
  %x = shl i32 %a, %b
  %y = lshr i32 %a, %x
  %q = udiv i32 %x, %y
  %r = urem i32 %a, %q
  %s = sub i32 %r, %b
  ret i32 %s
}

; Results carried around a loop.
define i32 @loop(ptr %p, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi i32 [ 1, %entry ], [ %t, %body ]
  %h = phi i32 [ 7, %entry ], [ %g, %body ]
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q
  %m = xor i32 %s, %v
  %t = add i32 %m, %h
  %g = sub i32 %s, %h
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  %r = and i32 %t, %g
  ret i32 %r
}

; A load folded into an operation.
define float @folded(float %a, float %b, ptr %p) {
  %v = load float, ptr %p
  %x = fadd float %a, %v
  %y = fmul float %x, %b
  %w = fsub float %y, %a
  %u = fmul float %w, %v
  ret float %u
}

; Selects and carries.
define i128 @wide(i128 %a, i128 %b, i1 %c) {
  %x = add i128 %a, %b
  %y = sub i128 %x, %a
  %z = select i1 %c, i128 %x, i128 %y
  %w = mul i128 %z, %b
  ret i128 %w
}

; Vectors, whose operations are tied without AVX.
define <4 x i32> @vector(<4 x i32> %a, <4 x i32> %b, <4 x i32> %c) {
  %x = mul <4 x i32> %a, %b
  %y = shufflevector <4 x i32> %x, <4 x i32> %a, <4 x i32> <i32 0, i32 5, i32 2, i32 7>
  %z = add <4 x i32> %y, %c
  %w = sub <4 x i32> %z, %a
  %m = icmp slt <4 x i32> %w, %b
  %r = select <4 x i1> %m, <4 x i32> %w, <4 x i32> %z
  ret <4 x i32> %r
}

; A call in between, and atomics.
declare i32 @other(i32)
define i32 @calls(i32 %a, ptr %p) {
  %x = call i32 @other(i32 %a)
  %y = add i32 %x, %a
  %z = call i32 @other(i32 %y)
  %w = sub i32 %z, %x
  %o = atomicrmw add ptr %p, i32 %w seq_cst
  %pair = cmpxchg ptr %p, i32 %o, i32 %x seq_cst seq_cst
  %r = extractvalue { i32, i1 } %pair, 0
  ret i32 %r
}
