; Rows with gaps between them: each is a structure of three fields. All of them have the same two registers. Two for each row would cost more than
; one address for each store saves. LLVM 17 and 18 give all of them one register themselves.
; REQUIRES: llvm-19-up

; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify %s -o - | FileCheck %s
; CHECK-LABEL: .entry structures(
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P:%rd[0-9]+]]],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[Q:%rd[0-9]+]]],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P]]+8],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[Q]]+28],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[P]]+36],
; CHECK:         st.global.{{[bu]}}32 {{\[}}[[Q]]+36],

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @structures(ptr addrspace(1) %out, i32 %v) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i0 = shl i32 %i, 4
  %i1 = or i32 %i0, 1
  %i2 = or i32 %i0, 2
  %i8 = or i32 %i0, 8
  %i9 = or i32 %i0, 9
  %i10 = or i32 %i0, 10
  %e0 = sext i32 %i0 to i64
  %a0 = getelementptr i32, ptr addrspace(1) %out, i64 %e0
  %e1 = sext i32 %i1 to i64
  %a1 = getelementptr i32, ptr addrspace(1) %out, i64 %e1
  %e2 = sext i32 %i2 to i64
  %a2 = getelementptr i32, ptr addrspace(1) %out, i64 %e2
  %e8 = sext i32 %i8 to i64
  %a8 = getelementptr i32, ptr addrspace(1) %out, i64 %e8
  %e9 = sext i32 %i9 to i64
  %a9 = getelementptr i32, ptr addrspace(1) %out, i64 %e9
  %e10 = sext i32 %i10 to i64
  %a10 = getelementptr i32, ptr addrspace(1) %out, i64 %e10
  store i32 %v, ptr addrspace(1) %a0, align 4
  store i32 %v, ptr addrspace(1) %a1, align 4
  store i32 %v, ptr addrspace(1) %a2, align 4
  store i32 %v, ptr addrspace(1) %a8, align 4
  store i32 %v, ptr addrspace(1) %a9, align 4
  store i32 %v, ptr addrspace(1) %a10, align 4
  ret void
}
