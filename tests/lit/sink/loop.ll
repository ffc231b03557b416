; A value that a loop reads moves to the block before the loop, not into it; one that is read after the loop moves over it.
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: sink:
; STATS: {{ }}2 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @loop(ptr addrspace(1) %p) {
; CHECK-LABEL: .func loop(
; CHECK:       // %then
; CHECK:       xor.b32 {{.*}}, 77;
; CHECK:       // %loop
; CHECK-NOT:   xor
; CHECK-NOT:   mad
; CHECK:       // %out
; CHECK:       mad.lo.s32
; CHECK:       ret;
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = load volatile i32, ptr addrspace(1) %p
  %k = xor i32 %a, 77
  %ab = mul i32 %a, %b
  %x = add i32 %ab, %c
  br label %wait
wait:
  %w = load volatile i32, ptr addrspace(1) %p
  %again = icmp slt i32 %w, %b
  br i1 %again, label %wait, label %then
then:
  store volatile i32 %a, ptr addrspace(1) %p
  br label %loop
loop:
  %y = load volatile i32, ptr addrspace(1) %p
  store volatile i32 %k, ptr addrspace(1) %p
  %more = icmp slt i32 %y, %a
  br i1 %more, label %loop, label %out
out:
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  store volatile i32 %b, ptr addrspace(1) %p
  store volatile i32 %c, ptr addrspace(1) %p
  ret void
}
