; Addresses in two branches that differ by a constant stay two: neither def dominates the other.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}4 addresses of loads and stores{{$}}
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}0 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @branches(i64 %p, i32 %n, i1 %c) {
; CHECK-LABEL: .entry branches
; CHECK: ld.volatile.{{.*}}[{{%rd[0-9]+}}];
; CHECK: ld.volatile.{{.*}}[{{%rd[0-9]+}}];
; CHECK: ret;
  %i = shl i32 %n, 2
  br i1 %c, label %left, label %right
left:
  %i1 = or i32 %i, 1
  %w1 = zext i32 %i1 to i64
  %b1 = mul i64 %w1, 8
  %a1 = add i64 %p, %b1
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v1 = load volatile i64, ptr addrspace(1) %p1
  call void asm sideeffect "left $0;", "l"(i64 %v1)
  br label %end
right:
  %i2 = or i32 %i, 2
  %w2 = zext i32 %i2 to i64
  %b2 = mul i64 %w2, 8
  %a2 = add i64 %p, %b2
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  %v2 = load volatile i64, ptr addrspace(1) %p2
  call void asm sideeffect "right $0;", "l"(i64 %v2)
  br label %end
end:
  ret void
}
