; Row C9: a loop after a guard gets the zeros of its accumulators once, not once for each path (redundant.rs).

; RUN: %llc <%s -mcpu=sm_80 -verify-machineinstrs -verify-coalescing -ptx-stats -o %t.ptx 2>%t.said
; RUN: FileCheck %s <%t.ptx
; RUN: FileCheck %s --check-prefix=COUNT <%t.said
; COUNT: {{ 3}} moves of what the register has already

; RUN: %llc <%s -mcpu=sm_80 -enable-misched -verify-machineinstrs -o /dev/null
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry guarded(
; CHECK:         mov.{{[bf]}}32 [[A:%[rf]+[0-9]+]], 0f00000000;
; CHECK-NEXT:    mov.{{[bf]}}32 [[B:%[rf]+[0-9]+]], 0f00000000;
; CHECK-NEXT:    bra
; CHECK-NOT:     0f00000000
; CHECK:         add.{{.*}} [[A]], [[A]],
; CHECK-NEXT:    fma.{{.*}} [[B]], {{.*}}, [[B]];
; CHECK-NOT:     0f00000000
; CHECK-DAG:     st.volatile.global.{{[bf]}}32 {{.*}}, [[A]];
; CHECK-DAG:     st.volatile.global.{{[bf]}}32 {{.*}}, [[B]];
; CHECK:         ret;
define ptx_kernel void @guarded(ptr addrspace(1) %p, ptr addrspace(1) %out, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  %s = load volatile float, ptr addrspace(1) %out
  br label %loop
loop:
  %i = phi i32 [ 0, %ahead ], [ %next, %loop ]
  %a = phi float [ 0.0, %ahead ], [ %an, %loop ]
  %b = phi float [ 0.0, %ahead ], [ %bn, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %at
  %an = fadd float %a, %x
  %bn = call float @llvm.fma.f32(float %x, float %s, float %b)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %ar = phi float [ 0.0, %entry ], [ %an, %loop ]
  %br = phi float [ 0.0, %entry ], [ %bn, %loop ]
  store volatile float %ar, ptr addrspace(1) %out
  store volatile float %br, ptr addrspace(1) %out
  ret void
}

; The path past the loop gives one of them another constant.
; CHECK-LABEL: .entry other_constant(
; CHECK-COUNT-2: mov.{{[bf]}}32 {{.*}}, 0f{{0|3F8}}00000
; CHECK:         bra
; CHECK:         mov.{{[bf]}}32 [[B:%[rf]+[0-9]+]], 0f00000000;
; CHECK-NOT:     mov.{{[bf]}}32 {{.*}}, 0f
; CHECK:         fma.{{.*}} [[B]], {{.*}}, [[B]];
; CHECK:         ret;
define ptx_kernel void @other_constant(ptr addrspace(1) %p, ptr addrspace(1) %out, i32 %n) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  %s = load volatile float, ptr addrspace(1) %out
  br label %loop
loop:
  %i = phi i32 [ 0, %ahead ], [ %next, %loop ]
  %a = phi float [ 0.0, %ahead ], [ %an, %loop ]
  %b = phi float [ 0.0, %ahead ], [ %bn, %loop ]
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %x = load float, ptr addrspace(1) %at
  %an = fadd float %a, %x
  %bn = call float @llvm.fma.f32(float %x, float %s, float %b)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %ar = phi float [ 0.0, %entry ], [ %an, %loop ]
  %br = phi float [ 1.0, %entry ], [ %bn, %loop ]
  store volatile float %ar, ptr addrspace(1) %out
  store volatile float %br, ptr addrspace(1) %out
  ret void
}
declare float @llvm.fma.f32(float, float, float)
