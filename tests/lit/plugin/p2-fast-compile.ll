; -ptx-fast-compile (requirements T6 and L6): no stage runs, and the passes do what they do at -O0, which is to insert COPYs.

; No stage, and no liveness that nothing else reads; but what the verifier reads is there.
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -ptx-stats -o %t.ptx 2>&1 | FileCheck %s --check-prefixes=STATS%if live-variables %{,VARIABLES%}
; STATS-NOT:  {{^(equal-phis|early-loads|loop-branches|divisions|short-addresses|fold-addresses|induction|flush|wide-phis|hoist|remat|bit-fields|ptxas-errata|cssa|nvptx-coalescer)}}
; STATS:      emitter: 1 functions
; STATS-NOT:  {{^(equal-phis|early-loads|loop-branches|divisions|short-addresses|fold-addresses|induction|flush|wide-phis|hoist|remat|bit-fields|ptxas-errata|cssa|nvptx-coalescer)}}
; VARIABLES:      livevars: 1 functions
; VARIABLES-NEXT: 1 functions left out
; STATS-NOT:  {{^(equal-phis|early-loads|loop-branches|divisions|short-addresses|fold-addresses|induction|flush|wide-phis|hoist|remat|bit-fields|ptxas-errata|cssa|nvptx-coalescer)}}
; STATS:      coalescer: 1 functions
; STATS-NOT:  {{interval joins|copies|moves|^nvptx-coalescer}}
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -verify-machineinstrs -ptx-stats -o - 2>%t.said | cmp - %t.ptx
; RUN: FileCheck %s --check-prefixes=VERIFIER%if live-variables %{,LV-VERIFIER%} <%t.said
; LV-VERIFIER:  livevars: 1 functions
; VERIFIER-NOT: left out
; VERIFIER:     phi-elim: 1 functions
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -ptx-check-analyses -o - | cmp - %t.ptx

; What comes out is what stock's passes make at -O0 of the code of -O2.
; RUN: %stock-llc %s -mcpu=sm_80 -stop-before=%if live-variables %{livevars%} %else %{phi-node-elimination%} -o %t.ssa.mir
; RUN: %stock-llc %t.ssa.mir -O0 -mcpu=sm_80 -run-pass=phi-node-elimination,twoaddressinstruction -o %t.stock.mir
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -stop-after=twoaddressinstruction -o %t.ours.mir
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -stop-after=register-coalescer -o %t.joined.mir
; RUN: sed -e "/ModuleID/d" %t.stock.mir >%t.stock
; RUN: sed -e "/ModuleID/d" %t.ours.mir | cmp - %t.stock
; RUN: sed -e "/ModuleID/d" %t.joined.mir | cmp - %t.stock

; One pass or the other may be LLVM's.
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -verify-machineinstrs -ptx-passes=livevars,two-address,liveintervals,coalescer -o /dev/null
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -verify-machineinstrs -ptx-passes=phi-elim,two-address,coalescer -o - | cmp - %t.ptx
; RUN: %llc %s -mcpu=sm_80 -ptx-fast-compile -verify-machineinstrs -ptx-passes=livevars,phi-elim,two-address,liveintervals -o /dev/null
; RUN: %if !llvm-24-up %{ %llc %s -mcpu=sm_80 -ptx-fast-compile -verify-machineinstrs -early-live-intervals -o /dev/null %}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @f(ptr addrspace(1) %p, i32 %n) {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %z = phi float [ 0.0, %entry ], [ %zn, %l ]
  %y = phi float [ 0.0, %entry ], [ %z, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %xa, %l ]
  %zn = fadd float %y, 1.0
  %xa = call i32 asm "inc $0;", "=r,0"(i32 %x0)
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile float %z, ptr addrspace(1) %p
  ret void
}
