; The addresses of p[i] and p[i + 1] stay two where i is any number of 32 bits: i + 1 may wrap to 0.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}2 addresses of loads and stores{{$}}
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @wraps(i64 %p, i32 %i) {
; CHECK-LABEL: .entry wraps
; CHECK-NOT: +8]
; CHECK: add.s32
; CHECK-NOT: +8]
; CHECK: ret;
  %i1 = add i32 %i, 1
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  store volatile i64 %v0, ptr addrspace(1) %p1
  ret void
}
