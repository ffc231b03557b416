; Sums of an induction variable and what its loop does not change become induction variables (stage induction), where fewer registers
; live through the loop then: LoopStrengthReduce makes such sums, here they are written down.
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -ptx-verify -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

; STATS: induction: 21 functions
; STATS: 12 induction variables erased
; STATS: 27 sums made induction variables

target triple = "nvptx64-nvidia-cuda"

; Two sums, two distances and a variable are two variables. What these begin with is computed in front of the loop.
define void @two(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func two(
; CHECK: ld.volatile.global.{{[bu]}}64 [[X1:%rd[0-9]+]], [
; CHECK: ld.volatile.global.{{[bu]}}64 [[X2:%rd[0-9]+]], [
; CHECK: add.s64 [[Q1:%rd[0-9]+]], [[P:%rd[0-9]+]], [[X1]];
; CHECK: add.s64 [[Q2:%rd[0-9]+]], [[P]], [[X2]];
; CHECK: Inner Loop Header
; CHECK-NOT: add.s64
; CHECK: ld.volatile.global.{{[bu]}}32 [[V:%r[0-9]+]], {{\[}}[[Q1]]];
; CHECK: st.volatile.global.{{[bu]}}32 {{\[}}[[Q2]]], [[V]];
; CHECK: add.s64 [[Q1]], [[Q1]], [[STEP:%rd[0-9]+]];
; CHECK: add.s64 [[Q2]], [[Q2]], [[STEP]];
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; What they begin with is there, but for a constant, and for a step.
define void @there(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func there(
; CHECK: ld.volatile.global.{{[bu]}}64 [[X1:%rd[0-9]+]], [
; CHECK: ld.volatile.global.{{[bu]}}64 [[X2:%rd[0-9]+]], [
; CHECK: add.s64 [[A1:%rd[0-9]+]], [[P:%rd[0-9]+]], [[X1]];
; CHECK: add.s64 [[A2:%rd[0-9]+]], [[P]], [[X2]];
; CHECK-DAG: add.s64 {{%rd[0-9]+}}, [[A1]], [[STEP:%rd[0-9]+]];
; CHECK-DAG: add.s64 {{%rd[0-9]+}}, [[A2]], [[STEP]];
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 %x2
  store volatile i32 0, ptr addrspace(1) %a1
  store volatile i32 0, ptr addrspace(1) %a2
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %before, label %out
before:
  %begin = getelementptr i8, ptr addrspace(1) %p, i64 %step
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %before ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; One with another step, a constant: what they begin with is an address in front of the loop and a constant.
define void @constant(ptr addrspace(1) %p, ptr addrspace(1) %d, i32 %n) {
; CHECK-LABEL: .func constant(
; CHECK: ld.volatile.global.{{[bu]}}64 [[X1:%rd[0-9]+]], [
; CHECK: ld.volatile.global.{{[bu]}}64 [[X2:%rd[0-9]+]], [
; CHECK: add.s64 [[A1:%rd[0-9]+]], [[P:%rd[0-9]+]], [[X1]];
; CHECK: add.s64 [[A2:%rd[0-9]+]], [[P]], [[X2]];
; CHECK-DAG: add.s64 {{%rd[0-9]+}}, [[A1]], 256;
; CHECK-DAG: add.s64 {{%rd[0-9]+}}, [[A2]], 256;
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64 {{.*}}, 128;
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 %x2
  store volatile i32 0, ptr addrspace(1) %a1
  store volatile i32 0, ptr addrspace(1) %a2
  %begin = getelementptr i8, ptr addrspace(1) %p, i64 256
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 128
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; They are computed in one of two ways to the loop.
define void @branch(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func branch(
; CHECK: // %then
; CHECK-COUNT-2: add.s64
; CHECK: // %before
; CHECK-COUNT-2: add.s64
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  %is = icmp sgt i32 %n, 0
  br i1 %is, label %then, label %before
then:
  %a1 = getelementptr i8, ptr addrspace(1) %p, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %p, i64 %x2
  store volatile i32 0, ptr addrspace(1) %a1
  store volatile i32 0, ptr addrspace(1) %a2
  br label %before
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %before ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Two variables at one distance from two others, behind the step: one register less.
define void @shared(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func shared(
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x = load volatile i64, ptr addrspace(1) %d
  %b = load volatile ptr addrspace(1), ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %r = phi ptr addrspace(1) [ %b, %entry ], [ %r.next, %loop ]
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %r.next = getelementptr i8, ptr addrspace(1) %r, i64 %step
  %q1 = getelementptr i8, ptr addrspace(1) %q.next, i64 %x
  %r1 = getelementptr i8, ptr addrspace(1) %r.next, i64 %x
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %r1
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Numbers of 32 bits.
define void @narrow(ptr addrspace(1) %d, i32 %step, i32 %n) {
; CHECK-LABEL: .func narrow(
; CHECK: Inner Loop Header
; CHECK-COUNT-3: add.s32
; CHECK-NOT: add.s32
; CHECK: ret;
entry:
  %x1 = load volatile i32, ptr addrspace(1) %d
  %x2 = load volatile i32, ptr addrspace(1) %d
  %b = load volatile i32, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %j = phi i32 [ %b, %entry ], [ %j.next, %loop ]
  %j1 = add i32 %j, %x1
  store volatile i32 %j1, ptr addrspace(1) %d
  %j.next = add i32 %j, %step
  %j2 = add i32 %x2, %j
  store volatile i32 %j2, ptr addrspace(1) %d
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; For assembly that copies a product of 32 bits takes two registers.
define void @assembly(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func assembly(
; CHECK: Inner Loop Header
; CHECK-NOT: add.s64
; CHECK: first
; CHECK: second
; CHECK-COUNT-2: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i32, ptr addrspace(1) %d
  %x2 = load volatile i32, ptr addrspace(1) %d
  %y1 = add i32 %x1, 1
  %y2 = add i32 %x2, 1
  %w1 = sext i32 %y1 to i64
  %w2 = sext i32 %y2 to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 %w1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 %w2
  call void asm sideeffect "// first $0", "l"(ptr addrspace(1) %q1)
  call void asm sideeffect "// second $0", "l"(ptr addrspace(1) %q2)
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Assembly that loads, as Triton's behind a mask, has one sum at a time: a product takes one (a matrix product of mamba's needed 168 registers
; for 142).
define void @assembly_loads(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func assembly_loads(
; CHECK: Inner Loop Header
; CHECK-COUNT-2: add.s64
; CHECK: first
; CHECK: second
; CHECK: ret;
entry:
  %x1 = load volatile i32, ptr addrspace(1) %d
  %x2 = load volatile i32, ptr addrspace(1) %d
  %y1 = add i32 %x1, 1
  %y2 = add i32 %x2, 1
  %w1 = sext i32 %y1 to i64
  %w2 = sext i32 %y2 to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 %w1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 %w2
  %v1 = call i32 asm sideeffect "// first $0, [$1]", "=r,l"(ptr addrspace(1) %q1)
  %v2 = call i32 asm sideeffect "// second $0, [$1]", "=r,l"(ptr addrspace(1) %q2)
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Of more than eight it has a few at once: a product takes one (a scan of mamba's needed 7 % more instructions).
define void @assembly_copies_many(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func assembly_copies_many(
; CHECK: Inner Loop Header
; CHECK-COUNT-9: add.s64
; CHECK: copy 1
; CHECK: ret;
entry:
  %x1 = load volatile i32, ptr addrspace(1) %d
  %y1 = add i32 %x1, 1
  %w1 = sext i32 %y1 to i64
  %x2 = load volatile i32, ptr addrspace(1) %d
  %y2 = add i32 %x2, 1
  %w2 = sext i32 %y2 to i64
  %x3 = load volatile i32, ptr addrspace(1) %d
  %y3 = add i32 %x3, 1
  %w3 = sext i32 %y3 to i64
  %x4 = load volatile i32, ptr addrspace(1) %d
  %y4 = add i32 %x4, 1
  %w4 = sext i32 %y4 to i64
  %x5 = load volatile i32, ptr addrspace(1) %d
  %y5 = add i32 %x5, 1
  %w5 = sext i32 %y5 to i64
  %x6 = load volatile i32, ptr addrspace(1) %d
  %y6 = add i32 %x6, 1
  %w6 = sext i32 %y6 to i64
  %x7 = load volatile i32, ptr addrspace(1) %d
  %y7 = add i32 %x7, 1
  %w7 = sext i32 %y7 to i64
  %x8 = load volatile i32, ptr addrspace(1) %d
  %y8 = add i32 %x8, 1
  %w8 = sext i32 %y8 to i64
  %x9 = load volatile i32, ptr addrspace(1) %d
  %y9 = add i32 %x9, 1
  %w9 = sext i32 %y9 to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 %w1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 %w2
  %q3 = getelementptr i32, ptr addrspace(1) %q, i64 %w3
  %q4 = getelementptr i32, ptr addrspace(1) %q, i64 %w4
  %q5 = getelementptr i32, ptr addrspace(1) %q, i64 %w5
  %q6 = getelementptr i32, ptr addrspace(1) %q, i64 %w6
  %q7 = getelementptr i32, ptr addrspace(1) %q, i64 %w7
  %q8 = getelementptr i32, ptr addrspace(1) %q, i64 %w8
  %q9 = getelementptr i32, ptr addrspace(1) %q, i64 %w9
  call void asm sideeffect "// copy 1 $0", "l"(ptr addrspace(1) %q1)
  call void asm sideeffect "// copy 2 $0", "l"(ptr addrspace(1) %q2)
  call void asm sideeffect "// copy 3 $0", "l"(ptr addrspace(1) %q3)
  call void asm sideeffect "// copy 4 $0", "l"(ptr addrspace(1) %q4)
  call void asm sideeffect "// copy 5 $0", "l"(ptr addrspace(1) %q5)
  call void asm sideeffect "// copy 6 $0", "l"(ptr addrspace(1) %q6)
  call void asm sideeffect "// copy 7 $0", "l"(ptr addrspace(1) %q7)
  call void asm sideeffect "// copy 8 $0", "l"(ptr addrspace(1) %q8)
  call void asm sideeffect "// copy 9 $0", "l"(ptr addrspace(1) %q9)
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; For loads it takes one, and is multiplied and added there.
define void @products(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func products(
; CHECK: Inner Loop Header
; CHECK: add.s64
; CHECK: ld.volatile
; CHECK: ret;
entry:
  %x1 = load volatile i32, ptr addrspace(1) %d
  %x2 = load volatile i32, ptr addrspace(1) %d
  %y1 = add i32 %x1, 1
  %y2 = add i32 %x2, 1
  %w1 = sext i32 %y1 to i64
  %w2 = sext i32 %y2 to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i32, ptr addrspace(1) %q, i64 %w1
  %q2 = getelementptr i32, ptr addrspace(1) %q, i64 %w2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Parameters, and what is computed of them, take none.
define ptx_kernel void @parameters(ptr addrspace(1) %p, i64 %x1, i64 %x2, i64 %step, i32 %n) {
; CHECK-LABEL: .entry parameters(
; CHECK: Inner Loop Header
; CHECK: add.s64
; CHECK: ld.volatile
; CHECK: ret;
entry:
  %x3 = shl i64 %x2, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x3
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; The distances live on behind the loop.
define void @behind(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func behind(
; CHECK: Inner Loop Header
; CHECK: add.s64
; CHECK: ld.volatile
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  store volatile i64 %x1, ptr addrspace(1) %d
  store volatile i64 %x2, ptr addrspace(1) %d
  ret void
}

; The variable is read for itself, and lives on.
define void @itself(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func itself(
; CHECK: Inner Loop Header
; CHECK: add.s64
; CHECK: ld.volatile
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  store volatile i32 %v, ptr addrspace(1) %q
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; They live through the outer loop, so also through the inner one.
define void @around(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func around(
; CHECK: Inner Loop Header
; CHECK: add.s64
; CHECK: ld.volatile
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %begin = load volatile ptr addrspace(1), ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %outer ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %latch
latch:
  %k.next = add i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %outer, label %out
out:
  ret void
}

; What not every turn computes stays.
define void @seldom(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func seldom(
; CHECK-COUNT-3: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %next ]
  %w = load volatile i32, ptr addrspace(1) %d
  %is = icmp eq i32 %w, 0
  br i1 %is, label %then, label %next
then:
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  br label %next
next:
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; The step is another one in every turn; what a turn computes is no distance.
define void @changing(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func changing(
; CHECK: Inner Loop Header
; CHECK-COUNT-6: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %r = phi ptr addrspace(1) [ %d, %entry ], [ %r.next, %loop ]
  %s = load volatile i64, ptr addrspace(1) %d
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %u = load volatile i64, ptr addrspace(1) %d
  %r1 = getelementptr i8, ptr addrspace(1) %r, i64 %u
  %t = load volatile i64, ptr addrspace(1) %d
  %r2 = getelementptr i8, ptr addrspace(1) %r, i64 %t
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  store volatile i32 %v, ptr addrspace(1) %r1
  store volatile i32 %v, ptr addrspace(1) %r2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %s
  %r.next = getelementptr i8, ptr addrspace(1) %r, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; A distance of two loops, one behind the other, ends where the second one begins.
define void @twice(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func twice(
; CHECK: Inner Loop Header
; CHECK: add.s64 [[Q1:%rd[0-9]+]], [[Q:%rd[0-9]+]], [[X1:%rd[0-9]+]];
; CHECK: ld.volatile.global.{{[bu]}}32 {{%r[0-9]+}}, {{\[}}[[Q1]]];
; CHECK: add.s64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, [[X1]];
; CHECK: Inner Loop Header
; CHECK: ld.volatile
; CHECK-COUNT-2: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %v = load volatile i32, ptr addrspace(1) %q1
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %second
second:
  %j = phi i32 [ 0, %loop ], [ %j.next, %second ]
  %r = phi ptr addrspace(1) [ %d, %loop ], [ %r.next, %second ]
  %r1 = getelementptr i8, ptr addrspace(1) %r, i64 %x1
  %r2 = getelementptr i8, ptr addrspace(1) %r, i64 %x2
  %w = load volatile i32, ptr addrspace(1) %r1
  store volatile i32 %w, ptr addrspace(1) %r2
  %r.next = getelementptr i8, ptr addrspace(1) %r, i64 %step
  %j.next = add i32 %j, 1
  %on = icmp slt i32 %j.next, %n
  br i1 %on, label %second, label %out
out:
  ret void
}

; What they begin with is there where bits are taken before they are shifted and where they are taken behind that; where others are
; taken it is not.
define void @bits(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %t, i32 %n) {
; CHECK-LABEL: .func bits(
; CHECK: st.volatile.global.{{[bu]}}32 {{\[}}[[A1:%rd[0-9]+]]]
; CHECK: st.volatile.global.{{[bu]}}32 {{\[}}[[A2:%rd[0-9]+]]]
; CHECK-DAG: add.s64 {{%rd[0-9]+}}, [[A1]], 256;
; CHECK-DAG: add.s64 {{%rd[0-9]+}}, [[A2]], 256;
; CHECK: Inner Loop Header
; CHECK: st.volatile.global.{{[bu]}}32 {{\[}}[[A1:%rd[0-9]+]]]
; CHECK: st.volatile.global.{{[bu]}}32 {{\[}}[[A2:%rd[0-9]+]]]
; CHECK-NOT: [[A1]], 256
; CHECK-NOT: [[A2]], 256
; CHECK: Inner Loop Header
; CHECK: ret;
entry:
  %x1 = load volatile i64, ptr addrspace(1) %d
  %x2 = load volatile i64, ptr addrspace(1) %d
  %t8 = shl i32 %t, 3
  %t56 = and i32 %t8, 56
  %t64 = zext i32 %t56 to i64
  %a = getelementptr i16, ptr addrspace(1) %p, i64 %t64
  %a1 = getelementptr i8, ptr addrspace(1) %a, i64 %x1
  %a2 = getelementptr i8, ptr addrspace(1) %a, i64 %x2
  store volatile i32 1, ptr addrspace(1) %a1
  store volatile i32 2, ptr addrspace(1) %a2
  br label %before
before:
  %b = and i32 %t, 7
  %b64 = zext i32 %b to i64
  %b16 = shl i64 %b64, 4
  %p1 = getelementptr i8, ptr addrspace(1) %p, i64 256
  %begin = getelementptr i8, ptr addrspace(1) %p1, i64 %b16
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %before ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 128
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %others
others:
  %y1 = load volatile i64, ptr addrspace(1) %d
  %y2 = load volatile i64, ptr addrspace(1) %d
  %u8 = shl i32 %t, 3
  %u24 = and i32 %u8, 24
  %u64 = zext i32 %u24 to i64
  %c = getelementptr i16, ptr addrspace(1) %p, i64 %u64
  %c1 = getelementptr i8, ptr addrspace(1) %c, i64 %y1
  %c2 = getelementptr i8, ptr addrspace(1) %c, i64 %y2
  store volatile i32 3, ptr addrspace(1) %c1
  store volatile i32 4, ptr addrspace(1) %c2
  br label %second
second:
  %j = phi i32 [ 0, %others ], [ %j.next, %second ]
  %r = phi ptr addrspace(1) [ %begin, %others ], [ %r.next, %second ]
  %r1 = getelementptr i8, ptr addrspace(1) %r, i64 %y1
  %r2 = getelementptr i8, ptr addrspace(1) %r, i64 %y2
  %w = load volatile i32, ptr addrspace(1) %r1
  store volatile i32 %w, ptr addrspace(1) %r2
  %r.next = getelementptr i8, ptr addrspace(1) %r, i64 128
  %j.next = add i32 %j, 1
  %on = icmp slt i32 %j.next, %n
  br i1 %on, label %second, label %out
out:
  ret void
}

; Seven numbers that are no addresses are walked by themselves; with eight less is gained than an eighth of them.
define void @numbers(ptr addrspace(1) %p, ptr addrspace(1) %d, i32 %step, i32 %n) {
; CHECK-LABEL: .func numbers(
; CHECK: Inner Loop Header
; CHECK-COUNT-7: mul.lo
; CHECK-COUNT-8: add.s32
; CHECK: ret;
entry:
  %begin = load volatile i32, ptr addrspace(1) %d
  %x1 = load volatile i32, ptr addrspace(1) %d
  %x2 = load volatile i32, ptr addrspace(1) %d
  %x3 = load volatile i32, ptr addrspace(1) %d
  %x4 = load volatile i32, ptr addrspace(1) %d
  %x5 = load volatile i32, ptr addrspace(1) %d
  %x6 = load volatile i32, ptr addrspace(1) %d
  %x7 = load volatile i32, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %k = phi i32 [ %begin, %entry ], [ %k.next, %loop ]
  %s1 = add i32 %k, %x1
  %s2 = add i32 %k, %x2
  %s3 = add i32 %k, %x3
  %s4 = add i32 %k, %x4
  %s5 = add i32 %k, %x5
  %s6 = add i32 %k, %x6
  %s7 = add i32 %k, %x7
  %t1 = load volatile i32, ptr addrspace(1) %p
  %t2 = mul i32 %t1, %s1
  %t3 = mul i32 %t2, %s2
  %t4 = mul i32 %t3, %s3
  %t5 = mul i32 %t4, %s4
  %t6 = mul i32 %t5, %s5
  %t7 = mul i32 %t6, %s6
  %t8 = mul i32 %t7, %s7
  store volatile i32 %t8, ptr addrspace(1) %p
  %k.next = add i32 %k, %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; See above.
define void @more_numbers(ptr addrspace(1) %p, ptr addrspace(1) %d, i32 %step, i32 %n) {
; CHECK-LABEL: .func more_numbers(
; CHECK: Inner Loop Header
; CHECK-COUNT-8: add.s32
; CHECK: mul.lo
; CHECK: ret;
entry:
  %begin = load volatile i32, ptr addrspace(1) %d
  %x1 = load volatile i32, ptr addrspace(1) %d
  %x2 = load volatile i32, ptr addrspace(1) %d
  %x3 = load volatile i32, ptr addrspace(1) %d
  %x4 = load volatile i32, ptr addrspace(1) %d
  %x5 = load volatile i32, ptr addrspace(1) %d
  %x6 = load volatile i32, ptr addrspace(1) %d
  %x7 = load volatile i32, ptr addrspace(1) %d
  %x8 = load volatile i32, ptr addrspace(1) %d
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %k = phi i32 [ %begin, %entry ], [ %k.next, %loop ]
  %s1 = add i32 %k, %x1
  %s2 = add i32 %k, %x2
  %s3 = add i32 %k, %x3
  %s4 = add i32 %k, %x4
  %s5 = add i32 %k, %x5
  %s6 = add i32 %k, %x6
  %s7 = add i32 %k, %x7
  %s8 = add i32 %k, %x8
  %t1 = load volatile i32, ptr addrspace(1) %p
  %t2 = mul i32 %t1, %s1
  %t3 = mul i32 %t2, %s2
  %t4 = mul i32 %t3, %s3
  %t5 = mul i32 %t4, %s4
  %t6 = mul i32 %t5, %s5
  %t7 = mul i32 %t6, %s6
  %t8 = mul i32 %t7, %s7
  %t9 = mul i32 %t8, %s8
  store volatile i32 %t9, ptr addrspace(1) %p
  %k.next = add i32 %k, %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; Three pointers that all threads share, in registers of another kind, and one distance of each thread stay what they are.
define ptx_kernel void @uniform(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %stride, i64 %step, i32 %n) {
; CHECK-LABEL: .entry uniform(
; CHECK: Inner Loop Header
; CHECK-COUNT-6: add.s64
; CHECK-NOT: add.s64
; CHECK: ret;
entry:
  %x = load volatile i64, ptr addrspace(1) %d
  %first = sub i64 0, %stride
  %third = mul i64 %stride, 14
  %b1 = getelementptr i8, ptr addrspace(1) %p, i64 %first
  %b2 = getelementptr i8, ptr addrspace(1) %p, i64 %stride
  %b3 = getelementptr i8, ptr addrspace(1) %p, i64 %third
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q1 = phi ptr addrspace(1) [ %b1, %entry ], [ %q1.next, %loop ]
  %q2 = phi ptr addrspace(1) [ %b2, %entry ], [ %q2.next, %loop ]
  %q3 = phi ptr addrspace(1) [ %b3, %entry ], [ %q3.next, %loop ]
  %a1 = getelementptr i8, ptr addrspace(1) %q1, i64 %x
  %a2 = getelementptr i8, ptr addrspace(1) %q2, i64 %x
  %a3 = getelementptr i8, ptr addrspace(1) %q3, i64 %x
  %v1 = load volatile i32, ptr addrspace(1) %a1
  %v2 = load volatile i32, ptr addrspace(1) %a2
  %v = add i32 %v1, %v2
  store volatile i32 %v, ptr addrspace(1) %a3
  %q1.next = getelementptr i8, ptr addrspace(1) %q1, i64 %step
  %q2.next = getelementptr i8, ptr addrspace(1) %q2, i64 %step
  %q3.next = getelementptr i8, ptr addrspace(1) %q3, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
