; -ptx-bisect-limit numbers functions in the order of the module, whichever a stage asks about first: `with_pointer` is the first about which
; `restrict` asks.

; RUN: %llc %s -mcpu=sm_80 -ptx-bisect-limit=1 -o /dev/null 2>&1 | FileCheck %s
; RUN: %llc %s -mcpu=sm_80 -ptx-bisect-limit=1 -ptx-restrict -o /dev/null 2>&1 | FileCheck %s
; RUN: %llc %s -mcpu=sm_80 -ptx-bisect-limit=1 -ptx-passes=emitter,coalescer -o /dev/null 2>&1 | FileCheck %s

; CHECK:      function 1, without_pointer: ptxpasses
; CHECK-NEXT: function 2, with_pointer: stock

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @without_pointer() {
  ret void
}

define ptx_kernel void @with_pointer(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}
