; Two shifted indices outside of loops stay shifts.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}1 addresses of loads and stores{{$}}
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @straight(ptr addrspace(1) %p, i32 %a, i32 %b, i1 %c, i1 %d) {
; CHECK-LABEL: .func straight(
; CHECK-COUNT-2: shl.b64
; CHECK: ret;
entry:
  %a1 = add i32 %a, 1
  %a64 = sext i32 %a1 to i64
  %b1 = add i32 %b, 1
  %b64 = sext i32 %b1 to i64
  br i1 %c, label %yes, label %no
yes:
  %as = shl i64 %a64, 2
  %bs = shl i64 %b64, 3
  br i1 %d, label %more, label %no
more:
  store volatile i64 %as, ptr addrspace(1) %p
  store volatile i64 %bs, ptr addrspace(1) %p
  br label %no
no:
  ret void
}
