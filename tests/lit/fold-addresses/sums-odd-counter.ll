; The step of the loop counter is 1,280, so that the counter may have bit 8 set: nothing is folded.
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

define void @odd_counter(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func odd_counter(
; CHECK: {{^}}$L__BB{{[0-9]+}}_1:
; CHECK-COUNT-2: mul.wide.s32
; CHECK: ret;
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 255
  %low1 = or i32 %low, 256
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = or i32 %i, %low
  %a1 = or i32 %i, %low1
  %w = sext i32 %a to i64
  %w1 = sext i32 %a1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store i32 %a, ptr addrspace(1) %p0
  store i32 %a1, ptr addrspace(1) %p1
  %next = add i32 %i, 1280
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
