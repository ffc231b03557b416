; rfx-ml 1.0.2, MIT licence (licences/rfx-ml.txt), from PyPI's rfx_ml-1.0.2.tar.gz: cuda/rf_getamat.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$_ZN2rf12_GLOBAL__N_119cuda_getamat_kernelEPKiS2_S2_iiPi = comdat any

$_ZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPi = comdat any

@_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_nin = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4
@_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_cat = internal unnamed_addr addrspace(3) global [256 x i32] undef, align 4

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @_ZN2rf12_GLOBAL__N_119cuda_getamat_kernelEPKiS2_S2_iiPi(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, i32 noundef %3, i32 noundef %4, ptr nocapture noundef writeonly %5) local_unnamed_addr #0 comdat {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul i32 %8, %9
  %11 = add i32 %10, %7
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul i32 %9, %12
  %14 = icmp slt i32 %11, %4
  br i1 %14, label %15, label %25

15:                                               ; preds = %6
  %16 = icmp sgt i32 %3, 0
  %17 = and i32 %3, 7
  %18 = icmp ult i32 %3, 8
  %19 = and i32 %3, -8
  %20 = icmp eq i32 %17, 0
  %21 = and i32 %3, 1
  %22 = icmp eq i32 %3, 1
  %23 = and i32 %3, -2
  %24 = icmp eq i32 %21, 0
  br label %26

25:                                               ; preds = %183, %6
  ret void

26:                                               ; preds = %183, %15
  %27 = phi i32 [ %11, %15 ], [ %184, %183 ]
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %2, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !7
  %31 = icmp eq i32 %30, 1
  br i1 %31, label %34, label %32

32:                                               ; preds = %26
  br i1 %16, label %33, label %183

33:                                               ; preds = %32
  br i1 %18, label %169, label %86

34:                                               ; preds = %26
  br i1 %16, label %35, label %183

35:                                               ; preds = %34
  br i1 %22, label %147, label %36

36:                                               ; preds = %81, %35
  %37 = phi i32 [ %83, %81 ], [ 0, %35 ]
  %38 = phi i32 [ %82, %81 ], [ 0, %35 ]
  %39 = phi i32 [ %84, %81 ], [ 0, %35 ]
  %40 = mul nsw i32 %37, %4
  %41 = add nsw i32 %40, %27
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds i32, ptr %0, i64 %42
  %44 = load i32, ptr %43, align 4, !tbaa !7
  %45 = icmp sgt i32 %44, -1
  %46 = icmp slt i32 %44, %3
  %47 = and i1 %45, %46
  br i1 %47, label %48, label %59

48:                                               ; preds = %36
  %49 = zext i32 %44 to i64
  %50 = getelementptr inbounds i32, ptr %1, i64 %49
  %51 = load i32, ptr %50, align 4, !tbaa !7
  %52 = icmp sgt i32 %51, 0
  br i1 %52, label %53, label %59

53:                                               ; preds = %48
  %54 = add nsw i32 %38, 1
  %55 = mul nsw i32 %38, %4
  %56 = add nsw i32 %55, %27
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds i32, ptr %5, i64 %57
  store i32 %44, ptr %58, align 4, !tbaa !7
  br label %59

59:                                               ; preds = %53, %48, %36
  %60 = phi i32 [ %54, %53 ], [ %38, %48 ], [ %38, %36 ]
  %61 = or i32 %37, 1
  %62 = mul nsw i32 %61, %4
  %63 = add nsw i32 %62, %27
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds i32, ptr %0, i64 %64
  %66 = load i32, ptr %65, align 4, !tbaa !7
  %67 = icmp sgt i32 %66, -1
  %68 = icmp slt i32 %66, %3
  %69 = and i1 %67, %68
  br i1 %69, label %70, label %81

70:                                               ; preds = %59
  %71 = zext i32 %66 to i64
  %72 = getelementptr inbounds i32, ptr %1, i64 %71
  %73 = load i32, ptr %72, align 4, !tbaa !7
  %74 = icmp sgt i32 %73, 0
  br i1 %74, label %75, label %81

