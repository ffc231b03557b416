; asm goto: a label is the last operand, and a result is read in the blocks that it jumps to. Requirement E9.

; RUN: %same --pass=emitter --levels=O0,O2 -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --pass=emitter --asm --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %llc %s -mcpu=sm_80 -ptx-verify -verify-machineinstrs -stop-after=finalize-isel -o - | FileCheck %s

; COUNT-NOT: left to stock
; COUNT:     O2: blocks

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: plain
; CHECK:       INLINEASM_BR &"jump $0, $1;"
define i32 @plain(i32 %x) {
entry:
  callbr void asm sideeffect "jump $0, $1;", "r,!i"(i32 %x) to label %next [label %taken]
next:
  ret i32 1
taken:
  ret i32 2
}

; CHECK-LABEL: name: result
; CHECK:       INLINEASM_BR &"set $0, $1;"
define i32 @result(i32 %x) {
entry:
  %r = callbr i32 asm sideeffect "set $0, $1;", "=r,!i"() to label %next [label %taken]
next:
  ret i32 %r
taken:
  %s = add i32 %r, %x
  ret i32 %s
}
