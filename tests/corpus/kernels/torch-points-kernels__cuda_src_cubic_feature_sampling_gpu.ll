; torch-points-kernels 0.7.0, MIT licence (licences/torch-points-kernels.txt), from PyPI's torch-points-kernels-0.7.0.tar.gz: cuda/src/cubic_feature_sampling_gpu.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

$_Z29cubic_feature_sampling_kernelIdEviiiiiPKT_S2_PS0_Pi = comdat any

$_Z29cubic_feature_sampling_kernelIfEviiiiiPKT_S2_PS0_Pi = comdat any

$_Z34cubic_feature_sampling_grad_kernelIdEviiiiiPKT_PKiPS0_S5_ = comdat any

$_Z34cubic_feature_sampling_grad_kernelIfEviiiiiPKT_PKiPS0_S5_ = comdat any

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none)
define dso_local noundef i32 @_Z13compute_indexiiii(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = mul nsw i32 %3, %0
  %6 = add i32 %5, %1
  %7 = mul i32 %6, %3
  %8 = add nsw i32 %7, %2
  ret i32 %8
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @_Z29cubic_feature_sampling_kernelIdEviiiiiPKT_S2_PS0_Pi(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr noalias nocapture noundef readonly %5, ptr noalias nocapture noundef readonly %6, ptr noalias nocapture noundef writeonly %7, ptr noalias nocapture noundef %8) local_unnamed_addr #1 comdat {
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul nsw i32 %0, %0
  %14 = mul nsw i32 %13, %0
  %15 = mul nsw i32 %10, %3
  %16 = mul nsw i32 %15, 3
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds double, ptr %5, i64 %17
  %19 = mul i32 %14, %10
  %20 = mul i32 %19, %4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds double, ptr %6, i64 %21
  %23 = mul nsw i32 %15, %2
  %24 = mul nsw i32 %23, %4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds double, ptr %7, i64 %25
  %27 = sext i32 %23 to i64
  %28 = getelementptr inbounds i32, ptr %8, i64 %27
  %29 = icmp slt i32 %11, %3
  br i1 %29, label %30, label %38

30:                                               ; preds = %9
  %31 = add nsw i32 %1, -1
  %32 = icmp sgt i32 %2, 0
  %33 = icmp sgt i32 %4, 0
  %34 = and i32 %4, 3
  %35 = icmp ult i32 %4, 4
  %36 = and i32 %4, -4
  %37 = icmp eq i32 %34, 0
  br label %39

38:                                               ; preds = %139, %9
  ret void

39:                                               ; preds = %139, %30
  %40 = phi i32 [ %11, %30 ], [ %140, %139 ]
  %41 = mul nsw i32 %40, 3
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds double, ptr %18, i64 %42
  %44 = load double, ptr %43, align 8, !tbaa !9
  %45 = tail call double @llvm.floor.f64(double %44)
  %46 = fptosi double %45 to i32
  %47 = tail call double @llvm.ceil.f64(double %44)
  %48 = fptosi double %47 to i32
  %49 = icmp eq i32 %46, %48
  %50 = zext i1 %49 to i32
  %51 = sub nsw i32 %46, %31
  %52 = add i32 %31, %48
  %53 = add i32 %52, %50
  %54 = icmp sgt i32 %51, %53
  br i1 %54, label %85, label %55

55:                                               ; preds = %39
  %56 = add nsw i32 %41, 2
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds double, ptr %18, i64 %57
  %59 = load double, ptr %58, align 8, !tbaa !9
  %60 = tail call double @llvm.floor.f64(double %59)
  %61 = fptosi double %60 to i32
  %62 = tail call double @llvm.ceil.f64(double %59)
  %63 = fptosi double %62 to i32
  %64 = icmp eq i32 %61, %63
  %65 = zext i1 %64 to i32
  %66 = add nsw i32 %41, 1
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds double, ptr %18, i64 %67
  %69 = load double, ptr %68, align 8, !tbaa !9
  %70 = tail call double @llvm.floor.f64(double %69)
  %71 = fptosi double %70 to i32
  %72 = tail call double @llvm.ceil.f64(double %69)
  %73 = fptosi double %72 to i32
  %74 = icmp eq i32 %71, %73
  %75 = zext i1 %74 to i32
  %76 = sub nsw i32 %71, %31
  %77 = add i32 %31, %73
  %78 = add i32 %77, %75
  %79 = icmp sgt i32 %76, %78
  %80 = sub nsw i32 %61, %31
  %81 = add i32 %31, %63
  %82 = add i32 %81, %65
  %83 = icmp sgt i32 %80, %82
  %84 = mul nsw i32 %40, %2
  br label %88

85:                                               ; preds = %94, %39
  br i1 %32, label %86, label %139

86:                                               ; preds = %85
  %87 = mul nsw i32 %40, %2
  br label %130

88:                                               ; preds = %94, %55
  %89 = phi i32 [ %51, %55 ], [ %96, %94 ]
  %90 = phi i32 [ 0, %55 ], [ %95, %94 ]
  br i1 %79, label %94, label %91

91:                                               ; preds = %88
  %92 = icmp sge i32 %89, %0
  %93 = mul nsw i32 %89, %0
  br label %98

94:                                               ; preds = %108, %88
  %95 = phi i32 [ %90, %88 ], [ %109, %108 ]
  %96 = add nsw i32 %89, 1
  %97 = icmp slt i32 %89, %53
  br i1 %97, label %88, label %85, !llvm.loop !13

98:                                               ; preds = %108, %91
  %99 = phi i32 [ %76, %91 ], [ %110, %108 ]
  %100 = phi i32 [ %90, %91 ], [ %109, %108 ]
  br i1 %83, label %108, label %101

101:                                              ; preds = %98
  %102 = icmp slt i32 %99, %0
  %103 = add i32 %99, %93
  %104 = mul i32 %103, %0
  %105 = or i32 %89, %99
  %106 = icmp slt i32 %105, 0
  %107 = or i1 %92, %106
  br label %112

108:                                              ; preds = %122, %98
  %109 = phi i32 [ %100, %98 ], [ %127, %122 ]
  %110 = add nsw i32 %99, 1
  %111 = icmp slt i32 %99, %78
  br i1 %111, label %98, label %94, !llvm.loop !15

112:                                              ; preds = %122, %101
  %113 = phi i32 [ %80, %101 ], [ %128, %122 ]
  %114 = phi i32 [ %100, %101 ], [ %127, %122 ]
  br i1 %107, label %122, label %115

115:                                              ; preds = %112
  %116 = icmp sgt i32 %113, -1
  %117 = and i1 %102, %116
  %118 = icmp slt i32 %113, %0
  %119 = and i1 %118, %117
  %120 = add nsw i32 %113, %104
  %121 = select i1 %119, i32 %120, i32 -1
  br label %122

122:                                              ; preds = %115, %112
  %123 = phi i32 [ -1, %112 ], [ %121, %115 ]
  %124 = add nsw i32 %114, %84
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds i32, ptr %28, i64 %125
  store i32 %123, ptr %126, align 4, !tbaa !16
  %127 = add nsw i32 %114, 1
  %128 = add nsw i32 %113, 1
  %129 = icmp slt i32 %113, %82
  br i1 %129, label %112, label %108, !llvm.loop !18

130:                                              ; preds = %160, %86
  %131 = phi i32 [ 0, %86 ], [ %161, %160 ]
  br i1 %33, label %132, label %160

132:                                              ; preds = %130
  %133 = add nsw i32 %131, %87
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds i32, ptr %28, i64 %134
  %136 = load i32, ptr %135, align 4, !tbaa !16
  %137 = icmp eq i32 %136, -1
  %138 = mul i32 %133, %4
  br i1 %35, label %142, label %163

139:                                              ; preds = %160, %85
  %140 = add nsw i32 %40, %12
  %141 = icmp slt i32 %140, %3
  br i1 %141, label %39, label %38, !llvm.loop !19

142:                                              ; preds = %202, %132
  %143 = phi i32 [ 0, %132 ], [ %203, %202 ]
  br i1 %37, label %160, label %144

144:                                              ; preds = %156, %142
  %145 = phi i32 [ %157, %156 ], [ %143, %142 ]
  %146 = phi i32 [ %158, %156 ], [ 0, %142 ]
  br i1 %137, label %156, label %147

147:                                              ; preds = %144
  %148 = add nsw i32 %145, %138
  %149 = mul nsw i32 %145, %14
  %150 = add nsw i32 %136, %149
  %151 = sext i32 %150 to i64
  %152 = getelementptr inbounds double, ptr %22, i64 %151
  %153 = load double, ptr %152, align 8, !tbaa !9
  %154 = sext i32 %148 to i64
  %155 = getelementptr inbounds double, ptr %26, i64 %154
  store double %153, ptr %155, align 8, !tbaa !9
  br label %156

156:                                              ; preds = %147, %144
  %157 = add nuw nsw i32 %145, 1
  %158 = add i32 %146, 1
  %159 = icmp eq i32 %158, %34
  br i1 %159, label %160, label %144, !llvm.loop !20

160:                                              ; preds = %156, %142, %130
  %161 = add nuw nsw i32 %131, 1
  %162 = icmp eq i32 %161, %2
  br i1 %162, label %139, label %130, !llvm.loop !22

163:                                              ; preds = %202, %132
  %164 = phi i32 [ %203, %202 ], [ 0, %132 ]
  %165 = phi i32 [ %204, %202 ], [ 0, %132 ]
  br i1 %137, label %202, label %166

166:                                              ; preds = %163
  %167 = add nsw i32 %164, %138
  %168 = mul nsw i32 %164, %14
  %169 = add nsw i32 %136, %168
  %170 = sext i32 %169 to i64
  %171 = getelementptr inbounds double, ptr %22, i64 %170
  %172 = load double, ptr %171, align 8, !tbaa !9
  %173 = sext i32 %167 to i64
  %174 = getelementptr inbounds double, ptr %26, i64 %173
  store double %172, ptr %174, align 8, !tbaa !9
  %175 = or i32 %164, 1
  %176 = add nsw i32 %175, %138
  %177 = mul nsw i32 %175, %14
  %178 = add nsw i32 %136, %177
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds double, ptr %22, i64 %179
  %181 = load double, ptr %180, align 8, !tbaa !9
  %182 = sext i32 %176 to i64
  %183 = getelementptr inbounds double, ptr %26, i64 %182
  store double %181, ptr %183, align 8, !tbaa !9
  %184 = or i32 %164, 2
  %185 = add nsw i32 %184, %138
  %186 = mul nsw i32 %184, %14
  %187 = add nsw i32 %136, %186
  %188 = sext i32 %187 to i64
  %189 = getelementptr inbounds double, ptr %22, i64 %188
  %190 = load double, ptr %189, align 8, !tbaa !9
  %191 = sext i32 %185 to i64
  %192 = getelementptr inbounds double, ptr %26, i64 %191
  store double %190, ptr %192, align 8, !tbaa !9
  %193 = or i32 %164, 3
  %194 = add nsw i32 %193, %138
  %195 = mul nsw i32 %193, %14
  %196 = add nsw i32 %136, %195
  %197 = sext i32 %196 to i64
  %198 = getelementptr inbounds double, ptr %22, i64 %197
  %199 = load double, ptr %198, align 8, !tbaa !9
  %200 = sext i32 %194 to i64
  %201 = getelementptr inbounds double, ptr %26, i64 %200
  store double %199, ptr %201, align 8, !tbaa !9
  br label %202

202:                                              ; preds = %166, %163
  %203 = add nuw nsw i32 %164, 4
  %204 = add i32 %165, 4
  %205 = icmp eq i32 %204, %36
  br i1 %205, label %142, label %163, !llvm.loop !23
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define dso_local void @_Z29cubic_feature_sampling_kernelIfEviiiiiPKT_S2_PS0_Pi(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr noalias nocapture noundef readonly %5, ptr noalias nocapture noundef readonly %6, ptr noalias nocapture noundef writeonly %7, ptr noalias nocapture noundef %8) local_unnamed_addr #1 comdat {
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul nsw i32 %0, %0
  %14 = mul nsw i32 %13, %0
  %15 = mul nsw i32 %10, %3
  %16 = mul nsw i32 %15, 3
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds float, ptr %5, i64 %17
  %19 = mul i32 %14, %10
  %20 = mul i32 %19, %4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds float, ptr %6, i64 %21
  %23 = mul nsw i32 %15, %2
  %24 = mul nsw i32 %23, %4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds float, ptr %7, i64 %25
  %27 = sext i32 %23 to i64
  %28 = getelementptr inbounds i32, ptr %8, i64 %27
  %29 = icmp slt i32 %11, %3
  br i1 %29, label %30, label %38

30:                                               ; preds = %9
  %31 = add nsw i32 %1, -1
  %32 = icmp sgt i32 %2, 0
  %33 = icmp sgt i32 %4, 0
  %34 = and i32 %4, 3
  %35 = icmp ult i32 %4, 4
  %36 = and i32 %4, -4
  %37 = icmp eq i32 %34, 0
  br label %39

38:                                               ; preds = %139, %9
  ret void

39:                                               ; preds = %139, %30
  %40 = phi i32 [ %11, %30 ], [ %140, %139 ]
  %41 = mul nsw i32 %40, 3
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds float, ptr %18, i64 %42
  %44 = load float, ptr %43, align 4, !tbaa !24
  %45 = tail call float @llvm.floor.f32(float %44)
  %46 = fptosi float %45 to i32
  %47 = tail call float @llvm.ceil.f32(float %44)
  %48 = fptosi float %47 to i32
  %49 = icmp eq i32 %46, %48
  %50 = zext i1 %49 to i32
  %51 = sub nsw i32 %46, %31
  %52 = add i32 %31, %48
  %53 = add i32 %52, %50
  %54 = icmp sgt i32 %51, %53
  br i1 %54, label %85, label %55

55:                                               ; preds = %39
  %56 = add nsw i32 %41, 2
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %18, i64 %57
  %59 = load float, ptr %58, align 4, !tbaa !24
  %60 = tail call float @llvm.floor.f32(float %59)
  %61 = fptosi float %60 to i32
  %62 = tail call float @llvm.ceil.f32(float %59)
  %63 = fptosi float %62 to i32
  %64 = icmp eq i32 %61, %63
  %65 = zext i1 %64 to i32
  %66 = add nsw i32 %41, 1
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds float, ptr %18, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !24
  %70 = tail call float @llvm.floor.f32(float %69)
  %71 = fptosi float %70 to i32
  %72 = tail call float @llvm.ceil.f32(float %69)
  %73 = fptosi float %72 to i32
  %74 = icmp eq i32 %71, %73
  %75 = zext i1 %74 to i32
  %76 = sub nsw i32 %71, %31
  %77 = add i32 %31, %73
  %78 = add i32 %77, %75
  %79 = icmp sgt i32 %76, %78
  %80 = sub nsw i32 %61, %31
  %81 = add i32 %31, %63
  %82 = add i32 %81, %65
  %83 = icmp sgt i32 %80, %82
  %84 = mul nsw i32 %40, %2
  br label %88

85:                                               ; preds = %94, %39
  br i1 %32, label %86, label %139

86:                                               ; preds = %85
  %87 = mul nsw i32 %40, %2
  br label %130

88:                                               ; preds = %94, %55
  %89 = phi i32 [ %51, %55 ], [ %96, %94 ]
  %90 = phi i32 [ 0, %55 ], [ %95, %94 ]
  br i1 %79, label %94, label %91

91:                                               ; preds = %88
  %92 = icmp sge i32 %89, %0
  %93 = mul nsw i32 %89, %0
  br label %98

94:                                               ; preds = %108, %88
  %95 = phi i32 [ %90, %88 ], [ %109, %108 ]
  %96 = add nsw i32 %89, 1
  %97 = icmp slt i32 %89, %53
  br i1 %97, label %88, label %85, !llvm.loop !26

98:                                               ; preds = %108, %91
  %99 = phi i32 [ %76, %91 ], [ %110, %108 ]
  %100 = phi i32 [ %90, %91 ], [ %109, %108 ]
  br i1 %83, label %108, label %101

101:                                              ; preds = %98
  %102 = icmp slt i32 %99, %0
  %103 = add i32 %99, %93
  %104 = mul i32 %103, %0
  %105 = or i32 %89, %99
  %106 = icmp slt i32 %105, 0
  %107 = or i1 %92, %106
  br label %112

108:                                              ; preds = %122, %98
  %109 = phi i32 [ %100, %98 ], [ %127, %122 ]
  %110 = add nsw i32 %99, 1
  %111 = icmp slt i32 %99, %78
  br i1 %111, label %98, label %94, !llvm.loop !27

112:                                              ; preds = %122, %101
  %113 = phi i32 [ %80, %101 ], [ %128, %122 ]
  %114 = phi i32 [ %100, %101 ], [ %127, %122 ]
  br i1 %107, label %122, label %115

115:                                              ; preds = %112
  %116 = icmp sgt i32 %113, -1
  %117 = and i1 %102, %116
  %118 = icmp slt i32 %113, %0
  %119 = and i1 %118, %117
  %120 = add nsw i32 %113, %104
  %121 = select i1 %119, i32 %120, i32 -1
  br label %122

122:                                              ; preds = %115, %112
  %123 = phi i32 [ -1, %112 ], [ %121, %115 ]
  %124 = add nsw i32 %114, %84
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds i32, ptr %28, i64 %125
  store i32 %123, ptr %126, align 4, !tbaa !16
  %127 = add nsw i32 %114, 1
  %128 = add nsw i32 %113, 1
  %129 = icmp slt i32 %113, %82
  br i1 %129, label %112, label %108, !llvm.loop !28

130:                                              ; preds = %160, %86
  %131 = phi i32 [ 0, %86 ], [ %161, %160 ]
  br i1 %33, label %132, label %160

132:                                              ; preds = %130
  %133 = add nsw i32 %131, %87
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds i32, ptr %28, i64 %134
  %136 = load i32, ptr %135, align 4, !tbaa !16
  %137 = icmp eq i32 %136, -1
  %138 = mul i32 %133, %4
  br i1 %35, label %142, label %163

139:                                              ; preds = %160, %85
  %140 = add nsw i32 %40, %12
  %141 = icmp slt i32 %140, %3
  br i1 %141, label %39, label %38, !llvm.loop !29

142:                                              ; preds = %202, %132
  %143 = phi i32 [ 0, %132 ], [ %203, %202 ]
  br i1 %37, label %160, label %144

144:                                              ; preds = %156, %142
  %145 = phi i32 [ %157, %156 ], [ %143, %142 ]
  %146 = phi i32 [ %158, %156 ], [ 0, %142 ]
  br i1 %137, label %156, label %147

147:                                              ; preds = %144
  %148 = add nsw i32 %145, %138
  %149 = mul nsw i32 %145, %14
  %150 = add nsw i32 %136, %149
  %151 = sext i32 %150 to i64
  %152 = getelementptr inbounds float, ptr %22, i64 %151
  %153 = load float, ptr %152, align 4, !tbaa !24
  %154 = sext i32 %148 to i64
  %155 = getelementptr inbounds float, ptr %26, i64 %154
  store float %153, ptr %155, align 4, !tbaa !24
  br label %156

156:                                              ; preds = %147, %144
  %157 = add nuw nsw i32 %145, 1
  %158 = add i32 %146, 1
  %159 = icmp eq i32 %158, %34
  br i1 %159, label %160, label %144, !llvm.loop !30

160:                                              ; preds = %156, %142, %130
  %161 = add nuw nsw i32 %131, 1
  %162 = icmp eq i32 %161, %2
  br i1 %162, label %139, label %130, !llvm.loop !31

163:                                              ; preds = %202, %132
  %164 = phi i32 [ %203, %202 ], [ 0, %132 ]
  %165 = phi i32 [ %204, %202 ], [ 0, %132 ]
  br i1 %137, label %202, label %166

166:                                              ; preds = %163
  %167 = add nsw i32 %164, %138
  %168 = mul nsw i32 %164, %14
  %169 = add nsw i32 %136, %168
  %170 = sext i32 %169 to i64
  %171 = getelementptr inbounds float, ptr %22, i64 %170
  %172 = load float, ptr %171, align 4, !tbaa !24
  %173 = sext i32 %167 to i64
  %174 = getelementptr inbounds float, ptr %26, i64 %173
  store float %172, ptr %174, align 4, !tbaa !24
  %175 = or i32 %164, 1
  %176 = add nsw i32 %175, %138
  %177 = mul nsw i32 %175, %14
  %178 = add nsw i32 %136, %177
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds float, ptr %22, i64 %179
  %181 = load float, ptr %180, align 4, !tbaa !24
  %182 = sext i32 %176 to i64
  %183 = getelementptr inbounds float, ptr %26, i64 %182
  store float %181, ptr %183, align 4, !tbaa !24
  %184 = or i32 %164, 2
  %185 = add nsw i32 %184, %138
  %186 = mul nsw i32 %184, %14
  %187 = add nsw i32 %136, %186
  %188 = sext i32 %187 to i64
  %189 = getelementptr inbounds float, ptr %22, i64 %188
  %190 = load float, ptr %189, align 4, !tbaa !24
  %191 = sext i32 %185 to i64
  %192 = getelementptr inbounds float, ptr %26, i64 %191
  store float %190, ptr %192, align 4, !tbaa !24
  %193 = or i32 %164, 3
  %194 = add nsw i32 %193, %138
  %195 = mul nsw i32 %193, %14
  %196 = add nsw i32 %136, %195
  %197 = sext i32 %196 to i64
  %198 = getelementptr inbounds float, ptr %22, i64 %197
  %199 = load float, ptr %198, align 4, !tbaa !24
  %200 = sext i32 %194 to i64
  %201 = getelementptr inbounds float, ptr %26, i64 %200
  store float %199, ptr %201, align 4, !tbaa !24
  br label %202

202:                                              ; preds = %166, %163
  %203 = add nuw nsw i32 %164, 4
  %204 = add i32 %165, 4
  %205 = icmp eq i32 %204, %36
  br i1 %205, label %142, label %163, !llvm.loop !32
}

