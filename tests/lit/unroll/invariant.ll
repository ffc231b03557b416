; The inner loop runs 16 times and is unrolled wholly. The sums of the key and a number of the round, which were computed in each iteration, are
; then the same in all iterations of the outer loop, and in all threads: they are computed before it. Sums of a key that each thread has for itself stay.

; RUN: %llc-unroll -mcpu=sm_80 %s -o %t.ptx
; RUN: FileCheck %s <%t.ptx
; RUN: %llc-unroll -mcpu=sm_80 -ptx-unroll=off %s -o - | FileCheck %s --check-prefix=OFF
; RUN: %llc-unroll -mcpu=sm_80 -ptx-profile=upstream %s -o %t.upstream
; RUN: %stock-llc -mcpu=sm_80 %s -o - | diff %t.upstream -

; CHECK-LABEL: .entry of_all(
; CHECK:         ld.global.{{[bu]}}32 [[KEY:%r[0-9]+]]
; CHECK-DAG:     add.s32 {{.*}}, [[KEY]], 1000;
; CHECK-DAG:     add.s32 {{.*}}, [[KEY]], 8000;
; CHECK-DAG:     add.s32 {{.*}}, [[KEY]], 15000;
; CHECK:       $L__BB0_1:
; CHECK-NOT:     add.s32 {{.*}}, [[KEY]],
; CHECK:         bra $L__BB0_1;

; CHECK-LABEL: .entry of_each(
; CHECK:         ld.global.{{[bu]}}32 [[OWN:%r[0-9]+]]
; CHECK:       $L__BB1_1:
; CHECK:         add.s32 {{.*}}, [[OWN]],
; CHECK:         bra $L__BB1_1;

; OFF-LABEL: .entry of_all(
; OFF:       $L__BB0_2:
; OFF-NOT:     1000;
; OFF:         bra

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @of_all(ptr addrspace(1) %data, ptr addrspace(1) %keys, i32 %count) {
entry:
  %key = load i32, ptr addrspace(1) %keys, align 4
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %after, %latch ]
  %at = getelementptr i32, ptr addrspace(1) %data, i32 %i
  %first = load i32, ptr addrspace(1) %at, align 4
  br label %inner

inner:
  %round = phi i32 [ 0, %outer ], [ %next, %inner ]
  %x = phi i32 [ %first, %outer ], [ %mixed, %inner ]
  %number = mul i32 %round, 1000
  %sum = add i32 %key, %number
  %product = mul i32 %x, 7
  %mixed = xor i32 %product, %sum
  %next = add nuw nsw i32 %round, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %inner, label %latch

latch:
  store i32 %mixed, ptr addrspace(1) %at, align 4
  %after = add nuw i32 %i, 1
  %again = icmp ult i32 %after, %count
  br i1 %again, label %outer, label %exit

exit:
  ret void
}

define ptx_kernel void @of_each(ptr addrspace(1) %data, ptr addrspace(1) %keys, i32 %count) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr addrspace(1) %keys, i32 %thread
  %key = load i32, ptr addrspace(1) %from, align 4
  br label %outer

outer:
  %i = phi i32 [ 0, %entry ], [ %after, %latch ]
  %at = getelementptr i32, ptr addrspace(1) %data, i32 %i
  %first = load i32, ptr addrspace(1) %at, align 4
  br label %inner

inner:
  %round = phi i32 [ 0, %outer ], [ %next, %inner ]
  %x = phi i32 [ %first, %outer ], [ %mixed, %inner ]
  %number = mul i32 %round, 1000
  %sum = add i32 %key, %number
  %product = mul i32 %x, 7
  %mixed = xor i32 %product, %sum
  %next = add nuw nsw i32 %round, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %inner, label %latch

latch:
  store i32 %mixed, ptr addrspace(1) %at, align 4
  %after = add nuw i32 %i, 1
  %again = icmp ult i32 %after, %count
  br i1 %again, label %outer, label %exit

exit:
  ret void
}
