; Distances that are read after the loop live through it anyway: the sums stay.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -disable-lsr -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}0 induction variables erased{{$}}
; STATS: {{ }}0 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @read_after(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
; CHECK-LABEL: .func read_after(
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
