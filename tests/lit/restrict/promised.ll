; With -ptx-restrict a kernel reads by ld.global.nc what it does not write, and a load of a loop moves before a store. The
; code stays if nothing is promised, in the upstream profile, if the stage is left out, in a function that is not a kernel, and where the
; kernel itself writes through the pointer.

; RUN: %llc -O2 -mcpu=sm_80 -ptx-restrict < %s -ptx-stats 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s < %t.stats
; RUN: %llc -O2 -mcpu=sm_80 < %s | FileCheck --check-prefix=OFF %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-restrict=false < %s | FileCheck --check-prefix=OFF %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-restrict -ptx-passes=early-loads < %s | FileCheck --check-prefix=OFF %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-restrict -ptx-passes=restrict < %s | FileCheck --check-prefix=ALONE %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-restrict -ptx-profile=upstream < %s > %t.upstream
; RUN: %stock-llc -O2 -mcpu=sm_80 < %s | diff %t.upstream -

; STATS:      restrict: 4 functions
; STATS-NEXT: 4 pointers left: restrict or by value already, or not of a kernel
; STATS-NEXT: 7 pointers promised to be restrict
; STATS:      early-loads: 4 functions
; STATS:      1 loads moved before stores

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry reads(
; CHECK:         ld.global.nc.
; CHECK:         st.global.
; CHECK:         ld.global.nc.
; ALONE-LABEL: .entry reads(
; ALONE:         ld.global.nc.
; OFF-LABEL: .entry reads(
; OFF-NOT:       ld.global.nc.
; OFF:           ret;
define ptx_kernel void @reads(ptr addrspace(1) readonly %in, ptr addrspace(1) %out) {
  %x = load i32, ptr addrspace(1) %in
  store i32 %x, ptr addrspace(1) %out
  %at = getelementptr inbounds i32, ptr addrspace(1) %in, i64 1
  %y = load i32, ptr addrspace(1) %at
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 1
  store i32 %y, ptr addrspace(1) %to
  ret void
}

; It writes through all of its pointers, so its loads are plain ones. That of `%from` still moves.
; CHECK-LABEL: .entry copies(
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         ld.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; CHECK:         st.global.{{[bu]}}32
; ALONE-LABEL: .entry copies(
; ALONE:         ld.global.{{[bu]}}32
; ALONE:         st.global.{{[bu]}}32
; ALONE:         ld.global.{{[bu]}}32
; OFF-LABEL: .entry copies(
; OFF:           ld.global.{{[bu]}}32
; OFF:           st.global.{{[bu]}}32
; OFF:           ld.global.{{[bu]}}32
define ptx_kernel void @copies(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %from, ptr addrspace(1) %to, i32 %n) {
entry:
  store i32 0, ptr addrspace(1) %a
  store i32 0, ptr addrspace(1) %from
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at.a = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %i
  %x = load i32, ptr addrspace(1) %at.a
  %at.b = getelementptr inbounds i32, ptr addrspace(1) %b, i32 %i
  store i32 %x, ptr addrspace(1) %at.b
  %at.from = getelementptr inbounds i32, ptr addrspace(1) %from, i32 %i
  %y = load i32, ptr addrspace(1) %at.from
  %at.to = getelementptr inbounds i32, ptr addrspace(1) %to, i32 %i
  store i32 %y, ptr addrspace(1) %at.to
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An object that is passed by value, and a pointer that is restrict in the source.
; CHECK-LABEL: .entry others(
%pair = type { i32, i32 }
define ptx_kernel void @others(ptr byval(%pair) align 4 %value, ptr addrspace(1) noalias %out, ptr addrspace(1) %in) {
  %x = load i32, ptr %value
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .func {{.*}}not_a_kernel(
; CHECK-NOT:     .nc.
; CHECK:         ret;
define i32 @not_a_kernel(ptr addrspace(1) readonly %in, ptr addrspace(1) %out) {
  store i32 1, ptr addrspace(1) %out
  %x = load i32, ptr addrspace(1) %in
  ret i32 %x
}

; A kernel that is compiled for size keeps its code.
; CHECK-LABEL: .entry for_size(
; CHECK-NOT:     .nc.
; CHECK:         ret;
define ptx_kernel void @for_size(ptr addrspace(1) readonly %in, ptr addrspace(1) %out) optsize {
  store i32 1, ptr addrspace(1) %out
  %x = load i32, ptr addrspace(1) %in
  store i32 %x, ptr addrspace(1) %out
  ret void
}
