; A load that extends with the sign gives a factor that a multiplication of 32 bits can take: the product in the loop becomes
; mul.wide.s32.
;
; LLVM 24 selects mul.wide for such factors by itself.
; UNSUPPORTED: llvm-24-up
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}1 addresses of loads and stores{{$}}
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}1 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

define i64 @loaded(ptr addrspace(1) %p, i32 %b, i32 %n) {
; CHECK-LABEL: .func {{.*}}loaded(
; CHECK: $L
; CHECK: ld.global.s32
; CHECK: {{(mul|mad).wide.s32}}
; CHECK-NOT: lo.s64
; CHECK: ret;
entry:
  %y = sext i32 %b to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %a = load i32, ptr addrspace(1) %at
  %x = sext i32 %a to i64
  %r = mul i64 %x, %y
  %t = xor i64 %s, %r
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %t
}
