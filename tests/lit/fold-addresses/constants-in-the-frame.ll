; The arguments of a call with any number of them lie in the frame. What is stored there may be a constant: there is no register in the store.
;
; REQUIRES: llvm-22-up
; RUN: %llc %s -mcpu=sm_80 -o - | FileCheck %s
; RUN: %upstream-is-stock
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: f(
; CHECK: st{{(.local)?}}.b64 [%{{[a-zA-Z0-9]+}}], 4294967297;
; CHECK: st{{(.local)?}}.b64 [%{{[a-zA-Z0-9]+}}+8], 7;
; CHECK: call
define i32 @f() {
  %r = call i32 (i32, ...) @g(i32 1, i64 4294967297, i64 7)
  ret i32 %r
}
declare i32 @g(i32, ...)
