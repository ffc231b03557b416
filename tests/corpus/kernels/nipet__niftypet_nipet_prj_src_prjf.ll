; nipet 2.2.0, Apache licence 2.0, copyright 2018-20 Pawel Markiewicz, Casper da Costa-Luis (licences/apache-2.0.txt), from PyPI's nipet-2.2.0.tar.gz: niftypet/nipet/prj/src/prjf.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.float2.0 = type { float, float }
%struct.short2 = type { i16, i16 }

@c_li2rng = dso_local addrspace(4) externally_initialized global [2074 x %struct.float2.0] zeroinitializer, align 8
@c_li2sn = dso_local addrspace(4) externally_initialized global [2074 x %struct.short2] zeroinitializer, align 4
@c_li2nos = dso_local addrspace(4) externally_initialized global [2074 x i8] zeroinitializer, align 1
@llvm.compiler.used = appending global [3 x ptr] [ptr addrspacecast (ptr addrspace(4) @c_li2nos to ptr), ptr addrspacecast (ptr addrspace(4) @c_li2rng to ptr), ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z8imExpandPfS_ii(ptr nocapture noundef writeonly %0, ptr nocapture noundef readonly %1, i32 noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = mul i32 %7, %6
  %9 = add i32 %8, %5
  %10 = mul i32 %9, 127
  %11 = icmp slt i32 %10, 40640
  br i1 %11, label %12, label %28

12:                                               ; preds = %4
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %15 = mul i32 %14, 40640
  %16 = add i32 %15, %13
  %17 = add i32 %16, %10
  %18 = add i32 %17, %2
  %19 = mul i32 %14, 320
  %20 = add i32 %9, %19
  %21 = mul i32 %20, %3
  %22 = add i32 %21, %13
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds float, ptr %1, i64 %23
  %25 = load float, ptr %24, align 4, !tbaa !8
  %26 = sext i32 %18 to i64
  %27 = getelementptr inbounds float, ptr %0, i64 %26
  store float %25, ptr %27, align 4, !tbaa !8
  br label %28

28:                                               ; preds = %12, %4
  ret void
}

; Function Attrs: mustprogress nofree norecurse nounwind memory(argmem: readwrite)
define dso_local void @_Z9fprj_drctPfPKfS1_PKhPKiscc(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, i16 noundef signext %5, i8 noundef signext %6, i8 noundef signext %7) local_unnamed_addr #1 {
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds i32, ptr %4, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !12
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [2074 x %struct.float2.0], ptr addrspacecast (ptr addrspace(4) @c_li2rng to ptr), i64 0, i64 %14
  %16 = load float, ptr %15, align 8, !tbaa !14
  %17 = fadd contract float %16, 2.031250e-01
  %18 = fmul contract float %17, 0x4013B13B20000000
  %19 = fadd contract float %18, 6.350000e+01
  %20 = tail call float @llvm.floor.f32(float %19)
  %21 = fptosi float %20 to i32
  %22 = mul nsw i32 %12, 1807
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i8, ptr %3, i64 %23
  %25 = load i8, ptr %24, align 1, !tbaa !16
  %26 = zext i8 %25 to i32
  %27 = mul nsw i32 %12, 10
  %28 = mul nuw nsw i32 %26, 127
  %29 = add nsw i32 %28, -127
  %30 = add nsw i32 %27, 2
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds float, ptr %2, i64 %31
  %33 = load float, ptr %32, align 4, !tbaa !8
  %34 = add nsw i32 %27, 3
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds float, ptr %2, i64 %35
  %37 = load float, ptr %36, align 4, !tbaa !8
  %38 = add nsw i32 %27, 9
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds float, ptr %2, i64 %39
  %41 = load float, ptr %40, align 4, !tbaa !8
  %42 = fptosi float %41 to i32
  %43 = icmp sgt i32 %42, 3
  br i1 %43, label %44, label %122

44:                                               ; preds = %8
  %45 = add nsw i32 %22, 3
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds i8, ptr %3, i64 %46
  %48 = load i8, ptr %47, align 1, !tbaa !16
  %49 = and i8 %48, 1
  %50 = add nsw i32 %27, 5
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds float, ptr %2, i64 %51
  %53 = load float, ptr %52, align 4, !tbaa !8
  %54 = add nsw i32 %22, 2
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds i8, ptr %3, i64 %55
  %57 = load i8, ptr %56, align 1, !tbaa !16
  %58 = and i8 %57, 1
  %59 = uitofp i8 %58 to float
  %60 = fmul contract float %33, %59
  %61 = sext i32 %27 to i64
  %62 = getelementptr inbounds float, ptr %2, i64 %61
  %63 = load float, ptr %62, align 4, !tbaa !8
  %64 = fadd contract float %60, %63
  %65 = uitofp i8 %49 to float
  %66 = fmul contract float %64, %65
  %67 = icmp eq i8 %58, 0
  %68 = uitofp i1 %67 to float
  %69 = fmul contract float %37, %68
  %70 = or i32 %27, 1
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds float, ptr %2, i64 %71
  %73 = load float, ptr %72, align 4, !tbaa !8
  %74 = fadd contract float %69, %73
  %75 = icmp eq i8 %49, 0
  %76 = uitofp i1 %75 to float
  %77 = fmul contract float %74, %76
  %78 = fadd contract float %66, %77
  %79 = add i32 %22, 1
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds i8, ptr %3, i64 %80
  %82 = load i8, ptr %81, align 1, !tbaa !16
  %83 = zext i8 %82 to i32
  %84 = mul nsw i32 %83, -40640
  %85 = add nsw i32 %84, 40640
  %86 = zext i8 %58 to i32
  %87 = mul nuw nsw i32 %85, %86
  %88 = select i1 %67, i32 %29, i32 0
  %89 = add nsw i32 %87, %88
  %90 = add nsw i32 %27, 8
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds float, ptr %2, i64 %91
  %93 = load float, ptr %92, align 4, !tbaa !8
  %94 = fptosi float %93 to i32
  %95 = ashr i32 %94, 9
  %96 = mul nsw i32 %95, 320
  %97 = and i32 %94, 511
  %98 = add nsw i32 %96, %97
  %99 = mul nsw i32 %98, 127
  %100 = add i32 %89, %99
  %101 = add i32 %42, -3
  %102 = and i32 %101, 1
  %103 = icmp eq i32 %42, 4
  br i1 %103, label %107, label %104

104:                                              ; preds = %44
  %105 = icmp ne i8 %49, 0
  %106 = and i32 %101, -2
  br label %124

107:                                              ; preds = %124, %44
  %108 = phi float [ undef, %44 ], [ %171, %124 ]
  %109 = phi float [ 0.000000e+00, %44 ], [ %171, %124 ]
  %110 = phi float [ %53, %44 ], [ %163, %124 ]
  %111 = phi float [ %78, %44 ], [ %194, %124 ]
  %112 = phi i32 [ %100, %44 ], [ %182, %124 ]
  %113 = icmp eq i32 %102, 0
  br i1 %113, label %122, label %114

114:                                              ; preds = %107
  %115 = fsub contract float %111, %110
  %116 = add nsw i32 %112, %21
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds float, ptr %1, i64 %117
  %119 = load float, ptr %118, align 4, !tbaa !8
  %120 = fmul contract float %115, %119
  %121 = fadd contract float %109, %120
  br label %122

122:                                              ; preds = %114, %107, %8
  %123 = phi float [ 0.000000e+00, %8 ], [ %108, %107 ], [ %121, %114 ]
  switch i8 %7, label %258 [
    i8 1, label %198
    i8 0, label %248
  ]

124:                                              ; preds = %124, %104
  %125 = phi i32 [ 3, %104 ], [ %195, %124 ]
  %126 = phi float [ 0.000000e+00, %104 ], [ %171, %124 ]
  %127 = phi i1 [ %105, %104 ], [ %188, %124 ]
  %128 = phi float [ %53, %104 ], [ %163, %124 ]
  %129 = phi float [ %78, %104 ], [ %194, %124 ]
  %130 = phi float [ %74, %104 ], [ %178, %124 ]
  %131 = phi float [ %64, %104 ], [ %174, %124 ]
  %132 = phi i32 [ %100, %104 ], [ %182, %124 ]
  %133 = phi i32 [ 0, %104 ], [ %196, %124 ]
  %134 = fsub contract float %129, %128
  %135 = add nsw i32 %132, %21
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds float, ptr %1, i64 %136
  %138 = load float, ptr %137, align 4, !tbaa !8
  %139 = fmul contract float %134, %138
  %140 = fadd contract float %126, %139
  %141 = uitofp i1 %127 to float
  %142 = fmul contract float %33, %141
  %143 = fadd contract float %131, %142
  %144 = xor i1 %127, true
  %145 = uitofp i1 %144 to float
  %146 = fmul contract float %37, %145
  %147 = fadd contract float %130, %146
  %148 = select i1 %127, i32 0, i32 %29
  %149 = add nsw i32 %148, %132
  %150 = select i1 %127, i32 %85, i32 0
  %151 = add i32 %149, %150
  %152 = add i32 %79, %125
  %153 = sext i32 %152 to i64
  %154 = getelementptr inbounds i8, ptr %3, i64 %153
  %155 = load i8, ptr %154, align 1, !tbaa !16
  %156 = and i8 %155, 1
  %157 = icmp ne i8 %156, 0
  %158 = uitofp i8 %156 to float
  %159 = fmul contract float %143, %158
  %160 = xor i1 %157, true
  %161 = uitofp i1 %160 to float
  %162 = fmul contract float %147, %161
  %163 = fadd contract float %159, %162
  %164 = add nuw nsw i32 %125, 1
  %165 = fsub contract float %163, %129
  %166 = add nsw i32 %151, %21
  %167 = sext i32 %166 to i64
  %168 = getelementptr inbounds float, ptr %1, i64 %167
  %169 = load float, ptr %168, align 4, !tbaa !8
  %170 = fmul contract float %165, %169
  %171 = fadd contract float %140, %170
  %172 = uitofp i1 %157 to float
  %173 = fmul contract float %33, %172
  %174 = fadd contract float %143, %173
  %175 = xor i1 %157, true
  %176 = uitofp i1 %175 to float
  %177 = fmul contract float %37, %176
  %178 = fadd contract float %147, %177
  %179 = select i1 %157, i32 0, i32 %29
  %180 = add nsw i32 %179, %151
  %181 = select i1 %157, i32 %85, i32 0
  %182 = add i32 %180, %181
  %183 = add i32 %79, %164
  %184 = sext i32 %183 to i64
  %185 = getelementptr inbounds i8, ptr %3, i64 %184
  %186 = load i8, ptr %185, align 1, !tbaa !16
  %187 = and i8 %186, 1
  %188 = icmp ne i8 %187, 0
  %189 = uitofp i8 %187 to float
  %190 = fmul contract float %174, %189
  %191 = xor i1 %188, true
  %192 = uitofp i1 %191 to float
  %193 = fmul contract float %178, %192
  %194 = fadd contract float %190, %193
  %195 = add nuw nsw i32 %125, 2
  %196 = add i32 %133, 2
  %197 = icmp eq i32 %196, %106
  br i1 %197, label %107, label %124, !llvm.loop !17

198:                                              ; preds = %122
  switch i8 %6, label %258 [
    i8 1, label %199
    i8 11, label %221
  ]

199:                                              ; preds = %198
  %200 = fneg contract float %123
  %201 = tail call float @llvm.fma.f32(float %200, float 0x3F777313A0000000, float 5.000000e-01)
  %202 = tail call float @llvm.nvvm.saturate.f(float %201) #4
  %203 = tail call float @llvm.nvvm.fma.rm.f(float %202, float 2.520000e+02, float 0x4168000020000000) #4
  %204 = fadd float %203, 0xC168000FE0000000
  %205 = fneg float %204
  %206 = tail call float @llvm.fma.f32(float %200, float 0x3FF7154760000000, float %205)
  %207 = tail call float @llvm.fma.f32(float %200, float 0x3E54AE0C00000000, float %206)
  %208 = bitcast float %203 to i32
  %209 = shl i32 %208, 23
  %210 = bitcast i32 %209 to float
  %211 = tail call float @llvm.nvvm.ex2.approx.ftz.f(float %207) #4
  %212 = fmul float %211, %210
  %213 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %14
  %214 = load i16, ptr %213, align 4, !tbaa !19
  %215 = sext i16 %214 to i32
  %216 = sext i16 %5 to i32
  %217 = mul i32 %9, %216
  %218 = add i32 %217, %215
  %219 = zext i32 %218 to i64
  %220 = getelementptr inbounds float, ptr %0, i64 %219
  store float %212, ptr %220, align 4, !tbaa !8
  br label %258

221:                                              ; preds = %198
  %222 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %14
  %223 = load i16, ptr %222, align 4, !tbaa !19
  %224 = sext i16 %223 to i64
  %225 = getelementptr inbounds float, ptr %0, i64 %224
  %226 = sext i16 %5 to i32
  %227 = mul i32 %9, %226
  %228 = zext i32 %227 to i64
  %229 = getelementptr inbounds float, ptr %225, i64 %228
  %230 = fneg contract float %123
  %231 = tail call float @llvm.fma.f32(float %230, float 0x3F777313A0000000, float 5.000000e-01)
  %232 = tail call float @llvm.nvvm.saturate.f(float %231) #4
  %233 = tail call float @llvm.nvvm.fma.rm.f(float %232, float 2.520000e+02, float 0x4168000020000000) #4
  %234 = fadd float %233, 0xC168000FE0000000
  %235 = fneg float %234
  %236 = tail call float @llvm.fma.f32(float %230, float 0x3FF7154760000000, float %235)
  %237 = tail call float @llvm.fma.f32(float %230, float 0x3E54AE0C00000000, float %236)
  %238 = bitcast float %233 to i32
  %239 = shl i32 %238, 23
  %240 = bitcast i32 %239 to float
  %241 = tail call float @llvm.nvvm.ex2.approx.ftz.f(float %237) #4
  %242 = fmul float %241, %240
  %243 = getelementptr inbounds [2074 x i8], ptr addrspacecast (ptr addrspace(4) @c_li2nos to ptr), i64 0, i64 %14
  %244 = load i8, ptr %243, align 1, !tbaa !16
  %245 = sitofp i8 %244 to float
  %246 = fdiv contract float %242, %245
  %247 = atomicrmw fadd ptr %229, float %246 seq_cst, align 4
  br label %258

248:                                              ; preds = %122
  %249 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %14
  %250 = load i16, ptr %249, align 4, !tbaa !19
  %251 = sext i16 %250 to i64
  %252 = getelementptr inbounds float, ptr %0, i64 %251
  %253 = sext i16 %5 to i32
  %254 = mul i32 %9, %253
  %255 = zext i32 %254 to i64
  %256 = getelementptr inbounds float, ptr %252, i64 %255
  %257 = atomicrmw fadd ptr %256, float %123 seq_cst, align 4
  br label %258

258:                                              ; preds = %248, %221, %199, %198, %122
  ret void
}

