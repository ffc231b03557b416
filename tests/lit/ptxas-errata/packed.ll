; A sum of two halves and a constant of which one half is read becomes a sum of 32 bits: ptxas up to 13.1 loses the constant. The half
; that is not read is 0 in the constant.
;
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs -ptx-verify < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-ptxas-version=13.1.115 < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-ptxas-version=13.1.80 < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -pass-remarks=ptxas-errata < %s 2>&1 >/dev/null | FileCheck --check-prefix=REMARKS %s
; RUN: %upstream-is-stock
; REQUIRES: llvm-18-up
; STATS: ptxas-errata:
; STATS: {{ }}3 sums of halves as sums of 32 bits{{$}}
; REMARKS-COUNT-3: in another form, for packed-half of ptxas 12.0.76 to 13.1.80; fixed in 13.1.115
; REMARKS-NOT: remark

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: low(
; CHECK-NOT: 458755
; CHECK: add.s32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 3;
; CHECK: mov.b32 {{.*}}[[S]]
; STOCK-LABEL: low(
; STOCK: add.s16x2
define i16 @low(<2 x i16> %v) {
  %s = add <2 x i16> %v, <i16 3, i16 7>
  %e = extractelement <2 x i16> %s, i32 0
  %m = mul i16 %e, 5
  ret i16 %m
}

; 7 in the upper half.
; CHECK-LABEL: high(
; CHECK: add.s32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 458752;
; CHECK: mov.b32 {{.*}}[[S]]
; STOCK-LABEL: high(
; STOCK: add.s16x2
define i16 @high(<2 x i16> %v) {
  %s = add <2 x i16> %v, <i16 3, i16 7>
  %e = extractelement <2 x i16> %s, i32 1
  %m = mul i16 %e, 5
  ret i16 %m
}

; -3 in the lower half would carry into the upper one for nearly every value. Another sum keeps the constant whole.
; CHECK-LABEL: carry(
; CHECK-DAG: mov.b32 [[C:%r[0-9]+]], 524285;
; CHECK-DAG: add.s16x2 {{%r[0-9]+}}, {{%r[0-9]+}}, [[C]];
; CHECK-DAG: add.s32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 458752;
; CHECK: mov.b32 {{.*}}[[S]]
; STOCK-LABEL: carry(
; STOCK-COUNT-2: add.s16x2
define i16 @carry(<2 x i16> %v, <2 x i16> %w, ptr addrspace(1) %p) {
  %t = add <2 x i16> %w, <i16 -3, i16 7>
  store <2 x i16> %t, ptr addrspace(1) %p
  %s = add <2 x i16> %v, <i16 -3, i16 7>
  %e = extractelement <2 x i16> %s, i32 1
  %m = mul i16 %e, 5
  ret i16 %m
}

; Both are read.
; CHECK-LABEL: both(
; CHECK: add.s16x2
; STOCK-LABEL: both(
; STOCK: add.s16x2
define i16 @both(<2 x i16> %v) {
  %s = add <2 x i16> %v, <i16 3, i16 7>
  %a = extractelement <2 x i16> %s, i32 0
  %b = extractelement <2 x i16> %s, i32 1
  %m = mul i16 %a, %b
  ret i16 %m
}
