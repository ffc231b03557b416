; torch-points-kernels 0.7.0, MIT licence (licences/torch-points-kernels.txt), from PyPI's torch-points-kernels-0.7.0.tar.gz: cuda/src/interpolate_gpu.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @_Z15three_nn_kerneliiiPKfS0_PfPi(i32 noundef %0, i32 noundef %1, i32 noundef %2, ptr noalias nocapture noundef readonly %3, ptr noalias nocapture noundef readonly %4, ptr noalias nocapture noundef writeonly %5, ptr noalias nocapture noundef writeonly %6) local_unnamed_addr #0 {
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = mul i32 %8, 3
  %10 = mul i32 %9, %1
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds float, ptr %3, i64 %11
  %13 = mul i32 %9, %2
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds float, ptr %4, i64 %14
  %16 = getelementptr inbounds float, ptr %5, i64 %11
  %17 = getelementptr inbounds i32, ptr %6, i64 %11
  %18 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %20 = icmp slt i32 %18, %1
  br i1 %20, label %21, label %27

21:                                               ; preds = %7
  %22 = icmp sgt i32 %2, 0
  %23 = and i32 %2, 1
  %24 = icmp eq i32 %2, 1
  %25 = and i32 %2, -2
  %26 = icmp eq i32 %23, 0
  br label %28

27:                                               ; preds = %85, %7
  ret void

28:                                               ; preds = %85, %21
  %29 = phi i32 [ %18, %21 ], [ %101, %85 ]
  %30 = mul nsw i32 %29, 3
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %12, i64 %31
  %33 = load float, ptr %32, align 4, !tbaa !8
  %34 = add nsw i32 %30, 1
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds float, ptr %12, i64 %35
  %37 = load float, ptr %36, align 4, !tbaa !8
  %38 = add nsw i32 %30, 2
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %12, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !8
  br i1 %22, label %42, label %85

42:                                               ; preds = %28
  br i1 %24, label %43, label %103

43:                                               ; preds = %174, %42
  %44 = phi double [ undef, %42 ], [ %175, %174 ]
  %45 = phi double [ undef, %42 ], [ %176, %174 ]
  %46 = phi double [ undef, %42 ], [ %177, %174 ]
  %47 = phi i32 [ undef, %42 ], [ %178, %174 ]
  %48 = phi i32 [ undef, %42 ], [ %179, %174 ]
  %49 = phi i32 [ undef, %42 ], [ %180, %174 ]
  %50 = phi i32 [ 0, %42 ], [ %181, %174 ]
  %51 = phi i32 [ 0, %42 ], [ %180, %174 ]
  %52 = phi i32 [ 0, %42 ], [ %179, %174 ]
  %53 = phi i32 [ 0, %42 ], [ %178, %174 ]
  %54 = phi double [ 1.000000e+40, %42 ], [ %177, %174 ]
  %55 = phi double [ 1.000000e+40, %42 ], [ %176, %174 ]
  %56 = phi double [ 1.000000e+40, %42 ], [ %175, %174 ]
  br i1 %26, label %85, label %57

57:                                               ; preds = %43
  %58 = mul nuw nsw i32 %50, 3
  %59 = zext i32 %58 to i64
  %60 = getelementptr inbounds float, ptr %15, i64 %59
  %61 = load float, ptr %60, align 4, !tbaa !8
  %62 = add nuw nsw i32 %58, 1
  %63 = zext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %15, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !8
  %66 = add nuw nsw i32 %58, 2
  %67 = zext i32 %66 to i64
  %68 = getelementptr inbounds float, ptr %15, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !8
  %70 = fsub contract float %33, %61
  %71 = fmul contract float %70, %70
  %72 = fsub contract float %37, %65
  %73 = fmul contract float %72, %72
  %74 = fadd contract float %71, %73
  %75 = fsub contract float %41, %69
  %76 = fmul contract float %75, %75
  %77 = fadd contract float %74, %76
  %78 = fpext float %77 to double
  %79 = fcmp contract ogt double %56, %78
  br i1 %79, label %85, label %80

80:                                               ; preds = %57
  %81 = fcmp contract ogt double %55, %78
  br i1 %81, label %85, label %82

82:                                               ; preds = %80
  %83 = fcmp contract ogt double %54, %78
  br i1 %83, label %84, label %85

84:                                               ; preds = %82
  br label %85