; Function Attrs: mustprogress nofree norecurse nounwind memory(argmem: readwrite)
define dso_local void @_Z9fprj_oblqPfPKfS1_PKhPKisccis(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef readonly %4, i16 noundef signext %5, i8 noundef signext %6, i8 noundef signext %7, i32 noundef %8, i16 noundef signext %9) local_unnamed_addr #1 {
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add i32 %11, %8
  %13 = sext i16 %9 to i32
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %361

15:                                               ; preds = %10
  %16 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds i32, ptr %4, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !12
  %20 = mul nsw i32 %19, 1807
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds i8, ptr %3, i64 %21
  %23 = load i8, ptr %22, align 1, !tbaa !16
  %24 = zext i8 %23 to i32
  %25 = mul nsw i32 %19, 10
  %26 = mul nuw nsw i32 %24, 127
  %27 = add nsw i32 %26, -127
  %28 = add nsw i32 %25, 2
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds float, ptr %2, i64 %29
  %31 = load float, ptr %30, align 4, !tbaa !8
  %32 = add nsw i32 %25, 3
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds float, ptr %2, i64 %33
  %35 = load float, ptr %34, align 4, !tbaa !8
  %36 = add nsw i32 %25, 5
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds float, ptr %2, i64 %37
  %39 = load float, ptr %38, align 4, !tbaa !8
  %40 = add nsw i32 %25, 7
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds float, ptr %2, i64 %41
  %43 = load float, ptr %42, align 4, !tbaa !8
  %44 = sext i32 %12 to i64
  %45 = getelementptr inbounds [2074 x %struct.float2.0], ptr addrspacecast (ptr addrspace(4) @c_li2rng to ptr), i64 0, i64 %44
  %46 = getelementptr inbounds [2074 x %struct.float2.0], ptr addrspacecast (ptr addrspace(4) @c_li2rng to ptr), i64 0, i64 %44, i32 1
  %47 = load float, ptr %46, align 4, !tbaa !22
  %48 = load float, ptr %45, align 8, !tbaa !14
  %49 = fsub contract float %47, %48
  %50 = fdiv contract float %49, %43
  %51 = fmul contract float %50, %50
  %52 = fadd contract float %51, 1.000000e+00
  %53 = tail call float @llvm.nvvm.sqrt.approx.f(float %52) #4
  %54 = fcmp contract ult float %49, 0.000000e+00
  %55 = select i1 %54, i32 -1, i32 1
  %56 = fadd contract float %48, 2.031250e-01
  %57 = fmul contract float %39, %50
  %58 = fadd contract float %56, %57
  %59 = fmul contract float %58, 0x4013B13B20000000
  %60 = fadd contract float %59, 6.350000e+01
  %61 = tail call float @llvm.ceil.f32(float %60)
  %62 = fmul contract float %61, 2.031250e-01
  %63 = fadd contract float %62, 0xC029CC0000000000
  %64 = add nsw i32 %25, 6
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds float, ptr %2, i64 %65
  %67 = load float, ptr %66, align 4, !tbaa !8
  %68 = fmul contract float %50, %67
  %69 = fadd contract float %56, %68
  %70 = fmul contract float %69, 0x4013B13B20000000
  %71 = fadd contract float %70, 6.350000e+01
  %72 = tail call float @llvm.floor.f32(float %71)
  %73 = fmul contract float %72, 2.031250e-01
  %74 = fadd contract float %73, 0xC029CC0000000000
  %75 = fsub contract float %74, %63
  %76 = tail call float @llvm.fabs.f32(float %75)
  %77 = fdiv contract float %76, 2.031250e-01
  %78 = fptosi float %77 to i32
  %79 = fsub contract float %63, %56
  %80 = fdiv contract float %79, %50
  %81 = fsub contract float %74, %56
  %82 = fdiv contract float %81, %50
  %83 = fsub contract float %82, %80
  %84 = sitofp i32 %78 to float
  %85 = fdiv contract float %83, %84
  %86 = add nsw i32 %25, 9
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds float, ptr %2, i64 %87
  %89 = load float, ptr %88, align 4, !tbaa !8
  %90 = fcmp contract ogt float %89, 3.000000e+00
  br i1 %90, label %91, label %156

