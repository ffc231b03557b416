; The start value of a new variable is an address that is there already plus a constant, also where the bits of an index are
; masked before the shift in one place and after it in the other. In the second loop other bits are masked, and the start
; value is computed anew.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}2 induction variables erased{{$}}
; STATS: {{ }}4 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

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
