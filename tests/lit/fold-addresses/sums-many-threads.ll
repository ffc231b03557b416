; The kernel says that a block has 512 threads: bit 8 of a thread's number may be set, and `tid | 256` is not a sum.
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
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #1 = { "nvvm.maxntid"="512,1,1" }
!nvvm.annotations = !{!1, !3}
!1 = !{ptr @many_threads, !"kernel", i32 1}
!3 = !{ptr @many_threads, !"maxntidx", i32 512}

define void @many_threads(ptr addrspace(1) %p) #1 {
; CHECK-LABEL: .entry many_threads(
; CHECK: st.volatile.global.{{[bu]}}32 [%rd{{[0-9]+}}],
; CHECK: st.volatile.global.{{[bu]}}32 [%rd{{[0-9]+}}],
; CHECK: ret;
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low1 = or i32 %tid, 256
  %w = zext i32 %tid to i64
  %w1 = zext i32 %low1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store volatile i32 1, ptr addrspace(1) %p0
  store volatile i32 2, ptr addrspace(1) %p1
  ret void
}
