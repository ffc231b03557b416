; A value stays where its operands end: they would have to live on for it, and it takes fewer registers.
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: sink:
; STATS: {{ }}0 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @operands_end(ptr addrspace(1) %p) {
; CHECK-LABEL: .func operands_end(
; CHECK:       mad.lo.s32
; CHECK:       bra
; CHECK:       // %out
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
  ret void
}
