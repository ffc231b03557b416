; -ptx-emit-order=pressure tries several orders of a block and emits it in the one that needs the fewest registers. Debug
; information does not change the order. Not in the upstream profile, at -O0 or with -ptx-fast-compile. Rows E1 and E10.

; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -verify-machineinstrs -o - -ptx-emit-order=pressure | FileCheck %s --check-prefixes=CHECK,PRESSURE
; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -o - -ptx-emit-order=source | FileCheck %s --check-prefixes=CHECK,SOURCE
; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -o - | FileCheck %s --check-prefixes=CHECK,SOURCE
; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -o - -ptx-emit-order=pressure -ptx-profile=upstream | FileCheck %s --check-prefixes=CHECK,SOURCE
; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -o - -ptx-emit-order=pressure -ptx-fast-compile | FileCheck %s --check-prefixes=CHECK,SOURCE
; RUN: %llc %s -mcpu=sm_80 -o %t.ptx -ptx-emit-order=pressure -ptx-stats 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: not %llc %s -mcpu=sm_80 -o %t.ptx -ptx-emit-order=best 2>&1 | FileCheck %s --check-prefix=BAD

; STATS-DAG: blocks reordered
; STATS-DAG: blocks of one order only
; STATS-DAG: registers that peaks were lowered by
; BAD:       no order 'best'; allowed: source, pressure

target triple = "nvptx64-nvidia-cuda"

; The loads come first in the source, each sum waits for all of them; the values of `x` are described in the order of
; the source wherever the sums are.
; CHECK-LABEL:   name: sums
; SOURCE-COUNT-6: (volatile load (s32)
; SOURCE:        = ADD{{[a-z0-9]+}}
; PRESSURE:      (volatile load (s32)
; PRESSURE:      = ADD{{[a-z0-9]+}}
; PRESSURE:      (volatile load (s32)
; PRESSURE:      = ADD{{[a-z0-9]+}}
define void @sums(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %d = load volatile i32, ptr addrspace(1) %p
  %e = load volatile i32, ptr addrspace(1) %p
  %f = load volatile i32, ptr addrspace(1) %p
  %a1 = add i32 %a, 1
  %b1 = add i32 %b, 2
  %s1 = xor i32 %a1, %b1
  %c1 = add i32 %c, 3
  %s2 = xor i32 %s1, %c1
  %d1 = add i32 %d, 4
  %s3 = xor i32 %s2, %d1
  %e1 = add i32 %e, 5
  %s4 = xor i32 %s3, %e1
  %f1 = add i32 %f, 6
  %s5 = xor i32 %s4, %f1
  store i32 %s5, ptr addrspace(1) %q
  ret void
}

; Instructions of one call do not come between those of another.
; CHECK-LABEL: name: calls
; CHECK:       Callseq_Start 0
; CHECK-NOT:   Callseq_Start
; CHECK:       Callseq_End 0
; CHECK:       Callseq_Start 1
; CHECK:       Callseq_End 1
declare i32 @callee(i32) memory(none) nounwind willreturn
define i32 @calls(i32 %x, i32 %y) {
  %a = call i32 @callee(i32 %x)
  %b = call i32 @callee(i32 %y)
  %s = add i32 %a, %b
  ret i32 %s
}
