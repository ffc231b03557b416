; build/llvm-17/bin/clang -O3 -S -emit-llvm -fno-ident -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib -std=c++17 matmul_mma.cu, by make
; ModuleID = 'matmul_mma.cu'
source_filename = "matmul_mma.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.FragmentA = type { [4 x i32] }
%struct.FragmentB = type { [2 x i32] }

; Function Attrs: convergent mustprogress norecurse nounwind
define ptx_kernel void @matmul_mma(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = srem i32 %5, 32
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = shl i32 %7, 10
  %9 = add i32 %6, %8
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds float, ptr %2, i64 %10
  %12 = load float, ptr %11, align 4, !tbaa !4
  %13 = add i32 %9, 32
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds float, ptr %2, i64 %14
  %16 = load float, ptr %15, align 4, !tbaa !4
  %17 = add i32 %9, 64
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds float, ptr %2, i64 %18
  %20 = load float, ptr %19, align 4, !tbaa !4
  %21 = add i32 %9, 96
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds float, ptr %2, i64 %22
  %24 = load float, ptr %23, align 4, !tbaa !4
  %25 = add i32 %9, 128
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds float, ptr %2, i64 %26
  %28 = load float, ptr %27, align 4, !tbaa !4
  %29 = add i32 %9, 160
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds float, ptr %2, i64 %30
  %32 = load float, ptr %31, align 4, !tbaa !4
  %33 = add i32 %9, 192
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds float, ptr %2, i64 %34
  %36 = load float, ptr %35, align 4, !tbaa !4
  %37 = add i32 %9, 224
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds float, ptr %2, i64 %38
  %40 = load float, ptr %39, align 4, !tbaa !4
  %41 = add i32 %9, 256
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds float, ptr %2, i64 %42
  %44 = load float, ptr %43, align 4, !tbaa !4
  %45 = add i32 %9, 288
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds float, ptr %2, i64 %46
  %48 = load float, ptr %47, align 4, !tbaa !4
  %49 = add i32 %9, 320
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds float, ptr %2, i64 %50
  %52 = load float, ptr %51, align 4, !tbaa !4
  %53 = add i32 %9, 352
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds float, ptr %2, i64 %54
  %56 = load float, ptr %55, align 4, !tbaa !4
  %57 = add i32 %9, 384
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds float, ptr %2, i64 %58
  %60 = load float, ptr %59, align 4, !tbaa !4
  %61 = add i32 %9, 416
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds float, ptr %2, i64 %62
  %64 = load float, ptr %63, align 4, !tbaa !4
  %65 = add i32 %9, 448
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds float, ptr %2, i64 %66
  %68 = load float, ptr %67, align 4, !tbaa !4
  %69 = add i32 %9, 480
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds float, ptr %2, i64 %70
  %72 = load float, ptr %71, align 4, !tbaa !4
  %73 = add i32 %9, 512
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds float, ptr %2, i64 %74
  %76 = load float, ptr %75, align 4, !tbaa !4
  %77 = add i32 %9, 544
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds float, ptr %2, i64 %78
  %80 = load float, ptr %79, align 4, !tbaa !4
  %81 = add i32 %9, 576
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds float, ptr %2, i64 %82
  %84 = load float, ptr %83, align 4, !tbaa !4
  %85 = add i32 %9, 608
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds float, ptr %2, i64 %86
  %88 = load float, ptr %87, align 4, !tbaa !4
  %89 = add i32 %9, 640
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds float, ptr %2, i64 %90
  %92 = load float, ptr %91, align 4, !tbaa !4
  %93 = add i32 %9, 672
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds float, ptr %2, i64 %94
  %96 = load float, ptr %95, align 4, !tbaa !4
  %97 = add i32 %9, 704
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds float, ptr %2, i64 %98
  %100 = load float, ptr %99, align 4, !tbaa !4
  %101 = add i32 %9, 736
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds float, ptr %2, i64 %102
  %104 = load float, ptr %103, align 4, !tbaa !4
  %105 = add i32 %9, 768
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds float, ptr %2, i64 %106
  %108 = load float, ptr %107, align 4, !tbaa !4
  %109 = add i32 %9, 800
  %110 = sext i32 %109 to i64
  %111 = getelementptr inbounds float, ptr %2, i64 %110
  %112 = load float, ptr %111, align 4, !tbaa !4
  %113 = add i32 %9, 832
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds float, ptr %2, i64 %114
  %116 = load float, ptr %115, align 4, !tbaa !4
  %117 = add i32 %9, 864
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds float, ptr %2, i64 %118
  %120 = load float, ptr %119, align 4, !tbaa !4
  %121 = add i32 %9, 896
  %122 = sext i32 %121 to i64
  %123 = getelementptr inbounds float, ptr %2, i64 %122
  %124 = load float, ptr %123, align 4, !tbaa !4
  %125 = add i32 %9, 928
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds float, ptr %2, i64 %126
  %128 = load float, ptr %127, align 4, !tbaa !4
  %129 = add i32 %9, 960
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds float, ptr %2, i64 %130
  %132 = load float, ptr %131, align 4, !tbaa !4
  %133 = add i32 %9, 992
  %134 = sext i32 %133 to i64
  %135 = getelementptr inbounds float, ptr %2, i64 %134
  %136 = load float, ptr %135, align 4, !tbaa !4
  %137 = icmp sgt i32 %3, 0
  br i1 %137, label %138, label %140

138:                                              ; preds = %4
  %139 = mul nsw i32 %7, %3
  br label %173

140:                                              ; preds = %173, %4
  %141 = phi float [ %88, %4 ], [ %278, %173 ]
  %142 = phi float [ %84, %4 ], [ %277, %173 ]
  %143 = phi float [ %80, %4 ], [ %276, %173 ]
  %144 = phi float [ %76, %4 ], [ %275, %173 ]
  %145 = phi float [ %72, %4 ], [ %274, %173 ]
  %146 = phi float [ %68, %4 ], [ %273, %173 ]
  %147 = phi float [ %64, %4 ], [ %272, %173 ]
  %148 = phi float [ %60, %4 ], [ %271, %173 ]
  %149 = phi float [ %56, %4 ], [ %270, %173 ]
  %150 = phi float [ %52, %4 ], [ %269, %173 ]
  %151 = phi float [ %48, %4 ], [ %268, %173 ]
  %152 = phi float [ %44, %4 ], [ %267, %173 ]
  %153 = phi float [ %40, %4 ], [ %266, %173 ]
  %154 = phi float [ %36, %4 ], [ %265, %173 ]
  %155 = phi float [ %32, %4 ], [ %264, %173 ]
  %156 = phi float [ %28, %4 ], [ %263, %173 ]
  %157 = phi float [ %24, %4 ], [ %262, %173 ]
  %158 = phi float [ %20, %4 ], [ %261, %173 ]
  %159 = phi float [ %16, %4 ], [ %260, %173 ]
  %160 = phi float [ %12, %4 ], [ %259, %173 ]
  %161 = phi float [ %92, %4 ], [ %279, %173 ]
  %162 = phi float [ %96, %4 ], [ %280, %173 ]
  %163 = phi float [ %100, %4 ], [ %281, %173 ]
  %164 = phi float [ %104, %4 ], [ %282, %173 ]
  %165 = phi float [ %108, %4 ], [ %283, %173 ]
  %166 = phi float [ %112, %4 ], [ %284, %173 ]
  %167 = phi float [ %116, %4 ], [ %285, %173 ]
  %168 = phi float [ %120, %4 ], [ %286, %173 ]
  %169 = phi float [ %124, %4 ], [ %287, %173 ]
  %170 = phi float [ %128, %4 ], [ %288, %173 ]
  %171 = phi float [ %132, %4 ], [ %289, %173 ]
  %172 = phi float [ %136, %4 ], [ %290, %173 ]
  store float %160, ptr %11, align 4, !tbaa !4
  store float %159, ptr %15, align 4, !tbaa !4
  store float %158, ptr %19, align 4, !tbaa !4
  store float %157, ptr %23, align 4, !tbaa !4
  store float %156, ptr %27, align 4, !tbaa !4
  store float %155, ptr %31, align 4, !tbaa !4
  store float %154, ptr %35, align 4, !tbaa !4
  store float %153, ptr %39, align 4, !tbaa !4
  store float %152, ptr %43, align 4, !tbaa !4
  store float %151, ptr %47, align 4, !tbaa !4
  store float %150, ptr %51, align 4, !tbaa !4
  store float %149, ptr %55, align 4, !tbaa !4
  store float %148, ptr %59, align 4, !tbaa !4
  store float %147, ptr %63, align 4, !tbaa !4
  store float %146, ptr %67, align 4, !tbaa !4
  store float %145, ptr %71, align 4, !tbaa !4
  store float %144, ptr %75, align 4, !tbaa !4
  store float %143, ptr %79, align 4, !tbaa !4
  store float %142, ptr %83, align 4, !tbaa !4
  store float %141, ptr %87, align 4, !tbaa !4
  store float %161, ptr %91, align 4, !tbaa !4
  store float %162, ptr %95, align 4, !tbaa !4
  store float %163, ptr %99, align 4, !tbaa !4
  store float %164, ptr %103, align 4, !tbaa !4
  store float %165, ptr %107, align 4, !tbaa !4
  store float %166, ptr %111, align 4, !tbaa !4
  store float %167, ptr %115, align 4, !tbaa !4
  store float %168, ptr %119, align 4, !tbaa !4
  store float %169, ptr %123, align 4, !tbaa !4
  store float %170, ptr %127, align 4, !tbaa !4
  store float %171, ptr %131, align 4, !tbaa !4
  store float %172, ptr %135, align 4, !tbaa !4
  ret void

173:                                              ; preds = %138, %173
  %174 = phi float [ %136, %138 ], [ %290, %173 ]
  %175 = phi float [ %132, %138 ], [ %289, %173 ]
  %176 = phi float [ %128, %138 ], [ %288, %173 ]
  %177 = phi float [ %124, %138 ], [ %287, %173 ]
  %178 = phi float [ %120, %138 ], [ %286, %173 ]
  %179 = phi float [ %116, %138 ], [ %285, %173 ]
  %180 = phi float [ %112, %138 ], [ %284, %173 ]
  %181 = phi float [ %108, %138 ], [ %283, %173 ]
  %182 = phi float [ %104, %138 ], [ %282, %173 ]
  %183 = phi float [ %100, %138 ], [ %281, %173 ]
  %184 = phi float [ %96, %138 ], [ %280, %173 ]
  %185 = phi float [ %92, %138 ], [ %279, %173 ]
  %186 = phi float [ %88, %138 ], [ %278, %173 ]
  %187 = phi float [ %84, %138 ], [ %277, %173 ]
  %188 = phi float [ %80, %138 ], [ %276, %173 ]
  %189 = phi float [ %76, %138 ], [ %275, %173 ]
  %190 = phi float [ %72, %138 ], [ %274, %173 ]
  %191 = phi float [ %68, %138 ], [ %273, %173 ]
  %192 = phi float [ %64, %138 ], [ %272, %173 ]
  %193 = phi float [ %60, %138 ], [ %271, %173 ]
  %194 = phi float [ %56, %138 ], [ %270, %173 ]
  %195 = phi float [ %52, %138 ], [ %269, %173 ]
  %196 = phi float [ %48, %138 ], [ %268, %173 ]
  %197 = phi float [ %44, %138 ], [ %267, %173 ]
  %198 = phi float [ %40, %138 ], [ %266, %173 ]
  %199 = phi float [ %36, %138 ], [ %265, %173 ]
  %200 = phi float [ %32, %138 ], [ %264, %173 ]
  %201 = phi float [ %28, %138 ], [ %263, %173 ]
  %202 = phi float [ %24, %138 ], [ %262, %173 ]
  %203 = phi float [ %20, %138 ], [ %261, %173 ]
  %204 = phi float [ %16, %138 ], [ %260, %173 ]
  %205 = phi i32 [ 0, %138 ], [ %291, %173 ]
  %206 = phi float [ %12, %138 ], [ %259, %173 ]
  %207 = add nsw i32 %205, %139
  %208 = shl i32 %207, 6
  %209 = add i32 %208, %6
  %210 = sext i32 %209 to i64
  %211 = getelementptr inbounds %struct.FragmentA, ptr %0, i64 %210
  %212 = load i32, ptr %211, align 4, !tbaa.struct !8
  %213 = getelementptr inbounds i8, ptr %211, i64 4
  %214 = load i32, ptr %213, align 4, !tbaa.struct !10
  %215 = getelementptr inbounds i8, ptr %211, i64 8
  %216 = load i32, ptr %215, align 4, !tbaa.struct !11
  %217 = getelementptr inbounds i8, ptr %211, i64 12
  %218 = load i32, ptr %217, align 4, !tbaa.struct !12
  %219 = add i32 %209, 32
  %220 = sext i32 %219 to i64
  %221 = getelementptr inbounds %struct.FragmentA, ptr %0, i64 %220
  %222 = load i32, ptr %221, align 4, !tbaa.struct !8
  %223 = getelementptr inbounds i8, ptr %221, i64 4
  %224 = load i32, ptr %223, align 4, !tbaa.struct !10
  %225 = getelementptr inbounds i8, ptr %221, i64 8
  %226 = load i32, ptr %225, align 4, !tbaa.struct !11
  %227 = getelementptr inbounds i8, ptr %221, i64 12
  %228 = load i32, ptr %227, align 4, !tbaa.struct !12
  %229 = shl i32 %207, 7
  %230 = add i32 %229, %6
  %231 = sext i32 %230 to i64
  %232 = getelementptr inbounds %struct.FragmentB, ptr %1, i64 %231
  %233 = load i64, ptr %232, align 4, !tbaa !9
  %234 = add i32 %230, 32
  %235 = sext i32 %234 to i64
  %236 = getelementptr inbounds %struct.FragmentB, ptr %1, i64 %235
  %237 = load i64, ptr %236, align 4, !tbaa !9
  %238 = add i32 %230, 64
  %239 = sext i32 %238 to i64
  %240 = getelementptr inbounds %struct.FragmentB, ptr %1, i64 %239
  %241 = load i64, ptr %240, align 4, !tbaa !9
  %242 = add i32 %230, 96
  %243 = sext i32 %242 to i64
  %244 = getelementptr inbounds %struct.FragmentB, ptr %1, i64 %243
  %245 = load i64, ptr %244, align 4, !tbaa !9
  %246 = trunc i64 %233 to i32
  %247 = lshr i64 %233, 32
  %248 = trunc i64 %247 to i32
  %249 = trunc i64 %237 to i32
  %250 = lshr i64 %237, 32
  %251 = trunc i64 %250 to i32
  %252 = trunc i64 %241 to i32
  %253 = lshr i64 %241, 32
  %254 = trunc i64 %253 to i32
  %255 = trunc i64 %245 to i32
  %256 = lshr i64 %245, 32
  %257 = trunc i64 %256 to i32
  %258 = tail call { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$1,$2,$3}, {$32,$33,$34,$35}, {$40,$41}, {$0,$1,$2,$3};\0A\09mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$4,$5,$6,$7}, {$32,$33,$34,$35}, {$42,$43}, {$4,$5,$6,$7};\0A\09mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$8,$9,$10,$11}, {$32,$33,$34,$35}, {$44,$45}, {$8,$9,$10,$11};\0A\09mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$12,$13,$14,$15}, {$32,$33,$34,$35}, {$46,$47}, {$12,$13,$14,$15};\0A\09mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$16,$17,$18,$19}, {$36,$37,$38,$39}, {$40,$41}, {$16,$17,$18,$19};\0A\09mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$20,$21,$22,$23}, {$36,$37,$38,$39}, {$42,$43}, {$20,$21,$22,$23};\0A\09mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$24,$25,$26,$27}, {$36,$37,$38,$39}, {$44,$45}, {$24,$25,$26,$27};\0A\09mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$28,$29,$30,$31}, {$36,$37,$38,$39}, {$46,$47}, {$28,$29,$30,$31};\0A\09", "=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,=f,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,r,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"(i32 %212, i32 %214, i32 %216, i32 %218, i32 %222, i32 %224, i32 %226, i32 %228, i32 %246, i32 %248, i32 %249, i32 %251, i32 %252, i32 %254, i32 %255, i32 %257, float %206, float %204, float %203, float %202, float %201, float %200, float %199, float %198, float %197, float %196, float %195, float %194, float %193, float %192, float %191, float %190, float %189, float %188, float %187, float %186, float %185, float %184, float %183, float %182, float %181, float %180, float %179, float %178, float %177, float %176, float %175, float %174) #2, !srcloc !13
  %259 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 0
  %260 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 1
  %261 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 2
  %262 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 3
  %263 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 4
  %264 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 5
  %265 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 6
  %266 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 7
  %267 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 8
  %268 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 9
  %269 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 10
  %270 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 11
  %271 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 12
  %272 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 13
  %273 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 14
  %274 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 15
  %275 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 16
  %276 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 17
  %277 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 18
  %278 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 19
  %279 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 20
  %280 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 21
  %281 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 22
  %282 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 23
  %283 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 24
  %284 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 25
  %285 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 26
  %286 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 27
  %287 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 28
  %288 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 29
  %289 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 30
  %290 = extractvalue { float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float, float } %258, 31
  %291 = add nuw nsw i32 %205, 1
  %292 = icmp eq i32 %291, %3
  br i1 %292, label %140, label %173, !llvm.loop !14
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nounwind }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}

!0 = !{ptr @matmul_mma, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!5, !5, i64 0}
!5 = !{!"float", !6, i64 0}
!6 = !{!"omnipotent char", !7, i64 0}
!7 = !{!"Simple C++ TBAA"}
!8 = !{i64 0, i64 16, !9}
!9 = !{!6, !6, i64 0}
!10 = !{i64 0, i64 12, !9}
!11 = !{i64 0, i64 8, !9}
!12 = !{i64 0, i64 4, !9}
!13 = !{i64 2147516055, i64 2147516282, i64 2147520636, i64 2147520929, i64 2147521226, i64 2147521527, i64 2147521828, i64 2147522129, i64 2147522430}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
