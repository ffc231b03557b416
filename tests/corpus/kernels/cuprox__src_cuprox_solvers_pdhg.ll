; cuprox 0.2.0, MIT licence (licences/cuprox.txt), from PyPI's cuprox-0.2.0.tar.gz: src/cuprox/solvers/pdhg.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$_ZN6cuprox7kernels19scale_bounds_kernelIfEEvPT_PKS2_S2_i = comdat any

$_ZN6cuprox7kernels11copy_kernelIfEEvPT_PKS2_i = comdat any

$_ZN6cuprox7kernels20primal_update_kernelIfEEvPT_PKS2_S5_S5_S5_S5_S2_i = comdat any

$_ZN6cuprox7kernels20extrapolation_kernelIfEEvPT_PKS2_S5_i = comdat any

$_ZN6cuprox7kernels18dual_update_kernelIfEEvPT_PKS2_S5_S5_S5_S2_i = comdat any

$_ZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_i = comdat any

$_ZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_i = comdat any

$_ZN6cuprox7kernels19scale_bounds_kernelIdEEvPT_PKS2_S2_i = comdat any

$_ZN6cuprox7kernels11copy_kernelIdEEvPT_PKS2_i = comdat any

$_ZN6cuprox7kernels20primal_update_kernelIdEEvPT_PKS2_S5_S5_S5_S5_S2_i = comdat any

$_ZN6cuprox7kernels20extrapolation_kernelIdEEvPT_PKS2_S5_i = comdat any

$_ZN6cuprox7kernels18dual_update_kernelIdEEvPT_PKS2_S5_S5_S5_S2_i = comdat any

$_ZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_i = comdat any

$_ZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_i = comdat any

$_ZZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_iE5sdata = comdat any

$_ZZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_iE5sdata = comdat any

$_ZZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_iE5sdata = comdat any

$_ZZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_iE5sdata = comdat any

@_ZZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_iE5sdata = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [256 x float] undef, comdat, align 4
@_ZZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_iE5sdata = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [256 x float] undef, comdat, align 4
@_ZZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_iE5sdata = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [256 x double] undef, comdat, align 8
@_ZZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_iE5sdata = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [256 x double] undef, comdat, align 8

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels19scale_bounds_kernelIfEEvPT_PKS2_S2_i(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, float noundef %2, i32 noundef %3) local_unnamed_addr #0 comdat {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %19

11:                                               ; preds = %4
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds float, ptr %0, i64 %12
  %14 = load float, ptr %13, align 4, !tbaa !19
  %15 = getelementptr inbounds float, ptr %1, i64 %12
  %16 = load float, ptr %15, align 4, !tbaa !19
  %17 = fmul contract float %14, %16
  %18 = fmul contract float %17, %2
  store float %18, ptr %13, align 4, !tbaa !19
  br label %19

19:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels11copy_kernelIfEEvPT_PKS2_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, i32 noundef %2) local_unnamed_addr #0 comdat {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %15

10:                                               ; preds = %3
  %11 = sext i32 %8 to i64
  %12 = getelementptr inbounds float, ptr %0, i64 %11
  %13 = getelementptr inbounds float, ptr %1, i64 %11
  %14 = load float, ptr %13, align 4, !tbaa !19
  store float %14, ptr %12, align 4, !tbaa !19
  br label %15

15:                                               ; preds = %10, %3
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels20primal_update_kernelIfEEvPT_PKS2_S5_S5_S5_S5_S2_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, ptr nocapture noundef readonly %5, float noundef %6, i32 noundef %7) local_unnamed_addr #0 comdat {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %11 = mul i32 %9, %10
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %13 = add i32 %11, %12
  %14 = icmp slt i32 %13, %7
  br i1 %14, label %15, label %33

