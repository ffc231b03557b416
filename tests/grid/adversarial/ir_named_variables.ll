; Attacks the stages that look for addresses, where the address is the name of a variable: an operand of its own, so that the first register is a
; value. Here is what front ends do not make of a source: copies and matrices at names, values that PHIs join, orders and scopes.
target triple = "nvptx64-nvidia-cuda"

%record = type { i32, double, [3 x i64] }

@lock = internal addrspace(3) global i32 undef, align 4
@locks = internal addrspace(3) global [4 x i64] undef, align 8
@sum = internal addrspace(3) global double undef, align 8
@sums = internal addrspace(3) global [4 x float] undef, align 4
@records = internal addrspace(3) global [2 x %record] undef, align 8
@buffer = internal addrspace(3) global [64 x i32] undef, align 16
@tile = internal addrspace(3) global [64 x i32] undef, align 16
@dynamic = external addrspace(3) global [0 x i32], align 16
@ticket = internal addrspace(1) global i64 0, align 8

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))

; Shows: the value becomes that of another operation, and its constant is added to what it is compared with. Nothing else reads the values.
define ptx_kernel void @compared(ptr addrspace(1) %out, i32 %a, i32 %k, i32 %first) {
  %m = mul i32 %a, %k
  %b = add i32 %m, 4
  %c = add i32 %m, 8
  %d = add i32 %m, 16
  store i32 %first, ptr addrspace(3) @lock
  %x = cmpxchg ptr addrspace(3) @lock, i32 %b, i32 7 monotonic monotonic
  %y = cmpxchg ptr addrspace(3) @lock, i32 %c, i32 7 acquire monotonic
  %z = cmpxchg ptr addrspace(3) @lock, i32 %d, i32 9 syncscope("block") acq_rel monotonic
  %x0 = extractvalue { i32, i1 } %x, 0
  %y0 = extractvalue { i32, i1 } %y, 0
  %z0 = extractvalue { i32, i1 } %z, 0
  %u = load volatile i32, ptr addrspace(3) @lock
  store i32 %x0, ptr addrspace(1) %out
  %o1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %y0, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %z0, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %u, ptr addrspace(1) %o3
  ret void
}

; Shows: the same of 64 bits, where the value could be made an address of 32 bits as well; at a name and a constant.
define ptx_kernel void @compared_wide(ptr addrspace(1) %out, i64 %a, i64 %k, i64 %first) {
  %m = mul i64 %a, %k
  %b = add i64 %m, 4
  %c = add i64 %m, 8
  %d = add i64 %m, 16
  %place = getelementptr [2 x %record], ptr addrspace(3) @records, i32 0, i32 1, i32 2, i32 2
  store i64 %first, ptr addrspace(3) %place
  %x = cmpxchg ptr addrspace(3) %place, i64 %b, i64 7 monotonic monotonic
  %y = cmpxchg ptr addrspace(3) %place, i64 %c, i64 7 syncscope("device") release monotonic
  %z = cmpxchg ptr addrspace(3) %place, i64 %d, i64 9 acquire acquire
  %x0 = extractvalue { i64, i1 } %x, 0
  %y0 = extractvalue { i64, i1 } %y, 0
  %z0 = extractvalue { i64, i1 } %z, 0
  %u = load volatile i64, ptr addrspace(3) %place
  store i64 %x0, ptr addrspace(1) %out
  %o1 = getelementptr i64, ptr addrspace(1) %out, i32 1
  store i64 %y0, ptr addrspace(1) %o1
  %o2 = getelementptr i64, ptr addrspace(1) %out, i32 2
  store i64 %z0, ptr addrspace(1) %o2
  %o3 = getelementptr i64, ptr addrspace(1) %out, i32 3
  store i64 %u, ptr addrspace(1) %o3
  ret void
}

; Shows: one value of several kinds of operation, of several orders and scopes, becomes an address.
define ptx_kernel void @orders(ptr addrspace(1) %out, i32 %a, i32 %k) {
  %m = mul i32 %a, %k
  %b = add i32 %m, 4
  %c = add i32 %m, 8
  %d = add i32 %m, 16
  store i32 %c, ptr addrspace(3) @lock
  %z = cmpxchg ptr addrspace(3) @lock, i32 %c, i32 %d syncscope("device") release monotonic
  %v = atomicrmw xchg ptr addrspace(3) @lock, i32 %b syncscope("block") acquire
  %w = atomicrmw add ptr addrspace(3) @lock, i32 %c acq_rel
  %z0 = extractvalue { i32, i1 } %z, 0
  %z1 = extractvalue { i32, i1 } %z, 1
  %z2 = zext i1 %z1 to i32
  %u = load volatile i32, ptr addrspace(3) @lock
  store i32 %z0, ptr addrspace(1) %out
  %o1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %z2, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %v, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %w, ptr addrspace(1) %o3
  %o4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %u, ptr addrspace(1) %o4
  ret void
}

