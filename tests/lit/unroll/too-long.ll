; A loop that runs 600 times is left to ptxas: it is unrolled wholly up to 512 iterations and 1,000 instructions. One that runs 100 times is unrolled.

; RUN: %llc-unroll -mcpu=sm_80 %s -o - -ptx-stats 2>%t.stats | FileCheck %s
; RUN: FileCheck %s --check-prefix=LONG <%t.stats
; LONG: {{^ +}}1 loops left: too long
; RUN: sed -e 's/%next, 600/%next, 100/' %s | %llc-unroll -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=SHORT
; SHORT: {{^ +}}1 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK:     st.volatile.global
; CHECK:     st.volatile.global
; CHECK-NOT: st.volatile.global
; CHECK:     bra
define void @stores(ptr addrspace(1) %p, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  store volatile i32 %x, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 600
  br i1 %more, label %loop, label %end
end:
  ret void
}