91:                                               ; preds = %15
  %92 = add nsw i32 %20, 3
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds i8, ptr %3, i64 %93
  %95 = load i8, ptr %94, align 1, !tbaa !16
  %96 = and i8 %95, 1
  %97 = icmp ne i8 %96, 0
  %98 = fpext float %47 to double
  %99 = fadd contract double %98, 2.031250e-01
  %100 = fpext float %57 to double
  %101 = fsub contract double %99, %100
  %102 = fptrunc double %101 to float
  %103 = fmul contract float %102, 0x4013B13B20000000
  %104 = fadd contract float %103, 6.350000e+01
  %105 = tail call float @llvm.floor.f32(float %104)
  %106 = fptosi float %105 to i32
  %107 = tail call float @llvm.floor.f32(float %60)
  %108 = fptosi float %107 to i32
  %109 = add nsw i32 %20, 2
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds i8, ptr %3, i64 %110
  %112 = load i8, ptr %111, align 1, !tbaa !16
  %113 = and i8 %112, 1
  %114 = uitofp i8 %113 to float
  %115 = fmul contract float %31, %114
  %116 = sext i32 %25 to i64
  %117 = getelementptr inbounds float, ptr %2, i64 %116
  %118 = load float, ptr %117, align 4, !tbaa !8
  %119 = fadd contract float %115, %118
  %120 = uitofp i8 %96 to float
  %121 = fmul contract float %119, %120
  %122 = icmp eq i8 %113, 0
  %123 = uitofp i1 %122 to float
  %124 = fmul contract float %35, %123
  %125 = or i32 %25, 1
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds float, ptr %2, i64 %126
  %128 = load float, ptr %127, align 4, !tbaa !8
  %129 = fadd contract float %124, %128
  %130 = icmp eq i8 %96, 0
  %131 = uitofp i1 %130 to float
  %132 = fmul contract float %129, %131
  %133 = fadd contract float %121, %132
  %134 = add i32 %20, 1
  %135 = sext i32 %134 to i64
  %136 = getelementptr inbounds i8, ptr %3, i64 %135
  %137 = load i8, ptr %136, align 1, !tbaa !16
  %138 = zext i8 %137 to i32
  %139 = mul nsw i32 %138, -40640
  %140 = add nsw i32 %139, 40640
  %141 = zext i8 %113 to i32
  %142 = mul nuw nsw i32 %140, %141
  %143 = select i1 %122, i32 %27, i32 0
  %144 = add nsw i32 %142, %143
  %145 = add nsw i32 %25, 8
  %146 = sext i32 %145 to i64
  %147 = getelementptr inbounds float, ptr %2, i64 %146
  %148 = load float, ptr %147, align 4, !tbaa !8
  %149 = fptosi float %148 to i32
  %150 = ashr i32 %149, 9
  %151 = mul nsw i32 %150, 320
  %152 = and i32 %149, 511
  %153 = add nsw i32 %151, %152
  %154 = mul nsw i32 %153, 127
  %155 = add i32 %144, %154
  br label %159

