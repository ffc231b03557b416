; A counter whose increment reads the low half of its extension, and the counter itself after the stage, is not a miscompile (requirement K1):
; an induction variable that is one only after the stage was told from the PHI before it.

; RUN: %llc %s -mcpu=sm_80 -ptx-verify -verify-machineinstrs -ptx-stats -o %t.ptx 2>&1 | FileCheck %s --check-prefix=STATS
; STATS: short-addresses: 1 functions
; STATS: addresses of 32 bits
; RUN: FileCheck %s <%t.ptx

; CHECK-LABEL: .entry sum(
; CHECK: ld.shared.{{[bf]}}64 {{.*}}, [%r{{[0-9]+}}
; CHECK: add.s32

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x [4 x double]] undef, align 8

define void @sum(ptr addrspace(1) %out, i1 %early, i32 %n) {
entry:
  br label %header

header:
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %body ]
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %wide = zext i32 %i to i64
  br i1 %early, label %body, label %end

body:
  %at = getelementptr [32 x [4 x double]], ptr addrspace(3) @tile, i64 0, i64 %wide, i64 0
  %value = load double, ptr addrspace(3) %at, align 8
  %sum.next = fadd double %sum, %value
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %end, label %header

end:
  %result = phi double [ %sum, %header ], [ %sum.next, %body ]
  store double %result, ptr addrspace(1) %out, align 8
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @sum, !"kernel", i32 1}
