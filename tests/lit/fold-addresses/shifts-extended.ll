; Two shifted indices are read in a loop, but one of them lives on in 64 bits: the other alone is too few, and both stay
; shifts.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}2 addresses of loads and stores{{$}}
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

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