; Function Attrs: mustprogress nofree norecurse nounwind memory(argmem: readwrite)
define dso_local void @_Z34cubic_feature_sampling_grad_kernelIdEviiiiiPKT_PKiPS0_S5_(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr noalias nocapture noundef readonly %5, ptr noalias nocapture noundef readonly %6, ptr noalias nocapture noundef readnone %7, ptr noalias nocapture noundef %8) local_unnamed_addr #3 comdat {
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul nsw i32 %0, %0
  %14 = mul nsw i32 %13, %0
  %15 = mul i32 %10, %2
  %16 = mul i32 %15, %3
  %17 = mul nsw i32 %16, %4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds double, ptr %5, i64 %18
  %20 = sext i32 %16 to i64
  %21 = getelementptr inbounds i32, ptr %6, i64 %20
  %22 = mul i32 %14, %10
  %23 = mul i32 %22, %4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds double, ptr %8, i64 %24
  %26 = icmp slt i32 %11, %3
  br i1 %26, label %27, label %39

27:                                               ; preds = %9
  %28 = icmp sgt i32 %2, 0
  %29 = icmp slt i32 %4, 1
  %30 = add i32 %4, -1
  %31 = and i32 %4, 3
  %32 = icmp ult i32 %30, 3
  %33 = and i32 %4, -4
  %34 = icmp eq i32 %31, 0
  br label %35

