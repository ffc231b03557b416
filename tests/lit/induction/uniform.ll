; Three uniform pointers and one distance that each thread has of its own stay: ptxas keeps uniform values in other registers.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}0 induction variables erased{{$}}
; STATS: {{ }}0 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

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
