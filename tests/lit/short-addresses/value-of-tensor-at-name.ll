; Where a matrix is loaded or stored at the name of a shared variable, the first registers that the instruction reads are the elements, or the stride; of an
; operation on a barrier at a name it is a number of threads or a state. None of them is an address.
;
; RUN: %llc -O2 -mcpu=sm_80 -mattr=+ptx70 -verify-machineinstrs < %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x double] undef, align 32
@bar = internal addrspace(3) global i64 undef, align 8

; CHECK-LABEL: .entry store(
; CHECK: wmma.store.d.sync.aligned.row.m8n8k4.shared.f64{{[ 	]*}}[{{.*}}],{{[ 	]*}}{%{{[rf]d[0-9]+}}, %{{[rf]d[0-9]+}}}, %r{{[0-9]+}};
; CHECK: ret;
define ptx_kernel void @store(ptr addrspace(1) %p, i1 %c, i32 %stride) {
entry:
  %v = load double, ptr addrspace(1) %p
  br i1 %c, label %a, label %b
a:
  %w = fadd double %v, 1.0
  br label %b
b:
  %x = phi double [ %v, %entry ], [ %w, %a ]
  call void @llvm.nvvm.wmma.m8n8k4.store.d.row.stride.f64.p3(ptr addrspace(3) @tile, double %x, double %v, i32 %stride)
  ret void
}

; CHECK-LABEL: .entry load(
; CHECK: wmma.load.c.sync.aligned.row.m8n8k4.shared.f64{{[ 	]*}}{{{.*}}},{{[ 	]*}}[{{.*}}], [[S:%r[0-9]+]];
; CHECK: wmma.load.c.sync.aligned.row.m8n8k4.shared.f64{{[ 	]*}}{{{.*}}},{{[ 	]*}}[{{.*}}], [[T:%r[0-9]+]];
; CHECK: ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{{.*}}}, [{{.*}}];
; CHECK: ret;
define ptx_kernel void @load(ptr addrspace(1) %p, i32 %stride) {
  %more = add i32 %stride, 8
  %place = getelementptr [64 x double], ptr addrspace(3) @tile, i32 0, i32 4
  %x = call { double, double } @llvm.nvvm.wmma.m8n8k4.load.c.row.stride.f64.p3(ptr addrspace(3) @tile, i32 %stride)
  %y = call { double, double } @llvm.nvvm.wmma.m8n8k4.load.c.row.stride.f64.p3(ptr addrspace(3) %place, i32 %more)
  %m = call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %place)
  %x0 = extractvalue { double, double } %x, 0
  %y1 = extractvalue { double, double } %y, 1
  %s = fadd double %x0, %y1
  store double %s, ptr addrspace(1) %p
  store i32 %m, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry waits(
; CHECK: mbarrier.init.shared.b64 [{{.*}}], [[N:%r[0-9]+]];
; CHECK: mbarrier.test_wait.shared.b64 {{%p[0-9]+}}, [{{.*}}], %rd{{[0-9]+}};
; CHECK: ret;
define ptx_kernel void @waits(ptr addrspace(1) %p, i32 %n, i1 %c) {
entry:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 %n)
  %state = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br i1 %c, label %a, label %b
a:
  %again = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %b
b:
  %x = phi i64 [ %state, %entry ], [ %again, %a ]
  %done = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %x)
  %r = zext i1 %done to i32
  store i32 %r, ptr addrspace(1) %p
  ret void
}

declare void @llvm.nvvm.wmma.m8n8k4.store.d.row.stride.f64.p3(ptr addrspace(3), double, double, i32)
declare { double, double } @llvm.nvvm.wmma.m8n8k4.load.c.row.stride.f64.p3(ptr addrspace(3), i32)
declare i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3))
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
