; Seven sums that are not addresses become induction variables. Eight are in more-numbers.ll.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}1 induction variables erased{{$}}
; STATS: {{ }}7 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

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
