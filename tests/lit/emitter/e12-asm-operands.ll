; Inline assembly reads the registers that hold its operands, without a COPY for each. Requirement E12.

; RUN: %llc %s -O0 -mcpu=sm_80 -stop-after=finalize-isel -ptx-verify -verify-machineinstrs -o - | FileCheck %s --check-prefixes=CHECK,CICC
; RUN: %llc %s -O0 -mcpu=sm_80 -stop-after=finalize-isel -ptx-profile=upstream -o - | FileCheck %s --check-prefixes=CHECK,UPSTREAM
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -o - | FileCheck %s --check-prefix=PTX
; RUN: %llc %s -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -o /dev/null
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

; STATS: {{[1-9][0-9]*}} copies that a glued group did not need

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: several
; CICC-NOT:    COPY
; UPSTREAM:    COPY
; CHECK:       INLINEASM
; CICC-NOT:    COPY
; UPSTREAM:    COPY
; CHECK:       INLINEASM
; PTX-LABEL:   several(
; PTX:         add.s32 [[SUM:%r[0-9]+]], 
; PTX-NOT:     mov
; PTX:         st.shared.b32 [8], [[SUM]];
; PTX-NOT:     mov
; PTX:         st.shared.v2.b32 [16], {[[SUM]], [[SUM]]};
define void @several(i32 %x, i32 %y) {
  %s = add i32 %x, %y
  call void asm sideeffect "st.shared.b32 [8], $0;", "r"(i32 %s)
  call void asm sideeffect "st.shared.v2.b32 [16], {$0, $1};", "r,r"(i32 %s, i32 %s)
  ret void
}

; A tied operand lives on: the two-address pass makes the copy, and it makes one.
; CHECK-LABEL: name: tied
; PTX-LABEL:   tied(
; PTX:         ld.param.{{[bu]}}32 [[X:%r[0-9]+]], [tied_param_0];
; PTX-NEXT:    mov.{{[bu]}}32 [[R:%r[0-9]+]], [[X]];
; PTX:         inc [[R]];
; PTX:         use [[X]];
define i32 @tied(i32 %x) {
  %r = call i32 asm sideeffect "inc $0;", "=r,0"(i32 %x)
  call void asm sideeffect "use $0;", "r"(i32 %x)
  ret i32 %r
}

; An undefined operand has a register of its own.
; CHECK-LABEL: name: undefined
; CHECK:       IMPLICIT_DEF
; CHECK:       INLINEASM
define void @undefined() {
  call void asm sideeffect "use $0;", "r"(i32 poison)
  ret void
}
