; Distances that inline assembly computes: the first operand of INLINEASM is its text, not the register that it defines. It was read as a
; register, and asked for its class: memory that is not the function's, and an assertion where LLVM has them.
;
; RUN: %llc -O2 -mcpu=sm_80 -disable-lsr -verify-machineinstrs -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck %s
; RUN: %upstream-is-stock
; CHECK: induction:
; CHECK: {{ }}1 induction variables erased{{$}}
; CHECK: {{ }}2 sums made induction variables{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @assembly(ptr addrspace(1) %p, ptr addrspace(1) %d, i64 %step, i32 %n) {
entry:
  %begin = load volatile ptr addrspace(1), ptr addrspace(1) %d
  %x1 = call i64 asm "ld.global.b64 $0, [$1];", "=l,l"(ptr addrspace(1) %d)
  %x2 = call i64 asm "ld.global.b64 $0, [$1];", "=l,l"(ptr addrspace(1) %p)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %q = phi ptr addrspace(1) [ %begin, %entry ], [ %q.next, %loop ]
  %q1 = getelementptr i8, ptr addrspace(1) %q, i64 %x1
  %q2 = getelementptr i8, ptr addrspace(1) %q, i64 %x2
  %v = load volatile i32, ptr addrspace(1) %q1
  store volatile i32 %v, ptr addrspace(1) %q2
  %q.next = getelementptr i8, ptr addrspace(1) %q, i64 %step
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
