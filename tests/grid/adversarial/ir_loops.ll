; Attacks all stages that look for loops: irreducible ones, several latches and exits, predicates that go around.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Shows: a cycle with two entries is taken for a loop with one header, and a variable of it for one that begins where the first entry says.
define ptx_kernel void @two_entries(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n, i32 %step) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pt = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %pt
  %odd = trunc i32 %v to i1
  br i1 %odd, label %a, label %b
a:
  %i = phi i32 [ 0, %entry ], [ %j1, %b ]
  %s = phi i32 [ %v, %entry ], [ %r1, %b ]
  %am = and i32 %i, 255
  %pa = getelementptr i32, ptr addrspace(1) %in, i32 %am
  %va = load i32, ptr addrspace(1) %pa
  %s0 = mul i32 %s, 31
  %s1 = add i32 %s0, %va
  %i1 = add i32 %i, %step
  br label %b
b:
  %j = phi i32 [ 5, %entry ], [ %i1, %a ]
  %r = phi i32 [ %t, %entry ], [ %s1, %a ]
  %jd = add i32 %j, %t
  %bm = and i32 %jd, 255
  %pb = getelementptr i32, ptr addrspace(1) %in, i32 %bm
  %vb = load i32, ptr addrspace(1) %pb
  %r0 = mul i32 %r, 29
  %r1 = xor i32 %r0, %vb
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, %n
  br i1 %more, label %a, label %exit
exit:
  %x = mul i32 %j, 7
  %y = add i32 %x, %r1
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %o
  ret void
}

; Shows: a header with two latches that step by different amounts has one step; two exits see one value.
define ptx_kernel void @two_latches(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n, i32 %d) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %one ], [ %i2, %two ]
  %k = phi i32 [ 0, %entry ], [ %k1, %one ], [ %k1, %two ]
  %s = phi i32 [ %t, %entry ], [ %s1, %one ], [ %s1, %two ]
  %id = add i32 %i, %d
  %m = and i32 %id, 255
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %m
  %v = load i32, ptr addrspace(1) %p
  %s0 = mul i32 %s, 31
  %s1 = add i32 %s0, %v
  %k1 = add i32 %k, 1
  %which = and i32 %s1, 4
  %c = icmp eq i32 %which, 0
  br i1 %c, label %one, label %two
one:
  %i1 = add i32 %i, 1
  %more1 = icmp ult i32 %k1, %n
  br i1 %more1, label %head, label %exit1
two:
  %i2 = add i32 %i, 2
  %more2 = icmp ult i32 %i2, %n
  br i1 %more2, label %head, label %exit2
exit1:
  %x = mul i32 %i1, 7
  br label %join
exit2:
  %y = mul i32 %i, 11
  br label %join
join:
  %z = phi i32 [ %x, %exit1 ], [ %y, %exit2 ]
  %r = add i32 %z, %s1
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: predicates that change places around a loop, one of them negated, are one register.
define ptx_kernel void @predicates_around(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  %a0 = trunc i32 %v to i1
  %v1 = lshr i32 %v, 1
  %b0 = trunc i32 %v1 to i1
  %c0 = icmp slt i32 %v, 0
  br label %loop
loop:
  %a = phi i1 [ %a0, %entry ], [ %b, %loop ]
  %b = phi i1 [ %b0, %entry ], [ %c, %loop ]
  %c = phi i1 [ %c0, %entry ], [ %na, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi i32 [ %v, %entry ], [ %s1, %loop ]
  %na = xor i1 %a, true
  %x = select i1 %a, i32 3, i32 %i
  %y = select i1 %b, i32 %s, i32 5
  %both = and i1 %a, %c
  %z = zext i1 %both to i32
  %w = sext i1 %c to i32
  %s0 = mul i32 %y, 31
  %sx = add i32 %s0, %x
  %sz = add i32 %sx, %z
  %s1 = xor i32 %sz, %w
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %ea = zext i1 %a to i32
  %eb = zext i1 %na to i32
  %e1 = shl i32 %eb, 1
  %e = or i32 %ea, %e1
  %r = add i32 %s1, %e
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: variables with one start and one step, of which one is stepped in the header and the other in the latch, are equal where the loop is
; left between both.
define ptx_kernel void @stepped_in_two_places(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n, i32 %step) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %head
head:
  %a = phi i32 [ 0, %entry ], [ %a1, %latch ]
  %b = phi i32 [ 0, %entry ], [ %b1, %latch ]
  %k = phi i32 [ 0, %entry ], [ %k1, %latch ]
  %s = phi i32 [ %t, %entry ], [ %s1, %latch ]
  %a1 = add i32 %a, %step
  %m = and i32 %a1, 255
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %m
  %v = load i32, ptr addrspace(1) %p
  %s0 = mul i32 %s, 31
  %s1 = add i32 %s0, %v
  %k1 = add i32 %k, 1
  %bits = and i32 %s1, 56
  %leave = icmp eq i32 %bits, 16
  br i1 %leave, label %exit, label %latch
latch:
  %b1 = add i32 %b, %step
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %head, label %exit
exit:
  %x = phi i32 [ %b, %head ], [ %b1, %latch ]
  %y = phi i32 [ %a1, %head ], [ %a, %latch ]
  %x0 = mul i32 %x, 3
  %y0 = mul i32 %y, 5
  %xy = add i32 %x0, %y0
  %r = add i32 %xy, %s1
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; Shows: a switch in a loop, with several edges to one block, gets the value of another edge.
define ptx_kernel void @edges_of_a_switch(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %p
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %s = phi i32 [ %v, %entry ], [ %s1, %latch ]
  %u = phi i32 [ 9, %entry ], [ %w, %latch ]
  %low = and i32 %s, 7
  switch i32 %low, label %other [
    i32 0, label %latch
    i32 1, label %latch
    i32 2, label %third
    i32 5, label %third
    i32 6, label %head2
  ]
third:
  %x = phi i32 [ %i, %head ], [ %i, %head ]
  %x1 = add i32 %x, %u
  br label %latch
head2:
  %more2 = icmp ult i32 %i, 3
  br i1 %more2, label %latch, label %other
other:
  %z = phi i32 [ %u, %head ], [ 17, %head2 ]
  %z1 = mul i32 %z, 5
  br label %latch
latch:
  %w = phi i32 [ %u, %head ], [ %u, %head ], [ %x1, %third ], [ %s, %head2 ], [ %z1, %other ]
  %s0 = mul i32 %s, 31
  %sw = add i32 %s0, %w
  %sh = lshr i32 %sw, 3
  %s1 = xor i32 %sw, %sh
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %head, label %exit
exit:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  %r = add i32 %s1, %w
  store i32 %r, ptr addrspace(1) %o
  ret void
}