75:                                               ; preds = %70
  %76 = add nsw i32 %60, 1
  %77 = mul nsw i32 %60, %4
  %78 = add nsw i32 %77, %27
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds i32, ptr %5, i64 %79
  store i32 %66, ptr %80, align 4, !tbaa !7
  br label %81

81:                                               ; preds = %75, %70, %59
  %82 = phi i32 [ %76, %75 ], [ %60, %70 ], [ %60, %59 ]
  %83 = add nuw nsw i32 %37, 2
  %84 = add i32 %39, 2
  %85 = icmp eq i32 %84, %23
  br i1 %85, label %147, label %36, !llvm.loop !11

86:                                               ; preds = %86, %33
  %87 = phi i32 [ %144, %86 ], [ 0, %33 ]
  %88 = phi i32 [ %145, %86 ], [ 0, %33 ]
  %89 = mul nsw i32 %87, %4
  %90 = add nsw i32 %89, %27
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds i32, ptr %0, i64 %91
  %93 = load i32, ptr %92, align 4, !tbaa !7
  %94 = getelementptr inbounds i32, ptr %5, i64 %91
  store i32 %93, ptr %94, align 4, !tbaa !7
  %95 = or i32 %87, 1
  %96 = mul nsw i32 %95, %4
  %97 = add nsw i32 %96, %27
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds i32, ptr %0, i64 %98
  %100 = load i32, ptr %99, align 4, !tbaa !7
  %101 = getelementptr inbounds i32, ptr %5, i64 %98
  store i32 %100, ptr %101, align 4, !tbaa !7
  %102 = or i32 %87, 2
  %103 = mul nsw i32 %102, %4
  %104 = add nsw i32 %103, %27
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds i32, ptr %0, i64 %105
  %107 = load i32, ptr %106, align 4, !tbaa !7
  %108 = getelementptr inbounds i32, ptr %5, i64 %105
  store i32 %107, ptr %108, align 4, !tbaa !7
  %109 = or i32 %87, 3
  %110 = mul nsw i32 %109, %4
  %111 = add nsw i32 %110, %27
  %112 = sext i32 %111 to i64
  %113 = getelementptr inbounds i32, ptr %0, i64 %112
  %114 = load i32, ptr %113, align 4, !tbaa !7
  %115 = getelementptr inbounds i32, ptr %5, i64 %112
  store i32 %114, ptr %115, align 4, !tbaa !7
  %116 = or i32 %87, 4
  %117 = mul nsw i32 %116, %4
  %118 = add nsw i32 %117, %27
  %119 = sext i32 %118 to i64
  %120 = getelementptr inbounds i32, ptr %0, i64 %119
  %121 = load i32, ptr %120, align 4, !tbaa !7
  %122 = getelementptr inbounds i32, ptr %5, i64 %119
  store i32 %121, ptr %122, align 4, !tbaa !7
  %123 = or i32 %87, 5
  %124 = mul nsw i32 %123, %4
  %125 = add nsw i32 %124, %27
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds i32, ptr %0, i64 %126
  %128 = load i32, ptr %127, align 4, !tbaa !7
  %129 = getelementptr inbounds i32, ptr %5, i64 %126
  store i32 %128, ptr %129, align 4, !tbaa !7
  %130 = or i32 %87, 6
  %131 = mul nsw i32 %130, %4
  %132 = add nsw i32 %131, %27
  %133 = sext i32 %132 to i64
  %134 = getelementptr inbounds i32, ptr %0, i64 %133
  %135 = load i32, ptr %134, align 4, !tbaa !7
  %136 = getelementptr inbounds i32, ptr %5, i64 %133
  store i32 %135, ptr %136, align 4, !tbaa !7
  %137 = or i32 %87, 7
  %138 = mul nsw i32 %137, %4
  %139 = add nsw i32 %138, %27
  %140 = sext i32 %139 to i64
  %141 = getelementptr inbounds i32, ptr %0, i64 %140
  %142 = load i32, ptr %141, align 4, !tbaa !7
  %143 = getelementptr inbounds i32, ptr %5, i64 %140
  store i32 %142, ptr %143, align 4, !tbaa !7
  %144 = add nuw nsw i32 %87, 8
  %145 = add i32 %88, 8
  %146 = icmp eq i32 %145, %19
  br i1 %146, label %169, label %86, !llvm.loop !13

