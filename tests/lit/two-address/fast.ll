; Without optimisation the pass inserts copies and nothing else (requirement T6): at -O0, in an
; optnone function, past -opt-bisect-limit and with -ptx-fast-compile.

; -O0 and optnone: as in stock.
; RUN: %same --levels=O0,O2 -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; COUNT: O0: copies inserted 2, two-address instructions 2
; COUNT: O2: copies inserted 2, two-address instructions 2

; Where stock does not optimise the code is stock's. On x86, where there is something to optimise: -O2 commutes and
; makes an LEA, -O0 does not.
; RUN: %if target-x86-64 %{ %llc -mtriple=x86_64 -O2 -ptx-all-targets %inputs/host-ops.ll \
; RUN:   -verify-machineinstrs -ptx-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPT %}
; OPT-NOT: 0 instructions commuted{{$}}
; OPT:     {{[1-9][0-9]*}} instructions commuted{{$}}
; RUN: %if target-x86-64 %{ %llc -mtriple=x86_64 -O2 -ptx-all-targets -ptx-fast-compile \
; RUN:   %inputs/host-ops.ll -verify-machineinstrs -ptx-stats=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST %}
; RUN: %if target-x86-64 %{ %llc -mtriple=x86_64 -O2 -ptx-all-targets -opt-bisect-limit=0 \
; RUN:   %inputs/host-ops.ll -verify-machineinstrs -ptx-stats=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAST %}
; FAST: {{[1-9][0-9]*}} copies inserted
; FAST: {{ }}0 instructions commuted{{$}}
; FAST: {{ }}0 instructions commuted aggressively
; FAST: {{ }}0 instructions converted to three-address form
; FAST: {{ }}0 instructions moved below a kill
; FAST: {{ }}0 kills moved above an instruction
; FAST: {{ }}0 loads unfolded

; The result is a correct program still: the same as stock's at the same limit.
; RUN: %if target-x86-64 %{ %same --any-target --levels=O2 -- %inputs/host-ops.ll -mtriple=x86_64 -opt-bisect-limit=0 %}

target triple = "nvptx64-nvidia-cuda"

define i32 @optimised(i32 %b) {
  %x = add i32 %b, 7
  %a = call i32 asm "inc $0;", "=r,0"(i32 %x)
  ret i32 %a
}

define i32 @not_optimised(i32 %b) noinline optnone {
  %x = add i32 %b, 7
  %a = call i32 asm "inc $0;", "=r,0"(i32 %x)
  ret i32 %a
}
