; Row E5. A result that several CopyToRegs copy gets the register of the one that is first among the node's users. A copy
; that is also chained to the node counts where the use of the chain stands. Here that is the first place: the store between
; the two stores an undefined value and is dropped, and the copy is chained anew.
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