35:                                               ; preds = %40, %27
  %36 = phi i32 [ %11, %27 ], [ %41, %40 ]
  br i1 %28, label %37, label %40

37:                                               ; preds = %35
  %38 = mul nsw i32 %36, %2
  br label %43

39:                                               ; preds = %40, %9
  ret void

40:                                               ; preds = %115, %35
  %41 = add nsw i32 %36, %12
  %42 = icmp slt i32 %41, %3
  br i1 %42, label %35, label %39, !llvm.loop !33

43:                                               ; preds = %115, %37
  %44 = phi i32 [ 0, %37 ], [ %116, %115 ]
  %45 = add nsw i32 %44, %38
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds i32, ptr %21, i64 %46
  %48 = load i32, ptr %47, align 4, !tbaa !16
  %49 = icmp eq i32 %48, -1
  %50 = or i1 %49, %29
  br i1 %50, label %115, label %51

51:                                               ; preds = %43
  %52 = mul i32 %45, %4
  br i1 %32, label %98, label %53

53:                                               ; preds = %53, %51
  %54 = phi i32 [ %95, %53 ], [ 0, %51 ]
  %55 = phi i32 [ %96, %53 ], [ 0, %51 ]
  %56 = add nsw i32 %54, %52
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds double, ptr %19, i64 %57
  %59 = load double, ptr %58, align 8, !tbaa !9
  %60 = mul nsw i32 %54, %14
  %61 = add nsw i32 %60, %48
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds double, ptr %25, i64 %62
  %64 = atomicrmw fadd ptr %63, double %59 seq_cst, align 8
  %65 = or i32 %54, 1
  %66 = add nsw i32 %65, %52
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds double, ptr %19, i64 %67
  %69 = load double, ptr %68, align 8, !tbaa !9
  %70 = mul nsw i32 %65, %14
  %71 = add nsw i32 %70, %48
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds double, ptr %25, i64 %72
  %74 = atomicrmw fadd ptr %73, double %69 seq_cst, align 8
  %75 = or i32 %54, 2
  %76 = add nsw i32 %75, %52
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds double, ptr %19, i64 %77
  %79 = load double, ptr %78, align 8, !tbaa !9
  %80 = mul nsw i32 %75, %14
  %81 = add nsw i32 %80, %48
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds double, ptr %25, i64 %82
  %84 = atomicrmw fadd ptr %83, double %79 seq_cst, align 8
  %85 = or i32 %54, 3
  %86 = add nsw i32 %85, %52
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds double, ptr %19, i64 %87
  %89 = load double, ptr %88, align 8, !tbaa !9
  %90 = mul nsw i32 %85, %14
  %91 = add nsw i32 %90, %48
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds double, ptr %25, i64 %92
  %94 = atomicrmw fadd ptr %93, double %89 seq_cst, align 8
  %95 = add nuw nsw i32 %54, 4
  %96 = add i32 %55, 4
  %97 = icmp eq i32 %96, %33
  br i1 %97, label %98, label %53, !llvm.loop !34

