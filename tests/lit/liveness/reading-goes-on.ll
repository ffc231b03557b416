; LiveVariables goes on with the reading of the stages before it, and CSSA with the analysis of LiveVariables.
; It is about LiveVariables, which LLVM 24 does not compute.
; REQUIRES: live-variables
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -ptx-stats -o /dev/null %s 2>&1 | FileCheck %s

; CHECK-DAG: 1 functions that a stage had read
; CHECK-DAG: 1 functions that LiveVariables had analysed

target triple = "nvptx64-nvidia-cuda"

define i32 @k(i32 %n, ptr %p) {
entry:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ %n, %entry ], [ %t, %loop ]
  %v = load volatile i32, ptr %p
  %t = xor i32 %s, %v
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %r = phi i32 [ 7, %entry ], [ %t, %loop ]
  ret i32 %r
}
