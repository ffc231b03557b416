; Row T7: of two joined registers the one stays whose number is next to those of its neighbours. One component of the wide load
; is the start of a loop's value. Without the hint the loop's register stays, as it has more ranges, and the components of the
; load and of the store have numbers out of order.

; RUN: %llc -mcpu=sm_80 -cssa-coalesce=false %s -o - | FileCheck %s
; RUN: %upstream-is-stock

; CHECK: ld.global.v2{{.*}} {%r[[#A:]], %r
; CHECK: st.global.v2{{.*}} {%r[[#A]], %r[[#A+1]]}

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @powers(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  %v = load <2 x i32>, ptr addrspace(1) %p, align 8
  %a = extractelement <2 x i32> %v, i32 0
  %b = extractelement <2 x i32> %v, i32 1
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %x = phi i32 [ %a, %entry ], [ %x1, %loop ]
  %x1 = mul i32 %x, %b
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %end

end:
  %w = insertelement <2 x i32> %v, i32 %x1, i32 0
  store <2 x i32> %w, ptr addrspace(1) %q, align 8
  ret void
}
