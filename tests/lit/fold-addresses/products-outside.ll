; A product of extended factors outside of a loop stays a product of 64 bits.
;
; LLVM 24 selects mul.wide for such factors by itself.
; UNSUPPORTED: llvm-24-up
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}0 addresses of loads and stores{{$}}
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

define i64 @outside(i32 %a, i32 %b, i1 %c) {
; CHECK-LABEL: .func {{.*}}outside(
; CHECK: mul.lo.s64
; CHECK: ret;
entry:
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  br i1 %c, label %yes, label %no
yes:
  %p = mul i64 %x, %y
  ret i64 %p
no:
  %s = add i64 %x, %y
  ret i64 %s
}
