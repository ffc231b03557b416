; nipet 2.2.0, Apache licence 2.0, copyright 2018-20 Pawel Markiewicz, Casper da Costa-Luis (licences/apache-2.0.txt), from PyPI's nipet-2.2.0.tar.gz: niftypet/nipet/lm/src/rnd.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.short2 = type { i16, i16 }

$_ZZ11crystal_sumfE6shared = comdat any

@c_crange = dso_local addrspace(4) externally_initialized global [1792 x i16] zeroinitializer, align 2
@c_rrange = dso_local addrspace(4) externally_initialized global [192 x i16] zeroinitializer, align 2
@c_li2span11 = dso_local addrspace(4) externally_initialized global [4084 x i16] zeroinitializer, align 2
@_ZZ11crystal_sumfE6shared = linkonce_odr dso_local local_unnamed_addr addrspace(3) global [32 x float] undef, comdat, align 4
@llvm.compiler.used = appending global [3 x ptr] [ptr addrspacecast (ptr addrspace(4) @c_crange to ptr), ptr addrspacecast (ptr addrspace(4) @c_li2span11 to ptr), ptr addrspacecast (ptr addrspace(4) @c_rrange to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z5rinitPfPKjPKf(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = add i32 %7, %4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds i32, ptr %1, i64 %9
  %11 = load i32, ptr %10, align 4, !tbaa !11
  %12 = uitofp i32 %11 to float
  %13 = getelementptr inbounds float, ptr %2, i64 %9
  %14 = load float, ptr %13, align 4, !tbaa !15
  %15 = fdiv contract float %12, %14
  %16 = tail call float @llvm.nvvm.sqrt.approx.f(float %15) #7
  %17 = getelementptr inbounds float, ptr %0, i64 %9
  store float %16, ptr %17, align 4, !tbaa !15
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z4rdivPfPKjPKf(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = add i32 %7, %4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds i32, ptr %1, i64 %9
  %11 = load i32, ptr %10, align 4, !tbaa !11
  %12 = uitofp i32 %11 to float
  %13 = getelementptr inbounds float, ptr %2, i64 %9
  %14 = load float, ptr %13, align 4, !tbaa !15
  %15 = fdiv contract float %12, %14
  %16 = getelementptr inbounds float, ptr %0, i64 %9
  store float %15, ptr %16, align 4, !tbaa !15
  ret void
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z4raddPfPKff(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, float noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = add i32 %7, %4
  %9 = fsub contract float 1.000000e+00, %2
  %10 = sext i32 %8 to i64
  %11 = getelementptr inbounds float, ptr %0, i64 %10
  %12 = load float, ptr %11, align 4, !tbaa !15
  %13 = fmul contract float %9, %12
  %14 = getelementptr inbounds float, ptr %1, i64 %10
  %15 = load float, ptr %14, align 4, !tbaa !15
  %16 = fmul contract float %15, %2
  %17 = fadd contract float %13, %16
  store float %17, ptr %11, align 4, !tbaa !15
  ret void
}

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z8sgl2sinoPfPKfPK6short2S4_S4_i(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, i32 noundef %5) local_unnamed_addr #1 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul i32 %8, %9
  %11 = add i32 %10, %7
  %12 = icmp slt i32 %11, 279819344
  br i1 %12, label %13, label %79

13:                                               ; preds = %6
  %14 = sdiv i32 %11, 68516
  %15 = mul nsw i32 %14, -68516
  %16 = add i32 %15, %11
  %17 = sext i32 %14 to i64
  %18 = getelementptr inbounds %struct.short2, ptr %4, i64 %17
  %19 = load i16, ptr %18, align 4, !tbaa !17
  %20 = sext i16 %19 to i32
  %21 = getelementptr inbounds %struct.short2, ptr %4, i64 %17, i32 1
  %22 = load i16, ptr %21, align 2, !tbaa !20
  %23 = sext i16 %22 to i32
  %24 = sext i32 %16 to i64
  %25 = getelementptr inbounds %struct.short2, ptr %3, i64 %24
  %26 = load i16, ptr %25, align 4, !tbaa !17
  %27 = sext i16 %26 to i32
  %28 = getelementptr inbounds %struct.short2, ptr %3, i64 %24, i32 1
  %29 = load i16, ptr %28, align 2, !tbaa !20
  %30 = getelementptr inbounds %struct.short2, ptr %2, i64 %24
  %31 = load i16, ptr %30, align 4, !tbaa !17
  %32 = sext i16 %31 to i32
  %33 = getelementptr inbounds %struct.short2, ptr %2, i64 %24, i32 1
  %34 = load i16, ptr %33, align 2, !tbaa !20
  %35 = sext i16 %34 to i32
  switch i32 %5, label %79 [
    i32 1, label %36
    i32 11, label %55
  ]

36:                                               ; preds = %13
  %37 = sext i16 %29 to i32
  %38 = shl nsw i32 %32, 6
  %39 = add nsw i32 %38, %20
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds float, ptr %1, i64 %40
  %42 = load float, ptr %41, align 4, !tbaa !15
  %43 = shl nsw i32 %35, 6
  %44 = add nsw i32 %43, %23
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds float, ptr %1, i64 %45
  %47 = load float, ptr %46, align 4, !tbaa !15
  %48 = fmul contract float %42, %47
  %49 = mul i32 %14, 86688
  %50 = mul nsw i32 %27, 344
  %51 = add nsw i32 %50, %49
  %52 = add nsw i32 %51, %37
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds float, ptr %0, i64 %53
  store float %48, ptr %54, align 4, !tbaa !15
  br label %79

55:                                               ; preds = %13
  %56 = getelementptr inbounds [4084 x i16], ptr addrspacecast (ptr addrspace(4) @c_li2span11 to ptr), i64 0, i64 %17
  %57 = load i16, ptr %56, align 2, !tbaa !21
  %58 = sext i16 %57 to i64
  %59 = mul i64 %58, 372322124955648
  %60 = ashr exact i64 %59, 32
  %61 = getelementptr inbounds float, ptr %0, i64 %60
  %62 = mul nsw i32 %27, 344
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %61, i64 %63
  %65 = sext i16 %29 to i64
  %66 = getelementptr inbounds float, ptr %64, i64 %65
  %67 = shl nsw i32 %32, 6
  %68 = add nsw i32 %67, %20
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %1, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !15
  %72 = shl nsw i32 %35, 6
  %73 = add nsw i32 %72, %23
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds float, ptr %1, i64 %74
  %76 = load float, ptr %75, align 4, !tbaa !15
  %77 = fmul contract float %71, %76
  %78 = atomicrmw fadd ptr %66, float %77 seq_cst, align 4
  br label %79

79:                                               ; preds = %55, %36, %13, %6
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z3rndPfPKf(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1) local_unnamed_addr #2 {
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %7 = sext i32 %5 to i64
  %8 = getelementptr inbounds [192 x i16], ptr addrspacecast (ptr addrspace(4) @c_rrange to ptr), i64 0, i64 %7
  %9 = load i16, ptr %8, align 2, !tbaa !21
  %10 = sext i16 %9 to i32
  %11 = icmp slt i32 %3, %10
  %12 = add nsw i32 %5, 64
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [192 x i16], ptr addrspacecast (ptr addrspace(4) @c_rrange to ptr), i64 0, i64 %13
  %15 = sext i32 %6 to i64
  %16 = getelementptr inbounds [1792 x i16], ptr addrspacecast (ptr addrspace(4) @c_crange to ptr), i64 0, i64 %15
  %17 = mul nsw i32 %4, 20
  %18 = add nsw i32 %6, 896
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [1792 x i16], ptr addrspacecast (ptr addrspace(4) @c_crange to ptr), i64 0, i64 %19
  %21 = add nsw i32 %6, 448
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [1792 x i16], ptr addrspacecast (ptr addrspace(4) @c_crange to ptr), i64 0, i64 %22
  %24 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %25 = mul i32 %24, %4
  %26 = add i32 %25, %3
  %27 = and i32 %26, 31
  %28 = icmp eq i32 %27, 0
  %29 = sdiv i32 %26, 32
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ11crystal_sumfE6shared to ptr), i64 0, i64 %30
  %32 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %33 = mul i32 %24, %32
  %34 = lshr i32 %33, 5
  %35 = icmp ult i32 %26, %34
  %36 = zext i32 %27 to i64
  %37 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ11crystal_sumfE6shared to ptr), i64 0, i64 %36
  %38 = add i32 %26, 31
  %39 = icmp ult i32 %38, 63
  %40 = or i32 %3, %4
  %41 = icmp eq i32 %40, 0
  br label %43

42:                                               ; preds = %104
  br i1 %41, label %110, label %115

43:                                               ; preds = %104, %2
  %44 = phi i32 [ 0, %2 ], [ %108, %104 ]
  %45 = phi float [ 0.000000e+00, %2 ], [ %107, %104 ]
  br i1 %11, label %75, label %46

46:                                               ; preds = %43
  %47 = load i16, ptr %14, align 2, !tbaa !21
  %48 = sext i16 %47 to i32
  %49 = icmp sgt i32 %3, %48
  br i1 %49, label %75, label %50

50:                                               ; preds = %46
  %51 = load i16, ptr %16, align 2, !tbaa !21
  %52 = sext i16 %51 to i32
  %53 = add nsw i32 %44, %17
  %54 = add nsw i32 %53, %52
  %55 = load i16, ptr %20, align 2, !tbaa !21
  %56 = icmp eq i16 %55, 0
  %57 = load i16, ptr %23, align 2, !tbaa !21
  %58 = sext i16 %57 to i32
  br i1 %56, label %59, label %61

59:                                               ; preds = %50
  %60 = icmp sgt i32 %54, %58
  br i1 %60, label %75, label %68

61:                                               ; preds = %50
  %62 = add nsw i32 %58, 448
  %63 = icmp sgt i32 %54, %62
  br i1 %63, label %75, label %64

64:                                               ; preds = %61
  %65 = icmp slt i32 %54, 448
  %66 = select i1 %65, i32 0, i32 -448
  %67 = add i32 %66, %54
  br label %68

68:                                               ; preds = %64, %59
  %69 = phi i32 [ %67, %64 ], [ %54, %59 ]
  %70 = shl nsw i32 %69, 6
  %71 = add nsw i32 %70, %3
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds float, ptr %1, i64 %72
  %74 = load float, ptr %73, align 4, !tbaa !15
  br label %75

75:                                               ; preds = %68, %61, %59, %46, %43
  %76 = phi float [ 0.000000e+00, %59 ], [ 0.000000e+00, %61 ], [ 0.000000e+00, %46 ], [ 0.000000e+00, %43 ], [ %74, %68 ]
  tail call void @llvm.nvvm.barrier0()
  %77 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %76, i32 16, i32 31)
  %78 = fadd contract float %76, %77
  %79 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %78, i32 8, i32 31)
  %80 = fadd contract float %78, %79
  %81 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %80, i32 4, i32 31)
  %82 = fadd contract float %80, %81
  %83 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %82, i32 2, i32 31)
  %84 = fadd contract float %82, %83
  %85 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %84, i32 1, i32 31)
  br i1 %28, label %86, label %88

