; Inline assembly reads two addresses in two places each, and they lie in different lines of the cache: they do not share a register, by which
; ptxas would mix the accesses of both lines, so that it writes a line in parts between which other lines come.

; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify %s -o - | FileCheck %s
; CHECK-LABEL: .entry lines(
; CHECK:         or.b32
; CHECK:         [[P:%rd[0-9]+]] + 0
; CHECK:         [[P]] + 4
; CHECK:         [[Q:%rd[0-9]+]] + 0
; CHECK:         [[Q]] + 4
; CHECK-NOT:     add.s64 [[Q]], [[P]], 4096;

; Addresses of one line share a register, and so do those that are read once.
; RUN: sed -e 's/or i32 %num, 1024/add nuw nsw i32 %num, 16/' %s | %llc -O2 -mcpu=sm_80 -o - | FileCheck %s --check-prefix=NEAR
; NEAR-LABEL: .entry lines(
; NEAR:         add.s64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 64;
; RUN: sed -e '/ + 4 /d' %s | %llc -O2 -mcpu=sm_80 -o - | FileCheck %s --check-prefix=SHARED
; SHARED-LABEL: .entry lines(
; SHARED-NOT:     or.b32
; SHARED:         ret;

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @lines(i64 %p, i32 %x) {
  %num = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = or i32 %num, 1024
  %w0 = zext i32 %num to i64
  %w1 = zext i32 %other to i64
  %b0 = mul i64 %w0, 4
  %b1 = mul i64 %w1, 4
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  call void asm sideeffect "put [ $0 + 0 ], $1;", "l,r"(i64 %a0, i32 %x)
  call void asm sideeffect "put [ $0 + 4 ], $1;", "l,r"(i64 %a0, i32 %x)
  call void asm sideeffect "put [ $0 + 0 ], $1;", "l,r"(i64 %a1, i32 %x)
  call void asm sideeffect "put [ $0 + 4 ], $1;", "l,r"(i64 %a1, i32 %x)
  ret void
}
