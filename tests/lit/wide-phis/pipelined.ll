; Values that are loaded before a loop and for the next iteration, and read after the loop as well: two pairs of PHIs
; become one each.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: wide-phis:
; STATS: {{ }}2 groups of PHIs made wide{{$}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @pipelined(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
; CHECK-LABEL: .entry pipelined
; CHECK-NOT: mov.b32 {{.*}}{
; CHECK: ret;
; STOCK-LABEL: .entry pipelined
; STOCK: mov.b32 {{.*}}{
; STOCK: ret;
entry:
  %v0 = call i32 asm sideeffect "get.b32 $0;", "=r"()
  %b0 = bitcast i32 %v0 to <2 x half>
  %lo0 = extractelement <2 x half> %b0, i32 0
  %hi0 = extractelement <2 x half> %b0, i32 1
  br label %loop
loop:
  %lo = phi half [ %lo0, %entry ], [ %lo1, %latch ]
  %hi = phi half [ %hi0, %entry ], [ %hi1, %latch ]
  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]
  %t0 = insertelement <2 x half> poison, half %lo, i32 0
  %t = insertelement <2 x half> %t0, half %hi, i32 1
  %packed = bitcast <2 x half> %t to i32
  %r = call i32 asm sideeffect "use.b32 $0, $1;", "=r,r"(i32 %packed)
  %odd = icmp slt i32 %r, 0
  br i1 %odd, label %load, label %latch
load:
  %next = call i32 asm sideeffect "get.b32 $0;", "=r"()
  %b = bitcast i32 %next to <2 x half>
  %lo2 = extractelement <2 x half> %b, i32 0
  %hi2 = extractelement <2 x half> %b, i32 1
  br label %latch
latch:
  %lo1 = phi half [ %lo, %loop ], [ %lo2, %load ]
  %hi1 = phi half [ %hi, %loop ], [ %hi2, %load ]
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  store i32 %r, ptr addrspace(1) %q
  ret void
}