86:                                               ; preds = %75
  %87 = fadd contract float %84, %85
  store float %87, ptr %31, align 4, !tbaa !15
  br label %88

88:                                               ; preds = %86, %75
  tail call void @llvm.nvvm.barrier0()
  br i1 %35, label %89, label %91

89:                                               ; preds = %88
  %90 = load float, ptr %37, align 4, !tbaa !15
  br label %91

91:                                               ; preds = %89, %88
  %92 = phi contract float [ %90, %89 ], [ 0.000000e+00, %88 ]
  br i1 %39, label %93, label %104

93:                                               ; preds = %91
  %94 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %92, i32 16, i32 31)
  %95 = fadd contract float %92, %94
  %96 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %95, i32 8, i32 31)
  %97 = fadd contract float %95, %96
  %98 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %97, i32 4, i32 31)
  %99 = fadd contract float %97, %98
  %100 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %99, i32 2, i32 31)
  %101 = fadd contract float %99, %100
  %102 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %101, i32 1, i32 31)
  %103 = fadd contract float %101, %102
  br label %104

104:                                              ; preds = %93, %91
  %105 = phi float [ %103, %93 ], [ %92, %91 ]
  %106 = select i1 %41, float %105, float -0.000000e+00
  %107 = fadd contract float %45, %106
  %108 = add nuw nsw i32 %44, 1
  %109 = icmp eq i32 %108, 20
  br i1 %109, label %42, label %43, !llvm.loop !22

