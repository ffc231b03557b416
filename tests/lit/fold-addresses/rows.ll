; Four stores fill 16 bytes in ascending order. With one register ptxas would store in the order in which it has the values, and memory takes longer for a
; sector that is written downwards. ptxas does not exchange stores with different registers, so two registers alternate.
; LLVM 17 and 18 give all of them one register themselves.
; REQUIRES: llvm-19-up

; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify %s -o - | FileCheck %s
; CHECK-LABEL: .entry row(
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P:%rd[0-9]+]]],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[Q:%rd[0-9]+]]],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P]]+8],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[Q]]+8],

; One register serves stores in another order, stores further apart than the widest one, and loads.
; CHECK-LABEL: .entry down(
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P:%rd[0-9]+]]+12],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P]]+8],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P]]+4],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P]]],
; CHECK-LABEL: .entry far(
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P:%rd[0-9]+]]],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P]]+16],
; CHECK-LABEL: .entry loads(
; CHECK:         ld.volatile.global.{{[bu]}}32 %{{.*}}, {{\[}}[[P:%rd[0-9]+]]];
; CHECK:         ld.volatile.global.{{[bu]}}32 %{{.*}}, {{\[}}[[P]]+4];

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @row(ptr addrspace(1) %out, i32 %v) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i0 = shl i32 %i, 2
  %i1 = or i32 %i0, 1
  %i2 = or i32 %i0, 2
  %i3 = or i32 %i0, 3
  %e0 = sext i32 %i0 to i64
  %a0 = getelementptr i32, ptr addrspace(1) %out, i64 %e0
  %e1 = sext i32 %i1 to i64
  %a1 = getelementptr i32, ptr addrspace(1) %out, i64 %e1
  %e2 = sext i32 %i2 to i64
  %a2 = getelementptr i32, ptr addrspace(1) %out, i64 %e2
  %e3 = sext i32 %i3 to i64
  %a3 = getelementptr i32, ptr addrspace(1) %out, i64 %e3
  store i32 %v, ptr addrspace(1) %a0, align 4
  store i32 %v, ptr addrspace(1) %a1, align 4
  store i32 %v, ptr addrspace(1) %a2, align 4
  store i32 %v, ptr addrspace(1) %a3, align 4
  ret void
}

define ptx_kernel void @down(ptr addrspace(1) %out, i32 %v) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i0 = shl i32 %i, 2
  %i1 = or i32 %i0, 1
  %i2 = or i32 %i0, 2
  %i3 = or i32 %i0, 3
  %e0 = sext i32 %i0 to i64
  %a0 = getelementptr i32, ptr addrspace(1) %out, i64 %e0
  %e1 = sext i32 %i1 to i64
  %a1 = getelementptr i32, ptr addrspace(1) %out, i64 %e1
  %e2 = sext i32 %i2 to i64
  %a2 = getelementptr i32, ptr addrspace(1) %out, i64 %e2
  %e3 = sext i32 %i3 to i64
  %a3 = getelementptr i32, ptr addrspace(1) %out, i64 %e3
  store i32 %v, ptr addrspace(1) %a3, align 4
  store i32 %v, ptr addrspace(1) %a2, align 4
  store i32 %v, ptr addrspace(1) %a1, align 4
  store i32 %v, ptr addrspace(1) %a0, align 4
  ret void
}

define ptx_kernel void @far(ptr addrspace(1) %out, i32 %v) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i0 = shl i32 %i, 4
  %i1 = or i32 %i0, 4
  %i2 = or i32 %i0, 8
  %i3 = or i32 %i0, 12
  %e0 = sext i32 %i0 to i64
  %a0 = getelementptr i32, ptr addrspace(1) %out, i64 %e0
  %e1 = sext i32 %i1 to i64
  %a1 = getelementptr i32, ptr addrspace(1) %out, i64 %e1
  %e2 = sext i32 %i2 to i64
  %a2 = getelementptr i32, ptr addrspace(1) %out, i64 %e2
  %e3 = sext i32 %i3 to i64
  %a3 = getelementptr i32, ptr addrspace(1) %out, i64 %e3
  store i32 %v, ptr addrspace(1) %a0, align 4
  store i32 %v, ptr addrspace(1) %a1, align 4
  store i32 %v, ptr addrspace(1) %a2, align 4
  store i32 %v, ptr addrspace(1) %a3, align 4
  ret void
}

define ptx_kernel void @loads(ptr addrspace(1) %out, i32 %v) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i0 = shl i32 %i, 2
  %i1 = or i32 %i0, 1
  %i2 = or i32 %i0, 2
  %i3 = or i32 %i0, 3
  %e0 = sext i32 %i0 to i64
  %a0 = getelementptr i32, ptr addrspace(1) %out, i64 %e0
  %e1 = sext i32 %i1 to i64
  %a1 = getelementptr i32, ptr addrspace(1) %out, i64 %e1
  %e2 = sext i32 %i2 to i64
  %a2 = getelementptr i32, ptr addrspace(1) %out, i64 %e2
  %e3 = sext i32 %i3 to i64
  %a3 = getelementptr i32, ptr addrspace(1) %out, i64 %e3
  %l0 = load volatile i32, ptr addrspace(1) %a0, align 4
  %l1 = load volatile i32, ptr addrspace(1) %a1, align 4
  %l2 = load volatile i32, ptr addrspace(1) %a2, align 4
  %l3 = load volatile i32, ptr addrspace(1) %a3, align 4
  ret void
}
