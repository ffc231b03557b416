; Two indices that are shifted in an outer loop and read in an inner one, as LoopStrengthReduce leaves them, become mul.wide.s32.
;
; RUN: %llc -O2 -mcpu=sm_80 -ptx-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-lsr -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}3 addresses of loads and stores{{$}}
; STATS: {{ }}2 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}2 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

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