147:                                              ; preds = %81, %35
  %148 = phi i32 [ 0, %35 ], [ %83, %81 ]
  %149 = phi i32 [ 0, %35 ], [ %82, %81 ]
  br i1 %24, label %183, label %150

150:                                              ; preds = %147
  %151 = mul nsw i32 %148, %4
  %152 = add nsw i32 %151, %27
  %153 = sext i32 %152 to i64
  %154 = getelementptr inbounds i32, ptr %0, i64 %153
  %155 = load i32, ptr %154, align 4, !tbaa !7
  %156 = icmp sgt i32 %155, -1
  %157 = icmp slt i32 %155, %3
  %158 = and i1 %156, %157
  br i1 %158, label %159, label %183

159:                                              ; preds = %150
  %160 = zext i32 %155 to i64
  %161 = getelementptr inbounds i32, ptr %1, i64 %160
  %162 = load i32, ptr %161, align 4, !tbaa !7
  %163 = icmp sgt i32 %162, 0
  br i1 %163, label %164, label %183

164:                                              ; preds = %159
  %165 = mul nsw i32 %149, %4
  %166 = add nsw i32 %165, %27
  %167 = sext i32 %166 to i64
  %168 = getelementptr inbounds i32, ptr %5, i64 %167
  store i32 %155, ptr %168, align 4, !tbaa !7
  br label %183

169:                                              ; preds = %86, %33
  %170 = phi i32 [ 0, %33 ], [ %144, %86 ]
  br i1 %20, label %183, label %171

171:                                              ; preds = %171, %169
  %172 = phi i32 [ %180, %171 ], [ %170, %169 ]
  %173 = phi i32 [ %181, %171 ], [ 0, %169 ]
  %174 = mul nsw i32 %172, %4
  %175 = add nsw i32 %174, %27
  %176 = sext i32 %175 to i64
  %177 = getelementptr inbounds i32, ptr %0, i64 %176
  %178 = load i32, ptr %177, align 4, !tbaa !7
  %179 = getelementptr inbounds i32, ptr %5, i64 %176
  store i32 %178, ptr %179, align 4, !tbaa !7
  %180 = add nuw nsw i32 %172, 1
  %181 = add i32 %173, 1
  %182 = icmp eq i32 %181, %17
  br i1 %182, label %183, label %171, !llvm.loop !14

183:                                              ; preds = %171, %169, %164, %159, %150, %147, %34, %32
  %184 = add nsw i32 %27, %13
  %185 = icmp slt i32 %184, %4
  br i1 %185, label %26, label %25, !llvm.loop !16
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @_ZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPi(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, i32 noundef %3, i32 noundef %4, ptr nocapture noundef writeonly %5) local_unnamed_addr #1 comdat {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul i32 %8, %9
  %11 = add i32 %10, %7
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul i32 %9, %12
  %14 = tail call i32 @llvm.umin.i32(i32 %9, i32 %3)
  %15 = icmp ult i32 %7, %14
  br i1 %15, label %16, label %30

16:                                               ; preds = %6
  %17 = icmp slt i32 %7, %3
  br i1 %17, label %18, label %23

18:                                               ; preds = %16
  %19 = sext i32 %7 to i64
  %20 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_nin to ptr), i64 0, i64 %19
  %21 = getelementptr inbounds i32, ptr %1, i64 %19
  %22 = load i32, ptr %21, align 4, !tbaa !7
  store i32 %22, ptr %20, align 4, !tbaa !7
  br label %23

23:                                               ; preds = %18, %16
  %24 = icmp slt i32 %7, %4
  br i1 %24, label %25, label %30

25:                                               ; preds = %23
  %26 = sext i32 %7 to i64
  %27 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_cat to ptr), i64 0, i64 %26
  %28 = getelementptr inbounds i32, ptr %2, i64 %26
  %29 = load i32, ptr %28, align 4, !tbaa !7
  store i32 %29, ptr %27, align 4, !tbaa !7
  br label %30