15:                                               ; preds = %8
  %16 = sext i32 %13 to i64
  %17 = getelementptr inbounds float, ptr %1, i64 %16
  %18 = load float, ptr %17, align 4, !tbaa !19
  %19 = getelementptr inbounds float, ptr %2, i64 %16
  %20 = load float, ptr %19, align 4, !tbaa !19
  %21 = getelementptr inbounds float, ptr %3, i64 %16
  %22 = load float, ptr %21, align 4, !tbaa !19
  %23 = fadd contract float %20, %22
  %24 = fmul contract float %23, %6
  %25 = fsub contract float %18, %24
  %26 = getelementptr inbounds float, ptr %4, i64 %16
  %27 = load float, ptr %26, align 4, !tbaa !19
  %28 = tail call float @llvm.maxnum.f32(float %25, float %27)
  %29 = getelementptr inbounds float, ptr %5, i64 %16
  %30 = load float, ptr %29, align 4, !tbaa !19
  %31 = tail call float @llvm.minnum.f32(float %28, float %30)
  %32 = getelementptr inbounds float, ptr %0, i64 %16
  store float %31, ptr %32, align 4, !tbaa !19
  br label %33

33:                                               ; preds = %15, %8
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels20extrapolation_kernelIfEEvPT_PKS2_S5_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, i32 noundef %3) local_unnamed_addr #0 comdat {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %20

11:                                               ; preds = %4
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds float, ptr %1, i64 %12
  %14 = load float, ptr %13, align 4, !tbaa !19
  %15 = fmul contract float %14, 2.000000e+00
  %16 = getelementptr inbounds float, ptr %2, i64 %12
  %17 = load float, ptr %16, align 4, !tbaa !19
  %18 = fsub contract float %15, %17
  %19 = getelementptr inbounds float, ptr %0, i64 %12
  store float %18, ptr %19, align 4, !tbaa !19
  br label %20

20:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels18dual_update_kernelIfEEvPT_PKS2_S5_S5_S5_S2_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, float noundef %5, i32 noundef %6) local_unnamed_addr #0 comdat {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul i32 %8, %9
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add i32 %10, %11
  %13 = icmp slt i32 %12, %6
  br i1 %13, label %14, label %32

14:                                               ; preds = %7
  %15 = sext i32 %12 to i64
  %16 = getelementptr inbounds float, ptr %1, i64 %15
  %17 = load float, ptr %16, align 4, !tbaa !19
  %18 = getelementptr inbounds float, ptr %2, i64 %15
  %19 = load float, ptr %18, align 4, !tbaa !19
  %20 = fmul contract float %19, %5
  %21 = fadd contract float %17, %20
  %22 = fdiv contract float %21, %5
  %23 = getelementptr inbounds float, ptr %3, i64 %15
  %24 = load float, ptr %23, align 4, !tbaa !19
  %25 = tail call float @llvm.maxnum.f32(float %22, float %24)
  %26 = getelementptr inbounds float, ptr %4, i64 %15
  %27 = load float, ptr %26, align 4, !tbaa !19
  %28 = tail call float @llvm.minnum.f32(float %25, float %27)
  %29 = fmul contract float %28, %5
  %30 = fsub contract float %21, %29
  %31 = getelementptr inbounds float, ptr %0, i64 %15
  store float %30, ptr %31, align 4, !tbaa !19
  br label %32

32:                                               ; preds = %14, %7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_ZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_i(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef writeonly %3, i32 noundef %4) local_unnamed_addr #2 comdat {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = add i32 %9, %6
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %23

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds float, ptr %0, i64 %13
  %15 = load float, ptr %14, align 4, !tbaa !19
  %16 = getelementptr inbounds float, ptr %1, i64 %13
  %17 = load float, ptr %16, align 4, !tbaa !19
  %18 = tail call float @llvm.maxnum.f32(float %15, float %17)
  %19 = getelementptr inbounds float, ptr %2, i64 %13
  %20 = load float, ptr %19, align 4, !tbaa !19
  %21 = tail call float @llvm.minnum.f32(float %18, float %20)
  %22 = fsub contract float %15, %21
  br label %23

