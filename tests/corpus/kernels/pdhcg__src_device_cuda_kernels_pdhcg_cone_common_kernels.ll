; pdhcg 0.4.0, Apache licence 2.0, copyright 2026 Hongpei Li, 2025 Haihao Lu (licences/apache-2.0.txt), from PyPI's pdhcg-0.4.0.tar.gz: src/device/cuda/kernels/pdhcg_cone_common_kernels.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @set_cone_dual_slack_kernel(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %85

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds i32, ptr %3, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !13
  %17 = getelementptr inbounds i32, ptr %4, i64 %14
  %18 = load i32, ptr %17, align 4, !tbaa !13
  %19 = icmp sgt i32 %18, -2
  br i1 %19, label %20, label %85

20:                                               ; preds = %13
  %21 = add i32 %18, 1
  %22 = add i32 %18, 2
  %23 = and i32 %22, 3
  %24 = icmp ult i32 %21, 3
  br i1 %24, label %68, label %25

25:                                               ; preds = %20
  %26 = and i32 %22, -4
  br label %27

27:                                               ; preds = %27, %25
  %28 = phi i32 [ 0, %25 ], [ %65, %27 ]
  %29 = phi i32 [ 0, %25 ], [ %66, %27 ]
  %30 = add nsw i32 %28, %16
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds double, ptr %1, i64 %31
  %33 = load double, ptr %32, align 8, !tbaa !17
  %34 = getelementptr inbounds double, ptr %2, i64 %31
  %35 = load double, ptr %34, align 8, !tbaa !17
  %36 = fsub contract double %33, %35
  %37 = getelementptr inbounds double, ptr %0, i64 %31
  store double %36, ptr %37, align 8, !tbaa !17
  %38 = or i32 %28, 1
  %39 = add nsw i32 %38, %16
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds double, ptr %1, i64 %40
  %42 = load double, ptr %41, align 8, !tbaa !17
  %43 = getelementptr inbounds double, ptr %2, i64 %40
  %44 = load double, ptr %43, align 8, !tbaa !17
  %45 = fsub contract double %42, %44
  %46 = getelementptr inbounds double, ptr %0, i64 %40
  store double %45, ptr %46, align 8, !tbaa !17
  %47 = or i32 %28, 2
  %48 = add nsw i32 %47, %16
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds double, ptr %1, i64 %49
  %51 = load double, ptr %50, align 8, !tbaa !17
  %52 = getelementptr inbounds double, ptr %2, i64 %49
  %53 = load double, ptr %52, align 8, !tbaa !17
  %54 = fsub contract double %51, %53
  %55 = getelementptr inbounds double, ptr %0, i64 %49
  store double %54, ptr %55, align 8, !tbaa !17
  %56 = or i32 %28, 3
  %57 = add nsw i32 %56, %16
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds double, ptr %1, i64 %58
  %60 = load double, ptr %59, align 8, !tbaa !17
  %61 = getelementptr inbounds double, ptr %2, i64 %58
  %62 = load double, ptr %61, align 8, !tbaa !17
  %63 = fsub contract double %60, %62
  %64 = getelementptr inbounds double, ptr %0, i64 %58
  store double %63, ptr %64, align 8, !tbaa !17
  %65 = add nuw i32 %28, 4
  %66 = add i32 %29, 4
  %67 = icmp eq i32 %66, %26
  br i1 %67, label %68, label %27, !llvm.loop !19

68:                                               ; preds = %27, %20
  %69 = phi i32 [ 0, %20 ], [ %65, %27 ]
  %70 = icmp eq i32 %23, 0
  br i1 %70, label %85, label %71