156:                                              ; preds = %224, %15
  %157 = phi float [ 0.000000e+00, %15 ], [ %228, %224 ]
  %158 = phi float [ 0.000000e+00, %15 ], [ %229, %224 ]
  switch i8 %7, label %361 [
    i8 1, label %256
    i8 0, label %345
  ]

159:                                              ; preds = %224, %91
  %160 = phi i32 [ 3, %91 ], [ %253, %224 ]
  %161 = phi float [ 0.000000e+00, %91 ], [ %229, %224 ]
  %162 = phi float [ 0.000000e+00, %91 ], [ %228, %224 ]
  %163 = phi i1 [ %97, %91 ], [ %246, %224 ]
  %164 = phi i32 [ %155, %91 ], [ %240, %224 ]
  %165 = phi float [ %80, %91 ], [ %227, %224 ]
  %166 = phi float [ %119, %91 ], [ %232, %224 ]
  %167 = phi float [ %129, %91 ], [ %236, %224 ]
  %168 = phi float [ %133, %91 ], [ %252, %224 ]
  %169 = phi float [ %39, %91 ], [ %168, %224 ]
  %170 = phi i32 [ %106, %91 ], [ %226, %224 ]
  %171 = phi i32 [ %108, %91 ], [ %225, %224 ]
  %172 = fsub contract float %168, %169
  %173 = fsub contract float %168, %165
  %174 = fcmp contract ogt float %173, 0.000000e+00
  br i1 %174, label %175, label %210