98:                                               ; preds = %53, %51
  %99 = phi i32 [ 0, %51 ], [ %95, %53 ]
  br i1 %34, label %115, label %100

100:                                              ; preds = %100, %98
  %101 = phi i32 [ %112, %100 ], [ %99, %98 ]
  %102 = phi i32 [ %113, %100 ], [ 0, %98 ]
  %103 = add nsw i32 %101, %52
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds double, ptr %19, i64 %104
  %106 = load double, ptr %105, align 8, !tbaa !9
  %107 = mul nsw i32 %101, %14
  %108 = add nsw i32 %107, %48
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds double, ptr %25, i64 %109
  %111 = atomicrmw fadd ptr %110, double %106 seq_cst, align 8
  %112 = add nuw nsw i32 %101, 1
  %113 = add i32 %102, 1
  %114 = icmp eq i32 %113, %31
  br i1 %114, label %115, label %100, !llvm.loop !35

115:                                              ; preds = %100, %98, %43
  %116 = add nuw nsw i32 %44, 1
  %117 = icmp eq i32 %116, %2
  br i1 %117, label %40, label %43, !llvm.loop !36
}

; Function Attrs: mustprogress nofree norecurse nounwind memory(argmem: readwrite)
define dso_local void @_Z34cubic_feature_sampling_grad_kernelIfEviiiiiPKT_PKiPS0_S5_(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, ptr noalias nocapture noundef readonly %5, ptr noalias nocapture noundef readonly %6, ptr noalias nocapture noundef readnone %7, ptr noalias nocapture noundef %8) local_unnamed_addr #3 comdat {
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %13 = mul nsw i32 %0, %0
  %14 = mul nsw i32 %13, %0
  %15 = mul i32 %10, %2
  %16 = mul i32 %15, %3
  %17 = mul nsw i32 %16, %4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds float, ptr %5, i64 %18
  %20 = sext i32 %16 to i64
  %21 = getelementptr inbounds i32, ptr %6, i64 %20
  %22 = mul i32 %14, %10
  %23 = mul i32 %22, %4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds float, ptr %8, i64 %24
  %26 = icmp slt i32 %11, %3
  br i1 %26, label %27, label %39