23:                                               ; preds = %12, %5
  %24 = phi float [ %22, %12 ], [ 0.000000e+00, %5 ]
  %25 = fmul contract float %24, %24
  %26 = sext i32 %6 to i64
  %27 = getelementptr inbounds [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %26
  store float %25, ptr %27, align 4, !tbaa !19
  tail call void @llvm.nvvm.barrier0()
  %28 = icmp ult i32 %8, 2
  br i1 %28, label %29, label %31

29:                                               ; preds = %42, %23
  %30 = icmp eq i32 %6, 0
  br i1 %30, label %44, label %48

31:                                               ; preds = %42, %23
  %32 = phi i32 [ %33, %42 ], [ %8, %23 ]
  %33 = lshr i32 %32, 1
  %34 = icmp slt i32 %6, %33
  br i1 %34, label %35, label %42

35:                                               ; preds = %31
  %36 = add nsw i32 %33, %6
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %37
  %39 = load float, ptr %38, align 4, !tbaa !19
  %40 = load float, ptr %27, align 4, !tbaa !19
  %41 = fadd contract float %39, %40
  store float %41, ptr %27, align 4, !tbaa !19
  br label %42

42:                                               ; preds = %35, %31
  tail call void @llvm.nvvm.barrier0()
  %43 = icmp ult i32 %32, 4
  br i1 %43, label %29, label %31, !llvm.loop !23

44:                                               ; preds = %29
  %45 = zext i32 %7 to i64
  %46 = getelementptr inbounds float, ptr %3, i64 %45
  %47 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_iE5sdata to ptr), align 4, !tbaa !19
  store float %47, ptr %46, align 4, !tbaa !19
  br label %48

48:                                               ; preds = %44, %29
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_ZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_i(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, ptr nocapture noundef writeonly %5, i32 noundef %6) local_unnamed_addr #2 comdat {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %11 = mul i32 %9, %10
  %12 = add i32 %11, %8
  %13 = icmp slt i32 %12, %6
  br i1 %13, label %14, label %39

14:                                               ; preds = %7
  %15 = sext i32 %12 to i64
  %16 = getelementptr inbounds float, ptr %0, i64 %15
  %17 = load float, ptr %16, align 4, !tbaa !19
  %18 = getelementptr inbounds float, ptr %1, i64 %15
  %19 = load float, ptr %18, align 4, !tbaa !19
  %20 = fadd contract float %17, %19
  %21 = getelementptr inbounds float, ptr %2, i64 %15
  %22 = load float, ptr %21, align 4, !tbaa !19
  %23 = getelementptr inbounds float, ptr %3, i64 %15
  %24 = load float, ptr %23, align 4, !tbaa !19
  %25 = fadd contract float %24, 0x3E45798EE0000000
  %26 = fcmp contract ugt float %22, %25
  br i1 %26, label %29, label %27

27:                                               ; preds = %14
  %28 = tail call float @llvm.minnum.f32(float %20, float 0.000000e+00)
  br label %36

29:                                               ; preds = %14
  %30 = getelementptr inbounds float, ptr %4, i64 %15
  %31 = load float, ptr %30, align 4, !tbaa !19
  %32 = fadd contract float %31, 0xBE45798EE0000000
  %33 = fcmp contract ult float %22, %32
  br i1 %33, label %36, label %34

34:                                               ; preds = %29
  %35 = tail call float @llvm.maxnum.f32(float %20, float 0.000000e+00)
  br label %36

36:                                               ; preds = %34, %29, %27
  %37 = phi float [ %28, %27 ], [ %35, %34 ], [ %20, %29 ]
  %38 = fmul contract float %37, %37
  br label %39

