; A negation that is the second operand of the first of two maxima becomes the first operand: ptxas 12.6 to 13.3 loses its sign, for some
; processors. PTX for an earlier one may be compiled for these.
;
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-ptxas-version=13.4.59 < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: ptxas-errata:
; STATS: {{ }}0 maxima and minima of two negations{{$}}
; STATS: {{ }}1 maxima and minima with operands exchanged{{$}}

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.smax.i32(i32, i32)

; CHECK-LABEL: greatest(
; CHECK: neg.s32 [[N:%r[0-9]+]], [[X:%r[0-9]+]];
; CHECK: max.s32 [[M:%r[0-9]+]], [[N]], {{%r[0-9]+}};
; CHECK: max.s32 {{%r[0-9]+}}, [[M]], {{%r[0-9]+}};
; STOCK-LABEL: greatest(
; STOCK: neg.s32 [[N:%r[0-9]+]], [[X:%r[0-9]+]];
; STOCK: max.s32 [[M:%r[0-9]+]], {{%r[0-9]+}}, [[N]];
; STOCK: max.s32 {{%r[0-9]+}}, [[M]], {{%r[0-9]+}};
define i32 @greatest(i32 %x, i32 %y, i32 %z) {
  %n = sub i32 0, %x
  %m = call i32 @llvm.smax.i32(i32 %y, i32 %n)
  %g = call i32 @llvm.smax.i32(i32 %m, i32 %z)
  ret i32 %g
}
