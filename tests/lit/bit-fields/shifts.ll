; A signed bit field is extracted by two shifts, where LLVM makes bfe.s32 of them. A field that begins at bit 0, and bytes and halves, which
; ptxas reads as parts of a register, stay. So does every field without the stage and in the upstream profile.
; LLVM 24 makes no bfe.s32 of shifts.
; UNSUPPORTED: llvm-24-up

; RUN: %llc -O2 -mcpu=sm_80 < %s -ptx-stats 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s < %t.stats
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=emitter,phi-elim < %s | FileCheck --check-prefix=OFF %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s > %t.upstream
; RUN: %stock-llc -O2 -mcpu=sm_80 < %s | diff %t.upstream -

; STATS: bit-fields:
; STATS: 2 fields extracted by two shifts

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: bit(
; CHECK:         ld.param.{{[bu]}}32 [[X:%r[0-9]+]],
; CHECK-NEXT:    shl.b32 [[TOP:%r[0-9]+]], [[X]], 24;
; CHECK-NEXT:    shr.s32 {{%r[0-9]+}}, [[TOP]], 31;
; OFF-LABEL: bit(
; OFF:         bfe.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 7, 1;
define i32 @bit(i32 %x) {
  %left = shl i32 %x, 24
  %field = ashr i32 %left, 31
  %r = and i32 %field, 27
  ret i32 %r
}

; CHECK-LABEL: five_bits(
; CHECK:         shl.b32 [[TOP:%r[0-9]+]], {{%r[0-9]+}}, 20;
; CHECK-NEXT:    shr.s32 {{%r[0-9]+}}, [[TOP]], 27;
; OFF-LABEL: five_bits(
; OFF:         bfe.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 7, 5;
define i32 @five_bits(i32 %x, i32 %y) {
  %left = shl i32 %x, 20
  %field = ashr i32 %left, 27
  %r = add i32 %field, %y
  ret i32 %r
}

; CHECK-LABEL: byte(
; CHECK:         bfe.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 8, 8;
define float @byte(i32 %x) {
  %left = shl i32 %x, 16
  %field = ashr i32 %left, 24
  %r = sitofp i32 %field to float
  ret float %r
}

; ptxas makes one instruction of a field that begins at bit 0.
; CHECK-LABEL: low(
; CHECK:         bfe.s32 {{%r[0-9]+}}, {{%r[0-9]+}}, 0, 5;
define i32 @low(i32 %x) {
  %left = shl i32 %x, 27
  %field = ashr i32 %left, 27
  ret i32 %field
}