85:                                               ; preds = %84, %82, %80, %57, %43, %28
  %86 = phi double [ 1.000000e+40, %28 ], [ %44, %43 ], [ %56, %84 ], [ %56, %82 ], [ %78, %57 ], [ %56, %80 ]
  %87 = phi double [ 1.000000e+40, %28 ], [ %45, %43 ], [ %55, %84 ], [ %55, %82 ], [ %56, %57 ], [ %78, %80 ]
  %88 = phi double [ 1.000000e+40, %28 ], [ %46, %43 ], [ %78, %84 ], [ %54, %82 ], [ %55, %57 ], [ %55, %80 ]
  %89 = phi i32 [ 0, %28 ], [ %47, %43 ], [ %53, %84 ], [ %53, %82 ], [ %50, %57 ], [ %53, %80 ]
  %90 = phi i32 [ 0, %28 ], [ %48, %43 ], [ %52, %84 ], [ %52, %82 ], [ %53, %57 ], [ %50, %80 ]
  %91 = phi i32 [ 0, %28 ], [ %49, %43 ], [ %50, %84 ], [ %51, %82 ], [ %52, %57 ], [ %52, %80 ]
  %92 = fptrunc double %86 to float
  %93 = getelementptr inbounds float, ptr %16, i64 %31
  store float %92, ptr %93, align 4, !tbaa !8
  %94 = fptrunc double %87 to float
  %95 = getelementptr inbounds float, ptr %16, i64 %35
  store float %94, ptr %95, align 4, !tbaa !8
  %96 = fptrunc double %88 to float
  %97 = getelementptr inbounds float, ptr %16, i64 %39
  store float %96, ptr %97, align 4, !tbaa !8
  %98 = getelementptr inbounds i32, ptr %17, i64 %31
  store i32 %89, ptr %98, align 4, !tbaa !12
  %99 = getelementptr inbounds i32, ptr %17, i64 %35
  store i32 %90, ptr %99, align 4, !tbaa !12
  %100 = getelementptr inbounds i32, ptr %17, i64 %39
  store i32 %91, ptr %100, align 4, !tbaa !12
  %101 = add nsw i32 %29, %19
  %102 = icmp slt i32 %101, %1
  br i1 %102, label %28, label %27, !llvm.loop !14

103:                                              ; preds = %174, %42
  %104 = phi i32 [ %181, %174 ], [ 0, %42 ]
  %105 = phi i32 [ %180, %174 ], [ 0, %42 ]
  %106 = phi i32 [ %179, %174 ], [ 0, %42 ]
  %107 = phi i32 [ %178, %174 ], [ 0, %42 ]
  %108 = phi double [ %177, %174 ], [ 1.000000e+40, %42 ]
  %109 = phi double [ %176, %174 ], [ 1.000000e+40, %42 ]
  %110 = phi double [ %175, %174 ], [ 1.000000e+40, %42 ]
  %111 = phi i32 [ %182, %174 ], [ 0, %42 ]
  %112 = mul nuw nsw i32 %104, 3
  %113 = zext i32 %112 to i64
  %114 = getelementptr inbounds float, ptr %15, i64 %113
  %115 = load float, ptr %114, align 4, !tbaa !8
  %116 = or i32 %112, 1
  %117 = zext i32 %116 to i64
  %118 = getelementptr inbounds float, ptr %15, i64 %117
  %119 = load float, ptr %118, align 4, !tbaa !8
  %120 = add nuw nsw i32 %112, 2
  %121 = zext i32 %120 to i64
  %122 = getelementptr inbounds float, ptr %15, i64 %121
  %123 = load float, ptr %122, align 4, !tbaa !8
  %124 = fsub contract float %33, %115
  %125 = fmul contract float %124, %124
  %126 = fsub contract float %37, %119
  %127 = fmul contract float %126, %126
  %128 = fadd contract float %125, %127
  %129 = fsub contract float %41, %123
  %130 = fmul contract float %129, %129
  %131 = fadd contract float %128, %130
  %132 = fpext float %131 to double
  %133 = fcmp contract ogt double %110, %132
  br i1 %133, label %139, label %134

134:                                              ; preds = %103
  %135 = fcmp contract ogt double %109, %132
  br i1 %135, label %139, label %136

136:                                              ; preds = %134
  %137 = fcmp contract ogt double %108, %132
  br i1 %137, label %138, label %139

138:                                              ; preds = %136
  br label %139

