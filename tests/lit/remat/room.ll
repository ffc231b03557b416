; Registers stay where the function needs no fewer. ptxas will use some 50 here: on sm_75 as many warps run with 64, on sm_80 with 32. A target of 48 asks for
; fewer.
;
; RUN: %llc -O2 -mcpu=sm_75 -verify-machineinstrs < %s | FileCheck --check-prefix=ROOM %s
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck --check-prefix=FEWER %s
; RUN: %llc -O2 -mcpu=sm_75 -maxreg=48 -verify-machineinstrs < %s | FileCheck --check-prefix=FEWER %s
; RUN: %llc -O2 -mcpu=sm_75 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: remat:
; STATS: {{ }}{{5[0-9]}} registers predicted{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @room(ptr addrspace(1) %p, i32 %k, i32 %n) {
; FEWER-LABEL: .func room(
; FEWER: Loop Header
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 101;
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 102;
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 103;
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 104;
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 105;
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 106;
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 107;
; FEWER-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 108;
; FEWER: bra
; FEWER: ret;
; ROOM-LABEL: .func room(
; ROOM-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 101;
; ROOM-DAG: add.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 102;
; ROOM: Loop Header
; ROOM-NOT: , 101;
; ROOM-NOT: , 102;
; ROOM: ret;
entry:
  %w0 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w1 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w2 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w3 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w4 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w5 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w6 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w7 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w8 = load volatile <4 x i32>, ptr addrspace(1) %p
  %w9 = load volatile <4 x i32>, ptr addrspace(1) %p
  %k1 = add i32 %k, 101
  %k2 = add i32 %k, 102
  %k3 = add i32 %k, 103
  %k4 = add i32 %k, 104
  %k5 = add i32 %k, 105
  %k6 = add i32 %k, 106
  %k7 = add i32 %k, 107
  %k8 = add i32 %k, 108
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
  %a4 = xor i32 %x, %k4
  store volatile i32 %a4, ptr addrspace(1) %p
  %a5 = xor i32 %x, %k5
  store volatile i32 %a5, ptr addrspace(1) %p
  %a6 = xor i32 %x, %k6
  store volatile i32 %a6, ptr addrspace(1) %p
  %a7 = xor i32 %x, %k7
  store volatile i32 %a7, ptr addrspace(1) %p
  %a8 = xor i32 %x, %k8
  store volatile i32 %a8, ptr addrspace(1) %p
  %g = or i32 %a8, %k1
  store volatile i32 %g, ptr addrspace(1) %p
  %less = icmp eq i32 %a8, 5
  br i1 %less, label %two, label %next
two:
  %e = and i32 %k1, %k2
  store volatile i32 %e, ptr addrspace(1) %p
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
  store volatile <4 x i32> %w5, ptr addrspace(1) %p
  store volatile <4 x i32> %w6, ptr addrspace(1) %p
  store volatile <4 x i32> %w7, ptr addrspace(1) %p
  store volatile <4 x i32> %w8, ptr addrspace(1) %p
  store volatile <4 x i32> %w9, ptr addrspace(1) %p
  ret void
}
