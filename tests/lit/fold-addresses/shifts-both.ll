; Two indices that are extended with their signs, and shifted before a loop that reads them, become mul.wide.s32, each
; with its own factor. A third index is extended with zeros and stays a shift. (Where an extension and its shift are in one
; block instruction selection makes them a product itself.)
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}4 addresses of loads and stores{{$}}
; STATS: {{ }}2 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}2 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

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
