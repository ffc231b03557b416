; The branch at the end of a loop goes back to the loop's start where its comparison holds, also if LLVM has put the exit elsewhere: ptxas unrolls
; only such loops. It stays if its condition has another reader or
; compares floats, if the loop has several blocks or is not to be unrolled, if the function is compiled for size, and in the upstream profile.

; RUN: %llc-unroll -O2 -mcpu=sm_80 < %s -ptx-stats 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s < %t.stats
; RUN: %llc-unroll -O2 -mcpu=sm_80 -ptx-passes=emitter,phi-elim < %s | FileCheck --check-prefix=OFF %s
; RUN: %llc-unroll -O2 -mcpu=sm_80 -ptx-passes=loop-branches < %s | FileCheck %s
; RUN: %llc-unroll -O2 -mcpu=sm_80 -ptx-profile=upstream < %s > %t.upstream
; RUN: %stock-llc -O2 -mcpu=sm_80 < %s | diff %t.upstream -

; STATS:      loop-branches: 6 functions
; STATS-NEXT: 1 branches left: something else reads the condition
; STATS-NEXT: 1 branches left: their loop has several blocks
; STATS-NEXT: 1 branches left: their loop is not to be unrolled
; STATS-NEXT: 1 branches left: they do not compare integers
; STATS-NEXT: 2 branches turned

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry not_equal(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:         setp.ne.{{[bs]}}32 [[P:%p[0-9]+]],
; CHECK-NEXT:    @[[P]] bra [[LOOP]];
; CHECK-NOT:     bra
; OFF-LABEL: .entry not_equal(
; OFF:         setp.eq.{{[bs]}}32 [[P:%p[0-9]+]],
; OFF-NEXT:    @{{!?}}[[P]] bra
define ptx_kernel void @not_equal(ptr addrspace(1) %p, ptr addrspace(1) %to, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  %result = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %result, ptr addrspace(1) %to
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %so_far = phi float [ 1.0, %entry ], [ %sum, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %at
  %sum = fadd float %so_far, %x
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
}

; CHECK-LABEL: .entry less(
; CHECK:       [[LOOP:\$L__BB[0-9_]+]]:
; CHECK:         setp.lt.s64 [[P:%p[0-9]+]],
; CHECK-NEXT:    @[[P]] bra [[LOOP]];
; OFF-LABEL: .entry less(
; OFF:         setp.ge.s64 [[P:%p[0-9]+]],
; OFF-NEXT:    @{{!?}}[[P]] bra
define ptx_kernel void @less(ptr addrspace(1) %p, ptr addrspace(1) %to, i64 %n, i64 %step) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  %result = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %result, ptr addrspace(1) %to
  ret void
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %so_far = phi float [ 1.0, %entry ], [ %sum, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i64 %i
  %x = load float, ptr addrspace(1) %at
  %sum = fadd float %so_far, %x
  %next = add i64 %i, %step
  %done = icmp sge i64 %next, %n
  br i1 %done, label %exit, label %loop
}

; CHECK-LABEL: .entry read_elsewhere(
; CHECK:         setp.eq.{{[bs]}}32 [[P:%p[0-9]+]],
define ptx_kernel void @read_elsewhere(ptr addrspace(1) %p, ptr addrspace(1) %to, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  %result = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %result, ptr addrspace(1) %to
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %so_far = phi float [ 1.0, %entry ], [ %sum, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  %last = select i1 %done, float 5.0, float %x
  %sum = fadd float %so_far, %last
  br i1 %done, label %exit, label %loop
}

; CHECK-LABEL: .entry floats(
; CHECK:         setp.gt.f32 [[P:%p[0-9]+]],
; CHECK:         @{{!?}}[[P]] bra
define ptx_kernel void @floats(ptr addrspace(1) %p, ptr addrspace(1) %to, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  %result = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %result, ptr addrspace(1) %to
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %so_far = phi float [ 1.0, %entry ], [ %sum, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %at
  %sum = fadd float %so_far, %x
  %next = add nuw nsw i32 %i, 1
  %done = fcmp ogt float %sum, 32.0
  br i1 %done, label %exit, label %loop
}

; CHECK-LABEL: .entry for_size(
; CHECK:         setp.eq.{{[bs]}}32 [[P:%p[0-9]+]],
define ptx_kernel void @for_size(ptr addrspace(1) %p, ptr addrspace(1) %to, i32 %n) optsize {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  %result = phi float [ 0.0, %entry ], [ %sum, %loop ]
  store float %result, ptr addrspace(1) %to
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %so_far = phi float [ 1.0, %entry ], [ %sum, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %at
  %sum = fadd float %so_far, %x
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
}

; Loops of several blocks stay, and loops that are not to be unrolled.
; CHECK-LABEL: .entry two_blocks(
; CHECK:         setp.eq.{{[bs]}}32 [[P:%p[0-9]+]],
define ptx_kernel void @two_blocks(ptr addrspace(1) %p, ptr addrspace(1) %to, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %big = fcmp ogt float %x, 1.0
  br i1 %big, label %set, label %latch
set:
  store volatile float %x, ptr addrspace(1) %to
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
}

; CHECK-LABEL: .entry forbidden(
; CHECK:         .pragma "nounroll";
; CHECK:         setp.eq.{{[bs]}}32 [[P:%p[0-9]+]],
define ptx_kernel void @forbidden(ptr addrspace(1) %p, ptr addrspace(1) %to, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !0
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
