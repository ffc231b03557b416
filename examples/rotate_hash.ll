; build/llvm-17/bin/clang -O3 -S -emit-llvm -fno-ident --target=nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx70 -cl-std=CL1.2 rotate_hash.cl, by make
; ModuleID = 'rotate_hash.cl'
source_filename = "rotate_hash.cl"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @rotate_hash(ptr addrspace(1) nocapture noundef readonly align 4 %0, ptr addrspace(1) nocapture noundef writeonly align 4 %1, i32 noundef %2) local_unnamed_addr #0 !kernel_arg_addr_space !4 !kernel_arg_access_qual !5 !kernel_arg_type !6 !kernel_arg_base_type !6 !kernel_arg_type_qual !7 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul nsw i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add nsw i32 %6, %7
  %9 = sext i32 %8 to i64
  %10 = icmp sgt i32 %2, 0
  br i1 %10, label %11, label %19

11:                                               ; preds = %3
  %12 = zext i32 %2 to i64
  %13 = mul nsw i64 %12, %9
  br label %32

14:                                               ; preds = %32
  %15 = xor i32 %61, %60
  %16 = xor i32 %33, %40
  %17 = xor i32 %34, %39
  %18 = xor i32 %38, %35
  br label %19

19:                                               ; preds = %14, %3
  %20 = phi i32 [ 990360600, %3 ], [ %15, %14 ]
  %21 = phi i32 [ 543344137, %3 ], [ %16, %14 ]
  %22 = phi i32 [ 602745561, %3 ], [ %17, %14 ]
  %23 = phi i32 [ -22071261, %3 ], [ %18, %14 ]
  %24 = shl nsw i64 %9, 2
  %25 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %24
  store i32 %20, ptr addrspace(1) %25, align 4, !tbaa !8
  %26 = or i64 %24, 1
  %27 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %26
  store i32 %21, ptr addrspace(1) %27, align 4, !tbaa !8
  %28 = or i64 %24, 2
  %29 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %28
  store i32 %22, ptr addrspace(1) %29, align 4, !tbaa !8
  %30 = or i64 %24, 3
  %31 = getelementptr inbounds i32, ptr addrspace(1) %1, i64 %30
  store i32 %23, ptr addrspace(1) %31, align 4, !tbaa !8
  ret void

32:                                               ; preds = %11, %32
  %33 = phi i32 [ 1779033703, %11 ], [ %61, %32 ]
  %34 = phi i32 [ -1150833019, %11 ], [ %33, %32 ]
  %35 = phi i32 [ 1013904242, %11 ], [ %34, %32 ]
  %36 = phi i32 [ 0, %11 ], [ %62, %32 ]
  %37 = phi i32 [ 1541459225, %11 ], [ %38, %32 ]
  %38 = phi i32 [ 528734635, %11 ], [ %39, %32 ]
  %39 = phi i32 [ -1694144372, %11 ], [ %40, %32 ]
  %40 = phi i32 [ 1359893119, %11 ], [ %60, %32 ]
  %41 = phi i32 [ -1521486534, %11 ], [ %35, %32 ]
  %42 = zext i32 %36 to i64
  %43 = add nsw i64 %13, %42
  %44 = getelementptr inbounds i32, ptr addrspace(1) %0, i64 %43
  %45 = load i32, ptr addrspace(1) %44, align 4, !tbaa !8
  %46 = and i32 %39, %40
  %47 = xor i32 %40, -1
  %48 = and i32 %38, %47
  %49 = tail call i32 @llvm.fshl.i32(i32 %40, i32 %40, i32 26)
  %50 = add i32 %46, %49
  %51 = add i32 %50, %48
  %52 = add i32 %51, %37
  %53 = add i32 %52, %45
  %54 = and i32 %33, %34
  %55 = xor i32 %33, -1
  %56 = and i32 %35, %55
  %57 = or i32 %56, %54
  %58 = tail call i32 @llvm.fshl.i32(i32 %33, i32 %33, i32 30)
  %59 = add i32 %57, %58
  %60 = add i32 %53, %41
  %61 = add i32 %59, %53
  %62 = add nuw nsw i32 %36, 1
  %63 = icmp eq i32 %62, %2
  br i1 %63, label %14, label %32, !llvm.loop !12
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fshl.i32(i32, i32, i32) #2

attributes #0 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2}
!opencl.ocl.version = !{!3}

!0 = !{ptr @rotate_hash, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 7, !"frame-pointer", i32 2}
!3 = !{i32 1, i32 2}
!4 = !{i32 1, i32 1, i32 0}
!5 = !{!"none", !"none", !"none"}
!6 = !{!"uint*", !"uint*", !"int"}
!7 = !{!"const", !"", !""}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.unroll.count", i32 1}
