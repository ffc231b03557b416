; Other readers of one half of a sum of two halves, for which ptxas up to 13.1 loses the constant as well: a sign extension in place, a store
; of 16 bits, and 64 bits whose lower word is the sum.
;
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs -ptx-verify < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %upstream-is-stock
; REQUIRES: llvm-18-up

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: sign(
; CHECK: add.s32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 3;
; CHECK: cvt.s32.s16 {{%r[0-9]+}}, [[S]];
; STOCK-LABEL: sign(
; STOCK: add.s16x2 [[S:%r[0-9]+]]
; STOCK: cvt.s32.s16 {{%r[0-9]+}}, [[S]];
define i32 @sign(<2 x i16> %v) {
  %s = add <2 x i16> %v, <i16 3, i16 7>
  %e = extractelement <2 x i16> %s, i32 0
  %x = sext i16 %e to i32
  ret i32 %x
}

; CHECK-LABEL: stored(
; CHECK: add.s32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 3;
; CHECK: st.global.{{[ub]}}16 [{{%rd[0-9]+}}], [[S]];
; STOCK-LABEL: stored(
; STOCK: add.s16x2 [[S:%r[0-9]+]]
; STOCK: st.global.{{[ub]}}16 [{{%rd[0-9]+}}], [[S]];
define void @stored(<2 x i16> %v, ptr addrspace(1) %p) {
  %s = add <2 x i16> %v, <i16 3, i16 7>
  %b = bitcast <2 x i16> %s to i32
  %x = trunc i32 %b to i16
  store i16 %x, ptr addrspace(1) %p
  ret void
}

; A store of 8 bits is compiled rightly.
; CHECK-LABEL: byte(
; CHECK: add.s16x2
; CHECK: st.global.{{[ub]}}8
define void @byte(<2 x i16> %v, ptr addrspace(1) %p) {
  %s = add <2 x i16> %v, <i16 3, i16 7>
  %b = bitcast <2 x i16> %s to i32
  %x = trunc i32 %b to i8
  store i8 %x, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: wide(
; CHECK: add.s32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 5;
; CHECK: cvt.u64.u32 [[W:%rd[0-9]+]], [[S]];
; CHECK: cvt.s64.s16 {{%rd[0-9]+}}, [[W]];
; STOCK-LABEL: wide(
; STOCK: add.s16x2
; STOCK: cvt.u64.u32 [[W:%rd[0-9]+]]
; STOCK: cvt.s64.s16 {{%rd[0-9]+}}, [[W]];
define i64 @wide(<4 x i16> %v) {
  %s = add <4 x i16> %v, <i16 3, i16 7, i16 5, i16 8>
  %b = bitcast <4 x i16> %s to i64
  %u = lshr i64 %b, 32
  %t = trunc i64 %u to i16
  %x = sext i16 %t to i64
  ret i64 %x
}
