; In a loop a load moves before a store that waits for another load, if LLVM shows that the store does not write what the load reads: by type, or
; by noalias. It stays where that is not shown, where the store waits for nothing or is at another place of the same array, after a barrier or an
; atomic operation, outside of loops, if it is volatile, if the function is compiled for size, and in the upstream profile.

; RUN: %llc -O2 -mcpu=sm_80 < %s -ptx-stats 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s < %t.stats
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=emitter,phi-elim < %s | FileCheck --check-prefix=OFF %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=early-loads < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s > %t.upstream
; RUN: %stock-llc -O2 -mcpu=sm_80 < %s | diff %t.upstream -

; STATS:      early-loads: 10 functions
; STATS-NEXT: 1 loads left: not in a loop, or too many
; STATS-NEXT: 2 loads moved before stores

target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.bar.warp.sync(i32)

; An int is not written in the place of a double.
; CHECK-LABEL: .entry by_type(
; CHECK:         ld.global.{{[bu]}}32
; CHECK-NEXT:    ld.global.{{[bf]}}64
; CHECK-NEXT:    st.global.{{[bu]}}32
; CHECK-NEXT:    st.global.{{[bf]}}64
; OFF-LABEL: .entry by_type(
; OFF:         ld.global.{{[bu]}}32
; OFF:         st.global.{{[bu]}}32
; OFF:         ld.global.{{[bf]}}64
; OFF:         st.global.{{[bf]}}64
define ptx_kernel void @by_type(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %x = load double, ptr addrspace(1) %c.k, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; What is only reached by %c is not written by %b.
; CHECK-LABEL: .entry by_noalias(
; CHECK:         ld.global.{{[bu]}}32
; CHECK-NEXT:    ld.global.{{[bf]}}64
; CHECK-NEXT:    st.global.{{[bu]}}32
; CHECK-NEXT:    st.global.{{[bf]}}64
define ptx_kernel void @by_noalias(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4
  store i32 %i, ptr addrspace(1) %b.k, align 4
  %x = load double, ptr addrspace(1) %c.k, align 8
  store double %x, ptr addrspace(1) %d.k, align 8
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; Nothing is known of the pointers.
; CHECK-LABEL: .entry not_shown(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @not_shown(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4
  store i32 %i, ptr addrspace(1) %b.k, align 4
  %x = load double, ptr addrspace(1) %c.k, align 8
  store double %x, ptr addrspace(1) %d.k, align 8
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; The store does not wait.
; CHECK-LABEL: .entry nothing_waits(
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @nothing_waits(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 7, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %x = load double, ptr addrspace(1) %c.k, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; ptxas sees by itself that these differ.
; CHECK-LABEL: .entry same_array(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @same_array(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %b.far = getelementptr inbounds i8, ptr addrspace(1) %b.k, i64 4096
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %x = load double, ptr addrspace(1) %b.far, align 8
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; Others may have written it before the barrier.
; CHECK-LABEL: .entry after_barrier(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         bar.warp.sync
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @after_barrier(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %x = load double, ptr addrspace(1) %c.k, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; The same, before the atomic operation.
; CHECK-LABEL: .entry after_atomic(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         {{atom|red}}
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @after_atomic(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic, align 4
  %x = load double, ptr addrspace(1) %c.k, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; Not in a loop.
; CHECK-LABEL: .entry no_loop(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @no_loop(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %n
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %n
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %n
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %n
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %x = load double, ptr addrspace(1) %c.k, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  ret void
}

; A volatile load stays.
; CHECK-LABEL: .entry volatile(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.volatile.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @volatile(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %x = load volatile double, ptr addrspace(1) %c.k, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; The address comes from a load after the store, which stays as well.
; CHECK-LABEL: .entry speculated(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.global.{{[bu]}}64
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @speculated(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %p = load ptr addrspace(1), ptr addrspace(1) %d.k, align 8
  %x = load double, ptr addrspace(1) %p, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; For size nothing changes.
; CHECK-LABEL: .entry for_size(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         ld.global.{{[bf]}}64
; CHECK:         st.global.{{[bf]}}64
define ptx_kernel void @for_size(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d, i64 %n) optsize {
entry:
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %a.k = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %b.k = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %k
  %c.k = getelementptr inbounds double, ptr addrspace(1) %c, i64 %k
  %d.k = getelementptr inbounds double, ptr addrspace(1) %d, i64 %k
  %i = load i32, ptr addrspace(1) %a.k, align 4, !tbaa !0
  store i32 %i, ptr addrspace(1) %b.k, align 4, !tbaa !0
  %x = load double, ptr addrspace(1) %c.k, align 8, !tbaa !2
  store double %x, ptr addrspace(1) %d.k, align 8, !tbaa !2
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

!0 = !{!1, !1, i64 0}
!1 = !{!"int", !4, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"double", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C++ TBAA"}
