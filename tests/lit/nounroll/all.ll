; -ptx-nounroll=all: a loop without a loop inside gets the directive at the start of its header, before the moves that its PHIs have left. One with
; a loop inside does not.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-nounroll=all < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=all -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; STATS: nounroll: 1 functions
; STATS: {{ }}2 loops kept from unrolling{{$}}
; STATS: {{ }}0 loops left: LLVM keeps them from unrolling{{$}}
; STATS: {{ }}0 loops left: not cold{{$}}
; STATS: {{ }}0 loops left: the source wants them unrolled{{$}}

; A pass that reads live intervals after this one finds the new instruction in them.
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-nounroll=all -enable-misched < %s | FileCheck --check-prefix=TWO %s
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-nounroll=all -ptx-passes=nounroll < %s | FileCheck --check-prefix=TWO %s
; TWO-COUNT-2: .pragma "nounroll";
; TWO-NOT:     .pragma

; Without the option no loop gets it, and the pass is in no pipeline.
; RUN: %llc -O2 -mcpu=sm_80 < %s >%t.default.ptx
; RUN: not grep pragma %t.default.ptx
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=all -ptx-nounroll=off < %s | cmp - %t.default.ptx
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=all -ptx-passes=coalescer,nvptx-coalescer -o /dev/null -debug-pass=Structure < %s 2>&1 | FileCheck --check-prefix=ABSENT %s
; RUN: %llc -O2 -mcpu=sm_80 -o /dev/null -debug-pass=Structure < %s 2>&1 | FileCheck --check-prefix=ABSENT %s
; ABSENT-NOT: nounroll
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=all -o /dev/null -debug-pass=Structure < %s 2>&1 | FileCheck --check-prefix=PRESENT %s
; PRESENT:      nvptx-coalescer (ptxpasses)
; PRESENT-NEXT: nounroll (ptxpasses)

; Nor is it anywhere where no stage runs.
; RUN: %stock-llc -O2 -mcpu=sm_80 < %s >%t.stock.ptx
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=all -ptx-profile=upstream < %s | cmp - %t.stock.ptx
; RUN: %stock-llc -O0 -mcpu=sm_80 < %s >%t.stock.ptx
; RUN: %llc -O0 -mcpu=sm_80 -ptx-nounroll=all -ptx-profile=upstream < %s | cmp - %t.stock.ptx
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=all -ptx-fast-compile < %s | not grep pragma

target triple = "nvptx64-nvidia-cuda"

define void @nest(ptr addrspace(1) %p, i32 %n, i32 %m) {
; CHECK-LABEL: .func nest(
; CHECK:       Loop Header: Depth=1
; CHECK-NOT:   .pragma
; CHECK:       Inner Loop Header: Depth=2
; CHECK-NEXT:  // begin inline asm
; CHECK-NEXT:  .pragma "nounroll";
; CHECK-NEXT:  // end inline asm
; CHECK-NEXT:  mov.{{[bu]}}32
; CHECK:       Inner Loop Header: Depth=1
; CHECK-NEXT:  // begin inline asm
; CHECK-NEXT:  .pragma "nounroll";
; CHECK-NEXT:  // end inline asm
; CHECK-NOT:   .pragma
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.end ]
  store volatile i32 %i, ptr addrspace(1) %p
  br label %inner
inner:
  %x = phi i32 [ 1, %outer ], [ %y, %inner.end ]
  %y = phi i32 [ 2, %outer ], [ %z, %inner.end ]
  %z = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 %y, ptr addrspace(1) %p
  %some = icmp slt i32 %z, 0
  br i1 %some, label %rare, label %inner.end
rare:
  store volatile i32 7, ptr addrspace(1) %p
  br label %inner.end
inner.end:
  %again = icmp slt i32 %z, %m
  br i1 %again, label %inner, label %outer.end
outer.end:
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %outer, label %last
last:
  %a = load volatile i32, ptr addrspace(1) %p
  %still = icmp slt i32 %a, %m
  br i1 %still, label %last, label %out
out:
  ret void
}
