; A loop whose number of iterations is not known, but is 8 at most, is unrolled wholly; each copy keeps the exit. The bound follows from the range of the
; thread's number. With a barrier inside too: threads leave each copy as they left the loop. A loop of 17 at most is left.

; RUN: %llc-unroll -mcpu=sm_80 %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; STATS:      unroll: 3 functions
; STATS-NEXT: {{^ +}}1 loops left: how often they run is not known
; STATS-NEXT: {{^ +}}2 loops unrolled wholly
; RUN: %llc-unroll -ptx-unroll=off -mcpu=sm_80 %s -o - | FileCheck %s --check-prefix=OFF

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0() convergent nounwind

; OFF-LABEL: .func strided(
; OFF-COUNT-1: st.global
; OFF-NOT:     st.global
; OFF-LABEL:   .func together(

; CHECK-LABEL:   .func strided(
; CHECK-COUNT-8: st.global
; CHECK-NOT:     st.global
; CHECK-LABEL:   .func together(
define void @strided(ptr addrspace(1) %p, i32 %x) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  br label %loop
loop:
  %i = phi i32 [ %tid, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 %x, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 128
  %more = icmp ult i32 %i, 896
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-COUNT-4: {{bar|barrier}}.
; CHECK-NOT:     {{bar|barrier}}.
; CHECK-LABEL:   .func long(
define void @together(i32 %n) {
entry:
  %few = and i32 %n, 3
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier0()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ule i32 %next, %few
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-COUNT-1: {{bar|barrier}}.
; CHECK-NOT:     {{bar|barrier}}.
define void @long(i32 %n) {
entry:
  %few = urem i32 %n, 17
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier0()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ule i32 %next, %few
  br i1 %more, label %loop, label %end
end:
  ret void
}

!0 = !{i32 0, i32 1024}