39:                                               ; preds = %36, %7
  %40 = phi float [ %38, %36 ], [ 0.000000e+00, %7 ]
  %41 = sext i32 %8 to i64
  %42 = getelementptr inbounds [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %41
  store float %40, ptr %42, align 4, !tbaa !19
  tail call void @llvm.nvvm.barrier0()
  %43 = icmp ult i32 %10, 2
  br i1 %43, label %44, label %46

44:                                               ; preds = %57, %39
  %45 = icmp eq i32 %8, 0
  br i1 %45, label %59, label %63

46:                                               ; preds = %57, %39
  %47 = phi i32 [ %48, %57 ], [ %10, %39 ]
  %48 = lshr i32 %47, 1
  %49 = icmp slt i32 %8, %48
  br i1 %49, label %50, label %57

50:                                               ; preds = %46
  %51 = add nsw i32 %48, %8
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [256 x float], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %52
  %54 = load float, ptr %53, align 4, !tbaa !19
  %55 = load float, ptr %42, align 4, !tbaa !19
  %56 = fadd contract float %54, %55
  store float %56, ptr %42, align 4, !tbaa !19
  br label %57

57:                                               ; preds = %50, %46
  tail call void @llvm.nvvm.barrier0()
  %58 = icmp ult i32 %47, 4
  br i1 %58, label %44, label %46, !llvm.loop !25

59:                                               ; preds = %44
  %60 = zext i32 %9 to i64
  %61 = getelementptr inbounds float, ptr %5, i64 %60
  %62 = load float, ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_iE5sdata to ptr), align 4, !tbaa !19
  store float %62, ptr %61, align 4, !tbaa !19
  br label %63

63:                                               ; preds = %59, %44
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels19scale_bounds_kernelIdEEvPT_PKS2_S2_i(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, double noundef %2, i32 noundef %3) local_unnamed_addr #0 comdat {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %19

11:                                               ; preds = %4
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds double, ptr %0, i64 %12
  %14 = load double, ptr %13, align 8, !tbaa !26
  %15 = getelementptr inbounds double, ptr %1, i64 %12
  %16 = load double, ptr %15, align 8, !tbaa !26
  %17 = fmul contract double %14, %16
  %18 = fmul contract double %17, %2
  store double %18, ptr %13, align 8, !tbaa !26
  br label %19

19:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels11copy_kernelIdEEvPT_PKS2_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, i32 noundef %2) local_unnamed_addr #0 comdat {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %15

10:                                               ; preds = %3
  %11 = sext i32 %8 to i64
  %12 = getelementptr inbounds double, ptr %0, i64 %11
  %13 = getelementptr inbounds double, ptr %1, i64 %11
  %14 = load double, ptr %13, align 8, !tbaa !26
  store double %14, ptr %12, align 8, !tbaa !26
  br label %15

15:                                               ; preds = %10, %3
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels20primal_update_kernelIdEEvPT_PKS2_S5_S5_S5_S5_S2_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, ptr nocapture noundef readonly %5, double noundef %6, i32 noundef %7) local_unnamed_addr #0 comdat {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %11 = mul i32 %9, %10
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %13 = add i32 %11, %12
  %14 = icmp slt i32 %13, %7
  br i1 %14, label %15, label %33

15:                                               ; preds = %8
  %16 = sext i32 %13 to i64
  %17 = getelementptr inbounds double, ptr %1, i64 %16
  %18 = load double, ptr %17, align 8, !tbaa !26
  %19 = getelementptr inbounds double, ptr %2, i64 %16
  %20 = load double, ptr %19, align 8, !tbaa !26
  %21 = getelementptr inbounds double, ptr %3, i64 %16
  %22 = load double, ptr %21, align 8, !tbaa !26
  %23 = fadd contract double %20, %22
  %24 = fmul contract double %23, %6
  %25 = fsub contract double %18, %24
  %26 = getelementptr inbounds double, ptr %4, i64 %16
  %27 = load double, ptr %26, align 8, !tbaa !26
  %28 = tail call double @llvm.maxnum.f64(double %25, double %27)
  %29 = getelementptr inbounds double, ptr %5, i64 %16
  %30 = load double, ptr %29, align 8, !tbaa !26
  %31 = tail call double @llvm.minnum.f64(double %28, double %30)
  %32 = getelementptr inbounds double, ptr %0, i64 %16
  store double %31, ptr %32, align 8, !tbaa !26
  br label %33

