; Variables that begin otherwise, have another step or another width, or belong to another loop, are not joined.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck %s
; RUN: %upstream-is-stock
; CHECK: induction:
; CHECK: {{ }}0 equal induction variables joined{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @unequal(ptr addrspace(1) %p, i32 %x, i32 %y, i32 %n) {
entry:
  br label %outer
outer:
  %o = phi i32 [ 0, %entry ], [ %o.next, %latch ]
  br label %loop
loop:
  %begins.0 = phi i32 [ 0, %outer ], [ %a, %loop ]
  %begins.1 = phi i32 [ 1, %outer ], [ %b, %loop ]
  %begins.x = phi i32 [ %x, %outer ], [ %c, %loop ]
  %by.x = phi i32 [ 0, %outer ], [ %d, %loop ]
  %by.y = phi i32 [ 0, %outer ], [ %e, %loop ]
  %by.2 = phi i32 [ 0, %outer ], [ %f, %loop ]
  %wide = phi i64 [ 0, %outer ], [ %g, %loop ]
  store volatile i32 %begins.0, ptr addrspace(1) %p
  store volatile i32 %begins.1, ptr addrspace(1) %p
  store volatile i32 %begins.x, ptr addrspace(1) %p
  store volatile i32 %by.x, ptr addrspace(1) %p
  store volatile i32 %by.y, ptr addrspace(1) %p
  store volatile i32 %by.2, ptr addrspace(1) %p
  store volatile i64 %wide, ptr addrspace(1) %p
  %a = add i32 %begins.0, 1
  %b = add i32 %begins.1, 1
  %c = add i32 %begins.x, 1
  %d = add i32 %by.x, %x
  %e = add i32 %by.y, %y
  %f = add i32 %by.2, 2
  %g = add i64 %wide, 1
  %more = icmp ne i32 %a, %n
  br i1 %more, label %loop, label %latch
latch:
  %o.next = add i32 %o, 1
  %again = icmp ne i32 %o.next, %n
  br i1 %again, label %outer, label %out
out:
  ret void
}