110:                                              ; preds = %42
  %111 = shl nsw i32 %6, 6
  %112 = add nsw i32 %111, %5
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds float, ptr %0, i64 %113
  store float %107, ptr %114, align 4, !tbaa !15
  br label %115

115:                                              ; preds = %110, %42
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_Z5p_rndPfPKfPKcPKsPKi(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4) local_unnamed_addr #2 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %10 = sext i32 %8 to i64
  %11 = getelementptr inbounds [192 x i16], ptr addrspacecast (ptr addrspace(4) @c_rrange to ptr), i64 0, i64 %10
  %12 = load i16, ptr %11, align 2, !tbaa !21
  %13 = sext i16 %12 to i32
  %14 = icmp slt i32 %6, %13
  %15 = add nsw i32 %8, 64
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [192 x i16], ptr addrspacecast (ptr addrspace(4) @c_rrange to ptr), i64 0, i64 %16
  %18 = shl nsw i32 %8, 6
  %19 = add nsw i32 %18, %6
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i16, ptr %3, i64 %20
  %22 = sext i32 %9 to i64
  %23 = getelementptr inbounds [1792 x i16], ptr addrspacecast (ptr addrspace(4) @c_crange to ptr), i64 0, i64 %22
  %24 = mul nsw i32 %7, 20
  %25 = add nsw i32 %9, 896
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [1792 x i16], ptr addrspacecast (ptr addrspace(4) @c_crange to ptr), i64 0, i64 %26
  %28 = add nsw i32 %9, 448
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [1792 x i16], ptr addrspacecast (ptr addrspace(4) @c_crange to ptr), i64 0, i64 %29
  %31 = mul nsw i32 %9, 448
  %32 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %33 = mul i32 %32, %7
  %34 = add i32 %33, %6
  %35 = and i32 %34, 31
  %36 = icmp eq i32 %35, 0
  %37 = sdiv i32 %34, 32
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ11crystal_sumfE6shared to ptr), i64 0, i64 %38
  %40 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %41 = mul i32 %32, %40
  %42 = lshr i32 %41, 5
  %43 = icmp ult i32 %34, %42
  %44 = zext i32 %35 to i64
  %45 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ11crystal_sumfE6shared to ptr), i64 0, i64 %44
  %46 = add i32 %34, 31
  %47 = icmp ult i32 %46, 63
  %48 = or i32 %6, %7
  %49 = icmp eq i32 %48, 0
  br label %51

