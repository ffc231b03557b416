; Inline assembly: results, early clobbers, ties, immediates, clobbers, memory, source locations. Row E9.

; RUN: %same --pass=emitter --levels=O0,O2 -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --pass=emitter --asm --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -o - | FileCheck %s

; COUNT-NOT: left to stock
; COUNT:     O2: blocks

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: tied
; CHECK:       INLINEASM &"inc $0;", {{.*}}def %{{[0-9]+}}, {{.*}}reguse tiedto:$0{{.*}}(tied-def 3), !{{[0-9]+}}
define i32 @tied(i32 %x) {
  %r = call i32 asm sideeffect "inc $0;", "=r,0"(i32 %x), !srcloc !0
  ret i32 %r
}

; CHECK-LABEL: name: early
; CHECK:       def early-clobber %
define i32 @early(i32 %x, i64 %y) {
  %r = call { i32, i64 } asm "two $0, $1, $2, $3;", "=&r,=l,r,1"(i32 %x, i64 %y)
  %a = extractvalue { i32, i64 } %r, 0
  %b = extractvalue { i32, i64 } %r, 1
  %c = trunc i64 %b to i32
  %s = add i32 %a, %c
  ret i32 %s
}

; CHECK-LABEL: name: others
; CHECK:       INLINEASM &"f $0, $1, $2, $3;", {{.*}}imm
define void @others(float %f, double %d, ptr %p) {
  call void asm sideeffect "f $0, $1, $2, $3;", "n,f,d,l,~{memory}"(i32 -3, float %f, double %d, ptr %p)
  call void asm sideeffect "bar.sync 0;", ""() convergent
  ret void
}

; A value that is used by the assembly alone is killed there, unless it is tied.
define i32 @kills(i32 %x, i32 %y) {
  %a = add i32 %x, %y
  %b = sub i32 %x, %y
  %r = call i32 asm "k $0, $1, $2;", "=r,r,0"(i32 %a, i32 %b)
  ret i32 %r
}

!0 = !{i64 17}
