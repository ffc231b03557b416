; At most eight instructions move with a load. The chain of any length that computes an address moved.

; RUN: %llc -O2 -mcpu=sm_80 < %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; Eight: seven and the address.
; CHECK-LABEL: .entry eight(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         ld.global.{{[bu]}}64
; CHECK:         st.global.{{[bu]}}32
define ptx_kernel void @eight(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %z, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %v = load i32, ptr addrspace(1) %a.k, align 4
  store i32 %v, ptr addrspace(1) %b.k, align 4
  %c0 = xor i64 %k, %z
  %c1 = mul i64 %c0, %z
  %c2 = xor i64 %c1, %z
  %c3 = mul i64 %c2, %z
  %c4 = xor i64 %c3, %z
  %c5 = mul i64 %c4, %z
  %c6 = xor i64 %c5, %z
  %a.c = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %c6
  %w = load i64, ptr addrspace(1) %a.c, align 8
  %b.c = getelementptr inbounds i64, ptr addrspace(1) %b, i64 %c6
  store i64 %w, ptr addrspace(1) %b.c, align 8
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; CHECK-LABEL: .entry nine(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.global.{{[bu]}}64
define ptx_kernel void @nine(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %z, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %v = load i32, ptr addrspace(1) %a.k, align 4
  store i32 %v, ptr addrspace(1) %b.k, align 4
  %c0 = xor i64 %k, %z
  %c1 = mul i64 %c0, %z
  %c2 = xor i64 %c1, %z
  %c3 = mul i64 %c2, %z
  %c4 = xor i64 %c3, %z
  %c5 = mul i64 %c4, %z
  %c6 = xor i64 %c5, %z
  %c7 = mul i64 %c6, %z
  %a.c = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %c7
  %w = load i64, ptr addrspace(1) %a.c, align 8
  %b.c = getelementptr inbounds i64, ptr addrspace(1) %b, i64 %c7
  store i64 %w, ptr addrspace(1) %b.c, align 8
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}