33:                                               ; preds = %15, %8
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels20extrapolation_kernelIdEEvPT_PKS2_S5_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, i32 noundef %3) local_unnamed_addr #0 comdat {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %20

11:                                               ; preds = %4
  %12 = sext i32 %9 to i64
  %13 = getelementptr inbounds double, ptr %1, i64 %12
  %14 = load double, ptr %13, align 8, !tbaa !26
  %15 = fmul contract double %14, 2.000000e+00
  %16 = getelementptr inbounds double, ptr %2, i64 %12
  %17 = load double, ptr %16, align 8, !tbaa !26
  %18 = fsub contract double %15, %17
  %19 = getelementptr inbounds double, ptr %0, i64 %12
  store double %18, ptr %19, align 8, !tbaa !26
  br label %20

20:                                               ; preds = %11, %4
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_ZN6cuprox7kernels18dual_update_kernelIdEEvPT_PKS2_S5_S5_S5_S2_i(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, double noundef %5, i32 noundef %6) local_unnamed_addr #0 comdat {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul i32 %8, %9
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add i32 %10, %11
  %13 = icmp slt i32 %12, %6
  br i1 %13, label %14, label %32

14:                                               ; preds = %7
  %15 = sext i32 %12 to i64
  %16 = getelementptr inbounds double, ptr %1, i64 %15
  %17 = load double, ptr %16, align 8, !tbaa !26
  %18 = getelementptr inbounds double, ptr %2, i64 %15
  %19 = load double, ptr %18, align 8, !tbaa !26
  %20 = fmul contract double %19, %5
  %21 = fadd contract double %17, %20
  %22 = fdiv contract double %21, %5
  %23 = getelementptr inbounds double, ptr %3, i64 %15
  %24 = load double, ptr %23, align 8, !tbaa !26
  %25 = tail call double @llvm.maxnum.f64(double %22, double %24)
  %26 = getelementptr inbounds double, ptr %4, i64 %15
  %27 = load double, ptr %26, align 8, !tbaa !26
  %28 = tail call double @llvm.minnum.f64(double %25, double %27)
  %29 = fmul contract double %28, %5
  %30 = fsub contract double %21, %29
  %31 = getelementptr inbounds double, ptr %0, i64 %15
  store double %30, ptr %31, align 8, !tbaa !26
  br label %32

32:                                               ; preds = %14, %7
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_ZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_i(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef writeonly %3, i32 noundef %4) local_unnamed_addr #2 comdat {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = add i32 %9, %6
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %23

12:                                               ; preds = %5
  %13 = sext i32 %10 to i64
  %14 = getelementptr inbounds double, ptr %0, i64 %13
  %15 = load double, ptr %14, align 8, !tbaa !26
  %16 = getelementptr inbounds double, ptr %1, i64 %13
  %17 = load double, ptr %16, align 8, !tbaa !26
  %18 = tail call double @llvm.maxnum.f64(double %15, double %17)
  %19 = getelementptr inbounds double, ptr %2, i64 %13
  %20 = load double, ptr %19, align 8, !tbaa !26
  %21 = tail call double @llvm.minnum.f64(double %18, double %20)
  %22 = fsub contract double %15, %21
  br label %23

23:                                               ; preds = %12, %5
  %24 = phi double [ %22, %12 ], [ 0.000000e+00, %5 ]
  %25 = fmul contract double %24, %24
  %26 = sext i32 %6 to i64
  %27 = getelementptr inbounds [256 x double], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %26
  store double %25, ptr %27, align 8, !tbaa !26
  tail call void @llvm.nvvm.barrier0()
  %28 = icmp ult i32 %8, 2
  br i1 %28, label %29, label %31

29:                                               ; preds = %42, %23
  %30 = icmp eq i32 %6, 0
  br i1 %30, label %44, label %48

