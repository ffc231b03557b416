; Two addresses that inline assembly reads differ by a constant: the second becomes the sum of the first and that constant,
; which ptxas folds, and the `or` goes. A block has at most 1,024 threads, so that bit 10 of a thread's number is clear.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}1 addresses folded{{$}}
; STATS: {{ }}2 addresses of loads and stores{{$}}
; STATS: {{ }}2 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @asm_addresses(i64 %p) {
; CHECK-LABEL: .entry asm_addresses
; CHECK: add.s64 [[P:%rd[0-9]+]], {{%rd[0-9]+}}, {{%rd[0-9]+}};
; CHECK-NOT: or.b32
; CHECK: add.s64 [[Q:%rd[0-9]+]], [[P]], 4096;
; CHECK: get {{%r[0-9]+}}, [[P]];
; CHECK: get {{%r[0-9]+}}, [[Q]];
; CHECK: ret;
; STOCK-LABEL: .entry asm_addresses
; STOCK: or.b32
; STOCK: ret;
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t1 = or i32 %t, 1024
  %w0 = zext i32 %t to i64
  %w1 = zext i32 %t1 to i64
  %b0 = mul i64 %w0, 4
  %b1 = mul i64 %w1, 4
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %v0 = call i32 asm sideeffect "get $0, $1;", "=r,l"(i64 %a0)
  %v1 = call i32 asm sideeffect "get $0, $1;", "=r,l"(i64 %a1)
  call void asm sideeffect "put $0, $1;", "r,r"(i32 %v0, i32 %v1)
  ret void
}
