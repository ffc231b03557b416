; Row E5. Tokens of convergence control that other blocks read, or that the same block hands on: LLVM keeps each in a virtual register without a
; class. From LLVM 24 on, and up to 18, no token comes to machine code of NVPTX. At -O0 stock code generation ends when it prints such a register,
; and with -verify-machineinstrs it ends after instruction selection. LLVM with assertions has none such.

; UNSUPPORTED: asserts
; LLVM 24's verifier, which always runs where a pipeline ends in machine code, rejects this: also in stock's output.
; UNSUPPORTED: llvm-24-up
; RUN: %same --no-verify --pass=emitter --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %same --no-verify --pass=phi-elim --levels=O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %same --no-verify --pass=two-address --levels=O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %same --no-verify --pass=coalescer --levels=O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %same --no-verify --asm --levels=O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %llc %s -O1 -mcpu=sm_80 -o - | FileCheck %s
; RUN: %llc %s -O2 -mcpu=sm_80 -o - | FileCheck %s
; RUN: %llc %s -O3 -mcpu=sm_80 -o - | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare token @llvm.experimental.convergence.anchor()
declare token @llvm.experimental.convergence.entry()
declare token @llvm.experimental.convergence.loop()
declare void @g() convergent
declare i32 @h(i32) convergent

; In another block.
; CHECK-LABEL: anchor_in_another_block(
; CHECK-COUNT-1: call.uni
; CHECK-NOT:   call.uni
; CHECK:       ret;
define void @anchor_in_another_block(i1 %c) convergent {
  %t = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %a, label %b
a:
  call void @g() convergent [ "convergencectrl"(token %t) ]
  br label %b
b:
  ret void
}

; In two blocks, of which one has two calls, and in its own.
; CHECK-LABEL: anchor_in_two_blocks(
; CHECK-COUNT-4: call.uni
; CHECK-NOT:   call.uni
; CHECK:       ret;
define i32 @anchor_in_two_blocks(i1 %c, i32 %x) convergent {
  %t = call token @llvm.experimental.convergence.anchor()
  %v = call i32 @h(i32 %x) convergent [ "convergencectrl"(token %t) ]
  br i1 %c, label %a, label %b
a:
  %p = call i32 @h(i32 %v) convergent [ "convergencectrl"(token %t) ]
  br label %e
b:
  %q = call i32 @h(i32 %x) convergent [ "convergencectrl"(token %t) ]
  %r = call i32 @h(i32 %q) convergent [ "convergencectrl"(token %t) ]
  br label %e
e:
  %s = phi i32 [ %p, %a ], [ %r, %b ]
  ret i32 %s
}

; The token of the entry, read by a loop's.
; CHECK-LABEL: entry_and_loop(
; CHECK-COUNT-1: call.uni
; CHECK-NOT:   call.uni
; CHECK:       ret;
define i32 @entry_and_loop(i32 %n) convergent {
entry:
  %t = call token @llvm.experimental.convergence.entry()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %l = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  %v = call i32 @h(i32 %i) convergent [ "convergencectrl"(token %l) ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret i32 %v
}

; The token of a loop, read in a block of it and by the loop inside.
; CHECK-LABEL: nested_loops(
; CHECK-COUNT-3: call.uni
; CHECK-NOT:   call.uni
; CHECK:       ret;
define i32 @nested_loops(i32 %n, i32 %m) convergent {
entry:
  %t = call token @llvm.experimental.convergence.entry()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %l = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %ll = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %l) ]
  %v = call i32 @h(i32 %k) convergent [ "convergencectrl"(token %ll) ]
  %k.next = add i32 %k, %v
  %c = icmp slt i32 %k.next, %m
  br i1 %c, label %inner, label %latch
latch:
  %w = call i32 @h(i32 %v) convergent [ "convergencectrl"(token %l) ]
  %i.next = add i32 %i, 1
  %d = icmp slt i32 %i.next, %n
  br i1 %d, label %outer, label %end
end:
  %z = call i32 @h(i32 %w) convergent [ "convergencectrl"(token %t) ]
  ret i32 %z
}

; One that nothing reads, and one that is read after a branch that depends on a call of its own block.
; CHECK-LABEL: anchors(
; CHECK-COUNT-2: call.uni
; CHECK-NOT:   call.uni
; CHECK:       ret;
define i32 @anchors(i32 %x) convergent {
  %u = call token @llvm.experimental.convergence.anchor()
  %t = call token @llvm.experimental.convergence.anchor()
  %v = call i32 @h(i32 %x) convergent [ "convergencectrl"(token %t) ]
  %c = icmp sgt i32 %v, 3
  br i1 %c, label %a, label %b
a:
  %w = call i32 @h(i32 %v) convergent [ "convergencectrl"(token %t) ]
  ret i32 %w
b:
  ret i32 %v
}

; A loop in which a token is made and read by another block of it.
; CHECK-LABEL: anchor_in_a_loop(
; CHECK-COUNT-1: call.uni
; CHECK-NOT:   call.uni
; CHECK:       ret;
define void @anchor_in_a_loop(ptr %p, i32 %n) convergent {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %t = call token @llvm.experimental.convergence.anchor()
  %a = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %a
  %c = icmp eq i32 %x, 0
  br i1 %c, label %latch, label %call
call:
  %v = call i32 @h(i32 %x) convergent [ "convergencectrl"(token %t) ]
  store i32 %v, ptr %a
  br label %latch
latch:
  %j = add i32 %i, 1
  %d = icmp slt i32 %j, %n
  br i1 %d, label %loop, label %end
end:
  ret void
}

; A token that the same block hands on, and another one reads.
; CHECK-LABEL: handed_on(
; CHECK-COUNT-1: call.uni
; CHECK-NOT:   call.uni
; CHECK:       ret;
define i32 @handed_on(i1 %c, i32 %x) convergent {
  %t = call token @llvm.experimental.convergence.anchor()
  br label %loop
loop:
  %l = call token @llvm.experimental.convergence.loop() [ "convergencectrl"(token %t) ]
  br i1 %c, label %loop, label %a
a:
  %v = call i32 @h(i32 %x) convergent [ "convergencectrl"(token %t) ]
  ret i32 %v
}