; Shows: a value of 64 bits loses its high half, as an address in shared memory does.
define ptx_kernel void @wide_values(ptr addrspace(1) %out, i64 %a, i64 %k) {
  %m = mul i64 %a, %k
  %b = add i64 %m, 4
  %c = add i64 %m, 8
  %place = getelementptr [4 x i64], ptr addrspace(3) @locks, i32 0, i32 3
  %inside = getelementptr [2 x %record], ptr addrspace(3) @records, i32 0, i32 1, i32 2, i32 1
  store i64 %b, ptr addrspace(3) @locks
  store i64 %a, ptr addrspace(3) %place
  store i64 %k, ptr addrspace(3) %inside
  store i64 5, ptr addrspace(1) @ticket
  %q = cmpxchg ptr addrspace(3) @locks, i64 %b, i64 7 monotonic monotonic
  %r = cmpxchg ptr addrspace(3) @locks, i64 %c, i64 7 monotonic monotonic
  %s = cmpxchg ptr addrspace(3) @locks, i64 7, i64 %c syncscope("block") acquire acquire
  %t = atomicrmw add ptr addrspace(3) %place, i64 %b syncscope("block") release
  %u = atomicrmw xchg ptr addrspace(3) %inside, i64 %c monotonic
  %v = atomicrmw umax ptr addrspace(3) %place, i64 %c acq_rel
  %w = atomicrmw add ptr addrspace(1) @ticket, i64 %b monotonic
  %x = atomicrmw xchg ptr addrspace(1) @ticket, i64 %c monotonic
  %y = atomicrmw xor ptr addrspace(3) %inside, i64 %b monotonic
  %unread = atomicrmw sub ptr addrspace(3) %place, i64 %b monotonic
  %q0 = extractvalue { i64, i1 } %q, 0
  %r0 = extractvalue { i64, i1 } %r, 0
  %s0 = extractvalue { i64, i1 } %s, 0
  %last = load volatile i64, ptr addrspace(3) %place
  %last2 = load volatile i64, ptr addrspace(3) @locks
  %values0 = insertelement <2 x i64> poison, i64 %q0, i32 0
  %values1 = insertelement <2 x i64> %values0, i64 %r0, i32 1
  store <2 x i64> %values1, ptr addrspace(1) %out, align 16
  %o2 = getelementptr i64, ptr addrspace(1) %out, i32 2
  store i64 %s0, ptr addrspace(1) %o2
  %o3 = getelementptr i64, ptr addrspace(1) %out, i32 3
  store i64 %t, ptr addrspace(1) %o3
  %o4 = getelementptr i64, ptr addrspace(1) %out, i32 4
  store i64 %u, ptr addrspace(1) %o4
  %o5 = getelementptr i64, ptr addrspace(1) %out, i32 5
  store i64 %v, ptr addrspace(1) %o5
  %o6 = getelementptr i64, ptr addrspace(1) %out, i32 6
  store i64 %w, ptr addrspace(1) %o6
  %o7 = getelementptr i64, ptr addrspace(1) %out, i32 7
  store i64 %x, ptr addrspace(1) %o7
  %o8 = getelementptr i64, ptr addrspace(1) %out, i32 8
  store i64 %y, ptr addrspace(1) %o8
  %o9 = getelementptr i64, ptr addrspace(1) %out, i32 9
  store i64 %last, ptr addrspace(1) %o9
  %o10 = getelementptr i64, ptr addrspace(1) %out, i32 10
  store i64 %last2, ptr addrspace(1) %o10
  ret void
}