27:                                               ; preds = %9
  %28 = icmp sgt i32 %2, 0
  %29 = icmp slt i32 %4, 1
  %30 = add i32 %4, -1
  %31 = and i32 %4, 3
  %32 = icmp ult i32 %30, 3
  %33 = and i32 %4, -4
  %34 = icmp eq i32 %31, 0
  br label %35

35:                                               ; preds = %40, %27
  %36 = phi i32 [ %11, %27 ], [ %41, %40 ]
  br i1 %28, label %37, label %40

37:                                               ; preds = %35
  %38 = mul nsw i32 %36, %2
  br label %43

39:                                               ; preds = %40, %9
  ret void

40:                                               ; preds = %115, %35
  %41 = add nsw i32 %36, %12
  %42 = icmp slt i32 %41, %3
  br i1 %42, label %35, label %39, !llvm.loop !37

43:                                               ; preds = %115, %37
  %44 = phi i32 [ 0, %37 ], [ %116, %115 ]
  %45 = add nsw i32 %44, %38
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds i32, ptr %21, i64 %46
  %48 = load i32, ptr %47, align 4, !tbaa !16
  %49 = icmp eq i32 %48, -1
  %50 = or i1 %49, %29
  br i1 %50, label %115, label %51

51:                                               ; preds = %43
  %52 = mul i32 %45, %4
  br i1 %32, label %98, label %53