30:                                               ; preds = %25, %23, %6
  tail call void @llvm.nvvm.barrier0()
  %31 = icmp slt i32 %11, %4
  br i1 %31, label %32, label %42

32:                                               ; preds = %30
  %33 = icmp sgt i32 %3, 0
  %34 = and i32 %3, 7
  %35 = icmp ult i32 %3, 8
  %36 = and i32 %3, -8
  %37 = icmp eq i32 %34, 0
  %38 = and i32 %3, 1
  %39 = icmp eq i32 %3, 1
  %40 = and i32 %3, -2
  %41 = icmp eq i32 %38, 0
  br label %43

42:                                               ; preds = %213, %30
  ret void

43:                                               ; preds = %213, %32
  %44 = phi i32 [ %11, %32 ], [ %214, %213 ]
  %45 = icmp slt i32 %44, 256
  %46 = sext i32 %44 to i64
  %47 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_cat to ptr), i64 0, i64 %46
  %48 = zext i32 %44 to i64
  %49 = getelementptr inbounds i32, ptr %2, i64 %48
  %50 = select i1 %45, ptr %47, ptr %49
  %51 = load i32, ptr %50, align 4, !tbaa !7
  %52 = icmp eq i32 %51, 1
  br i1 %52, label %55, label %53

53:                                               ; preds = %43
  br i1 %33, label %54, label %213

54:                                               ; preds = %53
  br i1 %35, label %199, label %113

55:                                               ; preds = %43
  br i1 %33, label %56, label %213

56:                                               ; preds = %55
  br i1 %39, label %174, label %57

57:                                               ; preds = %108, %56
  %58 = phi i32 [ %110, %108 ], [ 0, %56 ]
  %59 = phi i32 [ %109, %108 ], [ 0, %56 ]
  %60 = phi i32 [ %111, %108 ], [ 0, %56 ]
  %61 = mul nsw i32 %58, %4
  %62 = add nsw i32 %61, %44
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds i32, ptr %0, i64 %63
  %65 = load i32, ptr %64, align 4, !tbaa !7
  %66 = icmp sgt i32 %65, -1
  %67 = icmp slt i32 %65, %3
  %68 = and i1 %66, %67
  br i1 %68, label %69, label %83

69:                                               ; preds = %57
  %70 = icmp ult i32 %65, 256
  %71 = zext i32 %65 to i64
  %72 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_nin to ptr), i64 0, i64 %71
  %73 = getelementptr inbounds i32, ptr %1, i64 %71
  %74 = select i1 %70, ptr %72, ptr %73
  %75 = load i32, ptr %74, align 4, !tbaa !7
  %76 = icmp sgt i32 %75, 0
  br i1 %76, label %77, label %83

77:                                               ; preds = %69
  %78 = add nsw i32 %59, 1
  %79 = mul nsw i32 %59, %4
  %80 = add nsw i32 %79, %44
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds i32, ptr %5, i64 %81
  store i32 %65, ptr %82, align 4, !tbaa !7
  br label %83

83:                                               ; preds = %77, %69, %57
  %84 = phi i32 [ %59, %57 ], [ %78, %77 ], [ %59, %69 ]
  %85 = or i32 %58, 1
  %86 = mul nsw i32 %85, %4
  %87 = add nsw i32 %86, %44
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds i32, ptr %0, i64 %88
  %90 = load i32, ptr %89, align 4, !tbaa !7
  %91 = icmp sgt i32 %90, -1
  %92 = icmp slt i32 %90, %3
  %93 = and i1 %91, %92
  br i1 %93, label %94, label %108

94:                                               ; preds = %83
  %95 = icmp ult i32 %90, 256
  %96 = zext i32 %90 to i64
  %97 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_nin to ptr), i64 0, i64 %96
  %98 = getelementptr inbounds i32, ptr %1, i64 %96
  %99 = select i1 %95, ptr %97, ptr %98
  %100 = load i32, ptr %99, align 4, !tbaa !7
  %101 = icmp sgt i32 %100, 0
  br i1 %101, label %102, label %108

