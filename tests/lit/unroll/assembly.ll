; Assembly with a label or a variable of its own may be there once only, unless braces are around it.

; RUN: %llc-unroll -mcpu=sm_80 %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; STATS:      unroll: 6 functions
; STATS-NEXT: {{^ +}}4 loops left: LLVM cannot unroll them
; STATS-NEXT: {{^ +}}2 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .func label(
; CHECK:         Again:
; CHECK-NOT:     Again:
define void @label() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect "Again: membar.gl;", ""()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: .func register(
; CHECK:         .reg .u32 t;
; CHECK-NOT:     .reg .u32 t;
define void @register() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect ".reg .u32 t; mov.u32 t, 0;", ""()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL:   .func braces(
; CHECK-COUNT-3: { .reg .u32 t;
define void @braces() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, 0; }", ""()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: .func memory(
; CHECK:         .shared .b32 v;
; CHECK-NOT:     .shared .b32 v;
define void @memory() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect ".shared .b32 v; st.shared.b32 [v], 0;", ""()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: .func after_braces(
; CHECK:         .reg .u32 u;
; CHECK-NOT:     .reg .u32 u;
define void @after_braces() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect "{ .reg .u32 t; mov.u32 t, 0; } .reg .u32 u; mov.u32 u, 0;", ""()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL:   .func instructions(
; CHECK-COUNT-3: membar.gl;
define void @instructions() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void asm sideeffect "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster; membar.gl;", ""()
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %loop, label %end
end:
  ret void
}
