; Attacks induction, where the start of a new variable is there already, in part; and fold-addresses with one more reader.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Shows: the start is an address that is there, without the constant between both.
define ptx_kernel void @constant_after_the_start(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %dp
  %a1 = getelementptr i8, ptr addrspace(1) %pt, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %pt, i64 %x2
  %u1 = load volatile i32, ptr addrspace(1) %a1
  %u2 = load volatile i32, ptr addrspace(1) %a2
  %u = sub i32 %u1, %u2
  %begin = getelementptr i8, ptr addrspace(1) %pt, i64 256
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %u, %entry ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v1 = load volatile i32, ptr addrspace(1) %q1
  %v2 = load volatile i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %v1
  %w = mul i32 %v2, 3
  %s.next = add i32 %y1, %w
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 128
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: the start is an address that is there, without the step.
define ptx_kernel void @step_after_the_start(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %dp
  %a1 = getelementptr i8, ptr addrspace(1) %pt, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %pt, i64 %x2
  %u1 = load volatile i32, ptr addrspace(1) %a1
  %u2 = load volatile i32, ptr addrspace(1) %a2
  %u = sub i32 %u1, %u2
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %before, label %none
before:
  %begin = getelementptr i8, ptr addrspace(1) %pt, i64 %step
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %s = phi i32 [ %u, %before ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %before ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v1 = load volatile i32, ptr addrspace(1) %q1
  %v2 = load volatile i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %v1
  %w = mul i32 %v2, 3
  %s.next = add i32 %y1, %w
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  br label %none
none:
  %r = phi i32 [ %u, %entry ], [ %s.next, %exit ]
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: the start is an address that only one of two ways to the loop computes.
define ptx_kernel void @start_on_one_way(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %dp
  %is = icmp sgt i32 %n, 2
  br i1 %is, label %then, label %before
then:
  %a1 = getelementptr i8, ptr addrspace(1) %pt, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %pt, i64 %x2
  %u1 = load volatile i32, ptr addrspace(1) %a1
  %u2 = load volatile i32, ptr addrspace(1) %a2
  %u = sub i32 %u1, %u2
  br label %before
before:
  %z = phi i32 [ 7, %entry ], [ %u, %then ]
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %s = phi i32 [ %z, %before ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %pt, %before ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v1 = load volatile i32, ptr addrspace(1) %q1
  %v2 = load volatile i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %v1
  %w = mul i32 %v2, 3
  %s.next = add i32 %y1, %w
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: the start is an address with other bits of an index.
define ptx_kernel void @start_with_other_bits(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %dp
  %t8 = shl i32 %t, 3
  %t24 = and i32 %t8, 24
  %t64 = zext i32 %t24 to i64
  %a = getelementptr i16, ptr addrspace(1) %in, i64 %t64
  %a1 = getelementptr i8, ptr addrspace(1) %a, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %a, i64 %x2
  %u1 = load volatile i32, ptr addrspace(1) %a1
  %u2 = load volatile i32, ptr addrspace(1) %a2
  %u = sub i32 %u1, %u2
  br label %before
before:
  %b = and i32 %t, 7
  %b64 = zext i32 %b to i64
  %b16 = shl i64 %b64, 4
  %p1 = getelementptr i8, ptr addrspace(1) %in, i64 256
  %begin = getelementptr i8, ptr addrspace(1) %p1, i64 %b16
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %s = phi i32 [ %u, %before ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %before ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v1 = load volatile i32, ptr addrspace(1) %q1
  %v2 = load volatile i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %v1
  %w = mul i32 %v2, 3
  %s.next = add i32 %y1, %w
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 128
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: a step that each turn loads is taken for one that the loop does not change.
define ptx_kernel void @loaded_step(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %dp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %loop ]
  %odd = and i32 %s, 1
  %ps = getelementptr i64, ptr addrspace(1) %d, i32 %odd
  %pst = getelementptr i64, ptr addrspace(1) %ps, i32 2
  %st = load volatile i64, ptr addrspace(1) %pst
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v1 = load volatile i32, ptr addrspace(1) %q1
  %v2 = load volatile i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %v1
  %w = mul i32 %v2, 3
  %s.next = add i32 %y1, %w
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %st
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: a distance that each turn loads is taken for one that the loop does not change.
define ptx_kernel void @loaded_distances(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %dp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %loop ]
  %odd = and i32 %s, 1
  %ps = getelementptr i64, ptr addrspace(1) %d, i32 %odd
  %c1 = load volatile i64, ptr addrspace(1) %ps
  %odd1 = xor i32 %odd, 1
  %pr = getelementptr i64, ptr addrspace(1) %d, i32 %odd1
  %c2 = load volatile i64, ptr addrspace(1) %pr
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %c1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %c2
  %v1 = load volatile i32, ptr addrspace(1) %q1
  %v2 = load volatile i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %v1
  %w = mul i32 %v2, 3
  %s.next = add i32 %y1, %w
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: variables that begin alike with steps in two registers are equal; and of two equal ones the one that steps last is kept.
define ptx_kernel void @two_steps(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s1 = trunc i64 %step to i32
  %s2 = load volatile i32, ptr addrspace(1) %d
  br label %loop
loop:
  %a = phi i32 [ %t, %entry ], [ %a.next, %latch ]
  %b = phi i32 [ %t, %entry ], [ %b.next, %latch ]
  %c = phi i32 [ %t, %entry ], [ %c.next, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %c.next = add i32 %c, %s1
  %bit = and i32 %s, 4
  %is = icmp eq i32 %bit, 0
  br i1 %is, label %then, label %latch
then:
  %v = mul i32 %c.next, 7
  br label %latch
latch:
  %z = phi i32 [ 3, %loop ], [ %v, %then ]
  %a.next = add i32 %a, %s1
  %b.next = add i32 %b, %s2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %a
  %y2 = xor i32 %y1, %b.next
  %y3 = add i32 %y2, %z
  %s.next = add i32 %y3, %a.next
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, %b
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: products that are shifted by 2 and by 3 are shifted once; and a sum that something else reads as well goes.
define ptx_kernel void @other_shifts(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = zext i32 %t to i64
  %y = and i64 %x, 7
  %nw = sext i32 %n to i64
  %a = mul i64 %x, %step
  %b = mul i64 %y, %nw
  %pa = getelementptr i32, ptr addrspace(1) %in, i64 %a
  %pb = getelementptr i64, ptr addrspace(1) %pa, i64 %b
  %v1 = load volatile i32, ptr addrspace(1) %pb
  %e = xor i64 %y, 5
  %c = mul i64 %e, %step
  %f = mul i64 %e, %nw
  %pc = getelementptr i32, ptr addrspace(1) %in, i64 %c
  %pd = getelementptr i32, ptr addrspace(1) %pc, i64 %f
  %v2 = load volatile i32, ptr addrspace(1) %pd
  %ci = ptrtoint ptr addrspace(1) %pc to i64
  %ii = ptrtoint ptr addrspace(1) %in to i64
  %g = sub i64 %ci, %ii
  %g32 = trunc i64 %g to i32
  %w = mul i32 %v2, 3
  %r1 = add i32 %v1, %w
  %r = xor i32 %r1, %g32
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: an index that is extended with zeros, and has its top bit, is multiplied with its sign.
define ptx_kernel void @high_index_without_sign(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %dt = getelementptr i32, ptr addrspace(1) %d, i32 %t
  %e1 = load volatile i32, ptr addrspace(1) %dt
  %e2 = and i32 %e1, 63
  %h1 = or i32 %e2, -2147483648
  %h2 = xor i32 %h1, 21
  %z1 = zext i32 %h1 to i64
  %z2 = zext i32 %h2 to i64
  %far = getelementptr i8, ptr addrspace(1) %in, i64 -8589934592
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %none
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %loop ]
  %q = phi ptr addrspace(1) [ %far, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 %z1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 %z2
  %v1 = load volatile i32, ptr addrspace(1) %q1
  %v2 = load volatile i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %y1 = add i32 %m, %v1
  %w = mul i32 %v2, 3
  %s.next = add i32 %y1, %w
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  br label %none
none:
  %r = phi i32 [ %t, %entry ], [ %s.next, %exit ]
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}
