; cupdlpx 0.3.0, Apache licence 2.0, copyright 2025 Haihao Lu (licences/apache-2.0.txt), from PyPI's cupdlpx-0.3.0.tar.gz: src/utils.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z23compute_residual_kernelPdPKdS1_S1_S1_S_S1_S1_S1_S1_S1_S_S1_S1_ii(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, ptr noalias nocapture noundef writeonly %5, ptr noalias nocapture noundef readonly %6, ptr noalias nocapture noundef readonly %7, ptr noalias nocapture noundef readonly %8, ptr noalias nocapture noundef readonly %9, ptr noalias nocapture noundef readonly %10, ptr noalias nocapture noundef writeonly %11, ptr noalias nocapture noundef readonly %12, ptr noalias nocapture noundef readonly %13, i32 noundef %14, i32 noundef %15) local_unnamed_addr #0 {
  %17 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %18 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %19 = mul i32 %17, %18
  %20 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %21 = add i32 %19, %20
  %22 = icmp slt i32 %21, %14
  br i1 %22, label %23, label %50

23:                                               ; preds = %16
  %24 = sext i32 %21 to i64
  %25 = getelementptr inbounds double, ptr %2, i64 %24
  %26 = load double, ptr %25, align 8, !tbaa !14
  %27 = getelementptr inbounds double, ptr %1, i64 %24
  %28 = load double, ptr %27, align 8, !tbaa !14
  %29 = getelementptr inbounds double, ptr %3, i64 %24
  %30 = load double, ptr %29, align 8, !tbaa !14
  %31 = tail call double @llvm.minnum.f64(double %28, double %30)
  %32 = tail call double @llvm.maxnum.f64(double %26, double %31)
  %33 = fsub contract double %28, %32
  %34 = getelementptr inbounds double, ptr %9, i64 %24
  %35 = load double, ptr %34, align 8, !tbaa !14
  %36 = fmul contract double %35, %33
  %37 = getelementptr inbounds double, ptr %0, i64 %24
  store double %36, ptr %37, align 8, !tbaa !14
  %38 = getelementptr inbounds double, ptr %4, i64 %24
  %39 = load double, ptr %38, align 8, !tbaa !14
  %40 = tail call double @llvm.maxnum.f64(double %39, double 0.000000e+00)
  %41 = getelementptr inbounds double, ptr %12, i64 %24
  %42 = load double, ptr %41, align 8, !tbaa !14
  %43 = fmul contract double %40, %42
  %44 = tail call double @llvm.minnum.f64(double %39, double 0.000000e+00)
  %45 = getelementptr inbounds double, ptr %13, i64 %24
  %46 = load double, ptr %45, align 8, !tbaa !14
  %47 = fmul contract double %44, %46
  %48 = fadd contract double %43, %47
  %49 = getelementptr inbounds double, ptr %11, i64 %24
  store double %48, ptr %49, align 8, !tbaa !14
  br label %68

50:                                               ; preds = %16
  %51 = add nsw i32 %15, %14
  %52 = icmp slt i32 %21, %51
  br i1 %52, label %53, label %68

53:                                               ; preds = %50
  %54 = sub nsw i32 %21, %14
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds double, ptr %8, i64 %55
  %57 = load double, ptr %56, align 8, !tbaa !14
  %58 = getelementptr inbounds double, ptr %6, i64 %55
  %59 = load double, ptr %58, align 8, !tbaa !14
  %60 = fsub contract double %57, %59
  %61 = getelementptr inbounds double, ptr %7, i64 %55
  %62 = load double, ptr %61, align 8, !tbaa !14
  %63 = fsub contract double %60, %62
  %64 = getelementptr inbounds double, ptr %10, i64 %55
  %65 = load double, ptr %64, align 8, !tbaa !14
  %66 = fmul contract double %63, %65
  %67 = getelementptr inbounds double, ptr %5, i64 %55
  store double %66, ptr %67, align 8, !tbaa !14
  br label %68

