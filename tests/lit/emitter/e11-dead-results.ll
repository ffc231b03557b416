; Results that nothing reads, when the readers that another block seemed to have were folded: a PHI, the copies and the
; computations that it reads, through blocks. Requirement E11.

; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-verify -verify-machineinstrs -o - | FileCheck %s --check-prefixes=CHECK,CICC
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-profile=upstream -o - | FileCheck %s --check-prefixes=CHECK,UPSTREAM
; RUN: %llc %s -O2 -mcpu=sm_80 -stop-after=finalize-isel -verify-machineinstrs -o - | FileCheck %s --check-prefix=O2
; RUN: %llc %s -O0 -mcpu=sm_80 -ptx-stats -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

; STATS-DAG:  1 dead copies erased
; STATS-DAG:  {{[23]}} other dead results erased
; STATS-DAG:  3 dead results that only dead ones read

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: dead(
; CICC-NOT:    mul.lo
; UPSTREAM:    mul.lo
; CICC-NOT:    xor.b32
; UPSTREAM:    xor.b32
; CICC-NOT:    mov.u32
; UPSTREAM:    mov.{{[bu]}}32
; CHECK:       st.param
; O2-LABEL:    name: dead
; O2-NOT:      = PHI
; O2-NOT:      = XOR
define i32 @dead(i32 %x, i32 %y) {
entry:
  %product = mul i32 %x, %y
  %c = icmp eq i32 %x, 7
  br i1 %c, label %left, label %join
left:
  %mixed = xor i32 %product, %y
  br label %join
join:
  ; Selection folds the product with zero; it has made the registers before.
  %value = phi i32 [ %mixed, %left ], [ %product, %entry ]
  %zero = mul i32 %value, 0
  %sum = add i32 %zero, %x
  ret i32 %sum
}

; Volatile loads and inline assembly have effects.
; CHECK-LABEL: kept(
; CHECK:       ld.volatile
; CHECK:       activemask
; O2-LABEL:    name: kept
; O2:          activemask
define void @kept(ptr %p) {
  %v = load volatile i32, ptr %p
  %m = call i32 asm sideeffect "activemask.b32 $0;", "=r"()
  ret void
}