53:                                               ; preds = %53, %51
  %54 = phi i32 [ %95, %53 ], [ 0, %51 ]
  %55 = phi i32 [ %96, %53 ], [ 0, %51 ]
  %56 = add nsw i32 %54, %52
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds float, ptr %19, i64 %57
  %59 = load float, ptr %58, align 4, !tbaa !24
  %60 = mul nsw i32 %54, %14
  %61 = add nsw i32 %60, %48
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds float, ptr %25, i64 %62
  %64 = atomicrmw fadd ptr %63, float %59 seq_cst, align 4
  %65 = or i32 %54, 1
  %66 = add nsw i32 %65, %52
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds float, ptr %19, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !24
  %70 = mul nsw i32 %65, %14
  %71 = add nsw i32 %70, %48
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds float, ptr %25, i64 %72
  %74 = atomicrmw fadd ptr %73, float %69 seq_cst, align 4
  %75 = or i32 %54, 2
  %76 = add nsw i32 %75, %52
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds float, ptr %19, i64 %77
  %79 = load float, ptr %78, align 4, !tbaa !24
  %80 = mul nsw i32 %75, %14
  %81 = add nsw i32 %80, %48
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds float, ptr %25, i64 %82
  %84 = atomicrmw fadd ptr %83, float %79 seq_cst, align 4
  %85 = or i32 %54, 3
  %86 = add nsw i32 %85, %52
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds float, ptr %19, i64 %87
  %89 = load float, ptr %88, align 4, !tbaa !24
  %90 = mul nsw i32 %85, %14
  %91 = add nsw i32 %90, %48
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds float, ptr %25, i64 %92
  %94 = atomicrmw fadd ptr %93, float %89 seq_cst, align 4
  %95 = add nuw nsw i32 %54, 4
  %96 = add i32 %55, 4
  %97 = icmp eq i32 %96, %33
  br i1 %97, label %98, label %53, !llvm.loop !38

