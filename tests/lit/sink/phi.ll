; A PHI reads at the end of its predecessor, so its operand moves there (LLVM's MachineSink, which would do the same, is off).
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -disable-machine-sink -verify-machineinstrs -stop-after=livevars < %s | FileCheck %s
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -disable-machine-sink -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; UNSUPPORTED: llvm-24-up
; STATS: sink:
; STATS: {{ }}1 instructions moved down{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @phi(ptr addrspace(1) %p) {
; CHECK-LABEL: name: phi
; CHECK:       bb.{{[0-9]+}}.first:
; CHECK:       %[[X:[0-9]+]]:{{.*}}= XOR
; CHECK:       bb.{{[0-9]+}}.out:
; CHECK:       PHI {{.*}}%[[X]]
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %x = xor i32 %a, 1234
  br label %wait
wait:
  %w = load volatile i32, ptr addrspace(1) %p
  %again = icmp slt i32 %w, %a
  br i1 %again, label %wait, label %first
first:
  %b = load volatile i32, ptr addrspace(1) %p
  %some = icmp slt i32 %b, %a
  br i1 %some, label %second, label %out
second:
  store volatile i32 1, ptr addrspace(1) %p
  br label %out
out:
  %v = phi i32 [ %x, %first ], [ %b, %second ]
  store volatile i32 %v, ptr addrspace(1) %p
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}
