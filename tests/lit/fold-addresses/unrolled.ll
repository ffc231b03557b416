; Addresses of an unrolled loop share a register: the low bits of a shifted index are clear, so that `or` is a sum.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O0 -mcpu=sm_80 < %s | FileCheck --check-prefix=O0 %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}3 addresses folded{{$}}
; STATS: {{ }}4 addresses of loads and stores{{$}}
; STATS: {{ }}9 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @unrolled(i64 %p, i32 %n) {
; CHECK-LABEL: .entry unrolled
; CHECK: ld.volatile.{{.*}}[[[P:%rd[0-9]+]]];
; CHECK: ld.volatile.{{.*}}[[[P]]+8];
; CHECK: ld.volatile.{{.*}}[[[P]]+24];
; CHECK: st.volatile.{{.*}} [[[P]]+16],
; CHECK: ret;
; STOCK-LABEL: .entry unrolled
; STOCK: or.b32
; STOCK: mul.wide.u32
; STOCK: ret;
; O0-LABEL: .entry unrolled
; O0: or.b32
; O0: ret;
  %i = shl i32 %n, 2
  %i1 = or i32 %i, 1
  %i2 = or i32 %i, 2
  %i3 = or i32 %i1, 2
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %w2 = zext i32 %i2 to i64
  %w3 = zext i32 %i3 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %b2 = mul i64 %w2, 8
  %b3 = mul i64 %w3, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %a2 = add i64 %p, %b2
  %a3 = add i64 %p, %b3
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  %p3 = inttoptr i64 %a3 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  %v1 = load volatile i64, ptr addrspace(1) %p1
  %v3 = load volatile i64, ptr addrspace(1) %p3
  %s = add i64 %v0, %v1
  %t = add i64 %s, %v3
  store volatile i64 %t, ptr addrspace(1) %p2
  ret void
}