50:                                               ; preds = %125
  br i1 %49, label %131, label %136

51:                                               ; preds = %125, %5
  %52 = phi i32 [ 0, %5 ], [ %129, %125 ]
  %53 = phi float [ 0.000000e+00, %5 ], [ %128, %125 ]
  br i1 %14, label %96, label %54

54:                                               ; preds = %51
  %55 = load i16, ptr %17, align 2, !tbaa !21
  %56 = sext i16 %55 to i32
  %57 = icmp sgt i32 %6, %56
  br i1 %57, label %96, label %58

58:                                               ; preds = %54
  %59 = load i16, ptr %21, align 2, !tbaa !21
  %60 = load i16, ptr %23, align 2, !tbaa !21
  %61 = sext i16 %60 to i32
  %62 = add nsw i32 %52, %24
  %63 = add nsw i32 %62, %61
  %64 = load i16, ptr %27, align 2, !tbaa !21
  %65 = icmp eq i16 %64, 0
  %66 = load i16, ptr %30, align 2, !tbaa !21
  %67 = sext i16 %66 to i32
  br i1 %65, label %68, label %70

68:                                               ; preds = %58
  %69 = icmp sgt i32 %63, %67
  br i1 %69, label %96, label %77

70:                                               ; preds = %58
  %71 = add nsw i32 %67, 448
  %72 = icmp sgt i32 %63, %71
  br i1 %72, label %96, label %73

73:                                               ; preds = %70
  %74 = icmp slt i32 %63, 448
  %75 = select i1 %74, i32 0, i32 -448
  %76 = add i32 %75, %63
  br label %77

77:                                               ; preds = %73, %68
  %78 = phi i32 [ %76, %73 ], [ %63, %68 ]
  %79 = shl nsw i32 %78, 6
  %80 = add nsw i32 %79, %6
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds float, ptr %1, i64 %81
  %83 = load float, ptr %82, align 4, !tbaa !15
  %84 = sext i16 %59 to i32
  %85 = add nsw i32 %78, %31
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds i32, ptr %4, i64 %86
  %88 = load i32, ptr %87, align 4, !tbaa !11
  %89 = mul nsw i32 %88, 4084
  %90 = add nsw i32 %89, %84
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds i8, ptr %2, i64 %91
  %93 = load i8, ptr %92, align 1, !tbaa !24
  %94 = sitofp i8 %93 to float
  %95 = fmul contract float %83, %94
  br label %96

