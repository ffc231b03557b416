; Uniform values wider than 32 bits stay: ptxas has other registers for them.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: remat:
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 instructions rematerialised{{$}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @uniform(ptr addrspace(1) %q, i64 %wide, i32 %n) {
; CHECK-LABEL: .entry uniform(
; CHECK-COUNT-4: shl.b64
; CHECK: Loop Header
; CHECK-NOT: shl.b64
; CHECK: ret;
entry:
  %w0 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w1 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w2 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w3 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w4 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w5 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w6 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w7 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w8 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w9 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w10 = load volatile <4 x i32>, ptr addrspace(1) %q
  %w11 = load volatile <4 x i32>, ptr addrspace(1) %q
  %s1 = shl i64 %wide, 1
  %s2 = shl i64 %wide, 2
  %s3 = shl i64 %wide, 3
  %s4 = shl i64 %wide, 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %c = load volatile i32, ptr addrspace(1) %q
  %odd = icmp eq i32 %c, 0
  br i1 %odd, label %seldom, label %next
seldom:
  store volatile i64 %s1, ptr addrspace(1) %q
  store volatile i64 %s2, ptr addrspace(1) %q
  store volatile i64 %s3, ptr addrspace(1) %q
  store volatile i64 %s4, ptr addrspace(1) %q
  br label %next
next:
  store volatile i64 %wide, ptr addrspace(1) %q
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  store volatile <4 x i32> %w0, ptr addrspace(1) %q
  store volatile <4 x i32> %w1, ptr addrspace(1) %q
  store volatile <4 x i32> %w2, ptr addrspace(1) %q
  store volatile <4 x i32> %w3, ptr addrspace(1) %q
  store volatile <4 x i32> %w4, ptr addrspace(1) %q
  store volatile <4 x i32> %w5, ptr addrspace(1) %q
  store volatile <4 x i32> %w6, ptr addrspace(1) %q
  store volatile <4 x i32> %w7, ptr addrspace(1) %q
  store volatile <4 x i32> %w8, ptr addrspace(1) %q
  store volatile <4 x i32> %w9, ptr addrspace(1) %q
  store volatile <4 x i32> %w10, ptr addrspace(1) %q
  store volatile <4 x i32> %w11, ptr addrspace(1) %q
  ret void
}
