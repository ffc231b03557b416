; -ptx-nounroll=cold: the loops whose header runs less often than the function is entered, by its profile. The first one is entered in one call of a
; thousand, and runs ten times; the second one in every second call, and runs as often.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-nounroll=cold < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-nounroll=cold -nvptx-coalesce-block-freq=false < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=cold -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; STATS: nounroll: 1 functions
; STATS: {{ }}1 loops kept from unrolling{{$}}
; STATS: {{ }}1 loops left: not cold{{$}}
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"

define void @f(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func f(
; CHECK-NOT:   .pragma
; CHECK:       // %warm{{$}}
; CHECK-NOT:   .pragma
; CHECK:       // %cold{{$}}
; CHECK:       .pragma "nounroll";
; CHECK-NOT:   .pragma
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %rare = icmp eq i32 %a, 5
  br i1 %rare, label %cold, label %next, !prof !0
cold:
  store volatile i32 1, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %b, %n
  br i1 %c, label %cold, label %next, !prof !1
next:
  %d = load volatile i32, ptr addrspace(1) %p
  %half = icmp eq i32 %d, 5
  br i1 %half, label %warm, label %out, !prof !2
warm:
  store volatile i32 2, ptr addrspace(1) %p
  %e = load volatile i32, ptr addrspace(1) %p
  %g = icmp slt i32 %e, %n
  br i1 %g, label %warm, label %out, !prof !1
out:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 999}
!1 = !{!"branch_weights", i32 9, i32 1}
!2 = !{!"branch_weights", i32 1, i32 1}