175:                                              ; preds = %159
  %176 = fsub contract float %165, %169
  %177 = fdiv contract float %176, %172
  %178 = fmul contract float %172, %177
  %179 = fmul contract float %53, %178
  %180 = add nsw i32 %164, %171
  %181 = sext i32 %180 to i64
  %182 = getelementptr inbounds float, ptr %1, i64 %181
  %183 = load float, ptr %182, align 4, !tbaa !8
  %184 = fmul contract float %179, %183
  %185 = fadd contract float %162, %184
  %186 = add nsw i32 %164, %170
  %187 = sext i32 %186 to i64
  %188 = getelementptr inbounds float, ptr %1, i64 %187
  %189 = load float, ptr %188, align 4, !tbaa !8
  %190 = fmul contract float %179, %189
  %191 = fadd contract float %161, %190
  %192 = add nsw i32 %171, %55
  %193 = sub nsw i32 %170, %55
  %194 = fsub contract float 1.000000e+00, %177
  %195 = fmul contract float %172, %194
  %196 = fmul contract float %53, %195
  %197 = add nsw i32 %164, %192
  %198 = sext i32 %197 to i64
  %199 = getelementptr inbounds float, ptr %1, i64 %198
  %200 = load float, ptr %199, align 4, !tbaa !8
  %201 = fmul contract float %196, %200
  %202 = fadd contract float %185, %201
  %203 = add nsw i32 %164, %193
  %204 = sext i32 %203 to i64
  %205 = getelementptr inbounds float, ptr %1, i64 %204
  %206 = load float, ptr %205, align 4, !tbaa !8
  %207 = fmul contract float %196, %206
  %208 = fadd contract float %191, %207
  %209 = fadd contract float %85, %165
  br label %224

