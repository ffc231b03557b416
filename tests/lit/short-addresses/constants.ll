; Constants count modulo 2^32, as does the factor of a product: the low halves of 2^32 + 4096 and of a mask.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

define i32 @constants(ptr addrspace(3) %p, i64 %i) {
; CHECK-LABEL: constants(
; CHECK: and.b32 [[A:%r[0-9]+]], {{%r[0-9]+}}, 65532;
; CHECK: {{mad|mul}}.lo.s32 {{%r[0-9]+}}, [[A]], 1000
; CHECK: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [%r{{[0-9]+}}+4096];
; CHECK: ret;
  %m = and i64 %i, 4295032828
  %n = mul i64 %m, 4294968296
  %a = add i64 %n, 4096
  %q = getelementptr i8, ptr addrspace(3) %p, i64 %a
  %x = load i32, ptr addrspace(3) %q
  ret i32 %x
}
