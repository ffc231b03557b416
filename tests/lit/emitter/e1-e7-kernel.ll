; A kernel with calls, glue, a texture fetch, memory operands and flags: the same machine code as stock's, and all
; of it made in Rust. Rows E1 to E7.

; RUN: %same --pass=emitter --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --pass=emitter --asm --levels=O0,O2 -- %s -mcpu=sm_80
; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -o - | FileCheck %s

; COUNT:      O0: blocks {{[0-9]+}}, {{.*}}nodes {{[0-9]+}}, results put where a CopyToReg wants them {{[0-9]+}}, virtual registers
; COUNT-NOT:  left to stock
; COUNT:      O3: blocks

target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) global [16 x float] zeroinitializer
@texture = internal addrspace(1) global i64 0, align 8

declare float @callee(float, i32) convergent
declare { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32) convergent

; E7: memory operands, flags of the operation, block operands.
; CHECK-LABEL: name: loop
; CHECK:       :: (load (s32) from
; CHECK:       = nsw
define float @loop(ptr addrspace(1) %p, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %body, label %exit
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %s = phi float [ 0.0, %entry ], [ %sum, %body ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load float, ptr addrspace(1) %at
  %w = fmul fast float %v, 2.5
  %sum = fadd float %s, %w
  %next = add nsw i32 %i, 1
  %d = icmp slt i32 %next, %n
  br i1 %d, label %body, label %exit
exit:
  %r = phi float [ 0.0, %entry ], [ %sum, %body ]
  ret float %r
}

; E1: what is glued to a call comes right before it.
; CHECK-LABEL: name: calls
; CHECK:       Callseq_Start
; CHECK:       Callseq_End
define float @calls(float %x, i32 %n) {
  %a = call float @callee(float %x, i32 7)
  %b = call float @callee(float %a, i32 %n) nomerge
  %s = fadd float %a, %b
  ret float %s
}

; E13: several results of one node.
; CHECK-LABEL: name: fetch
define i32 @fetch(i64 %t, i32 %x) {
  %r = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64 %t, i32 %x)
  %a = extractvalue { i32, i32, i32, i32 } %r, 0
  %b = extractvalue { i32, i32, i32, i32 } %r, 3
  %s = add i32 %a, %b
  %w = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %s, i32 0, i32 31)
  ret i32 %w
}

; E3: an undefined value that goes to another block.
; CHECK-LABEL: name: undefined
; CHECK:       IMPLICIT_DEF
define i32 @undefined(i32 %c, i32 %x, i32 %y) {
entry:
  switch i32 %c, label %end [ i32 1, label %a
                              i32 2, label %b ]
a:
  br label %end
b:
  br label %end
end:
  %r = phi i32 [ undef, %entry ], [ %x, %a ], [ %y, %b ]
  ret i32 %r
}

; E7: wide vectors, global addresses, frame indices, immediates of all widths.
define void @operands(ptr %p, i64 %i) {
  %slot = alloca [4 x i64]
  %at = getelementptr [4 x i64], ptr %slot, i64 0, i64 %i
  store i64 -81985529216486896, ptr %at
  %v = load <4 x i32>, ptr %p, align 16
  %g = getelementptr [16 x float], ptr addrspace(1) @table, i64 0, i64 %i
  store float 0x3FF8000000000000, ptr addrspace(1) %g
  store <4 x i32> %v, ptr %slot, align 16
  store volatile i8 -1, ptr %slot
  store atomic i32 7, ptr %p monotonic, align 4
  ret void
}
