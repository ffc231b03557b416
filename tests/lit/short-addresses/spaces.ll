; Addresses of constant memory become short as well. Those of local memory stay, as ptxas would keep the array in registers.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s

target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(4) constant [4 x i32] [i32 3, i32 1, i32 4, i32 1], align 4

define i32 @constant(i32 %i) {
; CHECK-LABEL: constant(
; CHECK: // %bb.0:
; CHECK-NOT: %rd
; CHECK: ld{{(.volatile)?}}.const.{{[bu]}}32 {{%r[0-9]+}}, [%r{{[0-9]+}}];
; CHECK: ret;
; STOCK-LABEL: constant(
; STOCK: ld{{(.volatile)?}}.const.{{[bu]}}32 {{%r[0-9]+}}, [%rd
  %p = getelementptr inbounds [4 x i32], ptr addrspace(4) @table, i32 0, i32 %i
  %x = load i32, ptr addrspace(4) %p
  ret i32 %x
}

define i32 @local(ptr addrspace(5) %l, i32 %i) {
; CHECK-LABEL: local(
; CHECK: st{{(.volatile)?}}.local.{{[bu]}}32 [%rd
; CHECK: ld{{(.volatile)?}}.local.{{[bu]}}32 {{%r[0-9]+}}, [%rd{{[0-9]+}}+8];
; CHECK: ret;
  %p = getelementptr inbounds i32, ptr addrspace(5) %l, i32 %i
  %q = getelementptr inbounds i32, ptr addrspace(5) %p, i32 2
  store volatile i32 %i, ptr addrspace(5) %p
  %x = load volatile i32, ptr addrspace(5) %q
  ret i32 %x
}
