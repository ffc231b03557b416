; A loop whose metadata says what is to become of it is left alone: LLVM prints the directive itself, once, or the source wants the loop unrolled.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-nounroll=all < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-nounroll=all -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: nounroll: 6 functions
; STATS: {{ }}1 loops kept from unrolling{{$}}
; STATS: {{ }}2 loops left: LLVM keeps them from unrolling{{$}}
; STATS: {{ }}3 loops left: the source wants them unrolled{{$}}

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL:   .func unmarked(
; CHECK:         begin inline asm
; CHECK:         .pragma "nounroll";
; CHECK-NOT:     .pragma
define void @unmarked(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %a = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %a, %n
  br i1 %c, label %loop, label %out, !llvm.loop !0
out:
  ret void
}

; CHECK-LABEL:   .func disabled(
; CHECK-NOT:     inline asm
; CHECK:         .pragma "nounroll";
; CHECK-NOT:     .pragma
; CHECK-NOT:     inline asm
define void @disabled(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %a = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %a, %n
  br i1 %c, label %loop, label %out, !llvm.loop !1
out:
  ret void
}

; CHECK-LABEL:   .func once(
; CHECK-NOT:     inline asm
; CHECK:         .pragma "nounroll";
; CHECK-NOT:     .pragma
; CHECK-NOT:     inline asm
define void @once(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %a = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %a, %n
  br i1 %c, label %loop, label %out, !llvm.loop !2
out:
  ret void
}

; CHECK-LABEL:   .func enabled(
; CHECK-NOT:     .pragma
; CHECK-LABEL:   .func full(
; CHECK-NOT:     .pragma
; CHECK-LABEL:   .func four(
; CHECK-NOT:     .pragma
define void @enabled(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %a = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %a, %n
  br i1 %c, label %loop, label %out, !llvm.loop !3
out:
  ret void
}

define void @full(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %a = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %a, %n
  br i1 %c, label %loop, label %out, !llvm.loop !4
out:
  ret void
}

define void @four(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %a = load volatile i32, ptr addrspace(1) %p
  %c = icmp slt i32 %a, %n
  br i1 %c, label %loop, label %out, !llvm.loop !5
out:
  ret void
}

!0 = distinct !{!0, !6}
!1 = distinct !{!1, !6, !7}
!2 = distinct !{!2, !8}
!3 = distinct !{!3, !9}
!4 = distinct !{!4, !6, !10}
!5 = distinct !{!5, !11}
!6 = !{!"llvm.loop.mustprogress"}
!7 = !{!"llvm.loop.unroll.disable"}
!8 = !{!"llvm.loop.unroll.count", i32 1}
!9 = !{!"llvm.loop.unroll.enable"}
!10 = !{!"llvm.loop.unroll.full"}
!11 = !{!"llvm.loop.unroll.count", i32 4}
