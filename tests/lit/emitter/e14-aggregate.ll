; The address of an aggregate is taken at -O0 up to LLVM 20, and only its fields are read. Requirement E14.

; UNSUPPORTED: row-off && llvm-21-up
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-verify -o - | FileCheck %s --implicit-check-not=', aggregate_param_0;'

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: aggregate(
; CHECK:       ld.param{{.*}}[aggregate_param_0]
define i32 @aggregate(ptr byval({ i32, i32 }) align 4 %s) {
  %v = load i32, ptr %s
  ret i32 %v
}
