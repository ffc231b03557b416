; Attacks induction: loops in which it makes variables of sums, or joins equal ones; each distance is loaded, so that it takes a register.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Shows: the start of a new variable is that of the old one, lacks its distance, or has that of the other one.
define ptx_kernel void @two_distances(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %d1 = load volatile i64, ptr addrspace(1) %d
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %d2 = load volatile i64, ptr addrspace(1) %dp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %latch ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %d1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %d2
  %v1 = load i32, ptr addrspace(1) %q1
  %v2 = load i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %x0 = mul i32 %v1, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %v2, 5
  %y1 = add i32 %y0, %x1
  %s.next = add i32 %y1, 1
  br label %latch
latch:
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

; Shows: sums after the step begin one step too early; two variables share a distance.
define ptx_kernel void @sums_after_the_step(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %d1 = load volatile i64, ptr addrspace(1) %d
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %d2 = load volatile i64, ptr addrspace(1) %dp
  %pw = getelementptr i8, ptr addrspace(1) %in, i64 %d2
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %latch ]
  %w = phi ptr addrspace(1) [ %pw, %entry ], [ %w.next, %latch ]
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %w.next = getelementptr i8, ptr addrspace(1) %w, i64 %step
  %q1 = getelementptr i8, ptr addrspace(1) %q.next, i64 %d1
  %w1 = getelementptr i8, ptr addrspace(1) %w.next, i64 %d1
  %v1 = load i32, ptr addrspace(1) %q1
  %v2 = load i32, ptr addrspace(1) %w1
  %m = mul i32 %s, 31
  %x0 = mul i32 %v1, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %v2, 5
  %y1 = add i32 %y0, %x1
  %s.next = add i32 %y1, 1
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: sums before the step and after it, of one distance, are one variable.
define ptx_kernel void @both_sides_of_the_step(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %d1 = load volatile i64, ptr addrspace(1) %d
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %d2 = load volatile i64, ptr addrspace(1) %dp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %latch ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %d1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %d2
  %v1 = load i32, ptr addrspace(1) %q1
  %v2 = load i32, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %q3 = getelementptr i8, ptr addrspace(1) %q.next, i64 %d1
  %q4 = getelementptr i8, ptr addrspace(1) %q.next, i64 %d2
  %v3 = load i32, ptr addrspace(1) %q3
  %v4 = load i32, ptr addrspace(1) %q4
  %m = mul i32 %s, 31
  %x0 = mul i32 %v1, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %v2, 5
  %y1 = add i32 %y0, %x1
  %x2 = mul i32 %v3, 7
  %y2 = add i32 %y1, %x2
  %x3 = mul i32 %v4, 9
  %y3 = add i32 %y2, %x3
  %s.next = add i32 %y3, 1
  br label %latch
latch:
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: the old variable is read after the loop as well, as it is before its last step and after it.
define ptx_kernel void @variable_is_read_after(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %d1 = load volatile i64, ptr addrspace(1) %d
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %d2 = load volatile i64, ptr addrspace(1) %dp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %latch ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %d1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %d2
  %v1 = load i32, ptr addrspace(1) %q1
  %v2 = load i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %x0 = mul i32 %v1, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %v2, 5
  %y1 = add i32 %y0, %x1
  %s.next = add i32 %y1, 1
  br label %latch
latch:
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %a = ptrtoint ptr addrspace(1) %q to i64
  %b = ptrtoint ptr addrspace(1) %q.next to i64
  %c = ptrtoint ptr addrspace(1) %in to i64
  %e = sub i64 %a, %c
  %f = sub i64 %b, %c
  %g = mul i64 %f, 5
  %h = add i64 %e, %g
  %h32 = trunc i64 %h to i32
  %r = add i32 %s.next, %h32
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: a distance that the loop changes is taken for one that it does not.
define ptx_kernel void @distance_changes(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %d1 = load volatile i64, ptr addrspace(1) %d
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %d2 = load volatile i64, ptr addrspace(1) %dp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %latch ]
  %c1 = phi i64 [ %d1, %entry ], [ %c2, %latch ]
  %c2 = phi i64 [ %d2, %entry ], [ %c1, %latch ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %c1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %c2
  %v1 = load i32, ptr addrspace(1) %q1
  %v2 = load i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %x0 = mul i32 %v1, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %v2, 5
  %y1 = add i32 %y0, %x1
  %s.next = add i32 %y1, 1
  br label %latch
latch:
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

; Shows: a step that the loop changes is taken for one that it does not.
define ptx_kernel void @step_changes(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %d1 = load volatile i64, ptr addrspace(1) %d
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %d2 = load volatile i64, ptr addrspace(1) %dp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %q = phi ptr addrspace(1) [ %pt, %entry ], [ %q.next, %latch ]
  %c = phi i64 [ %step, %entry ], [ %c.next, %latch ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %d1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %d2
  %v1 = load i32, ptr addrspace(1) %q1
  %v2 = load i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %x0 = mul i32 %v1, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %v2, 5
  %y1 = add i32 %y0, %x1
  %s.next = add i32 %y1, 1
  br label %latch
latch:
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %c
  %c.next = sub i64 0, %c
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: numbers of 32 bits that wrap around, not addresses: sums that are compared and stored.
define ptx_kernel void @numbers(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i32 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %d1 = load volatile i64, ptr addrspace(1) %d
  %dp = getelementptr i64, ptr addrspace(1) %d, i32 1
  %d2 = load volatile i64, ptr addrspace(1) %dp
  %e1 = trunc i64 %d1 to i32
  %e2 = trunc i64 %d2 to i32
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %q = phi i32 [ %t, %entry ], [ %q.next, %latch ]
  %q1 = add i32 %q, %e1
  %q2 = add i32 %q, %e2
  %q3 = sub i32 %q, %e1
  %c = icmp ult i32 %q1, %q2
  %cz = zext i1 %c to i32
  %m = mul i32 %s, 31
  %x0 = mul i32 %q1, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %q2, 5
  %y1 = add i32 %y0, %x1
  %x2 = mul i32 %cz, 7
  %y2 = add i32 %y1, %x2
  %x3 = mul i32 %q3, 9
  %y3 = add i32 %y2, %x3
  %s.next = add i32 %y3, 1
  br label %latch
latch:
  %q.next = add i32 %q, %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: variables of equal starts and steps, except for the widths of what reads them, and one of another start or step.
define ptx_kernel void @equal_ones(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i32 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %a = phi i32 [ 0, %entry ], [ %a.next, %latch ]
  %b = phi i32 [ 0, %entry ], [ %b.next, %latch ]
  %c = phi i32 [ 4, %entry ], [ %c.next, %latch ]
  %e = phi i32 [ 0, %entry ], [ %e.next, %latch ]
  %f = phi i32 [ %step, %entry ], [ %f.next, %latch ]
  %g = phi i32 [ %step, %entry ], [ %g.next, %latch ]
  %a.next = add i32 %a, 4
  %m = mul i32 %s, 31
  %x0 = mul i32 %a, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %b, 5
  %y1 = add i32 %y0, %x1
  %x2 = mul i32 %c, 7
  %y2 = add i32 %y1, %x2
  %x3 = mul i32 %e, 9
  %y3 = add i32 %y2, %x3
  %x4 = mul i32 %f, 11
  %y4 = add i32 %y3, %x4
  %x5 = mul i32 %g, 13
  %y5 = add i32 %y4, %x5
  %x6 = mul i32 %a.next, 15
  %y6 = add i32 %y5, %x6
  %s.next = add i32 %y6, 1
  br label %latch
latch:
  %b.next = add i32 %b, 4
  %c.next = add i32 %c, 4
  %e.next = add i32 %e, 8
  %f.next = add i32 %f, 4
  %g.next = add i32 %g, 4
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %z = mul i32 %b, 3
  %z1 = add i32 %z, %a.next
  %z2 = mul i32 %z1, %c.next
  %z3 = xor i32 %z2, %g
  %z4 = add i32 %z3, %f.next
  %r = add i32 %s.next, %z4
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: masks of one variable, of its steps 1 and 2 and of different bits, are equal.
define ptx_kernel void @masks(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i32 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s.next, %latch ]
  %a = phi i32 [ 0, %entry ], [ %a.next, %latch ]
  %b = phi i32 [ 0, %entry ], [ %b.next, %latch ]
  %c = phi i32 [ 0, %entry ], [ %c.next, %latch ]
  %e = phi i32 [ 0, %entry ], [ %e.next, %latch ]
  %am = and i32 %a, 3
  %pa = getelementptr i32, ptr addrspace(1) %in, i32 %am
  %va = load i32, ptr addrspace(1) %pa
  %pb = getelementptr i32, ptr addrspace(1) %in, i32 %b
  %vb = load i32, ptr addrspace(1) %pb
  %pc = getelementptr i32, ptr addrspace(1) %in, i32 %c
  %vc = load i32, ptr addrspace(1) %pc
  %pe = getelementptr i32, ptr addrspace(1) %in, i32 %e
  %ve = load i32, ptr addrspace(1) %pe
  %m = mul i32 %s, 31
  %x0 = mul i32 %va, 3
  %y0 = add i32 %m, %x0
  %x1 = mul i32 %vb, 5
  %y1 = add i32 %y0, %x1
  %x2 = mul i32 %vc, 7
  %y2 = add i32 %y1, %x2
  %x3 = mul i32 %ve, 9
  %y3 = add i32 %y2, %x3
  %s.next = add i32 %y3, 1
  br label %latch
latch:
  %a.next = add i32 %a, %step
  %b1 = add i32 %b, 1
  %b.next = and i32 %b1, 3
  %c1 = add i32 %c, 1
  %c.next = and i32 %c1, 1
  %e1 = add i32 %e, 1
  %e.next = and i32 %e1, 3
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = add i32 %s.next, 0
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: a distance that the outer loop changes is computed before both; the variable of the inner loop goes on from one iteration of
; the outer loop to the next.
define ptx_kernel void @nested(ptr addrspace(1) %out, ptr addrspace(1) %in, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %after ]
  %s0 = phi i32 [ %t, %entry ], [ %s.next, %after ]
  %q0 = phi ptr addrspace(1) [ %pt, %entry ], [ %q.back, %after ]
  %odd = and i32 %i, 1
  %pd = getelementptr i64, ptr addrspace(1) %d, i32 %odd
  %d1 = load volatile i64, ptr addrspace(1) %pd
  %d2 = load volatile i64, ptr addrspace(1) %d
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi i32 [ %s0, %outer ], [ %s.next, %inner ]
  %q = phi ptr addrspace(1) [ %q0, %outer ], [ %q.next, %inner ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %d1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %d2
  %v1 = load i32, ptr addrspace(1) %q1
  %v2 = load i32, ptr addrspace(1) %q2
  %m = mul i32 %s, 31
  %x1 = mul i32 %v1, 3
  %y1 = add i32 %m, %x1
  %x2 = mul i32 %v2, 5
  %s.next = add i32 %y1, %x2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %j.next = add i32 %j, 1
  %more = icmp sle i32 %j.next, %i
  br i1 %more, label %inner, label %after
after:
  %minus = sub i64 0, %step
  %q.back = getelementptr i8, ptr addrspace(1) %q, i64 %minus
  %i.next = add i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %outer, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %s.next, ptr addrspace(1) %o
  ret void
}
