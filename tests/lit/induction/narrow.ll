; Sums of 32 bits become induction variables like those of 64.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}1 induction variables erased{{$}}
; STATS: {{ }}2 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

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
