; A signed number that is extended and shifted in front of a loop that reads it is multiplied there: ptxas then multiplies and adds in
; one, in the loop, and 32 bits live through it (stage fold-addresses).
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

; STATS: fold-addresses: 5 functions
; STATS: 4 shifts read in loops made products of 32 bits

target triple = "nvptx64-nvidia-cuda"

; (Where an extension and its shift are in one block, instruction selection makes them a product itself.)

; Two of different sizes; the third one is zero-extended.
define void @both(ptr addrspace(1) %p, i32 %a, i32 %b, i32 %c, i64 %step, i32 %n) {
; CHECK-LABEL: .func both(
; CHECK-DAG: mul.wide.s32 {{%rd[0-9]+}}, {{%r[0-9]+}}, 4;
; CHECK-DAG: mul.wide.s32 {{%rd[0-9]+}}, {{%r[0-9]+}}, 8;
; CHECK-DAG: shl.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 2;
; CHECK: Inner Loop Header
; CHECK-NOT: {{shl|mul}}
; CHECK: ret;
entry:
  %a1 = add i32 %a, 1
  %a64 = sext i32 %a1 to i64
  %b1 = add i32 %b, 1
  %b64 = sext i32 %b1 to i64
  %c1 = add i32 %c, 1
  %c64 = zext i32 %c1 to i64
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %qa = getelementptr i32, ptr addrspace(1) %q, i64 %a64
  %qb = getelementptr i64, ptr addrspace(1) %q, i64 %b64
  %qc = getelementptr i32, ptr addrspace(1) %q, i64 %c64
  %x = load volatile i32, ptr addrspace(1) %qa
  %y = load volatile i64, ptr addrspace(1) %qb
  store volatile i32 %x, ptr addrspace(1) %qc
  store volatile i64 %y, ptr addrspace(1) %q
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; One alone is left.
define void @one(ptr addrspace(1) %p, i32 %a, i64 %step, i32 %n) {
; CHECK-LABEL: .func one(
; CHECK: shl.b64
; CHECK-NOT: mul.wide
; CHECK: ret;
entry:
  %a1 = add i32 %a, 1
  %a64 = sext i32 %a1 to i64
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %qa = getelementptr i32, ptr addrspace(1) %q, i64 %a64
  %x = load volatile i32, ptr addrspace(1) %qa
  store volatile i32 %x, ptr addrspace(1) %q
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; What somebody else reads with 64 bits lives anyway; with that only one is left.
define i64 @extended(ptr addrspace(1) %p, i32 %a, i32 %b, i64 %step, i32 %n) {
; CHECK-LABEL: .func {{.*}}extended(
; CHECK-NOT: mul.wide
; CHECK: ret;
entry:
  %a1 = add i32 %a, 1
  %a64 = sext i32 %a1 to i64
  %b1 = add i32 %b, 1
  %b64 = sext i32 %b1 to i64
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %out
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %p, %entry ], [ %q.next, %loop ]
  %qa = getelementptr i32, ptr addrspace(1) %q, i64 %a64
  %qb = getelementptr i64, ptr addrspace(1) %q, i64 %b64
  %x = load volatile i32, ptr addrspace(1) %qa
  store volatile i32 %x, ptr addrspace(1) %qb
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret i64 %a64
}

; Nothing is a loop's.
define void @straight(ptr addrspace(1) %p, i32 %a, i32 %b, i1 %c, i1 %d) {
; CHECK-LABEL: .func straight(
; CHECK-COUNT-2: shl.b64
; CHECK: ret;
entry:
  %a1 = add i32 %a, 1
  %a64 = sext i32 %a1 to i64
  %b1 = add i32 %b, 1
  %b64 = sext i32 %b1 to i64
  br i1 %c, label %yes, label %no
yes:
  %as = shl i64 %a64, 2
  %bs = shl i64 %b64, 3
  br i1 %d, label %more, label %no
more:
  store volatile i64 %as, ptr addrspace(1) %p
  store volatile i64 %bs, ptr addrspace(1) %p
  br label %no
no:
  ret void
}

; Both are shifted in the outer loop and read in the inner one.
define void @nested(ptr addrspace(1) %p, ptr addrspace(1) %r, i64 %step, i32 %m, i32 %n) {
; CHECK-LABEL: .func nested(
; CHECK: Loop Header: Depth=1
; CHECK-DAG: mul.wide.s32 {{%rd[0-9]+}}, {{%r[0-9]+}}, 4;
; CHECK-DAG: mul.wide.s32 {{%rd[0-9]+}}, {{%r[0-9]+}}, 8;
; CHECK: Loop Header: Depth=2
; CHECK: ret;
entry:
  br label %outer
outer:
  %o = phi i32 [ 0, %entry ], [ %o.next, %latch ]
  %a = load volatile i32, ptr addrspace(1) %r
  %b = load volatile i32, ptr addrspace(1) %r
  %a1 = add i32 %a, 1
  %a64 = sext i32 %a1 to i64
  %b1 = add i32 %b, 1
  %b64 = sext i32 %b1 to i64
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %inner, label %latch
inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %inner ]
  %q = phi ptr addrspace(1) [ %p, %outer ], [ %q.next, %inner ]
  %qa = getelementptr i32, ptr addrspace(1) %q, i64 %a64
  %qb = getelementptr i64, ptr addrspace(1) %q, i64 %b64
  %x = load volatile i32, ptr addrspace(1) %qa
  store volatile i32 %x, ptr addrspace(1) %qb
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %o.next = add i32 %o, 1
  %again = icmp slt i32 %o.next, %m
  br i1 %again, label %outer, label %out
out:
  ret void
}
