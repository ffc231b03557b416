; A value that is read after a branch, as what it is computed of, is computed there.
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: sink:
; STATS: {{ }}1 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @branch(ptr addrspace(1) %p) {
; CHECK-LABEL: .func branch(
; CHECK-NOT:   mad
; CHECK:       bra
; CHECK:       // %out
; CHECK:       mad.lo.s32
; CHECK:       ret;
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %ab = mul i32 %a, %b
  %x = add i32 %ab, %c
  %some = icmp slt i32 %a, 0
  br i1 %some, label %then, label %out
then:
  store volatile i32 7, ptr addrspace(1) %p
  br label %out
out:
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  ret void
}
