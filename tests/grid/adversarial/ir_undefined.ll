; Attacks all stages: undef, poison and freeze, which C++ has not. ir_undefined.cpp says what comes out.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Shows: a frozen value is another one at each of its readers, in other blocks. (Where a PHI takes it, LLVM 17 to 22 themselves make two
; registers of it, which nothing initialises; so there is none here.)
define ptx_kernel void @frozen(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = freeze i32 undef
  %g = freeze i32 poison
  %f1 = and i32 %f, 7
  %p = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %p
  %o = getelementptr i32, ptr %out, i32 %t
  %go = icmp ult i32 0, %n
  br i1 %go, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %s = phi i32 [ %v, %entry ], [ %s1, %latch ]
  %odd = trunc i32 %s to i1
  br i1 %odd, label %then, label %latch
then:
  %f2 = or i32 %f, -8
  %d = sub i32 %f1, %f2
  %e = xor i32 %g, %v
  %e1 = xor i32 %e, %g
  %d1 = add i32 %d, %e1
  br label %latch
latch:
  %x = phi i32 [ 3, %loop ], [ %d1, %then ]
  %s0 = mul i32 %s, 31
  %s1 = add i32 %s0, %x
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi i32 [ %v, %entry ], [ %s1, %latch ]
  %f3 = xor i32 %f, 7
  %f4 = and i32 %f3, 7
  %k = add i32 %f1, %f4
  %r1 = add i32 %r, %k
  store i32 %r1, ptr %o
  ret void
}

; Shows: a PHI that is undefined where the loop is entered is read as something else in later iterations.
define ptx_kernel void @undefined_at_first(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %u = phi i32 [ undef, %entry ], [ %w, %latch ]
  %q = phi ptr [ poison, %entry ], [ %q1, %latch ]
  %s = phi i32 [ %v, %entry ], [ %s1, %latch ]
  %done = icmp uge i32 %i, %n
  br i1 %done, label %exit, label %body
body:
  %first = icmp eq i32 %i, 0
  br i1 %first, label %latch, label %use
use:
  %l = load i32, ptr %q
  %a = add i32 %u, %l
  br label %latch
latch:
  %b = phi i32 [ 7, %body ], [ %a, %use ]
  %w = xor i32 %b, %i
  %s0 = mul i32 %s, 31
  %s1 = add i32 %s0, %w
  %m = and i32 %s1, 255
  %q1 = getelementptr i32, ptr %in, i32 %m
  %i1 = add i32 %i, 1
  br label %loop
exit:
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %s, ptr %o
  ret void
}

; Shows: poison that a select does not choose, or that a branch does not reach, comes out. Both sums are one instruction.
define ptx_kernel void @poison_not_chosen(ptr %out, ptr %in, i64 %bias) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %p
  %nsw = add nsw i32 %v, 1
  %nuw = add nuw i32 %v, 1
  %sum = add i32 %v, 1
  %most = icmp eq i32 %v, 2147483647
  %all = icmp eq i32 %v, -1
  %a = sext i32 %nsw to i64
  %b = zext i32 %nuw to i64
  %c = sext i32 %sum to i64
  %d = zext i32 %sum to i64
  %a1 = select i1 %most, i64 5, i64 %a
  %b1 = select i1 %all, i64 6, i64 %b
  %by = and i32 %v, 63
  %big = icmp ugt i32 %by, 31
  %shl = shl i32 %v, %by
  %lshr = lshr i32 %v, %by
  %x = select i1 %big, i32 7, i32 %shl
  %y = select i1 %big, i32 8, i32 %lshr
  %x1 = zext i32 %x to i64
  %y1 = zext i32 %y to i64
  %o = getelementptr [8 x i64], ptr %out, i32 %t
  store i64 %a1, ptr %o
  %o1 = getelementptr i64, ptr %o, i32 1
  store i64 %b1, ptr %o1
  %o2 = getelementptr i64, ptr %o, i32 2
  store i64 %c, ptr %o2
  %o3 = getelementptr i64, ptr %o, i32 3
  store i64 %d, ptr %o3
  %o4 = getelementptr i64, ptr %o, i32 4
  store i64 %x1, ptr %o4
  %o5 = getelementptr i64, ptr %o, i32 5
  store i64 %y1, ptr %o5
  ret void
}

; Shows: flags are believed. The sum without a flag is the same instruction as the one with it, whose result nothing reads where it
; wraps: its index is that of another word.
define ptx_kernel void @flags_of_equal_sums(ptr %out, ptr %in, i32 %start, i64 %bias) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = add i32 %start, %t
  %with = add nuw nsw i32 %i, 8
  %without = add i32 %i, 8
  %i64 = zext i32 %i to i64
  %w64 = zext i32 %with to i64
  %o64 = zext i32 %without to i64
  %pi = getelementptr i32, ptr %in, i64 %i64
  %po = getelementptr i32, ptr %in, i64 %o64
  %ci = icmp ult i64 %i64, 1024
  %cw = icmp ult i32 %i, 1000
  %chosen = select i1 %cw, i64 %w64, i64 0
  %pw = getelementptr i32, ptr %in, i64 %chosen
  %co = icmp ult i64 %o64, 1024
  %vi = load i32, ptr %pi
  %vo = load i32, ptr %po
  %vw = load i32, ptr %pw
  %mi = sext i1 %ci to i32
  %mw = sext i1 %cw to i32
  %mo = sext i1 %co to i32
  %a = and i32 %vi, %mi
  %b0 = select i1 %cw, i32 %vw, i32 0
  %b = and i32 %b0, %mw
  %c = and i32 %vo, %mo
  %s = mul i32 %a, 3
  %s1 = add i32 %s, %b
  %s2 = mul i32 %s1, 5
  %s3 = add i32 %s2, %c
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %s3, ptr %o
  ret void
}
