; The copies at a back edge are a parallel copy in the fewest moves (parallel.rs).

; RUN: %llc <%s -mcpu=sm_80 -verify-machineinstrs -verify-coalescing -ptx-stats -o %t.ptx 2>%t.said
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=COUNT <%t.said
; COUNT: {{ 5}} copies saved by putting a block's in parallel

; RUN: %llc <%s -mcpu=sm_80 -enable-misched -verify-machineinstrs -o /dev/null
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

target triple = "nvptx64-nvidia-cuda"

; Four values change places; the value that leaves the loop is in the register of the next iteration.
; CHECK-LABEL: .entry rotation(
; CHECK:         ld.global.v4.{{[ub]}}32 {[[A:%r[0-9]+]], [[B:%r[0-9]+]], [[C:%r[0-9]+]], [[D:%r[0-9]+]]}
; CHECK:       BB0_1:
; CHECK-NOT:     mov
; CHECK:         setp
; CHECK-COUNT-5: mov.{{[ub]}}32 %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK-NEXT:    bra
; CHECK:         st.global.v4.{{[ub]}}32 {{.*}}, {[[D]], [[A]], [[B]], [[C]]};
define ptx_kernel void @rotation(ptr addrspace(1) %p, i32 %n) {
entry:
  %v = load <4 x i32>, ptr addrspace(1) %p
  %i0 = extractelement <4 x i32> %v, i32 0
  %i1 = extractelement <4 x i32> %v, i32 1
  %i2 = extractelement <4 x i32> %v, i32 2
  %i3 = extractelement <4 x i32> %v, i32 3
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x2, %l ]
  %x2 = phi i32 [ %i2, %entry ], [ %x3, %l ]
  %x3 = phi i32 [ %i3, %entry ], [ %x0, %l ]
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  %o0 = insertelement <4 x i32> poison, i32 %x0, i32 0
  %o1 = insertelement <4 x i32> %o0, i32 %x1, i32 1
  %o2 = insertelement <4 x i32> %o1, i32 %x2, i32 2
  %o3 = insertelement <4 x i32> %o2, i32 %x3, i32 3
  store <4 x i32> %o3, ptr addrspace(1) %p
  ret void
}

; Each value moves on by one place, and a new one comes in. It is computed into a register of its own, as the value
; whose place it takes is still read. Nothing is copied ahead of it.
; CHECK-LABEL: .entry shift(
; CHECK:       BB1_1:
; CHECK-NOT:     mov
; CHECK:         add.s32 [[N:%r[0-9]+]],
; CHECK-NOT:     mov
; CHECK:         setp
; CHECK-COUNT-4: mov.{{[ub]}}32 %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK-NEXT:    mov.{{[ub]}}32 %r{{[0-9]+}}, [[N]];
; CHECK-NEXT:    bra
define ptx_kernel void @shift(ptr addrspace(1) %p, i32 %n) {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  %i2 = load volatile i32, ptr addrspace(1) %p
  %i3 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x2, %l ]
  %x2 = phi i32 [ %i2, %entry ], [ %x3, %l ]
  %x3 = phi i32 [ %i3, %entry ], [ %new, %l ]
  %new = add i32 %x0, %x2
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile i32 %x2, ptr addrspace(1) %p
  store volatile i32 %x3, ptr addrspace(1) %p
  ret void
}

; An inline assembly changes two of them where they are: their copies stay.
; CHECK-LABEL: .entry changed(
; CHECK:         change
; CHECK:         ret
define ptx_kernel void @changed(ptr addrspace(1) %p, i32 %n) {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  %i2 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %y1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x2, %l ]
  %x2 = phi i32 [ %i2, %entry ], [ %x0, %l ]
  %y1 = call i32 asm sideeffect "change $0;", "=r,0"(i32 %x1)
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile i32 %x2, ptr addrspace(1) %p
  ret void
}

; Two registers get one value at the back edge, and have different ones before: they stay two.
; CHECK-LABEL: .entry same(
; CHECK:       BB3_1:
; CHECK:         setp
; CHECK-COUNT-5: mov.{{[ub]}}32 %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK-NEXT:    bra
define ptx_kernel void @same(ptr addrspace(1) %p, i32 %n) {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  %i2 = load volatile i32, ptr addrspace(1) %p
  %i3 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x2, %l ]
  %x2 = phi i32 [ %i2, %entry ], [ %x0, %l ]
  %z = phi i32 [ %i3, %entry ], [ %x1, %l ]
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile i32 %x2, ptr addrspace(1) %p
  store volatile i32 %z, ptr addrspace(1) %p
  ret void
}

; An inline assembly changes a copy of one of them: a tied operand keeps its register.
; CHECK-LABEL: .entry tied(
; CHECK:         change [[Y:%r[0-9]+]];
; CHECK:         st.volatile.global.{{[ub]}}32 {{.*}}, [[Y]];
define ptx_kernel void @tied(ptr addrspace(1) %p, i32 %n) {
entry:
  %i0 = load volatile i32, ptr addrspace(1) %p
  %i1 = load volatile i32, ptr addrspace(1) %p
  %i2 = load volatile i32, ptr addrspace(1) %p
  %i3 = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %l ]
  %x0 = phi i32 [ %i0, %entry ], [ %x1, %l ]
  %x1 = phi i32 [ %i1, %entry ], [ %x2, %l ]
  %x2 = phi i32 [ %i2, %entry ], [ %x3, %l ]
  %x3 = phi i32 [ %i3, %entry ], [ %x0, %l ]
  %y = call i32 asm sideeffect "change $0;", "=r,0"(i32 %x1)
  store volatile i32 %y, ptr addrspace(1) %p
  %cn = add i32 %c, 1
  %d = icmp slt i32 %cn, %n
  br i1 %d, label %l, label %e
e:
  store volatile i32 %x0, ptr addrspace(1) %p
  store volatile i32 %x1, ptr addrspace(1) %p
  store volatile i32 %x2, ptr addrspace(1) %p
  store volatile i32 %x3, ptr addrspace(1) %p
  ret void
}
