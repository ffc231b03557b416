; A signed comparison with the same constant as an unsigned one gets the constant next to it.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: greater(
; CHECK-DAG: setp.gt.u32 {{%p[0-9]+}}, [[A:%r[0-9]+]], 99;
; CHECK-DAG: setp.ge.s32 {{%p[0-9]+}}, [[A]], 100;
; STOCK-LABEL: greater(
; STOCK-DAG: setp.gt.u32 {{%p[0-9]+}}, [[A:%r[0-9]+]], 99;
; STOCK-DAG: setp.gt.s32 {{%p[0-9]+}}, [[A]], 99;
define i32 @greater(i32 %a) {
  %unsigned = icmp ugt i32 %a, 99
  %signed = icmp sgt i32 %a, 99
  %x = select i1 %unsigned, i32 3, i32 4
  %y = select i1 %signed, i32 %x, i32 5
  ret i32 %y
}

; CHECK-LABEL: negative(
; CHECK-DAG: setp.lt.u32 {{%p[0-9]+}}, [[A:%r[0-9]+]], -7;
; CHECK-DAG: setp.le.s32 {{%p[0-9]+}}, [[A]], -8;
define i32 @negative(i32 %a) {
  %unsigned = icmp ult i32 %a, -7
  %signed = icmp slt i32 %a, -7
  %x = select i1 %unsigned, i32 3, i32 4
  %y = select i1 %signed, i32 %x, i32 5
  ret i32 %y
}
