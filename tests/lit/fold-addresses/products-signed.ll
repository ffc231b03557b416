; A product of two factors that are extended with their signs becomes mul.wide.s32 in a loop. One of them is extended before
; of the loop.
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
; STATS: {{ }}1 instructions erased{{$}}
; STATS: {{ }}1 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

define i64 @signed(i32 %a, i32 %b, i32 %n) {
; CHECK-LABEL: .func {{.*}}signed(
; CHECK: $L
; CHECK: {{(mul|mad).wide.s32}}
; CHECK-NOT: lo.s64
; CHECK: ret;
entry:
  %y = sext i32 %b to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %of = xor i32 %i, %a
  %x = sext i32 %of to i64
  %p = mul i64 %x, %y
  %t = xor i64 %s, %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %t
}