71:                                               ; preds = %71, %68
  %72 = phi i32 [ %82, %71 ], [ %69, %68 ]
  %73 = phi i32 [ %83, %71 ], [ 0, %68 ]
  %74 = add nsw i32 %72, %16
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds double, ptr %1, i64 %75
  %77 = load double, ptr %76, align 8, !tbaa !17
  %78 = getelementptr inbounds double, ptr %2, i64 %75
  %79 = load double, ptr %78, align 8, !tbaa !17
  %80 = fsub contract double %77, %79
  %81 = getelementptr inbounds double, ptr %0, i64 %75
  store double %80, ptr %81, align 8, !tbaa !17
  %82 = add nuw i32 %72, 1
  %83 = add i32 %73, 1
  %84 = icmp eq i32 %83, %23
  br i1 %84, label %85, label %71, !llvm.loop !21

85:                                               ; preds = %71, %68, %13, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @set_cone_dual_slack_grid_kernel(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = udiv i32 %8, %6
  %10 = icmp slt i32 %9, %5
  br i1 %10, label %11, label %39

11:                                               ; preds = %7
  %12 = mul nsw i32 %9, %6
  %13 = sub i32 %8, %12
  %14 = sext i32 %9 to i64
  %15 = getelementptr inbounds i32, ptr %3, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !13
  %17 = getelementptr inbounds i32, ptr %4, i64 %14
  %18 = load i32, ptr %17, align 4, !tbaa !13
  %19 = add nsw i32 %18, 2
  %20 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %21 = mul i32 %13, %20
  %22 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %23 = add i32 %21, %22
  %24 = icmp slt i32 %23, %19
  br i1 %24, label %25, label %39

25:                                               ; preds = %11
  %26 = mul i32 %20, %6
  br label %27

27:                                               ; preds = %27, %25
  %28 = phi i32 [ %23, %25 ], [ %37, %27 ]
  %29 = add nsw i32 %28, %16
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds double, ptr %1, i64 %30
  %32 = load double, ptr %31, align 8, !tbaa !17
  %33 = getelementptr inbounds double, ptr %2, i64 %30
  %34 = load double, ptr %33, align 8, !tbaa !17
  %35 = fsub contract double %32, %34
  %36 = getelementptr inbounds double, ptr %0, i64 %30
  store double %35, ptr %36, align 8, !tbaa !17
  %37 = add i32 %28, %26
  %38 = icmp slt i32 %37, %19
  br i1 %38, label %27, label %39, !llvm.loop !23

39:                                               ; preds = %27, %11, %7
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @set_cone_dual_slack_warp_kernel(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = ashr i32 %11, 5
  %13 = icmp slt i32 %12, %5
  br i1 %13, label %14, label %35

14:                                               ; preds = %6
  %15 = and i32 %11, 31
  %16 = sext i32 %12 to i64
  %17 = getelementptr inbounds i32, ptr %3, i64 %16
  %18 = load i32, ptr %17, align 4, !tbaa !13
  %19 = getelementptr inbounds i32, ptr %4, i64 %16
  %20 = load i32, ptr %19, align 4, !tbaa !13
  %21 = add nsw i32 %20, 2
  %22 = icmp slt i32 %15, %21
  br i1 %22, label %23, label %35

23:                                               ; preds = %23, %14
  %24 = phi i32 [ %33, %23 ], [ %15, %14 ]
  %25 = add nsw i32 %24, %18
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds double, ptr %1, i64 %26
  %28 = load double, ptr %27, align 8, !tbaa !17
  %29 = getelementptr inbounds double, ptr %2, i64 %26
  %30 = load double, ptr %29, align 8, !tbaa !17
  %31 = fsub contract double %28, %30
  %32 = getelementptr inbounds double, ptr %0, i64 %26
  store double %31, ptr %32, align 8, !tbaa !17
  %33 = add nuw nsw i32 %24, 32
  %34 = icmp slt i32 %33, %21
  br i1 %34, label %23, label %35, !llvm.loop !24

35:                                               ; preds = %23, %14, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @recompute_reflected_at_cone_kernel(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %90

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds i32, ptr %3, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !13
  %17 = getelementptr inbounds i32, ptr %4, i64 %14
  %18 = load i32, ptr %17, align 4, !tbaa !13
  %19 = icmp sgt i32 %18, -2
  br i1 %19, label %20, label %90

20:                                               ; preds = %13
  %21 = add i32 %18, 1
  %22 = add i32 %18, 2
  %23 = and i32 %22, 3
  %24 = icmp ult i32 %21, 3
  br i1 %24, label %72, label %25

25:                                               ; preds = %20
  %26 = and i32 %22, -4
  br label %27

27:                                               ; preds = %27, %25
  %28 = phi i32 [ 0, %25 ], [ %69, %27 ]
  %29 = phi i32 [ 0, %25 ], [ %70, %27 ]
  %30 = add nsw i32 %28, %16
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds double, ptr %1, i64 %31
  %33 = load double, ptr %32, align 8, !tbaa !17
  %34 = fmul contract double %33, 2.000000e+00
  %35 = getelementptr inbounds double, ptr %2, i64 %31
  %36 = load double, ptr %35, align 8, !tbaa !17
  %37 = fsub contract double %34, %36
  %38 = getelementptr inbounds double, ptr %0, i64 %31
  store double %37, ptr %38, align 8, !tbaa !17
  %39 = or i32 %28, 1
  %40 = add nsw i32 %39, %16
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds double, ptr %1, i64 %41
  %43 = load double, ptr %42, align 8, !tbaa !17
  %44 = fmul contract double %43, 2.000000e+00
  %45 = getelementptr inbounds double, ptr %2, i64 %41
  %46 = load double, ptr %45, align 8, !tbaa !17
  %47 = fsub contract double %44, %46
  %48 = getelementptr inbounds double, ptr %0, i64 %41
  store double %47, ptr %48, align 8, !tbaa !17
  %49 = or i32 %28, 2
  %50 = add nsw i32 %49, %16
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds double, ptr %1, i64 %51
  %53 = load double, ptr %52, align 8, !tbaa !17
  %54 = fmul contract double %53, 2.000000e+00
  %55 = getelementptr inbounds double, ptr %2, i64 %51
  %56 = load double, ptr %55, align 8, !tbaa !17
  %57 = fsub contract double %54, %56
  %58 = getelementptr inbounds double, ptr %0, i64 %51
  store double %57, ptr %58, align 8, !tbaa !17
  %59 = or i32 %28, 3
  %60 = add nsw i32 %59, %16
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds double, ptr %1, i64 %61
  %63 = load double, ptr %62, align 8, !tbaa !17
  %64 = fmul contract double %63, 2.000000e+00
  %65 = getelementptr inbounds double, ptr %2, i64 %61
  %66 = load double, ptr %65, align 8, !tbaa !17
  %67 = fsub contract double %64, %66
  %68 = getelementptr inbounds double, ptr %0, i64 %61
  store double %67, ptr %68, align 8, !tbaa !17
  %69 = add nuw i32 %28, 4
  %70 = add i32 %29, 4
  %71 = icmp eq i32 %70, %26
  br i1 %71, label %72, label %27, !llvm.loop !25

72:                                               ; preds = %27, %20
  %73 = phi i32 [ 0, %20 ], [ %69, %27 ]
  %74 = icmp eq i32 %23, 0
  br i1 %74, label %90, label %75

75:                                               ; preds = %75, %72
  %76 = phi i32 [ %87, %75 ], [ %73, %72 ]
  %77 = phi i32 [ %88, %75 ], [ 0, %72 ]
  %78 = add nsw i32 %76, %16
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds double, ptr %1, i64 %79
  %81 = load double, ptr %80, align 8, !tbaa !17
  %82 = fmul contract double %81, 2.000000e+00
  %83 = getelementptr inbounds double, ptr %2, i64 %79
  %84 = load double, ptr %83, align 8, !tbaa !17
  %85 = fsub contract double %82, %84
  %86 = getelementptr inbounds double, ptr %0, i64 %79
  store double %85, ptr %86, align 8, !tbaa !17
  %87 = add nuw i32 %76, 1
  %88 = add i32 %77, 1
  %89 = icmp eq i32 %88, %23
  br i1 %89, label %90, label %75, !llvm.loop !26

90:                                               ; preds = %75, %72, %13, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @recompute_reflected_at_cone_warp_kernel(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = ashr i32 %11, 5
  %13 = icmp slt i32 %12, %5
  br i1 %13, label %14, label %36

14:                                               ; preds = %6
  %15 = and i32 %11, 31
  %16 = sext i32 %12 to i64
  %17 = getelementptr inbounds i32, ptr %3, i64 %16
  %18 = load i32, ptr %17, align 4, !tbaa !13
  %19 = getelementptr inbounds i32, ptr %4, i64 %16
  %20 = load i32, ptr %19, align 4, !tbaa !13
  %21 = add nsw i32 %20, 2
  %22 = icmp slt i32 %15, %21
  br i1 %22, label %23, label %36

23:                                               ; preds = %23, %14
  %24 = phi i32 [ %34, %23 ], [ %15, %14 ]
  %25 = add nsw i32 %24, %18
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds double, ptr %1, i64 %26
  %28 = load double, ptr %27, align 8, !tbaa !17
  %29 = fmul contract double %28, 2.000000e+00
  %30 = getelementptr inbounds double, ptr %2, i64 %26
  %31 = load double, ptr %30, align 8, !tbaa !17
  %32 = fsub contract double %29, %31
  %33 = getelementptr inbounds double, ptr %0, i64 %26
  store double %32, ptr %33, align 8, !tbaa !17
  %34 = add nuw nsw i32 %24, 32
  %35 = icmp slt i32 %34, %21
  br i1 %35, label %23, label %36, !llvm.loop !27

36:                                               ; preds = %23, %14, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @recompute_reflected_at_cone_grid_kernel(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = udiv i32 %8, %6
  %10 = icmp slt i32 %9, %5
  br i1 %10, label %11, label %40

11:                                               ; preds = %7
  %12 = mul nsw i32 %9, %6
  %13 = sub i32 %8, %12
  %14 = sext i32 %9 to i64
  %15 = getelementptr inbounds i32, ptr %3, i64 %14
  %16 = load i32, ptr %15, align 4, !tbaa !13
  %17 = getelementptr inbounds i32, ptr %4, i64 %14
  %18 = load i32, ptr %17, align 4, !tbaa !13
  %19 = add nsw i32 %18, 2
  %20 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %21 = mul i32 %13, %20
  %22 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %23 = add i32 %21, %22
  %24 = icmp slt i32 %23, %19
  br i1 %24, label %25, label %40

25:                                               ; preds = %11
  %26 = mul i32 %20, %6
  br label %27

27:                                               ; preds = %27, %25
  %28 = phi i32 [ %23, %25 ], [ %38, %27 ]
  %29 = add nsw i32 %28, %16
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds double, ptr %1, i64 %30
  %32 = load double, ptr %31, align 8, !tbaa !17
  %33 = fmul contract double %32, 2.000000e+00
  %34 = getelementptr inbounds double, ptr %2, i64 %30
  %35 = load double, ptr %34, align 8, !tbaa !17
  %36 = fsub contract double %33, %35
  %37 = getelementptr inbounds double, ptr %0, i64 %30
  store double %36, ptr %37, align 8, !tbaa !17
  %38 = add i32 %28, %26
  %39 = icmp slt i32 %38, %19
  br i1 %39, label %27, label %40, !llvm.loop !28

40:                                               ; preds = %27, %11, %7
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @recompute_reflected_at_cone_block_kernel(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = icmp slt i32 %7, %5
  br i1 %8, label %9, label %33

9:                                                ; preds = %6
  %10 = sext i32 %7 to i64
  %11 = getelementptr inbounds i32, ptr %3, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !13
  %13 = getelementptr inbounds i32, ptr %4, i64 %10
  %14 = load i32, ptr %13, align 4, !tbaa !13
  %15 = add nsw i32 %14, 2
  %16 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %17 = icmp slt i32 %16, %15
  br i1 %17, label %18, label %33

18:                                               ; preds = %9
  %19 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %20

20:                                               ; preds = %20, %18
  %21 = phi i32 [ %16, %18 ], [ %31, %20 ]
  %22 = add nsw i32 %21, %12
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds double, ptr %1, i64 %23
  %25 = load double, ptr %24, align 8, !tbaa !17
  %26 = fmul contract double %25, 2.000000e+00
  %27 = getelementptr inbounds double, ptr %2, i64 %23
  %28 = load double, ptr %27, align 8, !tbaa !17
  %29 = fsub contract double %26, %28
  %30 = getelementptr inbounds double, ptr %0, i64 %23
  store double %29, ptr %30, align 8, !tbaa !17
  %31 = add i32 %21, %19
  %32 = icmp slt i32 %31, %15
  br i1 %32, label %20, label %33, !llvm.loop !29

33:                                               ; preds = %20, %9, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @_Z31clear_cone_residual_grid_kernelPdPKiS1_ii(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = udiv i32 %6, %4
  %8 = icmp slt i32 %7, %3
  br i1 %8, label %9, label %32

9:                                                ; preds = %5
  %10 = mul nsw i32 %7, %4
  %11 = sub i32 %6, %10
  %12 = sext i32 %7 to i64
  %13 = getelementptr inbounds i32, ptr %1, i64 %12
  %14 = load i32, ptr %13, align 4, !tbaa !13
  %15 = getelementptr inbounds i32, ptr %2, i64 %12
  %16 = load i32, ptr %15, align 4, !tbaa !13
  %17 = add nsw i32 %16, 2
  %18 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %19 = mul i32 %11, %18
  %20 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %21 = add i32 %19, %20
  %22 = icmp slt i32 %21, %17
  br i1 %22, label %23, label %32

23:                                               ; preds = %9
  %24 = mul i32 %18, %4
  br label %25

25:                                               ; preds = %25, %23
  %26 = phi i32 [ %21, %23 ], [ %30, %25 ]
  %27 = add nsw i32 %26, %14
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds double, ptr %0, i64 %28
  store double 0.000000e+00, ptr %29, align 8, !tbaa !17
  %30 = add i32 %26, %24
  %31 = icmp slt i32 %30, %17
  br i1 %31, label %25, label %32, !llvm.loop !30

32:                                               ; preds = %25, %9, %5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5, !6, !7, !8, !9, !10, !11}
!nvvmir.version = !{!12}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @set_cone_dual_slack_kernel, !"kernel", i32 1}
!5 = !{ptr @set_cone_dual_slack_grid_kernel, !"kernel", i32 1}
!6 = !{ptr @set_cone_dual_slack_warp_kernel, !"kernel", i32 1}
!7 = !{ptr @recompute_reflected_at_cone_kernel, !"kernel", i32 1}
!8 = !{ptr @recompute_reflected_at_cone_warp_kernel, !"kernel", i32 1}
!9 = !{ptr @recompute_reflected_at_cone_grid_kernel, !"kernel", i32 1}
!10 = !{ptr @recompute_reflected_at_cone_block_kernel, !"kernel", i32 1}
!11 = !{ptr @_Z31clear_cone_residual_grid_kernelPdPKiS1_ii, !"kernel", i32 1}
!12 = !{i32 2, i32 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"int", !15, i64 0}
!15 = !{!"omnipotent char", !16, i64 0}
!16 = !{!"Simple C++ TBAA"}
!17 = !{!18, !18, i64 0}
!18 = !{!"double", !15, i64 0}
!19 = distinct !{!19, !20}
!20 = !{!"llvm.loop.mustprogress"}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.unroll.disable"}
!23 = distinct !{!23, !20}
!24 = distinct !{!24, !20}
!25 = distinct !{!25, !20}
!26 = distinct !{!26, !22}
!27 = distinct !{!27, !20}
!28 = distinct !{!28, !20}
!29 = distinct !{!29, !20}
!30 = distinct !{!30, !20}
