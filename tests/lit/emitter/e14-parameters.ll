; Parameters that nothing reads when the function is done: at -O0 they are loaded for readers
; that were folded. Requirement E14.

; From LLVM 24 on a load of a parameter is one as others, which E11 erases.
; UNSUPPORTED: row-off && llvm-24-up
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -o - | FileCheck %s --check-prefix=CHECK --implicit-check-not='[kernel_param_1]'
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-profile=upstream -o - | FileCheck %s --check-prefixes=CHECK,UPSTREAM
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

; STATS: {{[1-9]}} {{dead parameters|other dead results}} erased

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL:  kernel(
; UPSTREAM-DAG: [kernel_param_1]
; CHECK-DAG:    [kernel_param_2]
; CHECK:        st
define void @kernel(ptr %p, i32 %folded, i32 %read) {
entry:
  %c = icmp eq i32 %read, 7
  br i1 %c, label %store, label %end
store:
  %zero = and i32 %folded, 0
  store i32 %zero, ptr %p
  br label %end
end:
  ret void
}
