; A tied result of an `asm goto` (callbr, INLINEASM_BR): the copies go before the
; terminator. Rows T1, T10.

; RUN: %same --levels=O0,O2 -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --asm --levels=O0,O2 -- %s -mcpu=sm_80
; RUN: %llc %s -mcpu=sm_80 -verify-machineinstrs -stop-after=twoaddressinstruction -o - | FileCheck %s

; COUNT: O2: copies inserted 2, two-address instructions 1

; CHECK-COUNT-2: = COPY
; CHECK-NEXT: INLINEASM_BR {{.*}} def %[[A:[0-9]+]], {{.*}} def %[[B:[0-9]+]], {{.*}} %[[B]](tied-def 5), {{.*}} %[[A]](tied-def 3)

target triple = "nvptx64-nvidia-cuda"

define i32 @jumps(i32 %x, i32 %y) {
entry:
  %a = add i32 %x, 1
  %b = mul i32 %y, 3
  %r = callbr { i32, i32 } asm "jump $0, $1, $4;", "=r,=r,1,0,!i"(i32 %a, i32 %b)
          to label %straight [label %aside]

straight:
  %r0 = extractvalue { i32, i32 } %r, 0
  %r1 = extractvalue { i32, i32 } %r, 1
  %s = xor i32 %r0, %r1
  ret i32 %s

aside:
  %t = sub i32 %a, %b
  ret i32 %t
}
