; The pass runs when LLVM's coalescer joins nothing, and then sees every copy.

; RUN: %llc <%s -mcpu=sm_80 -cssa-coalesce=false -join-liveintervals=false -verify-machineinstrs -ptx-stats -o %t.ptx 2>&1 | FileCheck %s --check-prefix=STATS
; STATS-NOT: interval joins performed
; STATS:     nvptx-coalescer: 1 functions
; STATS-DAG: {{[1-9][0-9]*}} copies joined

; RUN: %llc <%s -mcpu=sm_80 -cssa-coalesce=false -join-liveintervals=false -enable-misched -verify-machineinstrs -o /dev/null
; RUN: %llc <%s -mcpu=sm_80 -cssa-coalesce=false -join-liveintervals=false -ptx-passes=nvptx-coalescer -verify-machineinstrs -o /dev/null

; Without the pass the copies stay.
; RUN: %llc <%s -mcpu=sm_80 -cssa-coalesce=false -join-liveintervals=false -ptx-passes=coalescer -o - | FileCheck %s --check-prefix=WITHOUT
; WITHOUT-COUNT-2: mov.{{[ub]}}32 %r{{[0-9]+}}, %r

; RUN: FileCheck %s <%t.ptx
; CHECK-LABEL: .entry sum(
; CHECK-NOT:   mov.{{[ub]}}32 %r{{[0-9]+}}, %r
; CHECK:       ret;

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @sum(ptr addrspace(1) %p, i32 %n) {
entry:
  %first = load volatile i32, ptr addrspace(1) %p
  %step = load volatile i32, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %next, %loop ]
  %s = phi i32 [ %first, %entry ], [ %t, %loop ]
  %x = load volatile i32, ptr addrspace(1) %p
  %t = add i32 %s, %x
  %next = sub i32 %i, %step
  %more = icmp sgt i32 %next, 0
  br i1 %more, label %loop, label %exit
exit:
  store volatile i32 %t, ptr addrspace(1) %p
  ret void
}
