; Small functions bypass the dataflow, and the statistics say so; code and live ranges are those of the dataflow. Requirement L6.

; RUN: %llc %s -mcpu=sm_80 -ptx-stats -verify-machineinstrs -o %t.ptx 2>&1 | FileCheck %s --check-prefixes=CHECK%if live-variables %{,VARIABLES%}
; RUN: %llc %s -mcpu=sm_80 -ptx-without=L6 -verify-machineinstrs -o - | cmp - %t.ptx

; VARIABLES: livevars: 2 functions
; VARIABLES: 1 functions that bypass the dataflow
; CHECK: liveintervals: 2 functions
; CHECK: 1 functions that bypass the dataflow

target triple = "nvptx64-nvidia-cuda"

define i32 @small(i32 %x, i32 %y) {
  %a = add i32 %x, %y
  %b = mul i32 %a, %x
  ret i32 %b
}

define i32 @large(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi i32 [ %x, %entry ], [ %a9, %loop ]
  %a1 = mul i32 %a, %x
  %a2 = xor i32 %a1, %i
  %a3 = mul i32 %a2, %a
  %a4 = xor i32 %a3, %a1
  %a5 = mul i32 %a4, %a2
  %a6 = xor i32 %a5, %a3
  %a7 = mul i32 %a6, %a4
  %a8 = xor i32 %a7, %a5
  %a9 = mul i32 %a8, %a6
  %next = add i32 %i, 1
  %c = icmp ult i32 %next, %n
  br i1 %c, label %loop, label %end
end:
  %b1 = xor i32 %a9, %a8
  %b2 = mul i32 %b1, %a7
  ret i32 %b2
}
