; A lane has a number below 32: `lane | 32` is a sum, with the name of the register that each version has for it, and both
; addresses share a register.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}1 addresses folded{{$}}
; STATS: {{ }}2 addresses of loads and stores{{$}}
; STATS: {{ }}3 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

define ptx_kernel void @lane(ptr addrspace(1) %p) {
; CHECK-LABEL: .entry lane(
; CHECK: st.volatile.global.{{[bu]}}32 [[[P:%rd[0-9]+]]],
; CHECK: st.volatile.global.{{[bu]}}32 [[[P]]+128],
; CHECK: ret;
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %low1 = or i32 %lane, 32
  %w = zext i32 %lane to i64
  %w1 = zext i32 %low1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store volatile i32 1, ptr addrspace(1) %p0
  store volatile i32 2, ptr addrspace(1) %p1
  ret void
}
