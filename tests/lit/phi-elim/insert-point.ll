; Where control may leave a block ahead of its end, the copies for PHIs stand ahead of that instruction: of a call that may
; throw to a landing pad, of an asm goto whose target the PHI's block is. Unless the source is defined after it.

; REQUIRES: target-x86-64
; RUN: %same --pass=phi-elim --any-target --levels=O0,O2,O2-lis -- %s | FileCheck %s
; RUN: %same --pass=phi-elim --any-target --asm --levels=O0,O2,O2-lis -- %s
; RUN: llc -mtriple=x86_64-unknown-linux-gnu -load %plugin -ptx-all-targets -O2 -stop-after=phi-node-elimination %s -o - | FileCheck %s --check-prefix=CODE

; CHECK: O2: {{.*}}PHIs lowered {{[1-9]}}

target triple = "x86_64-unknown-linux-gnu"

declare i32 @may_throw(i32)
declare i32 @__gxx_personality_v0(...)
declare void @use(i32)

; CODE-LABEL: name: throws
; CODE:      %[[IN:[0-9]+]]:gr32 = COPY killed %{{[0-9]+}}
; CODE-NEXT: CALL64pcrel32 {{.*}}@may_throw
; CODE:      (landing-pad)
; CODE:      = COPY {{(killed )?}}%[[IN]]
define i32 @throws(i32 %a, i32 %b) personality ptr @__gxx_personality_v0 {
entry:
  %x = add i32 %a, %b
  %r = invoke i32 @may_throw(i32 %a) to label %next unwind label %pad

next:
  %y = mul i32 %r, %b
  %s = invoke i32 @may_throw(i32 %y) to label %done unwind label %pad

done:
  ret i32 %s

pad:
  %v = phi i32 [ %x, %entry ], [ %y, %next ]
  %l = landingpad { ptr, i32 } cleanup
  call void @use(i32 %v)
  resume { ptr, i32 } %l
}

; CODE-LABEL: name: asm_goto
; CODE:      %[[IN:[0-9]+]]:gr32 = COPY killed %{{[0-9]+}}
; CODE-NEXT: INLINEASM_BR
; CODE:      inlineasm-br-indirect-target):
; CODE:      = COPY {{(killed )?}}%[[IN]]
define i32 @asm_goto(i32 %a, i32 %b) {
entry:
  %x = add i32 %a, %b
  callbr void asm sideeffect "# $0 $1", "r,!i"(i32 %a) to label %next [label %target]

next:
  %y = mul i32 %a, %b
  callbr void asm sideeffect "# $0 $1", "r,!i"(i32 %y) to label %done [label %target]

done:
  ret i32 %y

target:
  %v = phi i32 [ %x, %entry ], [ %y, %next ]
  call void @use(i32 %v)
  ret i32 %v
}