98:                                               ; preds = %53, %51
  %99 = phi i32 [ 0, %51 ], [ %95, %53 ]
  br i1 %34, label %115, label %100

100:                                              ; preds = %100, %98
  %101 = phi i32 [ %112, %100 ], [ %99, %98 ]
  %102 = phi i32 [ %113, %100 ], [ 0, %98 ]
  %103 = add nsw i32 %101, %52
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds float, ptr %19, i64 %104
  %106 = load float, ptr %105, align 4, !tbaa !24
  %107 = mul nsw i32 %101, %14
  %108 = add nsw i32 %107, %48
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds float, ptr %25, i64 %109
  %111 = atomicrmw fadd ptr %110, float %106 seq_cst, align 4
  %112 = add nuw nsw i32 %101, 1
  %113 = add i32 %102, 1
  %114 = icmp eq i32 %113, %31
  br i1 %114, label %115, label %100, !llvm.loop !39

115:                                              ; preds = %100, %98, %43
  %116 = add nuw nsw i32 %44, 1
  %117 = icmp eq i32 %116, %2
  br i1 %117, label %40, label %43, !llvm.loop !40
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.floor.f32(float) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.floor.f64(double) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.ceil.f64(double) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.ceil.f32(float) #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { mustprogress nofree norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5, !6, !7}
!nvvmir.version = !{!8}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_Z29cubic_feature_sampling_kernelIdEviiiiiPKT_S2_PS0_Pi, !"kernel", i32 1}
!5 = !{ptr @_Z29cubic_feature_sampling_kernelIfEviiiiiPKT_S2_PS0_Pi, !"kernel", i32 1}
!6 = !{ptr @_Z34cubic_feature_sampling_grad_kernelIdEviiiiiPKT_PKiPS0_S5_, !"kernel", i32 1}
!7 = !{ptr @_Z34cubic_feature_sampling_grad_kernelIfEviiiiiPKT_PKiPS0_S5_, !"kernel", i32 1}
!8 = !{i32 2, i32 0}
!9 = !{!10, !10, i64 0}
!10 = !{!"double", !11, i64 0}
!11 = !{!"omnipotent char", !12, i64 0}
!12 = !{!"Simple C++ TBAA"}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.mustprogress"}
!15 = distinct !{!15, !14}
!16 = !{!17, !17, i64 0}
!17 = !{!"int", !11, i64 0}
!18 = distinct !{!18, !14}
!19 = distinct !{!19, !14}
!20 = distinct !{!20, !21}
!21 = !{!"llvm.loop.unroll.disable"}
!22 = distinct !{!22, !14}
!23 = distinct !{!23, !14}
!24 = !{!25, !25, i64 0}
!25 = !{!"float", !11, i64 0}
!26 = distinct !{!26, !14}
!27 = distinct !{!27, !14}
!28 = distinct !{!28, !14}
!29 = distinct !{!29, !14}
!30 = distinct !{!30, !21}
!31 = distinct !{!31, !14}
!32 = distinct !{!32, !14}
!33 = distinct !{!33, !14}
!34 = distinct !{!34, !14}
!35 = distinct !{!35, !21}
!36 = distinct !{!36, !14}
!37 = distinct !{!37, !14}
!38 = distinct !{!38, !14}
!39 = distinct !{!39, !21}
!40 = distinct !{!40, !14}