68:                                               ; preds = %53, %50, %23
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z35primal_infeasibility_project_kernelPdPKdS1_i(ptr noalias nocapture noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %32

11:                                               ; preds = %4
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds double, ptr %1, i64 %12
  %14 = load double, ptr %13, align 8, !tbaa !14
  %15 = tail call i32 @llvm.nvvm.d2i.hi(double %14) #2
  %16 = and i32 %15, 2146435072
  %17 = icmp eq i32 %16, 2146435072
  br i1 %17, label %22, label %18

18:                                               ; preds = %11
  %19 = getelementptr inbounds double, ptr %0, i64 %12
  %20 = load double, ptr %19, align 8, !tbaa !14
  %21 = tail call double @llvm.maxnum.f64(double %20, double 0.000000e+00)
  store double %21, ptr %19, align 8, !tbaa !14
  br label %22

22:                                               ; preds = %18, %11
  %23 = getelementptr inbounds double, ptr %2, i64 %12
  %24 = load double, ptr %23, align 8, !tbaa !14
  %25 = tail call i32 @llvm.nvvm.d2i.hi(double %24) #2
  %26 = and i32 %25, 2146435072
  %27 = icmp eq i32 %26, 2146435072
  br i1 %27, label %32, label %28

28:                                               ; preds = %22
  %29 = getelementptr inbounds double, ptr %0, i64 %12
  %30 = load double, ptr %29, align 8, !tbaa !14
  %31 = tail call double @llvm.minnum.f64(double %30, double 0.000000e+00)
  store double %31, ptr %29, align 8, !tbaa !14
  br label %32

32:                                               ; preds = %28, %22, %4
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z33dual_infeasibility_project_kernelPdPKdS1_i(ptr noalias nocapture noundef %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %32

11:                                               ; preds = %4
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds double, ptr %1, i64 %12
  %14 = load double, ptr %13, align 8, !tbaa !14
  %15 = tail call i32 @llvm.nvvm.d2i.hi(double %14) #2
  %16 = and i32 %15, 2146435072
  %17 = icmp eq i32 %16, 2146435072
  br i1 %17, label %18, label %22

18:                                               ; preds = %11
  %19 = getelementptr inbounds double, ptr %0, i64 %12
  %20 = load double, ptr %19, align 8, !tbaa !14
  %21 = tail call double @llvm.minnum.f64(double %20, double 0.000000e+00)
  store double %21, ptr %19, align 8, !tbaa !14
  br label %22

22:                                               ; preds = %18, %11
  %23 = getelementptr inbounds double, ptr %2, i64 %12
  %24 = load double, ptr %23, align 8, !tbaa !14
  %25 = tail call i32 @llvm.nvvm.d2i.hi(double %24) #2
  %26 = and i32 %25, 2146435072
  %27 = icmp eq i32 %26, 2146435072
  br i1 %27, label %28, label %32

28:                                               ; preds = %22
  %29 = getelementptr inbounds double, ptr %0, i64 %12
  %30 = load double, ptr %29, align 8, !tbaa !14
  %31 = tail call double @llvm.maxnum.f64(double %30, double 0.000000e+00)
  store double %31, ptr %29, align 8, !tbaa !14
  br label %32

32:                                               ; preds = %28, %22, %4
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z35compute_primal_infeasibility_kernelPKdS0_S0_iPdS0_(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, i32 noundef %3, ptr noalias nocapture noundef writeonly %4, ptr noalias nocapture noundef readonly %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %3
  br i1 %12, label %13, label %39

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds double, ptr %0, i64 %14
  %16 = load double, ptr %15, align 8, !tbaa !14
  %17 = fneg contract double %16
  %18 = tail call double @llvm.maxnum.f64(double %17, double 0.000000e+00)
  %19 = getelementptr inbounds double, ptr %1, i64 %14
  %20 = load double, ptr %19, align 8, !tbaa !14
  %21 = tail call i32 @llvm.nvvm.d2i.hi(double %20) #2
  %22 = and i32 %21, 2146435072
  %23 = icmp ne i32 %22, 2146435072
  %24 = uitofp i1 %23 to double
  %25 = fmul contract double %18, %24
  %26 = tail call double @llvm.maxnum.f64(double %16, double 0.000000e+00)
  %27 = getelementptr inbounds double, ptr %2, i64 %14
  %28 = load double, ptr %27, align 8, !tbaa !14
  %29 = tail call i32 @llvm.nvvm.d2i.hi(double %28) #2
  %30 = and i32 %29, 2146435072
  %31 = icmp ne i32 %30, 2146435072
  %32 = uitofp i1 %31 to double
  %33 = fmul contract double %26, %32
  %34 = fadd contract double %25, %33
  %35 = getelementptr inbounds double, ptr %5, i64 %14
  %36 = load double, ptr %35, align 8, !tbaa !14
  %37 = fmul contract double %36, %34
  %38 = getelementptr inbounds double, ptr %4, i64 %14
  store double %37, ptr %38, align 8, !tbaa !14
  br label %39

39:                                               ; preds = %13, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z33compute_dual_infeasibility_kernelPKdS0_S0_iPdS0_(ptr nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, i32 noundef %3, ptr noalias nocapture noundef writeonly %4, ptr noalias nocapture noundef readonly %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %3
  br i1 %12, label %13, label %39

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds double, ptr %0, i64 %14
  %16 = load double, ptr %15, align 8, !tbaa !14
  %17 = fneg contract double %16
  %18 = tail call double @llvm.maxnum.f64(double %17, double 0.000000e+00)
  %19 = getelementptr inbounds double, ptr %1, i64 %14
  %20 = load double, ptr %19, align 8, !tbaa !14
  %21 = tail call i32 @llvm.nvvm.d2i.hi(double %20) #2
  %22 = and i32 %21, 2146435072
  %23 = icmp eq i32 %22, 2146435072
  %24 = uitofp i1 %23 to double
  %25 = fmul contract double %18, %24
  %26 = tail call double @llvm.minnum.f64(double %17, double 0.000000e+00)
  %27 = getelementptr inbounds double, ptr %2, i64 %14
  %28 = load double, ptr %27, align 8, !tbaa !14
  %29 = tail call i32 @llvm.nvvm.d2i.hi(double %28) #2
  %30 = and i32 %29, 2146435072
  %31 = icmp eq i32 %30, 2146435072
  %32 = uitofp i1 %31 to double
  %33 = fmul contract double %26, %32
  %34 = fsub contract double %25, %33
  %35 = getelementptr inbounds double, ptr %5, i64 %14
  %36 = load double, ptr %35, align 8, !tbaa !14
  %37 = fmul contract double %36, %34
  %38 = getelementptr inbounds double, ptr %4, i64 %14
  store double %37, ptr %38, align 8, !tbaa !14
  br label %39

39:                                               ; preds = %13, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z48dual_solution_dual_objective_contribution_kernelPKdS0_S0_iPd(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, i32 noundef %3, ptr noalias nocapture noundef writeonly %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %3
  br i1 %11, label %12, label %26

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds double, ptr %2, i64 %13
  %15 = load double, ptr %14, align 8, !tbaa !14
  %16 = tail call double @llvm.maxnum.f64(double %15, double 0.000000e+00)
  %17 = getelementptr inbounds double, ptr %0, i64 %13
  %18 = load double, ptr %17, align 8, !tbaa !14
  %19 = fmul contract double %16, %18
  %20 = tail call double @llvm.minnum.f64(double %15, double 0.000000e+00)
  %21 = getelementptr inbounds double, ptr %1, i64 %13
  %22 = load double, ptr %21, align 8, !tbaa !14
  %23 = fmul contract double %20, %22
  %24 = fadd contract double %19, %23
  %25 = getelementptr inbounds double, ptr %4, i64 %13
  store double %24, ptr %25, align 8, !tbaa !14
  br label %26

26:                                               ; preds = %12, %5
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z51dual_objective_dual_slack_contribution_array_kernelPKdPdS0_S0_i(ptr noalias nocapture noundef readonly %0, ptr noalias nocapture noundef writeonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %27

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds double, ptr %0, i64 %13
  %15 = load double, ptr %14, align 8, !tbaa !14
  %16 = fneg contract double %15
  %17 = tail call double @llvm.maxnum.f64(double %16, double 0.000000e+00)
  %18 = getelementptr inbounds double, ptr %2, i64 %13
  %19 = load double, ptr %18, align 8, !tbaa !14
  %20 = fmul contract double %17, %19
  %21 = tail call double @llvm.minnum.f64(double %16, double 0.000000e+00)
  %22 = getelementptr inbounds double, ptr %3, i64 %13
  %23 = load double, ptr %22, align 8, !tbaa !14
  %24 = fmul contract double %21, %23
  %25 = fadd contract double %20, %24
  %26 = getelementptr inbounds double, ptr %1, i64 %13
  store double %25, ptr %26, align 8, !tbaa !14
  br label %27

27:                                               ; preds = %12, %5
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z42compute_primal_feas_polish_residual_kernelPdPKdS1_S1_S1_i(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, i32 noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %28

13:                                               ; preds = %6
  %14 = sext i32 %11 to i64
  %15 = getelementptr inbounds double, ptr %2, i64 %14
  %16 = load double, ptr %15, align 8, !tbaa !14
  %17 = getelementptr inbounds double, ptr %1, i64 %14
  %18 = load double, ptr %17, align 8, !tbaa !14
  %19 = getelementptr inbounds double, ptr %3, i64 %14
  %20 = load double, ptr %19, align 8, !tbaa !14
  %21 = tail call double @llvm.minnum.f64(double %18, double %20)
  %22 = tail call double @llvm.maxnum.f64(double %16, double %21)
  %23 = fsub contract double %18, %22
  %24 = getelementptr inbounds double, ptr %4, i64 %14
  %25 = load double, ptr %24, align 8, !tbaa !14
  %26 = fmul contract double %25, %23
  %27 = getelementptr inbounds double, ptr %0, i64 %14
  store double %26, ptr %27, align 8, !tbaa !14
  br label %28

28:                                               ; preds = %13, %6
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z40compute_dual_feas_polish_residual_kernelPdPKdS1_S1_S1_S1_S_S1_S1_ii(ptr noalias nocapture noundef writeonly %0, ptr noalias nocapture noundef readonly %1, ptr noalias nocapture noundef readonly %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, ptr noalias nocapture noundef readonly %5, ptr noalias nocapture noundef writeonly %6, ptr noalias nocapture noundef readonly %7, ptr noalias nocapture noundef readonly %8, i32 noundef %9, i32 noundef %10) local_unnamed_addr #0 {
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %14 = mul i32 %12, %13
  %15 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = add i32 %14, %15
  %17 = icmp slt i32 %16, %9
  br i1 %17, label %18, label %32

18:                                               ; preds = %11
  %19 = sext i32 %16 to i64
  %20 = getelementptr inbounds double, ptr %4, i64 %19
  %21 = load double, ptr %20, align 8, !tbaa !14
  %22 = getelementptr inbounds double, ptr %2, i64 %19
  %23 = load double, ptr %22, align 8, !tbaa !14
  %24 = fsub contract double %21, %23
  %25 = getelementptr inbounds double, ptr %3, i64 %19
  %26 = load double, ptr %25, align 8, !tbaa !14
  %27 = fsub contract double %24, %26
  %28 = getelementptr inbounds double, ptr %5, i64 %19
  %29 = load double, ptr %28, align 8, !tbaa !14
  %30 = fmul contract double %27, %29
  %31 = getelementptr inbounds double, ptr %0, i64 %19
  store double %30, ptr %31, align 8, !tbaa !14
  br label %50

32:                                               ; preds = %11
  %33 = add nsw i32 %10, %9
  %34 = icmp slt i32 %16, %33
  br i1 %34, label %35, label %50

35:                                               ; preds = %32
  %36 = sub nsw i32 %16, %9
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds double, ptr %1, i64 %37
  %39 = load double, ptr %38, align 8, !tbaa !14
  %40 = tail call double @llvm.maxnum.f64(double %39, double 0.000000e+00)
  %41 = getelementptr inbounds double, ptr %7, i64 %37
  %42 = load double, ptr %41, align 8, !tbaa !14
  %43 = fmul contract double %40, %42
  %44 = tail call double @llvm.minnum.f64(double %39, double 0.000000e+00)
  %45 = getelementptr inbounds double, ptr %8, i64 %37
  %46 = load double, ptr %45, align 8, !tbaa !14
  %47 = fmul contract double %44, %46
  %48 = fadd contract double %43, %47
  %49 = getelementptr inbounds double, ptr %6, i64 %37
  store double %48, ptr %49, align 8, !tbaa !14
  br label %50

50:                                               ; preds = %35, %32, %18
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.nvvm.d2i.hi(double) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.minnum.f64(double, double) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.maxnum.f64(double, double) #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5, !6, !7, !8, !9, !10, !11, !12}
!nvvmir.version = !{!13}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_Z23compute_residual_kernelPdPKdS1_S1_S1_S_S1_S1_S1_S1_S1_S_S1_S1_ii, !"kernel", i32 1}
!5 = !{ptr @_Z35primal_infeasibility_project_kernelPdPKdS1_i, !"kernel", i32 1}
!6 = !{ptr @_Z33dual_infeasibility_project_kernelPdPKdS1_i, !"kernel", i32 1}
!7 = !{ptr @_Z35compute_primal_infeasibility_kernelPKdS0_S0_iPdS0_, !"kernel", i32 1}
!8 = !{ptr @_Z33compute_dual_infeasibility_kernelPKdS0_S0_iPdS0_, !"kernel", i32 1}
!9 = !{ptr @_Z48dual_solution_dual_objective_contribution_kernelPKdS0_S0_iPd, !"kernel", i32 1}
!10 = !{ptr @_Z51dual_objective_dual_slack_contribution_array_kernelPKdPdS0_S0_i, !"kernel", i32 1}
!11 = !{ptr @_Z42compute_primal_feas_polish_residual_kernelPdPKdS1_S1_S1_i, !"kernel", i32 1}
!12 = !{ptr @_Z40compute_dual_feas_polish_residual_kernelPdPKdS1_S1_S1_S1_S_S1_S1_ii, !"kernel", i32 1}
!13 = !{i32 2, i32 0}
!14 = !{!15, !15, i64 0}
!15 = !{!"double", !16, i64 0}
!16 = !{!"omnipotent char", !17, i64 0}
!17 = !{!"Simple C++ TBAA"}