; Shows: a double that two branches bring, or a loop carries, is taken for an address.
define ptx_kernel void @joined_doubles(ptr addrspace(1) %out, ptr addrspace(1) %in, float %f, i32 %n) {
entry:
  %field = getelementptr [2 x %record], ptr addrspace(3) @records, i32 0, i32 1, i32 1
  %second = getelementptr [4 x float], ptr addrspace(3) @sums, i32 0, i32 1
  store double 1.0, ptr addrspace(3) @sum
  store double 2.0, ptr addrspace(3) %field
  store float 3.0, ptr addrspace(3) %second
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %x = phi double [ 4.0, %entry ], [ %x2, %latch ]
  %g = phi float [ %f, %entry ], [ %g1, %latch ]
  %total = phi double [ 0.0, %entry ], [ %total3, %latch ]
  %p = getelementptr double, ptr addrspace(1) %in, i32 %i
  %v = load double, ptr addrspace(1) %p
  %negative = fcmp olt double %v, 0.0
  br i1 %negative, label %less, label %latch
less:
  %w = fadd double %v, 1.0
  br label %latch
latch:
  %x2 = phi double [ %v, %loop ], [ %w, %less ]
  %r = atomicrmw fadd ptr addrspace(3) @sum, double %x2 monotonic
  %s = atomicrmw fadd ptr addrspace(3) %field, double %x monotonic
  %t = atomicrmw fadd ptr addrspace(3) %second, float %g monotonic
  %u = atomicrmw xchg ptr addrspace(3) %second, float %t monotonic
  %unread = atomicrmw fadd ptr addrspace(3) @sum, double %x monotonic
  %u1 = fpext float %u to double
  %total1 = fadd double %total, %r
  %total2 = fadd double %total1, %s
  %total3 = fadd double %total2, %u1
  %g1 = fadd float %g, 0.5
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %last = load volatile double, ptr addrspace(3) @sum
  %all = fadd double %total3, %last
  store double %all, ptr addrspace(1) %out
  ret void
}

; Shows: the source of a copy into a variable becomes its low half, or gets the offset of another one. The sources are sums near each other.
define ptx_kernel void @copied(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %i, i32 %size) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %copy, label %join
copy:
  %j = sext i32 %i to i64
  %g = getelementptr i32, ptr addrspace(1) %in, i64 %j
  %g1 = getelementptr i32, ptr addrspace(1) %g, i64 4
  %g2 = getelementptr i32, ptr addrspace(1) %g, i64 8
  %g3 = getelementptr i32, ptr addrspace(1) %g, i64 11
  %g4 = getelementptr i32, ptr addrspace(1) %g, i64 12
  %b1 = getelementptr i32, ptr addrspace(3) @buffer, i32 4
  %b2 = getelementptr i32, ptr addrspace(3) @buffer, i32 8
  %b3 = getelementptr i32, ptr addrspace(3) @buffer, i32 10
  %b4 = getelementptr i32, ptr addrspace(3) @buffer, i32 11
  %b5 = getelementptr i32, ptr addrspace(3) @buffer, i32 12
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) @buffer, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %b1, ptr addrspace(1) %g1)
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %b2, ptr addrspace(1) %g2)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %b3, ptr addrspace(1) %g3)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %b4, ptr addrspace(1) %g)
  %less = add i32 %size, 4
  call void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3) %b5, ptr addrspace(1) %g4, i32 %less)
  call void @llvm.nvvm.cp.async.wait.all()
  br label %join
join:
  call void @llvm.nvvm.barrier0()
  %at = and i32 %t, 15
  %p = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %at
  %v = load i32, ptr addrspace(3) %p
  %named = load i32, ptr addrspace(3) @buffer
  %x = mul i32 %v, 3
  %y = add i32 %x, %named
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %o
  ret void
}

; Shows: matrices that begin at a name, whose rows are all the same, and at a name with an index after it.
define ptx_kernel void @matrices(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %v = load i32, ptr addrspace(1) %from
  %v1 = add i32 %v, 4
  %to = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %t
  %to1 = getelementptr i32, ptr addrspace(3) %to, i32 32
  store i32 %v, ptr addrspace(3) %to
  store i32 %v1, ptr addrspace(3) %to1
  call void @llvm.nvvm.barrier0()
  %row = and i32 %t, 15
  %row4 = shl i32 %row, 2
  %p = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %row4
  %named = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 20
  %a = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) @tile)
  %b = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %named)
  %c = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %p)
  %b1 = extractvalue { i32, i32 } %b, 1
  %c0 = extractvalue { i32, i32, i32, i32 } %c, 0
  %c3 = extractvalue { i32, i32, i32, i32 } %c, 3
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %a, ptr addrspace(1) %o
  %o1 = getelementptr i32, ptr addrspace(1) %o, i32 32
  store i32 %b1, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %o, i32 64
  store i32 %c0, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %o, i32 96
  store i32 %c3, ptr addrspace(1) %o3
  ret void
}

