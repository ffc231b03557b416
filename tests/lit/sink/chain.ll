; What only a value that moves down is computed of moves down with it: the last product alone would gain nothing, as its operand ends.
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: sink:
; STATS: {{ }}3 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @chain(ptr addrspace(1) %p) {
; CHECK-LABEL: .func chain(
; CHECK-NOT:   mul
; CHECK-NOT:   xor
; CHECK:       // %out
; CHECK:       mul.lo.s32
; CHECK:       xor.b32
; CHECK:       mul.lo.s32
; CHECK:       ret;
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %s = mul i32 %a, 77
  %t = xor i32 %s, 1234
  %u = mul i32 %t, 99
  %some = icmp slt i32 %a, 0
  br i1 %some, label %then, label %out
then:
  store volatile i32 7, ptr addrspace(1) %p
  br label %out
out:
  store volatile i32 %u, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}
