; ptxas makes some twenty instructions of a division. A loop that runs 100 times is left if its copies then would not fit into the instruction cache: here four divisions. With additions in their place it is unrolled.

; RUN: %llc-unroll -mcpu=sm_80 %s -o /dev/null -ptx-stats 2>&1 | FileCheck %s
; CHECK: {{^ +}}1 loops left: too long
; RUN: sed -e 's/udiv/add/' %s | %llc-unroll -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=ADDED
; ADDED: {{^ +}}1 loops unrolled wholly
; A division by a constant becomes a multiplication.
; RUN: sed -e 's/udiv i32 \(.*\), %x/udiv i32 \1, 7/' %s | %llc-unroll -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=ADDED

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @divisions(ptr addrspace(1) %out, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr addrspace(1) %out
  %a = udiv i32 %v, %x
  %b = udiv i32 %a, %x
  %c = udiv i32 %b, %x
  %d = udiv i32 %c, %x
  store volatile i32 %d, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}