102:                                              ; preds = %94
  %103 = add nsw i32 %84, 1
  %104 = mul nsw i32 %84, %4
  %105 = add nsw i32 %104, %44
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds i32, ptr %5, i64 %106
  store i32 %90, ptr %107, align 4, !tbaa !7
  br label %108

108:                                              ; preds = %102, %94, %83
  %109 = phi i32 [ %84, %83 ], [ %103, %102 ], [ %84, %94 ]
  %110 = add nuw nsw i32 %58, 2
  %111 = add i32 %60, 2
  %112 = icmp eq i32 %111, %40
  br i1 %112, label %174, label %57, !llvm.loop !17

113:                                              ; preds = %113, %54
  %114 = phi i32 [ %171, %113 ], [ 0, %54 ]
  %115 = phi i32 [ %172, %113 ], [ 0, %54 ]
  %116 = mul nsw i32 %114, %4
  %117 = add nsw i32 %116, %44
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds i32, ptr %0, i64 %118
  %120 = load i32, ptr %119, align 4, !tbaa !7
  %121 = getelementptr inbounds i32, ptr %5, i64 %118
  store i32 %120, ptr %121, align 4, !tbaa !7
  %122 = or i32 %114, 1
  %123 = mul nsw i32 %122, %4
  %124 = add nsw i32 %123, %44
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds i32, ptr %0, i64 %125
  %127 = load i32, ptr %126, align 4, !tbaa !7
  %128 = getelementptr inbounds i32, ptr %5, i64 %125
  store i32 %127, ptr %128, align 4, !tbaa !7
  %129 = or i32 %114, 2
  %130 = mul nsw i32 %129, %4
  %131 = add nsw i32 %130, %44
  %132 = sext i32 %131 to i64
  %133 = getelementptr inbounds i32, ptr %0, i64 %132
  %134 = load i32, ptr %133, align 4, !tbaa !7
  %135 = getelementptr inbounds i32, ptr %5, i64 %132
  store i32 %134, ptr %135, align 4, !tbaa !7
  %136 = or i32 %114, 3
  %137 = mul nsw i32 %136, %4
  %138 = add nsw i32 %137, %44
  %139 = sext i32 %138 to i64
  %140 = getelementptr inbounds i32, ptr %0, i64 %139
  %141 = load i32, ptr %140, align 4, !tbaa !7
  %142 = getelementptr inbounds i32, ptr %5, i64 %139
  store i32 %141, ptr %142, align 4, !tbaa !7
  %143 = or i32 %114, 4
  %144 = mul nsw i32 %143, %4
  %145 = add nsw i32 %144, %44
  %146 = sext i32 %145 to i64
  %147 = getelementptr inbounds i32, ptr %0, i64 %146
  %148 = load i32, ptr %147, align 4, !tbaa !7
  %149 = getelementptr inbounds i32, ptr %5, i64 %146
  store i32 %148, ptr %149, align 4, !tbaa !7
  %150 = or i32 %114, 5
  %151 = mul nsw i32 %150, %4
  %152 = add nsw i32 %151, %44
  %153 = sext i32 %152 to i64
  %154 = getelementptr inbounds i32, ptr %0, i64 %153
  %155 = load i32, ptr %154, align 4, !tbaa !7
  %156 = getelementptr inbounds i32, ptr %5, i64 %153
  store i32 %155, ptr %156, align 4, !tbaa !7
  %157 = or i32 %114, 6
  %158 = mul nsw i32 %157, %4
  %159 = add nsw i32 %158, %44
  %160 = sext i32 %159 to i64
  %161 = getelementptr inbounds i32, ptr %0, i64 %160
  %162 = load i32, ptr %161, align 4, !tbaa !7
  %163 = getelementptr inbounds i32, ptr %5, i64 %160
  store i32 %162, ptr %163, align 4, !tbaa !7
  %164 = or i32 %114, 7
  %165 = mul nsw i32 %164, %4
  %166 = add nsw i32 %165, %44
  %167 = sext i32 %166 to i64
  %168 = getelementptr inbounds i32, ptr %0, i64 %167
  %169 = load i32, ptr %168, align 4, !tbaa !7
  %170 = getelementptr inbounds i32, ptr %5, i64 %167
  store i32 %169, ptr %170, align 4, !tbaa !7
  %171 = add nuw nsw i32 %114, 8
  %172 = add i32 %115, 8
  %173 = icmp eq i32 %172, %36
  br i1 %173, label %199, label %113, !llvm.loop !18

