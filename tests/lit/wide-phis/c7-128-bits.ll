; A loop carries 128 bits from one piece of inline assembly to the next: one PHI, and a pack before the loop.
;
; REQUIRES: llvm-19-up
; RUN: %llc -O2 -mcpu=sm_80 -mattr=+ptx83 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -mattr=+ptx83 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; STATS: wide-phis:
; STATS: {{ }}1 groups of PHIs made wide{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @carried(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func carried
; CHECK: mov.b128 {{.*}}, {%rd{{[0-9]+}}, %rd{{[0-9]+}}};
; CHECK: $L__BB0_1:
; CHECK-NOT: mov.b128 {{%rq.*}}, {%rd
; CHECK: ret;
entry:
  %v0 = load i128, ptr addrspace(1) %p
  br label %loop
loop:
  %v = phi i128 [ %v0, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %next = call i128 asm sideeffect "{ .reg .b64 a, b; mov.b128 {a, b}, $1; add.u64 a, a, 1; mov.b128 $0, {a, b}; }", "=q,q"(i128 %v)
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  store i128 %next, ptr addrspace(1) %p
  ret void
}