; Shows: values that are addresses are shortened, or one is taken for another. They come back as indices.
define ptx_kernel void @addresses_as_values(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %i) {
  %j = sext i32 %i to i64
  %g = getelementptr i32, ptr addrspace(1) %in, i64 %j
  %h = getelementptr i32, ptr addrspace(1) %g, i64 1
  %wide = ptrtoint ptr addrspace(1) %g to i64
  %wide1 = ptrtoint ptr addrspace(1) %h to i64
  %s = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %i
  %s1 = getelementptr i32, ptr addrspace(3) %s, i32 2
  store i32 1234, ptr addrspace(3) %s
  store i32 5678, ptr addrspace(3) %s1
  %short = ptrtoint ptr addrspace(3) %s to i32
  %short1 = ptrtoint ptr addrspace(3) %s1 to i32
  %generic = addrspacecast ptr addrspace(3) %s1 to ptr
  %number = ptrtoint ptr %generic to i64
  store i64 0, ptr addrspace(3) @locks
  store i32 0, ptr addrspace(3) @lock
  %a = atomicrmw xchg ptr addrspace(3) @locks, i64 %wide monotonic
  %b = atomicrmw xchg ptr addrspace(3) @locks, i64 %wide1 monotonic
  %c = atomicrmw xchg ptr addrspace(3) @locks, i64 %number monotonic
  %d = atomicrmw xchg ptr addrspace(3) @lock, i32 %short monotonic
  %e = atomicrmw xchg ptr addrspace(3) @lock, i32 %short1 monotonic
  %f = load volatile i64, ptr addrspace(3) @locks
  %l = load volatile i32, ptr addrspace(3) @lock
  %pb = inttoptr i64 %b to ptr addrspace(1)
  %pc = inttoptr i64 %c to ptr addrspace(1)
  %pf = inttoptr i64 %f to ptr
  %pe = inttoptr i32 %e to ptr addrspace(3)
  %pl = inttoptr i32 %l to ptr addrspace(3)
  %vb = load i32, ptr addrspace(1) %pb
  %vc = load i32, ptr addrspace(1) %pc
  %vf = load i32, ptr %pf
  %ve = load i32, ptr addrspace(3) %pe
  %vl = load i32, ptr addrspace(3) %pl
  store i32 %vb, ptr addrspace(1) %out
  %o1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %vc, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %vf, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %ve, ptr addrspace(1) %o3
  %o4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %vl, ptr addrspace(1) %o4
  ret void
}

; Shows: a name of no size, with a constant after it, where values are neighbours.
define ptx_kernel void @of_dynamic_memory(ptr addrspace(1) %out, i32 %a, i32 %k) {
  %m = mul i32 %a, %k
  %b = add i32 %m, 4
  %c = add i32 %m, 12
  %w = zext i32 %m to i64
  %w1 = mul i64 %w, 4294967299
  %w2 = add i64 %w1, 4
  %p = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 6
  store i32 1, ptr addrspace(3) @dynamic
  store i64 2, ptr addrspace(3) %p
  %x = atomicrmw add ptr addrspace(3) @dynamic, i32 %b monotonic
  %y = atomicrmw xchg ptr addrspace(3) @dynamic, i32 %c monotonic
  %z = cmpxchg ptr addrspace(3) @dynamic, i32 %c, i32 7 monotonic monotonic
  %u = atomicrmw add ptr addrspace(3) %p, i64 %w2 monotonic
  %v = atomicrmw xchg ptr addrspace(3) %p, i64 %w1 monotonic
  %z0 = extractvalue { i32, i1 } %z, 0
  %last = load volatile i32, ptr addrspace(3) @dynamic
  store i32 %x, ptr addrspace(1) %out
  %o1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %y, ptr addrspace(1) %o1
  %o2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %z0, ptr addrspace(1) %o2
  %o3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %last, ptr addrspace(1) %o3
  %o4 = getelementptr i64, ptr addrspace(1) %out, i32 2
  store i64 %u, ptr addrspace(1) %o4
  %o5 = getelementptr i64, ptr addrspace(1) %out, i32 3
  store i64 %v, ptr addrspace(1) %o5
  ret void
}
