; A pair of PHIs becomes one, although half of the value that comes around the loop is read: the value is unpacked for that
; reader.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: wide-phis:
; STATS: {{ }}1 groups of PHIs made wide{{$}}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @half_of_the_next_is_read(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
; CHECK-LABEL: .entry half_of_the_next_is_read
; CHECK: mov.b32 {{[[:space:]]*[{]}}
; CHECK-NOT: mov.b32 {{.*}}, {{[{]}}
; CHECK: ret;
entry:
  %v0 = call i32 asm sideeffect "get.b32 $0;", "=r"()
  %b0 = bitcast i32 %v0 to <2 x half>
  %lo0 = extractelement <2 x half> %b0, i32 0
  %hi0 = extractelement <2 x half> %b0, i32 1
  br label %loop
loop:
  %lo = phi half [ %lo0, %entry ], [ %lo1, %loop ]
  %hi = phi half [ %hi0, %entry ], [ %hi1, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %t0 = insertelement <2 x half> poison, half %lo, i32 0
  %t = insertelement <2 x half> %t0, half %hi, i32 1
  %packed = bitcast <2 x half> %t to i32
  %r = call i32 asm sideeffect "use.b32 $0, $1;", "=r,r"(i32 %packed)
  %next = call i32 asm sideeffect "get.b32 $0;", "=r"()
  %b = bitcast i32 %next to <2 x half>
  %lo1 = extractelement <2 x half> %b, i32 0
  %hi1 = extractelement <2 x half> %b, i32 1
  store half %lo1, ptr addrspace(1) %q
  %i1 = add i32 %i, %r
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