139:                                              ; preds = %138, %136, %134, %103
  %140 = phi double [ %110, %138 ], [ %110, %136 ], [ %132, %103 ], [ %110, %134 ]
  %141 = phi double [ %109, %138 ], [ %109, %136 ], [ %110, %103 ], [ %132, %134 ]
  %142 = phi double [ %132, %138 ], [ %108, %136 ], [ %109, %103 ], [ %109, %134 ]
  %143 = phi i32 [ %107, %138 ], [ %107, %136 ], [ %104, %103 ], [ %107, %134 ]
  %144 = phi i32 [ %106, %138 ], [ %106, %136 ], [ %107, %103 ], [ %104, %134 ]
  %145 = phi i32 [ %104, %138 ], [ %105, %136 ], [ %106, %103 ], [ %106, %134 ]
  %146 = or i32 %104, 1
  %147 = mul nuw nsw i32 %146, 3
  %148 = zext i32 %147 to i64
  %149 = getelementptr inbounds float, ptr %15, i64 %148
  %150 = load float, ptr %149, align 4, !tbaa !8
  %151 = add nuw nsw i32 %147, 1
  %152 = zext i32 %151 to i64
  %153 = getelementptr inbounds float, ptr %15, i64 %152
  %154 = load float, ptr %153, align 4, !tbaa !8
  %155 = add nuw nsw i32 %147, 2
  %156 = zext i32 %155 to i64
  %157 = getelementptr inbounds float, ptr %15, i64 %156
  %158 = load float, ptr %157, align 4, !tbaa !8
  %159 = fsub contract float %33, %150
  %160 = fmul contract float %159, %159
  %161 = fsub contract float %37, %154
  %162 = fmul contract float %161, %161
  %163 = fadd contract float %160, %162
  %164 = fsub contract float %41, %158
  %165 = fmul contract float %164, %164
  %166 = fadd contract float %163, %165
  %167 = fpext float %166 to double
  %168 = fcmp contract ogt double %140, %167
  br i1 %168, label %174, label %169

169:                                              ; preds = %139
  %170 = fcmp contract ogt double %141, %167
  br i1 %170, label %174, label %171

171:                                              ; preds = %169
  %172 = fcmp contract ogt double %142, %167
  br i1 %172, label %173, label %174

173:                                              ; preds = %171
  br label %174

174:                                              ; preds = %173, %171, %169, %139
  %175 = phi double [ %140, %173 ], [ %140, %171 ], [ %167, %139 ], [ %140, %169 ]
  %176 = phi double [ %141, %173 ], [ %141, %171 ], [ %140, %139 ], [ %167, %169 ]
  %177 = phi double [ %167, %173 ], [ %142, %171 ], [ %141, %139 ], [ %141, %169 ]
  %178 = phi i32 [ %143, %173 ], [ %143, %171 ], [ %146, %139 ], [ %143, %169 ]
  %179 = phi i32 [ %144, %173 ], [ %144, %171 ], [ %143, %139 ], [ %146, %169 ]
  %180 = phi i32 [ %146, %173 ], [ %145, %171 ], [ %144, %139 ], [ %144, %169 ]
  %181 = add nuw nsw i32 %104, 2
  %182 = add i32 %111, 2
  %183 = icmp eq i32 %182, %25
  br i1 %183, label %43, label %103, !llvm.loop !16
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @_Z24three_interpolate_kerneliiiiPKfPKiS0_Pf(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, ptr noalias nocapture noundef readonly %4, ptr noalias nocapture noundef readonly %5, ptr noalias nocapture noundef readonly %6, ptr noalias nocapture noundef writeonly %7) local_unnamed_addr #0 {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = mul i32 %9, %1
  %11 = mul i32 %10, %2
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds float, ptr %4, i64 %12
  %14 = mul nsw i32 %9, %3
  %15 = mul nsw i32 %14, 3
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i32, ptr %5, i64 %16
  %18 = getelementptr inbounds float, ptr %6, i64 %16
  %19 = mul nsw i32 %14, %1
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds float, ptr %7, i64 %20
  %22 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %23 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %24 = mul i32 %22, %23
  %25 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %26 = add i32 %24, %25
  %27 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %28 = mul i32 %27, %23
  %29 = mul nsw i32 %3, %1
  %30 = icmp slt i32 %26, %29
  br i1 %30, label %32, label %31

31:                                               ; preds = %32, %8
  ret void

32:                                               ; preds = %32, %8
  %33 = phi i32 [ %76, %32 ], [ %26, %8 ]
  %34 = freeze i32 %33
  %35 = sdiv i32 %34, %3
  %36 = mul i32 %35, %3
  %37 = sub i32 %34, %36
  %38 = mul nsw i32 %37, 3
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %18, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !8
  %42 = add nsw i32 %38, 1
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %18, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !8
  %46 = add nsw i32 %38, 2
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds float, ptr %18, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !8
  %50 = getelementptr inbounds i32, ptr %17, i64 %39
  %51 = load i32, ptr %50, align 4, !tbaa !12
  %52 = getelementptr inbounds i32, ptr %17, i64 %43
  %53 = load i32, ptr %52, align 4, !tbaa !12
  %54 = getelementptr inbounds i32, ptr %17, i64 %47
  %55 = load i32, ptr %54, align 4, !tbaa !12
  %56 = mul nsw i32 %35, %2
  %57 = add nsw i32 %51, %56
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr %13, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !8
  %61 = fmul contract float %41, %60
  %62 = add nsw i32 %53, %56
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds float, ptr %13, i64 %63
  %65 = load float, ptr %64, align 4, !tbaa !8
  %66 = fmul contract float %45, %65
  %67 = fadd contract float %61, %66
  %68 = add nsw i32 %55, %56
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds float, ptr %13, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !8
  %72 = fmul contract float %49, %71
  %73 = fadd contract float %67, %72
  %74 = sext i32 %33 to i64
  %75 = getelementptr inbounds float, ptr %21, i64 %74
  store float %73, ptr %75, align 4, !tbaa !8
  %76 = add nsw i32 %33, %28
  %77 = icmp slt i32 %76, %29
  br i1 %77, label %32, label %31, !llvm.loop !17
}

