; Row T7: the components of one value are hinted at wherever NVPTX has such: wide loads and stores, textures, mma, unpacks, results of
; inline assembly that are not tied. A shuffle with a predicate has two results of two classes.

; RUN: %llc -mcpu=sm_80 -ptx-print-affinity %s -o /dev/null 2>&1 | FileCheck %s

; The load's four results and the four operands of the store.
; CHECK:         function wide
; CHECK-COUNT-6: next to
; CHECK:         function texture
; CHECK-COUNT-3: next to
; Seven operands, the fragments one after the other, and four results.
; CHECK:         function mma
; CHECK-COUNT-9: next to
; CHECK:         function assembly
; CHECK-COUNT-2: next to
; CHECK:         function shuffle
; CHECK-NOT:     next to

target triple = "nvptx64-nvidia-cuda"

define void @wide(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %v = load <4 x i32>, ptr addrspace(1) %p, align 16
  %w = add <4 x i32> %v, <i32 1, i32 2, i32 3, i32 4>
  store <4 x i32> %w, ptr addrspace(1) %q, align 16
  ret void
}

declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)
define float @texture(i64 %t, i32 %x) {
  %v = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %t, i32 %x)
  %a = extractvalue { float, float, float, float } %v, 0
  %d = extractvalue { float, float, float, float } %v, 3
  %s = fadd float %a, %d
  ret float %s
}

declare { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k16.row.col.s8(i32, i32, i32, i32, i32, i32, i32)
define i32 @mma(i32 %a0, i32 %a1, i32 %b, i32 %c0, i32 %c1, i32 %c2, i32 %c3) {
  %v = call { i32, i32, i32, i32 } @llvm.nvvm.mma.m16n8k16.row.col.s8(i32 %a0, i32 %a1, i32 %b, i32 %c0, i32 %c1, i32 %c2, i32 %c3)
  %x = extractvalue { i32, i32, i32, i32 } %v, 0
  %y = extractvalue { i32, i32, i32, i32 } %v, 3
  %s = add i32 %x, %y
  ret i32 %s
}

define i32 @assembly(i32 %x) {
  %v = call { i32, i32, i32 } asm "mov.u32 $0, $3; mov.u32 $1, $3; mov.u32 $2, $3;", "=r,=r,=r,r"(i32 %x)
  %a = extractvalue { i32, i32, i32 } %v, 0
  %b = extractvalue { i32, i32, i32 } %v, 2
  %s = add i32 %a, %b
  ret i32 %s
}

declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
define i32 @shuffle(i32 %x, i32 %n) {
  %v = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %x, i32 %n, i32 31)
  %a = extractvalue { i32, i1 } %v, 0
  %p = extractvalue { i32, i1 } %v, 1
  %s = select i1 %p, i32 %a, i32 %x
  ret i32 %s
}
