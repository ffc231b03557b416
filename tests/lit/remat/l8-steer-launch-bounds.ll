; Three blocks of 800 threads leave 24 registers for a thread: three keys are recomputed in the loop that some thirty registers live through.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs  -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; STATS: remat:
; STATS: {{ }}3 instructions rematerialised{{$}}
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"

define void @k(ptr addrspace(1) %p, i32 %k, i32 %n) {
entry:
  %w0 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w1 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w2 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w3 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w4 = load volatile <4 x i32>, ptr addrspace(1) %p
  %k1 = add i32 %k, 101
  %k2 = add i32 %k, 102
  %k3 = add i32 %k, 103
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %x = load volatile i32, ptr addrspace(1) %p
  %y = xor i32 %x, %k
  store volatile i32 %y, ptr addrspace(1) %p
  %some = icmp slt i32 %x, 0
  br i1 %some, label %keys, label %next
keys:
  %a1 = xor i32 %x, %k1
  store volatile i32 %a1, ptr addrspace(1) %p
  %a2 = xor i32 %x, %k2
  store volatile i32 %a2, ptr addrspace(1) %p
  %a3 = xor i32 %x, %k3
  store volatile i32 %a3, ptr addrspace(1) %p
  br label %next
next:
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  store volatile <4 x i32> %w0, ptr addrspace(1) %p
  store volatile <4 x i32> %w1, ptr addrspace(1) %p
  store volatile <4 x i32> %w2, ptr addrspace(1) %p
  store volatile <4 x i32> %w3, ptr addrspace(1) %p
  store volatile <4 x i32> %w4, ptr addrspace(1) %p
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1, !"maxntidx", i32 800, !"minctasm", i32 3}
