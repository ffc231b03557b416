; A signed comparison of the same registers as an unsigned one gets its other form: ptxas 12.6 to 13.3 takes one for the other.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: ptxas-errata:
; STATS: {{ }}1 comparisons in another form{{$}}
; STATS: {{ }}0 unsigned comparisons that stay the same as signed ones{{$}}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: both(
; CHECK: setp.ge.u32 %p1, [[A:%r[0-9]+]], [[B:%r[0-9]+]];
; CHECK: setp.le.s32 %p2, [[B]], [[A]];
; STOCK-LABEL: both(
; STOCK: setp.ge.u32 %p1, [[A:%r[0-9]+]], [[B:%r[0-9]+]];
; STOCK: setp.ge.s32 %p2, [[A]], [[B]];
define void @both(ptr addrspace(1) %out, i32 %a, i32 %b) {
entry:
  %unsigned = icmp uge i32 %a, %b
  br i1 %unsigned, label %next, label %first
first:
  %m = mul i32 %a, 3
  %n = add i32 %m, %b
  store volatile i32 %n, ptr addrspace(1) %out
  br label %next
next:
  %x = phi i32 [ %a, %entry ], [ %n, %first ]
  %signed = icmp sge i32 %a, %b
  br i1 %signed, label %exit, label %second
second:
  %q = mul i32 %x, 5
  store volatile i32 %q, ptr addrspace(1) %out
  br label %exit
exit:
  ret void
}

; Another relation: nothing to do.
; CHECK-LABEL: other_relation(
; CHECK: setp.gt.u32
; CHECK: setp.ge.s32
define i32 @other_relation(i32 %a, i32 %b) {
  %unsigned = icmp ugt i32 %a, %b
  %signed = icmp sge i32 %a, %b
  %x = select i1 %unsigned, i32 3, i32 4
  %y = select i1 %signed, i32 %x, i32 5
  ret i32 %y
}
