; Row T9: a missed remark for every COPY that a tied operand forces, with both registers,
; the instruction and the reason; on the terminal and as YAML, and without effect on the
; code.

; RUN: %llc -mcpu=sm_80 %s -o %t.ours -pass-remarks-missed=twoaddressinstruction 2>&1 | FileCheck %s
; RUN: %llc -mcpu=sm_80 -O0 %s -o /dev/null -pass-remarks-missed=twoaddressinstruction 2>&1 | FileCheck %s --check-prefix=O0
; RUN: %llc -mcpu=sm_80 %s -o %t.yaml.ours -pass-remarks-filter=twoaddressinstruction -pass-remarks-output=%t.yaml
; RUN: FileCheck %s --check-prefix=YAML <%t.yaml
; RUN: %stock-llc -mcpu=sm_80 %s -o %t.stock
; RUN: cmp %t.stock %t.ours
; RUN: cmp %t.stock %t.yaml.ours
; RUN: %llc -mcpu=sm_80 %s -o /dev/null -pass-remarks-missed=nothing 2>&1 | count 0

; RUN: %mir <%S/groups.mir >%t.mir
; RUN: %if !llvm-24-up %{ %llc -mcpu=sm_80 %t.mir -run-pass=twoaddressinstruction -o /dev/null -pass-remarks-missed=twoaddressinstruction 2>&1 | FileCheck %s --check-prefix=MIR %}
; MIR: Function: also_untied: COPY of {{.*}}': the instruction reads the source in another operand too

; CHECK-DAG: remark: {{.*}}: Function: last_use: COPY of %{{[0-9]+}}:{{[a-z0-9]+}} to %{{[0-9]+}}:{{[a-z0-9]+}}, as both are tied in 'INLINEASM &"one $0;"{{.*}}': the source {{ends here, so coalescing may join both|may be read again later, so coalescing decides}}
; CHECK-DAG: Function: read_again: COPY of {{.*}} in 'INLINEASM &"two $0;"{{.*}}': the source {{is read again later|may be read again later, so coalescing decides}}

; O0: Function: last_use: {{.*}}': optimisation is off

; YAML:      --- !Missed
; YAML-NEXT: Pass: {{two-?address-?instruction}}
; YAML-NEXT: Name: TiedOperandCopy
; YAML:      Function: last_use
; YAML:        - From: '%{{[0-9]+}}:
; YAML:        - To: '%{{[0-9]+}}:
; YAML:        - Instruction: 'INLINEASM
; YAML:        - Reason: {{.*the source (ends here|may be read)}}
; YAML:      --- !Missed

target triple = "nvptx64-nvidia-cuda"

define i32 @last_use(i32 %x) {
  %a = call i32 asm sideeffect "one $0;", "=r,0"(i32 %x)
  ret i32 %a
}

define i32 @read_again(i32 %x) {
  %a = call i32 asm sideeffect "two $0;", "=r,0"(i32 %x)
  %b = xor i32 %a, %x
  ret i32 %b
}