31:                                               ; preds = %42, %23
  %32 = phi i32 [ %33, %42 ], [ %8, %23 ]
  %33 = lshr i32 %32, 1
  %34 = icmp slt i32 %6, %33
  br i1 %34, label %35, label %42

35:                                               ; preds = %31
  %36 = add nsw i32 %33, %6
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [256 x double], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %37
  %39 = load double, ptr %38, align 8, !tbaa !26
  %40 = load double, ptr %27, align 8, !tbaa !26
  %41 = fadd contract double %39, %40
  store double %41, ptr %27, align 8, !tbaa !26
  br label %42

42:                                               ; preds = %35, %31
  tail call void @llvm.nvvm.barrier0()
  %43 = icmp ult i32 %32, 4
  br i1 %43, label %29, label %31, !llvm.loop !28

44:                                               ; preds = %29
  %45 = zext i32 %7 to i64
  %46 = getelementptr inbounds double, ptr %3, i64 %45
  %47 = load double, ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_iE5sdata to ptr), align 8, !tbaa !26
  store double %47, ptr %46, align 8, !tbaa !26
  br label %48

48:                                               ; preds = %44, %29
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_ZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_i(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, ptr nocapture noundef writeonly %5, i32 noundef %6) local_unnamed_addr #2 comdat {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %11 = mul i32 %9, %10
  %12 = add i32 %11, %8
  %13 = icmp slt i32 %12, %6
  br i1 %13, label %14, label %39

14:                                               ; preds = %7
  %15 = sext i32 %12 to i64
  %16 = getelementptr inbounds double, ptr %0, i64 %15
  %17 = load double, ptr %16, align 8, !tbaa !26
  %18 = getelementptr inbounds double, ptr %1, i64 %15
  %19 = load double, ptr %18, align 8, !tbaa !26
  %20 = fadd contract double %17, %19
  %21 = getelementptr inbounds double, ptr %2, i64 %15
  %22 = load double, ptr %21, align 8, !tbaa !26
  %23 = getelementptr inbounds double, ptr %3, i64 %15
  %24 = load double, ptr %23, align 8, !tbaa !26
  %25 = fadd contract double %24, 1.000000e-08
  %26 = fcmp contract ugt double %22, %25
  br i1 %26, label %29, label %27

27:                                               ; preds = %14
  %28 = tail call double @llvm.minnum.f64(double %20, double 0.000000e+00)
  br label %36

29:                                               ; preds = %14
  %30 = getelementptr inbounds double, ptr %4, i64 %15
  %31 = load double, ptr %30, align 8, !tbaa !26
  %32 = fadd contract double %31, -1.000000e-08
  %33 = fcmp contract ult double %22, %32
  br i1 %33, label %36, label %34

34:                                               ; preds = %29
  %35 = tail call double @llvm.maxnum.f64(double %20, double 0.000000e+00)
  br label %36

36:                                               ; preds = %34, %29, %27
  %37 = phi double [ %28, %27 ], [ %35, %34 ], [ %20, %29 ]
  %38 = fmul contract double %37, %37
  br label %39

39:                                               ; preds = %36, %7
  %40 = phi double [ %38, %36 ], [ 0.000000e+00, %7 ]
  %41 = sext i32 %8 to i64
  %42 = getelementptr inbounds [256 x double], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %41
  store double %40, ptr %42, align 8, !tbaa !26
  tail call void @llvm.nvvm.barrier0()
  %43 = icmp ult i32 %10, 2
  br i1 %43, label %44, label %46

44:                                               ; preds = %57, %39
  %45 = icmp eq i32 %8, 0
  br i1 %45, label %59, label %63

46:                                               ; preds = %57, %39
  %47 = phi i32 [ %48, %57 ], [ %10, %39 ]
  %48 = lshr i32 %47, 1
  %49 = icmp slt i32 %8, %48
  br i1 %49, label %50, label %57

