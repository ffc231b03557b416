; One half of a sum of two halves is read through another such sum: ptxas up to 13.1 loses the constants of both. A PHI
; counts as a reader of both: there ptxas is nearly always right.
;
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs -ptx-verify < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %upstream-is-stock
; REQUIRES: llvm-18-up

target triple = "nvptx64-nvidia-cuda"

; Only the first one has a constant.
; CHECK-LABEL: through_sum(
; CHECK: add.s32 [[S:%r[0-9]+]], {{%r[0-9]+}}, 458752;
; CHECK: add.s16x2 {{.*}}[[S]]
; STOCK-LABEL: through_sum(
; STOCK: add.s16x2 [[S:%r[0-9]+]]
; STOCK: add.s16x2 {{.*}}[[S]]
define i16 @through_sum(<2 x i16> %v, ptr addrspace(1) %p, i1 %c) {
entry:
  %s = add <2 x i16> %v, <i16 3, i16 7>
  br i1 %c, label %next, label %none
none:
  ret i16 0
next:
  %w = load volatile <2 x i16>, ptr addrspace(1) %p
  %u = mul <2 x i16> %w, %w
  %x = add <2 x i16> %s, %u
  %e = extractelement <2 x i16> %x, i32 1
  %m = mul i16 %e, 5
  ret i16 %m
}

; Both halves of the second sum are read, so both of the first one.
; CHECK-LABEL: both(
; CHECK: add.s16x2
; CHECK: add.s16x2
define i16 @both(<2 x i16> %v, ptr addrspace(1) %p, i1 %c) {
entry:
  %s = add <2 x i16> %v, <i16 3, i16 7>
  br i1 %c, label %next, label %none
none:
  ret i16 0
next:
  %w = load volatile <2 x i16>, ptr addrspace(1) %p
  %u = mul <2 x i16> %w, %w
  %x = add <2 x i16> %s, %u
  %a = extractelement <2 x i16> %x, i32 0
  %b = extractelement <2 x i16> %x, i32 1
  %m = mul i16 %a, %b
  ret i16 %m
}

; CHECK-LABEL: through_phi(
; CHECK: add.s16x2
define i16 @through_phi(<2 x i16> %v, i32 %n) {
entry:
  br label %loop
loop:
  %x = phi <2 x i16> [ %v, %entry ], [ %s, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = add <2 x i16> %x, <i16 3, i16 7>
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %end
end:
  %e = extractelement <2 x i16> %s, i32 0
  %m = mul i16 %e, 5
  ret i16 %m
}