210:                                              ; preds = %159
  %211 = fmul contract float %53, %172
  %212 = add nsw i32 %164, %171
  %213 = sext i32 %212 to i64
  %214 = getelementptr inbounds float, ptr %1, i64 %213
  %215 = load float, ptr %214, align 4, !tbaa !8
  %216 = fmul contract float %211, %215
  %217 = fadd contract float %162, %216
  %218 = add nsw i32 %164, %170
  %219 = sext i32 %218 to i64
  %220 = getelementptr inbounds float, ptr %1, i64 %219
  %221 = load float, ptr %220, align 4, !tbaa !8
  %222 = fmul contract float %211, %221
  %223 = fadd contract float %161, %222
  br label %224

224:                                              ; preds = %210, %175
  %225 = phi i32 [ %192, %175 ], [ %171, %210 ]
  %226 = phi i32 [ %193, %175 ], [ %170, %210 ]
  %227 = phi float [ %209, %175 ], [ %165, %210 ]
  %228 = phi float [ %202, %175 ], [ %217, %210 ]
  %229 = phi float [ %208, %175 ], [ %223, %210 ]
  %230 = uitofp i1 %163 to float
  %231 = fmul contract float %31, %230
  %232 = fadd contract float %166, %231
  %233 = xor i1 %163, true
  %234 = uitofp i1 %233 to float
  %235 = fmul contract float %35, %234
  %236 = fadd contract float %167, %235
  %237 = select i1 %163, i32 0, i32 %27
  %238 = add nsw i32 %237, %164
  %239 = select i1 %163, i32 %140, i32 0
  %240 = add i32 %238, %239
  %241 = add i32 %134, %160
  %242 = sext i32 %241 to i64
  %243 = getelementptr inbounds i8, ptr %3, i64 %242
  %244 = load i8, ptr %243, align 1, !tbaa !16
  %245 = and i8 %244, 1
  %246 = icmp ne i8 %245, 0
  %247 = uitofp i8 %245 to float
  %248 = fmul contract float %232, %247
  %249 = xor i1 %246, true
  %250 = uitofp i1 %249 to float
  %251 = fmul contract float %236, %250
  %252 = fadd contract float %248, %251
  %253 = add nuw nsw i32 %160, 1
  %254 = sitofp i32 %253 to float
  %255 = fcmp contract ogt float %89, %254
  br i1 %255, label %159, label %156, !llvm.loop !23

