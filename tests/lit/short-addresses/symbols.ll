; The address of a symbol in global memory has 64 bits, and no `mov.u32` takes its low half.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
@data = external addrspace(1) global [0 x i32], align 4

define i32 @symbols(ptr addrspace(3) %p, i64 %i) {
; CHECK-LABEL: symbols(
; CHECK: mov.{{[bu]}}64 [[D:%rd[0-9]+]], data;
; CHECK: cvt.u32.u64 {{%r[0-9]+}}, [[D]];
; CHECK: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [%r{{[0-9]+}}];
; CHECK: ret;
  %d = ptrtoint ptr addrspace(1) @data to i64
  %q = getelementptr i8, ptr addrspace(3) %p, i64 %d
  %x = load i32, ptr addrspace(3) %q
  ret i32 %x
}
