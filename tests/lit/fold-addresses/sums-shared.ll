; Addresses of shared memory that inline assembly reads as 32 bits, as in Triton's kernels: the second and the third become
; one addition each to the first, where they had been four instructions.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}0 addresses of loads and stores{{$}}
; STATS: {{ }}6 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}2 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"
@smem = external addrspace(3) global [0 x i8], align 16

define void @shared(i32 %x) {
; CHECK-LABEL: .func shared(
; CHECK: cvt.u32.u64 [[S:%r[0-9]+]],
; CHECK-NOT: cvt
; CHECK-DAG: add.s32 [[S1:%r[0-9]+]], [[S]], 4096;
; CHECK-DAG: add.s32 [[S2:%r[0-9]+]], [[S]], 8192;
; CHECK-DAG: use [[S]];
; CHECK-DAG: use [[S1]];
; CHECK-DAG: use [[S2]];
; CHECK: ret;
  %low = and i32 %x, 4080
  %low1 = or i32 %low, 4096
  %low2 = or i32 %low, 8192
  %w = zext i32 %low to i64
  %w1 = zext i32 %low1 to i64
  %w2 = zext i32 %low2 to i64
  %s = add i64 %w, ptrtoint (ptr addrspace(3) @smem to i64)
  %s1 = add i64 %w1, ptrtoint (ptr addrspace(3) @smem to i64)
  %s2 = add i64 %w2, ptrtoint (ptr addrspace(3) @smem to i64)
  %t = trunc i64 %s to i32
  %t1 = trunc i64 %s1 to i32
  %t2 = trunc i64 %s2 to i32
  call void asm sideeffect "use $0;", "r"(i32 %t)
  call void asm sideeffect "use $0;", "r"(i32 %t1)
  call void asm sideeffect "use $0;", "r"(i32 %t2)
  ret void
}
