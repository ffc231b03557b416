; build/llvm-17/bin/clang -O3 -S -emit-llvm -fno-ident --target=nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx70 -cl-std=CL1.2 saxpy.cl, by make
; ModuleID = 'saxpy.cl'
source_filename = "saxpy.cl"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @saxpy(i32 noundef %0, float noundef %1, ptr addrspace(1) nocapture noundef readonly align 4 %2, ptr addrspace(1) nocapture noundef align 4 %3) local_unnamed_addr #0 !kernel_arg_addr_space !5 !kernel_arg_access_qual !6 !kernel_arg_type !7 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nsw i32 %7, %8
  %10 = icmp slt i32 %9, %0
  br i1 %10, label %11, label %14

11:                                               ; preds = %4
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul nsw i32 %12, %6
  br label %15

14:                                               ; preds = %15, %4
  ret void

15:                                               ; preds = %11, %15
  %16 = phi i32 [ %9, %11 ], [ %23, %15 ]
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds float, ptr addrspace(1) %2, i64 %17
  %19 = load float, ptr addrspace(1) %18, align 4, !tbaa !9
  %20 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %17
  %21 = load float, ptr addrspace(1) %20, align 4, !tbaa !9
  %22 = tail call float @llvm.fmuladd.f32(float %1, float %19, float %21)
  store float %22, ptr addrspace(1) %20, align 4, !tbaa !9
  %23 = add nsw i32 %16, %13
  %24 = icmp slt i32 %23, %0
  br i1 %24, label %15, label %14
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

; Function Attrs: nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @horner(i32 noundef %0, i32 noundef %1, ptr addrspace(4) nocapture noundef readonly align 4 %2, ptr addrspace(1) nocapture noundef align 4 %3) local_unnamed_addr #0 !kernel_arg_addr_space !13 !kernel_arg_access_qual !6 !kernel_arg_type !14 !kernel_arg_base_type !14 !kernel_arg_type_qual !8 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul nsw i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add nsw i32 %7, %8
  %10 = icmp slt i32 %9, %0
  br i1 %10, label %11, label %19

11:                                               ; preds = %4
  %12 = icmp sgt i32 %1, -1
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %14 = mul nsw i32 %13, %6
  %15 = add i32 %1, 1
  %16 = and i32 %15, 7
  %17 = icmp eq i32 %16, 0
  %18 = icmp ult i32 %1, 7
  br label %20

19:                                               ; preds = %41, %4
  ret void

20:                                               ; preds = %11, %41
  %21 = phi i32 [ %9, %11 ], [ %43, %41 ]
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds float, ptr addrspace(1) %3, i64 %22
  %24 = load float, ptr addrspace(1) %23, align 4, !tbaa !9
  br i1 %12, label %25, label %41

25:                                               ; preds = %20
  br i1 %17, label %37, label %26

26:                                               ; preds = %25, %26
  %27 = phi i32 [ %34, %26 ], [ %1, %25 ]
  %28 = phi float [ %33, %26 ], [ 0.000000e+00, %25 ]
  %29 = phi i32 [ %35, %26 ], [ 0, %25 ]
  %30 = zext i32 %27 to i64
  %31 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %30
  %32 = load float, ptr addrspace(4) %31, align 4, !tbaa !9
  %33 = tail call float @llvm.fmuladd.f32(float %28, float %24, float %32)
  %34 = add nsw i32 %27, -1
  %35 = add i32 %29, 1
  %36 = icmp eq i32 %35, %16
  br i1 %36, label %37, label %26, !llvm.loop !15

37:                                               ; preds = %26, %25
  %38 = phi float [ undef, %25 ], [ %33, %26 ]
  %39 = phi i32 [ %1, %25 ], [ %34, %26 ]
  %40 = phi float [ 0.000000e+00, %25 ], [ %33, %26 ]
  br i1 %18, label %41, label %45

