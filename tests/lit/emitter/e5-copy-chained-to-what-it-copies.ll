; Row E5. Of several CopyToRegs of one result the first in the order of the node's users gives it its register, whichever
; result a use is of: a copy that is chained to the atomic as well stands where the use of the chain stands. That is
; the first place here, as the store between the two is dropped, being one of nothing, and the copy chained anew.
; Found by scripts/fuzz, seed 70.

; RUN: %same --pass=emitter --levels=O0,O2 -- %s -mcpu=sm_80
; RUN: %same --asm --levels=O0,O2 -- %s -mcpu=sm_80
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-profile=upstream -stop-after=finalize-isel -o - | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: chained
; CHECK:       [[OLD:%[0-9]+]]:{{b32|int32regs}} = {{.*}}ATOM
; CHECK-NOT:   COPY
; CHECK:       INLINEASM &"first {{.*}} [[OLD]](tied-def
; CHECK:       COPY [[OLD]]
; CHECK:       COPY [[OLD]]
define void @chained(ptr addrspace(1) %p, ptr addrspace(3) %q) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store i32 undef, ptr addrspace(3) %q
  %a = call i32 asm "first $0, $1;", "=r,0"(i32 %old)
  %b = call { i32, i32 } asm sideeffect "second $0, $1, $2, $3, $4;", "=&r,=&r,0,1,r"(i32 %old, i32 %old, i32 %a)
  ret void
}