; Function Attrs: mustprogress nofree norecurse nounwind memory(argmem: readwrite)
define dso_local void @_Z29three_interpolate_grad_kerneliiiiPKfPKiS0_Pf(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, ptr noalias nocapture noundef readonly %4, ptr noalias nocapture noundef readonly %5, ptr noalias nocapture noundef readonly %6, ptr noalias nocapture noundef %7) local_unnamed_addr #1 {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = mul nsw i32 %9, %2
  %11 = mul nsw i32 %10, %1
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds float, ptr %4, i64 %12
  %14 = mul nsw i32 %10, 3
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds i32, ptr %5, i64 %15
  %17 = getelementptr inbounds float, ptr %6, i64 %15
  %18 = mul i32 %9, %1
  %19 = mul i32 %18, %3
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds float, ptr %7, i64 %20
  %22 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %23 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %24 = mul i32 %22, %23
  %25 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %26 = add i32 %24, %25
  %27 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %28 = mul i32 %27, %23
  %29 = mul nsw i32 %2, %1
  %30 = icmp slt i32 %26, %29
  br i1 %30, label %32, label %31

31:                                               ; preds = %32, %8
  ret void

32:                                               ; preds = %32, %8
  %33 = phi i32 [ %75, %32 ], [ %26, %8 ]
  %34 = freeze i32 %33
  %35 = sdiv i32 %34, %2
  %36 = mul i32 %35, %2
  %37 = sub i32 %34, %36
  %38 = mul nsw i32 %37, 3
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %17, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !8
  %42 = add nsw i32 %38, 1
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds float, ptr %17, i64 %43
  %45 = load float, ptr %44, align 4, !tbaa !8
  %46 = add nsw i32 %38, 2
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds float, ptr %17, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !8
  %50 = getelementptr inbounds i32, ptr %16, i64 %39
  %51 = load i32, ptr %50, align 4, !tbaa !12
  %52 = getelementptr inbounds i32, ptr %16, i64 %43
  %53 = load i32, ptr %52, align 4, !tbaa !12
  %54 = getelementptr inbounds i32, ptr %16, i64 %47
  %55 = load i32, ptr %54, align 4, !tbaa !12
  %56 = mul nsw i32 %35, %3
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %21, i64 %57
  %59 = sext i32 %51 to i64
  %60 = getelementptr inbounds float, ptr %58, i64 %59
  %61 = sext i32 %33 to i64
  %62 = getelementptr inbounds float, ptr %13, i64 %61
  %63 = load float, ptr %62, align 4, !tbaa !8
  %64 = fmul contract float %41, %63
  %65 = atomicrmw fadd ptr %60, float %64 seq_cst, align 4
  %66 = sext i32 %53 to i64
  %67 = getelementptr inbounds float, ptr %58, i64 %66
  %68 = fmul contract float %45, %63
  %69 = atomicrmw fadd ptr %67, float %68 seq_cst, align 4
  %70 = sext i32 %55 to i64
  %71 = getelementptr inbounds float, ptr %58, i64 %70
  %72 = load float, ptr %62, align 4, !tbaa !8
  %73 = fmul contract float %49, %72
  %74 = atomicrmw fadd ptr %71, float %73 seq_cst, align 4
  %75 = add nsw i32 %33, %28
  %76 = icmp slt i32 %75, %29
  br i1 %76, label %32, label %31, !llvm.loop !18
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { mustprogress nofree norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5, !6}
!nvvmir.version = !{!7}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_Z15three_nn_kerneliiiPKfS0_PfPi, !"kernel", i32 1}
!5 = !{ptr @_Z24three_interpolate_kerneliiiiPKfPKiS0_Pf, !"kernel", i32 1}
!6 = !{ptr @_Z29three_interpolate_grad_kerneliiiiPKfPKiS0_Pf, !"kernel", i32 1}
!7 = !{i32 2, i32 0}
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = !{!13, !13, i64 0}
!13 = !{!"int", !10, i64 0}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = distinct !{!16, !15}
!17 = distinct !{!17, !15}
!18 = distinct !{!18, !15}