41:                                               ; preds = %37, %45, %20
  %42 = phi float [ 0.000000e+00, %20 ], [ %38, %37 ], [ %86, %45 ]
  store float %42, ptr addrspace(1) %23, align 4, !tbaa !9
  %43 = add nsw i32 %21, %14
  %44 = icmp slt i32 %43, %0
  br i1 %44, label %20, label %19

45:                                               ; preds = %37, %45
  %46 = phi i32 [ %87, %45 ], [ %39, %37 ]
  %47 = phi float [ %86, %45 ], [ %40, %37 ]
  %48 = zext i32 %46 to i64
  %49 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %48
  %50 = load float, ptr addrspace(4) %49, align 4, !tbaa !9
  %51 = tail call float @llvm.fmuladd.f32(float %47, float %24, float %50)
  %52 = add nsw i32 %46, -1
  %53 = zext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %53
  %55 = load float, ptr addrspace(4) %54, align 4, !tbaa !9
  %56 = tail call float @llvm.fmuladd.f32(float %51, float %24, float %55)
  %57 = add nsw i32 %46, -2
  %58 = zext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %58
  %60 = load float, ptr addrspace(4) %59, align 4, !tbaa !9
  %61 = tail call float @llvm.fmuladd.f32(float %56, float %24, float %60)
  %62 = add nsw i32 %46, -3
  %63 = zext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %63
  %65 = load float, ptr addrspace(4) %64, align 4, !tbaa !9
  %66 = tail call float @llvm.fmuladd.f32(float %61, float %24, float %65)
  %67 = add nsw i32 %46, -4
  %68 = zext i32 %67 to i64
  %69 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %68
  %70 = load float, ptr addrspace(4) %69, align 4, !tbaa !9
  %71 = tail call float @llvm.fmuladd.f32(float %66, float %24, float %70)
  %72 = add nsw i32 %46, -5
  %73 = zext i32 %72 to i64
  %74 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %73
  %75 = load float, ptr addrspace(4) %74, align 4, !tbaa !9
  %76 = tail call float @llvm.fmuladd.f32(float %71, float %24, float %75)
  %77 = add nsw i32 %46, -6
  %78 = zext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %78
  %80 = load float, ptr addrspace(4) %79, align 4, !tbaa !9
  %81 = tail call float @llvm.fmuladd.f32(float %76, float %24, float %80)
  %82 = add nsw i32 %46, -7
  %83 = zext i32 %82 to i64
  %84 = getelementptr inbounds float, ptr addrspace(4) %2, i64 %83
  %85 = load float, ptr addrspace(4) %84, align 4, !tbaa !9
  %86 = tail call float @llvm.fmuladd.f32(float %81, float %24, float %85)
  %87 = add nsw i32 %46, -8
  %88 = icmp eq i32 %82, 0
  br i1 %88, label %41, label %45
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

attributes #0 = { nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx42,+ptx70,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!nvvm.annotations = !{!0, !1}
!llvm.module.flags = !{!2, !3}
!opencl.ocl.version = !{!4}

!0 = !{ptr @saxpy, !"kernel", i32 1}
!1 = !{ptr @horner, !"kernel", i32 1}
!2 = !{i32 1, !"wchar_size", i32 4}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{i32 1, i32 2}
!5 = !{i32 0, i32 0, i32 1, i32 1}
!6 = !{!"none", !"none", !"none", !"none"}
!7 = !{!"int", !"float", !"float*", !"float*"}
!8 = !{!"", !"", !"const", !""}
!9 = !{!10, !10, i64 0}
!10 = !{!"float", !11, i64 0}
!11 = !{!"omnipotent char", !12, i64 0}
!12 = !{!"Simple C/C++ TBAA"}
!13 = !{i32 0, i32 0, i32 2, i32 1}
!14 = !{!"int", !"int", !"float*", !"float*"}
!15 = distinct !{!15, !16}
!16 = !{!"llvm.loop.unroll.disable"}
