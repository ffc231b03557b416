; Critical edges are split where LLVM splits them, with either analysis; LLVM's own options change that.
; On x86-64, as NVPTX splits none.

; REQUIRES: target-x86-64
; RUN: %same --pass=phi-elim --any-target --levels=O0,O1,O2,O2-lis -- %s | FileCheck %s
; RUN: %same --pass=phi-elim --any-target --asm --levels=O2,O2-lis -- %s
; RUN: %same --pass=phi-elim --any-target --levels=O2,O2-lis -- %s -phi-elim-split-all-critical-edges | FileCheck %s --check-prefix=ALL
; RUN: %same --pass=phi-elim --any-target --levels=O2,O2-lis -- %s -disable-phi-elim-edge-splitting | FileCheck %s --check-prefix=NONE
; RUN: %same --pass=phi-elim --any-target --levels=O2,O2-lis -- %s -no-phi-elim-live-out-early-exit

; CHECK: O2: {{.*}}critical edges split {{[1-9]}}
; CHECK: O2-lis: {{.*}}critical edges split {{[1-9]}}
; ALL: O2: {{.*}}critical edges split {{[1-9]}}
; NONE-NOT: critical edges split

target triple = "x86_64-unknown-linux-gnu"

declare i32 @f(i32)

; %a lives on in %other, but not into %join.
define i32 @lives_on(i32 %x, i32 %y) {
entry:
  %a = call i32 @f(i32 %x)
  %c = icmp eq i32 %a, %y
  br i1 %c, label %join, label %next

next:
  %b = call i32 @f(i32 %y)
  %d = icmp eq i32 %b, %y
  br i1 %d, label %join, label %other

join:
  %p = phi i32 [ %x, %entry ], [ %a, %next ]
  %r = call i32 @f(i32 %p)
  ret i32 %r

other:
  %s = call i32 @f(i32 %a)
  %t = add i32 %s, %b
  ret i32 %t
}

; Two ways out of a loop, its header and its latch.
define i32 @loop(i32 %x, i32 %n) {
entry:
  %g = icmp sgt i32 %n, 0
  br i1 %g, label %header, label %exit

header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = phi i32 [ %x, %entry ], [ %w, %latch ]
  %u = call i32 @f(i32 %v)
  %c = icmp eq i32 %u, %x
  br i1 %c, label %exit, label %latch

latch:
  %w = call i32 @f(i32 %u)
  %next = add i32 %i, 1
  %e = icmp slt i32 %next, %n
  br i1 %e, label %header, label %exit

exit:
  %r = phi i32 [ %x, %entry ], [ %v, %header ], [ %w, %latch ]
  ret i32 %r
}
