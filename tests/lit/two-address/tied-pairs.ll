; Tied operands of inline assembly become one register, by a COPY of the source
; before, and kill flags stay exact. Rows T1, T3, T10.
;
; Each function is one shape of tied pairs. The machine code equals stock's with
; LiveVariables (O2), with LiveIntervals (O2-lis) and without either (O0).

; RUN: %same -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --asm --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80
; The shapes are those that LLVM's selection makes: the emitter's own rows are off.
; RUN: %llc %s -mcpu=sm_80 -ptx-passes=livevars,phi-elim,two-address -verify-machineinstrs -stop-after=twoaddressinstruction -o - | FileCheck %s

; COUNT: O0: copies inserted 18, two-address instructions 13
; COUNT: O2: copies inserted 16, two-address instructions 13, undefined uses rewritten 2
; COUNT: O2-lis: copies inserted 16, two-address instructions 13, undefined uses rewritten 2

target triple = "nvptx64-nvidia-cuda"

; The source ends at its copy.
; CHECK-LABEL: name: killed
; CHECK:      %[[A:[0-9]+]]:{{.*}} = COPY killed %[[B:[0-9]+]]
; CHECK-NEXT: INLINEASM &"inc $0;"{{.*}} def %[[A]], {{.*}} %[[A]](tied-def
; CHECK-NOT:  %[[B]]
; CHECK:      ...
define i32 @killed(i32 %b) {
  %x = add i32 %b, 7
  %a = call i32 asm "inc $0;", "=r,0"(i32 %x)
  ret i32 %a
}

; The source is read again: selection gives the input a register of its own, the
; copy of which stays and does not kill.
; CHECK-LABEL: name: read_again
; CHECK:      %[[C:[0-9]+]]:{{.*}} = COPY %[[B:[0-9]+]]
; CHECK-NEXT: %[[A:[0-9]+]]:{{.*}} = COPY killed %[[C]]
; CHECK-NEXT: INLINEASM &"inc $0;"{{.*}} def %[[A]], {{.*}} %[[A]](tied-def
; CHECK:      INLINEASM &"use $0;"{{.*}} killed %[[B]]
define i32 @read_again(i32 %b) {
  %x = add i32 %b, 7
  %a = call i32 asm sideeffect "inc $0;", "=r,0"(i32 %x)
  call void asm sideeffect "use $0;", "r"(i32 %x)
  ret i32 %a
}

; One source, two results: each has a copy. (Tied twice in machine code:
; groups.mir.)
; CHECK-LABEL: name: two_results
; CHECK:      INLINEASM {{.*}} %[[A1:[0-9]+]](tied-def {{[0-9]+}}), {{.*}} %[[A2:[0-9]+]](tied-def
define i32 @two_results(i32 %b) {
  %x = add i32 %b, 7
  %r = call { i32, i32 } asm "two $0, $1;", "=r,=r,0,1"(i32 %x, i32 %x)
  %r0 = extractvalue { i32, i32 } %r, 0
  %r1 = extractvalue { i32, i32 } %r, 1
  %s = mul i32 %r0, %r1
  ret i32 %s
}

; The source is an untied input too.
; CHECK-LABEL: name: also_untied
; CHECK:      INLINEASM {{.*}} %[[A:[0-9]+]](tied-def {{[0-9]+}}), {{.*}} killed %{{[0-9]+}}
define i32 @also_untied(i32 %b) {
  %x = add i32 %b, 7
  %a = call i32 asm "add $0, $0, $2;", "=r,0,r"(i32 %x, i32 %x)
  ret i32 %a
}

; The result is written early.
; CHECK-LABEL: name: early_clobber
; CHECK:      INLINEASM {{.*}} def early-clobber %[[A:[0-9]+]], {{.*}} %[[A]](tied-def {{[0-9]+}}), {{.*}} killed %
define i32 @early_clobber(i32 %b) {
  %x = add i32 %b, 7
  %a = call i32 asm "add $0, $0, $2;", "=&r,0,r"(i32 %x, i32 %x)
  ret i32 %a
}

; A source that is undefined needs no copy.
; CHECK-LABEL: name: undefined
; CHECK-NOT:  COPY
; CHECK:      INLINEASM {{.*}} def %[[A:[0-9]+]], {{.*}} undef %[[A]](tied-def
define i32 @undefined() {
  %a = call i32 asm "inc $0;", "=r,0"(i32 poison)
  ret i32 %a
}

; An undefined and a defined source in one instruction: the pair that is left is
; alone.
; CHECK-LABEL: name: undefined_and_not
; CHECK:      %[[A:[0-9]+]]:{{.*}} = COPY killed
; CHECK-NEXT: INLINEASM {{.*}} undef %[[C:[0-9]+]](tied-def {{[0-9]+}}), {{.*}} %[[A]](tied-def
define i32 @undefined_and_not(i32 %b) {
  %x = add i32 %b, 7
  %r = call { i32, i32 } asm "two $0, $1;", "=r,=r,0,1"(i32 undef, i32 %x)
  %r0 = extractvalue { i32, i32 } %r, 0
  %r1 = extractvalue { i32, i32 } %r, 1
  %s = mul i32 %r0, %r1
  ret i32 %s
}

; The pairs cross: the first result is tied to the last input.
; CHECK-LABEL: name: crossed
; CHECK-COUNT-3: = COPY killed
; CHECK-NEXT: INLINEASM
define i32 @crossed(i32 %b) {
  %x = add i32 %b, 7
  %y = mul i32 %b, 11
  %z = xor i32 %b, 13
  %r = call { i32, i32, i32 } asm "three $0, $1, $2;", "=r,=r,=r,2,0,1"(i32 %x, i32 %y, i32 %z)
  %r0 = extractvalue { i32, i32, i32 } %r, 0
  %r1 = extractvalue { i32, i32, i32 } %r, 1
  %r2 = extractvalue { i32, i32, i32 } %r, 2
  %s = mul i32 %r0, %r1
  %t = mul i32 %s, %r2
  ret i32 %t
}

; Only some of the results are tied, and results and inputs of other widths lie
; between.
; CHECK-LABEL: name: partly_tied
; CHECK-COUNT-2: = COPY killed
; CHECK-NEXT: INLINEASM
define i64 @partly_tied(i64 %b, i16 %h, float %f) {
  %x = add i64 %b, 7
  %g = fadd float %f, 2.0
  %r = call { float, i64, i16 } asm "mix $0, $1, $2;", "=f,=l,=h,h,1,0"(i16 %h, i64 %x, float %g)
  %r0 = extractvalue { float, i64, i16 } %r, 0
  %r1 = extractvalue { float, i64, i16 } %r, 1
  %i = fptoui float %r0 to i64
  %s = add i64 %r1, %i
  ret i64 %s
}

; Doubles.
; CHECK-LABEL: name: doubles
; CHECK:      = COPY killed
; CHECK-NEXT: INLINEASM
define double @doubles(double %b) {
  %x = fadd double %b, 7.0
  %a = call double asm "inc $0;", "=d,0"(double %x)
  ret double %a
}

; The result is not read: the def is dead, the copy is needed all the same.
; CHECK-LABEL: name: dead_result
; CHECK:      = COPY killed
; CHECK-NEXT: INLINEASM {{.*}} def dead %
define void @dead_result(i32 %b) {
  %x = add i32 %b, 7
  %a = call i32 asm sideeffect "inc $0;", "=r,0"(i32 %x)
  ret void
}

; A chain: each link's result is the next one's source.
; CHECK-LABEL: name: chain
; CHECK-COUNT-2: = COPY killed
define i32 @chain(i32 %b) {
  %x = add i32 %b, 7
  %a = call i32 asm "inc $0;", "=r,0"(i32 %x)
  %c = call i32 asm "dec $0;", "=r,0"(i32 %a)
  ret i32 %c
}
