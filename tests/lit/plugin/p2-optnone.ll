; A function that LLVM is not to optimise goes through the passes and through no stage (requirement P2): in an optnone
; function, at -O0, and past -opt-bisect-limit, which counts each stage.

; RUN: %llc %s -mcpu=sm_80 -verify-machineinstrs -ptx-stats -o %t.ptx 2>&1 | FileCheck %s --check-prefixes=STATS%if live-variables %{,VARIABLES%}
; STATS: fold-addresses: 1 functions
; STATS: induction: 1 functions
; STATS: wide-phis: 1 functions
; STATS: hoist: 1 functions
; STATS: remat: 1 functions
; VARIABLES: livevars: 2 functions
; STATS: cssa: 1 functions
; STATS: phi-elim: 2 functions
; STATS: coalescer: 2 functions
; STATS: nvptx-coalescer: 1 functions

; The code is that of the passes alone. In the other function stages make a difference.
; RUN: %llc %s -mcpu=sm_80 -ptx-passes=emitter,livevars,phi-elim,two-address,liveintervals,coalescer -o %t.passes.ptx
; RUN: sed -n -e "/entry not_optimised/,//p" %t.ptx >%t.left
; RUN: sed -n -e "/entry not_optimised/,//p" %t.passes.ptx >%t.passes.left
; RUN: cmp %t.left %t.passes.left
; RUN: not cmp %t.ptx %t.passes.ptx

; At -O0 LLVM has none of the passes that stages run before, except PHI elimination.
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=O0
; RUN: %llc %s -O0 -mcpu=sm_80 -stop-before=phi-node-elimination -o %t.mir
; RUN: %if live-variables %{ %llc %t.mir -O0 -mcpu=sm_80 -run-pass=livevars -ptx-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=O0 %}
; O0-NOT: {{^(equal-phis|early-loads|loop-branches|divisions|short-addresses|fold-addresses|induction|flush|wide-phis|hoist|remat|bit-fields|ptxas-errata|cssa|nvptx-coalescer)}}
; O0:     {{^(livevars|phi-elim)}}: 2 functions
; O0-NOT: {{^(equal-phis|early-loads|loop-branches|divisions|short-addresses|fold-addresses|induction|flush|wide-phis|hoist|remat|bit-fields|ptxas-errata|cssa|nvptx-coalescer)}}

; RUN: %llc %s -mcpu=sm_80 -opt-bisect-limit=0 -o %t.bisect.ptx 2>&1 | FileCheck %s --check-prefix=BISECT
; BISECT:     BISECT: NOT running pass ({{[0-9]+}}) fold-addresses (ptxpasses) on function (optimised)
; BISECT:     BISECT: NOT running pass ({{[0-9]+}}) remat (ptxpasses) on function (optimised)
; BISECT:     BISECT: NOT running pass ({{[0-9]+}}) cssa (ptxpasses) on function (optimised)
; BISECT:     BISECT: NOT running pass ({{[0-9]+}}) nvptx-coalescer{{( \(ptxpasses\))?}} on function (optimised)
; BISECT-NOT: {{(fold-addresses|hoist|remat|cssa)}} (ptxpasses) on function (not_optimised)

; LLVM asks itself for each pass, in an optnone function too.
; BISECT:     BISECT: NOT running pass ({{[0-9]+}}) nvptx-coalescer{{( \(ptxpasses\))?}} on function (not_optimised)

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @optimised(ptr addrspace(1) %p, i32 %n) {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %z = phi float [ 0.0, %entry ], [ %zn, %l ]
  %y = phi float [ 0.0, %entry ], [ %z, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x0, %l ]
  %zn = fadd float %y, 1.0
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile float %z, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @not_optimised(ptr addrspace(1) %p, i32 %n) noinline optnone {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %z = phi float [ 0.0, %entry ], [ %zn, %l ]
  %y = phi float [ 0.0, %entry ], [ %z, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x0, %l ]
  %zn = fadd float %y, 1.0
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile float %z, ptr addrspace(1) %p
  ret void
}