256:                                              ; preds = %156
  switch i8 %6, label %361 [
    i8 1, label %257
    i8 11, label %298
  ]

257:                                              ; preds = %256
  %258 = fneg contract float %157
  %259 = tail call float @llvm.fma.f32(float %258, float 0x3F777313A0000000, float 5.000000e-01)
  %260 = tail call float @llvm.nvvm.saturate.f(float %259) #4
  %261 = tail call float @llvm.nvvm.fma.rm.f(float %260, float 2.520000e+02, float 0x4168000020000000) #4
  %262 = fadd float %261, 0xC168000FE0000000
  %263 = fneg float %262
  %264 = tail call float @llvm.fma.f32(float %258, float 0x3FF7154760000000, float %263)
  %265 = tail call float @llvm.fma.f32(float %258, float 0x3E54AE0C00000000, float %264)
  %266 = bitcast float %261 to i32
  %267 = shl i32 %266, 23
  %268 = bitcast i32 %267 to float
  %269 = tail call float @llvm.nvvm.ex2.approx.ftz.f(float %265) #4
  %270 = fmul float %269, %268
  %271 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %44
  %272 = load i16, ptr %271, align 4, !tbaa !19
  %273 = sext i16 %272 to i32
  %274 = sext i16 %5 to i32
  %275 = mul i32 %16, %274
  %276 = add i32 %275, %273
  %277 = zext i32 %276 to i64
  %278 = getelementptr inbounds float, ptr %0, i64 %277
  store float %270, ptr %278, align 4, !tbaa !8
  %279 = fneg contract float %158
  %280 = tail call float @llvm.fma.f32(float %279, float 0x3F777313A0000000, float 5.000000e-01)
  %281 = tail call float @llvm.nvvm.saturate.f(float %280) #4
  %282 = tail call float @llvm.nvvm.fma.rm.f(float %281, float 2.520000e+02, float 0x4168000020000000) #4
  %283 = fadd float %282, 0xC168000FE0000000
  %284 = fneg float %283
  %285 = tail call float @llvm.fma.f32(float %279, float 0x3FF7154760000000, float %284)
  %286 = tail call float @llvm.fma.f32(float %279, float 0x3E54AE0C00000000, float %285)
  %287 = bitcast float %282 to i32
  %288 = shl i32 %287, 23
  %289 = bitcast i32 %288 to float
  %290 = tail call float @llvm.nvvm.ex2.approx.ftz.f(float %286) #4
  %291 = fmul float %290, %289
  %292 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %44, i32 1
  %293 = load i16, ptr %292, align 2, !tbaa !24
  %294 = sext i16 %293 to i32
  %295 = add i32 %275, %294
  %296 = zext i32 %295 to i64
  %297 = getelementptr inbounds float, ptr %0, i64 %296
  store float %291, ptr %297, align 4, !tbaa !8
  br label %361

