; A product of a factor that is extended with its sign and one that is extended with zeros stays a product of 64 bits.
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

define i64 @mixed(i32 %a, i32 %b, i32 %n) {
; CHECK-LABEL: .func {{.*}}mixed(
; CHECK: $L
; CHECK: {{(mul|mad).lo.s64}}
; CHECK: ret;
entry:
  %y = zext i32 %b to i64
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
