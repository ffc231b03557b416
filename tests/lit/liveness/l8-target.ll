; The statistics say how many registers a function is to fit in, what sets that number, and how many warps are resident with the registers that are live.
;
; RUN: %llc -O2 -mcpu=sm_86 -ptx-stats-json=%t.json < %s >/dev/null
; RUN: FileCheck %s < %t.json
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=40 -ptx-stats-json=%t.json < %s >/dev/null
; RUN: FileCheck --check-prefix=OPTION %s < %t.json
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=2 -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=TABLE %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=TWO %s

; CHECK: "function": "no_kernel"
; CHECK-NOT: "target"
; CHECK: "warps": 48
; CHECK: "function": "limited"
; CHECK: "target": {
; CHECK-NEXT: "registers": 24
; CHECK-NEXT: "source": "max-n-reg"
; CHECK: "function": "launched"
; CHECK: "target": {
; CHECK-NEXT: "registers": 32
; CHECK-NEXT: "source": "launch-bounds"
; OPTION-COUNT-3: "source": "option"
; OPTION: "warps": 64
; TABLE: liveintervals:
; TABLE: {{ }}3 functions above their register target{{$}}
; TABLE: {{ }}3 functions with a register target{{$}}
; TWO: {{ }}0 functions above their register target{{$}}
; TWO: {{ }}2 functions with a register target{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @no_kernel(ptr addrspace(1) %p) {
  %x = load <4 x i32>, ptr addrspace(1) %p
  %y = add <4 x i32> %x, %x
  store <4 x i32> %y, ptr addrspace(1) %p
  ret void
}
define void @limited(ptr addrspace(1) %p) {
  %x = load <4 x i32>, ptr addrspace(1) %p
  %y = add <4 x i32> %x, %x
  store <4 x i32> %y, ptr addrspace(1) %p
  ret void
}
define void @launched(ptr addrspace(1) %p) {
  %x = load <4 x i32>, ptr addrspace(1) %p
  %y = add <4 x i32> %x, %x
  store <4 x i32> %y, ptr addrspace(1) %p
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @limited, !"kernel", i32 1, !"maxnreg", i32 24}
!1 = !{ptr @launched, !"kernel", i32 1, !"maxntidx", i32 64, !"maxntidy", i32 16, !"minctasm", i32 2}