298:                                              ; preds = %256
  %299 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %44
  %300 = load i16, ptr %299, align 4, !tbaa !19
  %301 = sext i16 %300 to i64
  %302 = getelementptr inbounds float, ptr %0, i64 %301
  %303 = sext i16 %5 to i32
  %304 = mul i32 %16, %303
  %305 = zext i32 %304 to i64
  %306 = getelementptr inbounds float, ptr %302, i64 %305
  %307 = fneg contract float %157
  %308 = tail call float @llvm.fma.f32(float %307, float 0x3F777313A0000000, float 5.000000e-01)
  %309 = tail call float @llvm.nvvm.saturate.f(float %308) #4
  %310 = tail call float @llvm.nvvm.fma.rm.f(float %309, float 2.520000e+02, float 0x4168000020000000) #4
  %311 = fadd float %310, 0xC168000FE0000000
  %312 = fneg float %311
  %313 = tail call float @llvm.fma.f32(float %307, float 0x3FF7154760000000, float %312)
  %314 = tail call float @llvm.fma.f32(float %307, float 0x3E54AE0C00000000, float %313)
  %315 = bitcast float %310 to i32
  %316 = shl i32 %315, 23
  %317 = bitcast i32 %316 to float
  %318 = tail call float @llvm.nvvm.ex2.approx.ftz.f(float %314) #4
  %319 = fmul float %318, %317
  %320 = getelementptr inbounds [2074 x i8], ptr addrspacecast (ptr addrspace(4) @c_li2nos to ptr), i64 0, i64 %44
  %321 = load i8, ptr %320, align 1, !tbaa !16
  %322 = sitofp i8 %321 to float
  %323 = fdiv contract float %319, %322
  %324 = atomicrmw fadd ptr %306, float %323 seq_cst, align 4
  %325 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %44, i32 1
  %326 = load i16, ptr %325, align 2, !tbaa !24
  %327 = sext i16 %326 to i64
  %328 = getelementptr inbounds float, ptr %0, i64 %327
  %329 = getelementptr inbounds float, ptr %328, i64 %305
  %330 = fneg contract float %158
  %331 = tail call float @llvm.fma.f32(float %330, float 0x3F777313A0000000, float 5.000000e-01)
  %332 = tail call float @llvm.nvvm.saturate.f(float %331) #4
  %333 = tail call float @llvm.nvvm.fma.rm.f(float %332, float 2.520000e+02, float 0x4168000020000000) #4
  %334 = fadd float %333, 0xC168000FE0000000
  %335 = fneg float %334
  %336 = tail call float @llvm.fma.f32(float %330, float 0x3FF7154760000000, float %335)
  %337 = tail call float @llvm.fma.f32(float %330, float 0x3E54AE0C00000000, float %336)
  %338 = bitcast float %333 to i32
  %339 = shl i32 %338, 23
  %340 = bitcast i32 %339 to float
  %341 = tail call float @llvm.nvvm.ex2.approx.ftz.f(float %337) #4
  %342 = fmul float %341, %340
  %343 = fdiv contract float %342, %322
  %344 = atomicrmw fadd ptr %329, float %343 seq_cst, align 4
  br label %361

345:                                              ; preds = %156
  %346 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %44
  %347 = load i16, ptr %346, align 4, !tbaa !19
  %348 = sext i16 %347 to i64
  %349 = getelementptr inbounds float, ptr %0, i64 %348
  %350 = sext i16 %5 to i32
  %351 = mul i32 %16, %350
  %352 = zext i32 %351 to i64
  %353 = getelementptr inbounds float, ptr %349, i64 %352
  %354 = atomicrmw fadd ptr %353, float %157 seq_cst, align 4
  %355 = getelementptr inbounds [2074 x %struct.short2], ptr addrspacecast (ptr addrspace(4) @c_li2sn to ptr), i64 0, i64 %44, i32 1
  %356 = load i16, ptr %355, align 2, !tbaa !24
  %357 = sext i16 %356 to i64
  %358 = getelementptr inbounds float, ptr %0, i64 %357
  %359 = getelementptr inbounds float, ptr %358, i64 %352
  %360 = atomicrmw fadd ptr %359, float %158 seq_cst, align 4
  br label %361

361:                                              ; preds = %345, %298, %257, %256, %156, %10
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.approx.f(float) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.saturate.f(float) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.fma.rm.f(float, float, float) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.ex2.approx.ftz.f(float) #3

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.floor.f32(float) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.ceil.f32(float) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fma.f32(float, float, float) #2

attributes #0 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { mustprogress nofree norecurse nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #4 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4, !5, !6}
!nvvmir.version = !{!7}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_Z8imExpandPfS_ii, !"kernel", i32 1}
!5 = !{ptr @_Z9fprj_drctPfPKfS1_PKhPKiscc, !"kernel", i32 1}
!6 = !{ptr @_Z9fprj_oblqPfPKfS1_PKhPKisccis, !"kernel", i32 1}
!7 = !{i32 2, i32 0}
!8 = !{!9, !9, i64 0}
!9 = !{!"float", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = !{!13, !13, i64 0}
!13 = !{!"int", !10, i64 0}
!14 = !{!15, !9, i64 0}
!15 = !{!"_ZTS6float2", !9, i64 0, !9, i64 4}
!16 = !{!10, !10, i64 0}
!17 = distinct !{!17, !18}
!18 = !{!"llvm.loop.mustprogress"}
!19 = !{!20, !21, i64 0}
!20 = !{!"_ZTS6short2", !21, i64 0, !21, i64 2}
!21 = !{!"short", !10, i64 0}
!22 = !{!15, !9, i64 4}
!23 = distinct !{!23, !18}
!24 = !{!20, !21, i64 2}
