; No loop is unrolled in a function that is optnone, optsize or minsize, nor at -O0.

; RUN: %llc-unroll -mcpu=sm_80 %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %llc-unroll -mcpu=sm_80 -O0 %s -o - -ptx-stats=all 2>&1 | FileCheck %s --check-prefix=O0 --implicit-check-not="loops unrolled"
; STATS:      unroll: 1 functions
; STATS-NEXT: {{^ +}}1 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .func none(
; CHECK:         st.volatile.global
; CHECK-NOT:     st.volatile.global
; O0-LABEL:    .func none(
define void @none(ptr addrspace(1) %p) noinline optnone {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: .func small(
; CHECK:         st.volatile.global
; CHECK-NOT:     st.volatile.global
define void @small(ptr addrspace(1) %p) optsize {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: .func smallest(
; CHECK:         st.volatile.global
; CHECK-NOT:     st.volatile.global
define void @smallest(ptr addrspace(1) %p) minsize {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL:   .func fast(
; CHECK-COUNT-8: st.volatile.global
; O0-LABEL:      .func fast(
; O0:            st.volatile.global
; O0-NOT:        st.volatile.global
define void @fast(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end
end:
  ret void
}
