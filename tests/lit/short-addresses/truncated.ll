; Inline assembly that takes a shared address has it truncated, as in Triton's kernels: that is the register of 32 bits itself. One that takes all
; 64 bits keeps them.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s

target triple = "nvptx64-nvidia-cuda"
@tile = external addrspace(3) global [0 x i8], align 16

define void @truncated(i32 %i) {
; CHECK-LABEL: truncated(
; CHECK: // %bb.0:
; CHECK-NOT: %rd
; CHECK: add.s32 [[P:%r[0-9]+]], {{%r[0-9]+}}, {{%r[0-9]+}};
; CHECK-NOT: cvt
; CHECK-DAG: st{{(.volatile)?}}.shared.{{[bu]}}32 [[[P]]], {{%r[0-9]+}};
; CHECK-DAG: use [[P]];
; CHECK: ret;
; STOCK-LABEL: truncated(
; STOCK: cvt.u32.u64
; STOCK: ret;
  %w = zext i32 %i to i64
  %p = getelementptr i8, ptr addrspace(3) @tile, i64 %w
  store volatile i32 %i, ptr addrspace(3) %p
  %a = ptrtoint ptr addrspace(3) %p to i32
  call void asm sideeffect "use $0;", "r"(i32 %a)
  ret void
}

define void @whole(i32 %i) {
; CHECK-LABEL: whole(
; CHECK: add.s64 [[P:%rd[0-9]+]], {{%rd[0-9]+}}, {{%rd[0-9]+}};
; CHECK-DAG: st{{(.volatile)?}}.shared.{{[bu]}}32 [[[P]]], {{%r[0-9]+}};
; CHECK-DAG: use [[P]];
; CHECK: ret;
  %w = zext i32 %i to i64
  %p = getelementptr i8, ptr addrspace(3) @tile, i64 %w
  store volatile i32 %i, ptr addrspace(3) %p
  call void asm sideeffect "use $0;", "l"(ptr addrspace(3) %p)
  ret void
}
