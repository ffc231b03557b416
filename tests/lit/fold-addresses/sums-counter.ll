; A loop counter that is a multiple of 1,024, combined by `or` with three numbers below 1,024: two become sums of the first
; one and a constant. Of values of the thread only its number lives through the loop. (LLVM 17 makes the `or` of counter and
; constant a sum itself.)
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}{{(0|1|2)}} addresses folded{{$}}
; STATS: {{ }}{{(2|3)}} addresses of loads and stores{{$}}
; STATS: {{ }}{{(0|6|7)}} instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}{{(0|2)}} sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @counter(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func counter(
; CHECK: [[TID:%r[0-9]+]], %tid.x;
; CHECK: and.b32 [[LOW:%r[0-9]+]], [[TID]], 255;
; CHECK-NOT: 256;
; CHECK: {{^}}$L__BB{{[0-9]+}}_1:
; CHECK: {{or.b32|add.s32}} [[I:%r[0-9]+]], {{%r[0-9]+, %r[0-9]+}};
; CHECK-NEXT: {{or.b32|add.s32}} [[I1:%r[0-9]+]], [[I]], 256;
; CHECK-NEXT: {{or.b32|add.s32}} [[I2:%r[0-9]+]], [[I]], 512;
; CHECK-DAG: st.global.{{[bu]}}32 [%rd{{[0-9]+}}], [[I]];
; CHECK-DAG: st.global.{{[bu]}}32 [[[P:%rd[0-9]+]]+1024], [[I1]];
; CHECK-DAG: st.global.{{[bu]}}32 [[[P]]+2048], [[I2]];
; CHECK: add.s32 [[COUNT:%r[0-9]+]], [[COUNT]], 1024;
; CHECK: ret;
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 255
  %low1 = or i32 %low, 256
  %low2 = or i32 %low, 512
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = or i32 %i, %low
  %a1 = or i32 %i, %low1
  %a2 = or i32 %i, %low2
  %w = sext i32 %a to i64
  %w1 = sext i32 %a1 to i64
  %w2 = sext i32 %a2 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  %p2 = getelementptr i32, ptr addrspace(1) %p, i64 %w2
  store i32 %a, ptr addrspace(1) %p0
  store i32 %a1, ptr addrspace(1) %p1
  store i32 %a2, ptr addrspace(1) %p2
  %next = add i32 %i, 1024
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