50:                                               ; preds = %46
  %51 = add nsw i32 %48, %8
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [256 x double], ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_iE5sdata to ptr), i64 0, i64 %52
  %54 = load double, ptr %53, align 8, !tbaa !26
  %55 = load double, ptr %42, align 8, !tbaa !26
  %56 = fadd contract double %54, %55
  store double %56, ptr %42, align 8, !tbaa !26
  br label %57

57:                                               ; preds = %50, %46
  tail call void @llvm.nvvm.barrier0()
  %58 = icmp ult i32 %47, 4
  br i1 %58, label %44, label %46, !llvm.loop !29

59:                                               ; preds = %44
  %60 = zext i32 %9 to i64
  %61 = getelementptr inbounds double, ptr %5, i64 %60
  %62 = load double, ptr addrspacecast (ptr addrspace(3) @_ZZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_iE5sdata to ptr), align 8, !tbaa !26
  store double %62, ptr %61, align 8, !tbaa !26
  br label %63

63:                                               ; preds = %59, %44
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.minnum.f32(float, float) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.maxnum.f32(float, float) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.minnum.f64(double, double) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.maxnum.f64(double, double) #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #3 = { convergent nocallback nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16, !17}
!nvvmir.version = !{!18}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_ZN6cuprox7kernels19scale_bounds_kernelIfEEvPT_PKS2_S2_i, !"kernel", i32 1}
!5 = !{ptr @_ZN6cuprox7kernels11copy_kernelIfEEvPT_PKS2_i, !"kernel", i32 1}
!6 = !{ptr @_ZN6cuprox7kernels20primal_update_kernelIfEEvPT_PKS2_S5_S5_S5_S5_S2_i, !"kernel", i32 1}
!7 = !{ptr @_ZN6cuprox7kernels20extrapolation_kernelIfEEvPT_PKS2_S5_i, !"kernel", i32 1}
!8 = !{ptr @_ZN6cuprox7kernels18dual_update_kernelIfEEvPT_PKS2_S5_S5_S5_S2_i, !"kernel", i32 1}
!9 = !{ptr @_ZN6cuprox7kernels30compute_primal_residual_kernelIfEEvPKT_S4_S4_PS2_i, !"kernel", i32 1}
!10 = !{ptr @_ZN6cuprox7kernels28compute_dual_residual_kernelIfEEvPKT_S4_S4_S4_S4_PS2_i, !"kernel", i32 1}
!11 = !{ptr @_ZN6cuprox7kernels19scale_bounds_kernelIdEEvPT_PKS2_S2_i, !"kernel", i32 1}
!12 = !{ptr @_ZN6cuprox7kernels11copy_kernelIdEEvPT_PKS2_i, !"kernel", i32 1}
!13 = !{ptr @_ZN6cuprox7kernels20primal_update_kernelIdEEvPT_PKS2_S5_S5_S5_S5_S2_i, !"kernel", i32 1}
!14 = !{ptr @_ZN6cuprox7kernels20extrapolation_kernelIdEEvPT_PKS2_S5_i, !"kernel", i32 1}
!15 = !{ptr @_ZN6cuprox7kernels18dual_update_kernelIdEEvPT_PKS2_S5_S5_S5_S2_i, !"kernel", i32 1}
!16 = !{ptr @_ZN6cuprox7kernels30compute_primal_residual_kernelIdEEvPKT_S4_S4_PS2_i, !"kernel", i32 1}
!17 = !{ptr @_ZN6cuprox7kernels28compute_dual_residual_kernelIdEEvPKT_S4_S4_S4_S4_PS2_i, !"kernel", i32 1}
!18 = !{i32 2, i32 0}
!19 = !{!20, !20, i64 0}
!20 = !{!"float", !21, i64 0}
!21 = !{!"omnipotent char", !22, i64 0}
!22 = !{!"Simple C++ TBAA"}
!23 = distinct !{!23, !24}
!24 = !{!"llvm.loop.mustprogress"}
!25 = distinct !{!25, !24}
!26 = !{!27, !27, i64 0}
!27 = !{!"double", !21, i64 0}
!28 = distinct !{!28, !24}
!29 = distinct !{!29, !24}