96:                                               ; preds = %77, %70, %68, %54, %51
  %97 = phi float [ 0.000000e+00, %54 ], [ 0.000000e+00, %51 ], [ 0.000000e+00, %68 ], [ 0.000000e+00, %70 ], [ %95, %77 ]
  tail call void @llvm.nvvm.barrier0()
  %98 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %97, i32 16, i32 31)
  %99 = fadd contract float %97, %98
  %100 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %99, i32 8, i32 31)
  %101 = fadd contract float %99, %100
  %102 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %101, i32 4, i32 31)
  %103 = fadd contract float %101, %102
  %104 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %103, i32 2, i32 31)
  %105 = fadd contract float %103, %104
  %106 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %105, i32 1, i32 31)
  br i1 %36, label %107, label %109

107:                                              ; preds = %96
  %108 = fadd contract float %105, %106
  store float %108, ptr %39, align 4, !tbaa !15
  br label %109

109:                                              ; preds = %107, %96
  tail call void @llvm.nvvm.barrier0()
  br i1 %43, label %110, label %112

110:                                              ; preds = %109
  %111 = load float, ptr %45, align 4, !tbaa !15
  br label %112

112:                                              ; preds = %110, %109
  %113 = phi contract float [ %111, %110 ], [ 0.000000e+00, %109 ]
  br i1 %47, label %114, label %125

114:                                              ; preds = %112
  %115 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %113, i32 16, i32 31)
  %116 = fadd contract float %113, %115
  %117 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %116, i32 8, i32 31)
  %118 = fadd contract float %116, %117
  %119 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %118, i32 4, i32 31)
  %120 = fadd contract float %118, %119
  %121 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %120, i32 2, i32 31)
  %122 = fadd contract float %120, %121
  %123 = tail call contract float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %122, i32 1, i32 31)
  %124 = fadd contract float %122, %123
  br label %125

125:                                              ; preds = %114, %112
  %126 = phi float [ %124, %114 ], [ %113, %112 ]
  %127 = select i1 %49, float %126, float -0.000000e+00
  %128 = fadd contract float %53, %127
  %129 = add nuw nsw i32 %52, 1
  %130 = icmp eq i32 %129, 20
  br i1 %130, label %50, label %51, !llvm.loop !25

131:                                              ; preds = %50
  %132 = shl nsw i32 %9, 6
  %133 = add nsw i32 %132, %8
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds float, ptr %0, i64 %134
  store float %128, ptr %135, align 4, !tbaa !15
  br label %136

136:                                              ; preds = %131, %50
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #4

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #4

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.approx.f(float) #6

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #2 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #7 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5, !6, !7, !8, !9}
!nvvmir.version = !{!10}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_Z5rinitPfPKjPKf, !"kernel", i32 1}
!5 = !{ptr @_Z4rdivPfPKjPKf, !"kernel", i32 1}
!6 = !{ptr @_Z4raddPfPKff, !"kernel", i32 1}
!7 = !{ptr @_Z8sgl2sinoPfPKfPK6short2S4_S4_i, !"kernel", i32 1}
!8 = !{ptr @_Z3rndPfPKf, !"kernel", i32 1}
!9 = !{ptr @_Z5p_rndPfPKfPKcPKsPKi, !"kernel", i32 1}
!10 = !{i32 2, i32 0}
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !13, i64 0}
!13 = !{!"omnipotent char", !14, i64 0}
!14 = !{!"Simple C++ TBAA"}
!15 = !{!16, !16, i64 0}
!16 = !{!"float", !13, i64 0}
!17 = !{!18, !19, i64 0}
!18 = !{!"_ZTS6short2", !19, i64 0, !19, i64 2}
!19 = !{!"short", !13, i64 0}
!20 = !{!18, !19, i64 2}
!21 = !{!19, !19, i64 0}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.mustprogress"}
!24 = !{!13, !13, i64 0}
!25 = distinct !{!25, !23}
