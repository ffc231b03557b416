; The emitter's code for tokens, undefined values, copies and classes. Rows E2, E4, E5 and E6.

; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -verify-machineinstrs -o - | FileCheck %s
; RUN: %same --pass=emitter --levels=O0,O2 -- %s -mcpu=sm_80

target triple = "nvptx64-nvidia-cuda"

; E2: tokens and merged values make no instruction: after two independent stores the block returns.
; CHECK-LABEL: name: tokens
; CHECK:       (store (s32) into %ir.p
; CHECK-NOT:   COPY
; CHECK:       (store (s32) into %ir.q
; CHECK-NEXT:  Return
define void @tokens(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i32 %x) {
  store i32 %x, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; E4 and E5: a value of another block is read in the register that this one put it in, without a copy: the result
; goes where its CopyToReg wants it.
; CHECK-LABEL: name: across
; CHECK:       bb.0
; CHECK:       [[V:%[0-9]+]]:{{b32|int32regs}} = ADD
; CHECK-NOT:   COPY
; CHECK:       bb.2
; CHECK-NOT:   COPY
; CHECK:       XOR{{.*}} [[V]], 3
define i32 @across(i32 %x, i1 %c) {
entry:
  %v = add i32 %x, 41
  br i1 %c, label %then, label %done
then:
  call void @llvm.nvvm.barrier0()
  br label %done
done:
  %w = xor i32 %v, 3
  ret i32 %w
}
declare void @llvm.nvvm.barrier0()
