; -ptx-trace prints the decisions of passes. Only a build with debug assertions (scripts/build --dev) has it.
;
; RUN: %if dev-build %{ %llc -O2 -mcpu=sm_80 -ptx-trace=coalescer,two-address,ptxas-errata < %s 2>&1 >/dev/null | FileCheck %s %}
; RUN: %if dev-build %{ not %llc -O2 -mcpu=sm_80 -ptx-trace=nosuch < %s 2>&1 >/dev/null | FileCheck --check-prefix=NAMES %s %} %else %{ not %llc -O2 -mcpu=sm_80 -ptx-trace=coalescer < %s 2>&1 >/dev/null | FileCheck --check-prefix=RELEASE %s %}
; CHECK-NOT: remat
; CHECK: ptxas-errata: tied: Unchanged
; CHECK-NOT: livevars
; CHECK: two-address: [[A:%[0-9]+]] tied to [[N:%[0-9]+]]: copied before the instruction
; CHECK: two-address: [[B:%[0-9]+]] tied to [[N]]: copied before the instruction
; CHECK: two-address: tied: Changed, 2 two-address instructions, 2 copies inserted
; CHECK: coalescer: [[B]] = COPY [[N]]: joined, [[N]] is [[B]] now
; CHECK: coalescer: [[A]] = COPY [[B]]: both are live with different values: stays, until another join changes that
; CHECK: coalescer: tied: Changed, 1 interval joins performed
; NAMES: no pass 'nosuch'; allowed:
; RELEASE: Unknown command line argument '-ptx-trace=coalescer'

target triple = "nvptx64-nvidia-cuda"

define i32 @tied(i32 %n) {
  %a = call i32 asm sideeffect "add.s32 $0, $0, 1;", "=r,0"(i32 %n)
  %b = call i32 asm sideeffect "add.s32 $0, $0, 2;", "=r,0"(i32 %n)
  %s = sub i32 %a, %b
  ret i32 %s
}
