; What does more than compute stays: a load that a store may change, and inline assembly with effects. Assembly without effects moves.
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: sink:
; STATS: {{ }}1 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @effects(ptr addrspace(1) %p, ptr addrspace(1) %q) {
; CHECK-LABEL: .func effects(
; CHECK:       ld.global.{{[bu]}}32
; CHECK:       add.loud
; CHECK-NOT:   add.silent
; CHECK:       // %then
; CHECK:       // %out
; CHECK:       add.silent
; CHECK:       ret;
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %l = load i32, ptr addrspace(1) %q
  %loud = call i32 asm sideeffect "add.loud $0, $1;", "=r,r"(i32 %a)
  %silent = call i32 asm "add.silent $0, $1;", "=r,r"(i32 %a)
  %some = icmp slt i32 %a, 0
  br i1 %some, label %then, label %out
then:
  store volatile i32 7, ptr addrspace(1) %p
  br label %out
out:
  store volatile i32 %l, ptr addrspace(1) %p
  store volatile i32 %loud, ptr addrspace(1) %p
  store volatile i32 %silent, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}
