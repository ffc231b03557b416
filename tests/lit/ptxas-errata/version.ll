; -ptx-ptxas-version names the ptxas that will compile the code: one that is right needs no other form.
;
; RUN: %llc -O2 -mcpu=sm_80 -ptx-ptxas-version=13.0.88 < %s | FileCheck %s --check-prefix=WRONG
; RUN: %llc -O2 -mcpu=sm_80 -ptx-ptxas-version=V12.6.20 < %s | FileCheck %s --check-prefix=WRONG
; RUN: %llc -O2 -mcpu=sm_80 -ptx-ptxas-version=13.4.1 < %s | FileCheck %s --check-prefix=WRONG
; RUN: %llc -O2 -mcpu=sm_80 -ptx-ptxas-version=13.4.59 < %s | FileCheck %s --check-prefix=RIGHT
; RUN: %llc -O2 -mcpu=sm_80 -ptx-ptxas-version=12.5.82 < %s | FileCheck %s --check-prefix=RIGHT
; RUN: not %llc -O2 -mcpu=sm_80 -ptx-ptxas-version=13.0 -o %t.none < %s 2>&1 | FileCheck %s --check-prefix=BAD
; RUN: not ls %t.none

; WRONG: setp.ge.u32
; WRONG: setp.le.s32
; RIGHT: setp.ge.u32
; RIGHT: setp.ge.s32
; BAD: for the --ptx-ptxas-version option: '13.0' is not a version of ptxas: three numbers, as 13.0.88

target triple = "nvptx64-nvidia-cuda"

define i32 @both(i32 %a, i32 %b) {
  %unsigned = icmp uge i32 %a, %b
  %signed = icmp sge i32 %a, %b
  %x = select i1 %unsigned, i32 3, i32 4
  %y = select i1 %signed, i32 %x, i32 5
  ret i32 %y
}
