; NVPTX has no approximation of a division or a root in double precision, so flags that allow one change nothing: these loops, which run 100 times, are left, as their copies would not fit into the instruction cache. So is one with divisions by the intrinsic that rounds, and one with two divisions of vectors of two numbers.

; RUN: %llc-unroll -mcpu=sm_80 %s -o /dev/null -ptx-stats 2>&1 | FileCheck %s
; CHECK: {{^ +}}4 loops left: too long
; In single precision there are approximations; and one number is half of two.
; RUN: sed -e 's/double/float/g; s/f64/f32/; s/div.rn.d/div.approx.f/; s/<2 x i32>/i32/g' %s | %llc-unroll -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=SHORT
; SHORT: {{^ +}}4 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @divisions(ptr addrspace(1) %out, double %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile double, ptr addrspace(1) %out
  %a = fdiv fast double %v, %x
  %b = fdiv fast double %a, %x
  %c = fdiv fast double %b, %x
  %d = fdiv fast double %c, %x
  store volatile double %d, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @roots(ptr addrspace(1) %out, double %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile double, ptr addrspace(1) %out
  %a = call fast double @llvm.sqrt.f64(double %v)
  %b = call fast double @llvm.sqrt.f64(double %a)
  %c = call fast double @llvm.sqrt.f64(double %b)
  %d = call fast double @llvm.sqrt.f64(double %c)
  store volatile double %d, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @intrinsics(ptr addrspace(1) %out, double %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile double, ptr addrspace(1) %out
  %a = call double @llvm.nvvm.div.rn.d(double %v, double %x)
  %b = call double @llvm.nvvm.div.rn.d(double %a, double %x)
  %c = call double @llvm.nvvm.div.rn.d(double %b, double %x)
  %d = call double @llvm.nvvm.div.rn.d(double %c, double %x)
  store volatile double %d, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @vectors(ptr addrspace(1) %out, <2 x i32> %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile <2 x i32>, ptr addrspace(1) %out
  %a = udiv <2 x i32> %v, %x
  %b = udiv <2 x i32> %a, %x
  store volatile <2 x i32> %b, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

declare double @llvm.sqrt.f64(double)
declare double @llvm.nvvm.div.rn.d(double, double)
