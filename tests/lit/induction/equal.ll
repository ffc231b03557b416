; Variables of one loop with the same step that begin with the same value are one: LLVM's loop unroller counts turns with a variable of
; its own. Here LoopStrengthReduce, which would join them, leaves the loop alone.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: induction:
; STATS: {{ }}2 equal induction variables joined{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @constants(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func constants(
; CHECK: Inner Loop Header
; CHECK: st.volatile.global.{{[bu]}}32 [{{%rd[0-9]+}}], [[I:%r[0-9]+]];
; CHECK: add.s32 [[I]], [[I]], 2;
; CHECK-NOT: add.s32
; CHECK: setp.{{(ne|eq)}}.{{[bs]}}32 {{%p[0-9]+}}, {{.*}}[[I]]
; CHECK: ret;
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %turns = phi i32 [ 0, %entry ], [ %turns.next, %loop ]
  %wide = sext i32 %i to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store volatile i32 %i, ptr addrspace(1) %q
  %i.next = add i32 %i, 2
  %turns.next = add i32 %turns, 2
  %more = icmp ne i32 %turns.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}

; The increment that comes first is kept: it dominates all that read the other one.
define void @registers(ptr addrspace(1) %p, i32 %begin, i32 %n) {
; CHECK-LABEL: .func registers(
; CHECK-NOT: add.s32
; CHECK: add.s32 [[NEXT:%r[0-9]+]], {{%r[0-9]+}}, 4;
; CHECK-NOT: add.s32
; CHECK: st.volatile.global.{{[bu]}}32 [{{%rd[0-9]+}}], [[NEXT]];
; CHECK-NOT: add.s32
; CHECK: ret;
entry:
  br label %loop
loop:
  %turns = phi i32 [ %begin, %entry ], [ %turns.next, %latch ]
  %i = phi i32 [ %begin, %entry ], [ %i.next, %latch ]
  %i.next = add i32 %i, 4
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %latch
then:
  store volatile i32 %i.next, ptr addrspace(1) %p
  br label %latch
latch:
  %turns.next = add i32 %turns, 4
  %more = icmp ne i32 %turns.next, %n
  br i1 %more, label %loop, label %out
out:
  ret void
}