174:                                              ; preds = %108, %56
  %175 = phi i32 [ 0, %56 ], [ %110, %108 ]
  %176 = phi i32 [ 0, %56 ], [ %109, %108 ]
  br i1 %41, label %213, label %177

177:                                              ; preds = %174
  %178 = mul nsw i32 %175, %4
  %179 = add nsw i32 %178, %44
  %180 = sext i32 %179 to i64
  %181 = getelementptr inbounds i32, ptr %0, i64 %180
  %182 = load i32, ptr %181, align 4, !tbaa !7
  %183 = icmp sgt i32 %182, -1
  %184 = icmp slt i32 %182, %3
  %185 = and i1 %183, %184
  br i1 %185, label %186, label %213

186:                                              ; preds = %177
  %187 = icmp ult i32 %182, 256
  %188 = zext i32 %182 to i64
  %189 = getelementptr inbounds [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPiE10shared_nin to ptr), i64 0, i64 %188
  %190 = getelementptr inbounds i32, ptr %1, i64 %188
  %191 = select i1 %187, ptr %189, ptr %190
  %192 = load i32, ptr %191, align 4, !tbaa !7
  %193 = icmp sgt i32 %192, 0
  br i1 %193, label %194, label %213

194:                                              ; preds = %186
  %195 = mul nsw i32 %176, %4
  %196 = add nsw i32 %195, %44
  %197 = sext i32 %196 to i64
  %198 = getelementptr inbounds i32, ptr %5, i64 %197
  store i32 %182, ptr %198, align 4, !tbaa !7
  br label %213

199:                                              ; preds = %113, %54
  %200 = phi i32 [ 0, %54 ], [ %171, %113 ]
  br i1 %37, label %213, label %201

201:                                              ; preds = %201, %199
  %202 = phi i32 [ %210, %201 ], [ %200, %199 ]
  %203 = phi i32 [ %211, %201 ], [ 0, %199 ]
  %204 = mul nsw i32 %202, %4
  %205 = add nsw i32 %204, %44
  %206 = sext i32 %205 to i64
  %207 = getelementptr inbounds i32, ptr %0, i64 %206
  %208 = load i32, ptr %207, align 4, !tbaa !7
  %209 = getelementptr inbounds i32, ptr %5, i64 %206
  store i32 %208, ptr %209, align 4, !tbaa !7
  %210 = add nuw nsw i32 %202, 1
  %211 = add i32 %203, 1
  %212 = icmp eq i32 %211, %34
  br i1 %212, label %213, label %201, !llvm.loop !19

213:                                              ; preds = %201, %199, %194, %186, %177, %174, %55, %53
  %214 = add nsw i32 %44, %13
  %215 = icmp slt i32 %214, %4
  br i1 %215, label %43, label %42, !llvm.loop !20
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5}
!nvvmir.version = !{!6}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_ZN2rf12_GLOBAL__N_119cuda_getamat_kernelEPKiS2_S2_iiPi, !"kernel", i32 1}
!5 = !{ptr @_ZN2rf12_GLOBAL__N_129cuda_getamat_optimized_kernelEPKiS2_S2_iiPi, !"kernel", i32 1}
!6 = !{i32 2, i32 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"int", !9, i64 0}
!9 = !{!"omnipotent char", !10, i64 0}
!10 = !{!"Simple C++ TBAA"}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !{!13, !12}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.unroll.disable"}
!16 = distinct !{!16, !12}
!17 = distinct !{!17, !12}
!18 = distinct !{!18, !12}
!19 = distinct !{!19, !15}
!20 = distinct !{!20, !12}
