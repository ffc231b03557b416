; Without LLVM's MachineSink: a value that two branches read moves to the block that branches, not into one of them. What another branch reads as well does not move along.
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -disable-machine-sink -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -disable-machine-sink -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: sink:
; STATS: {{ }}1 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @two_readers(ptr addrspace(1) %p) {
; CHECK-LABEL: .func two_readers(
; CHECK:       mul.lo.s32 {{.*}}, 77;
; CHECK:       bra
; CHECK-NOT:   xor
; CHECK:       // %second
; CHECK:       xor.b32 {{.*}}, 1234;
; CHECK:       bra
; CHECK:       // %left
; CHECK-NOT:   xor
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %t = mul i32 %a, 77
  %x = xor i32 %t, 1234
  %some = icmp slt i32 %a, 0
  br i1 %some, label %first, label %second
first:
  store volatile i32 %t, ptr addrspace(1) %p
  br label %second
second:
  %b = load volatile i32, ptr addrspace(1) %p
  %other = icmp slt i32 %b, %t
  br i1 %other, label %left, label %right
left:
  store volatile i32 1, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  br label %out
right:
  store volatile i32 %x, ptr addrspace(1) %p
  store volatile i32 2, ptr addrspace(1) %p
  br label %out
out:
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}
