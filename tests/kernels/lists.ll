; build/llvm-17/bin/clang -O3 -S -emit-llvm -fno-ident -fwrapv -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib -std=c++17 ../tests/kernels/lists.cu, by make
; ModuleID = '../tests/kernels/lists.cu'
source_filename = "../tests/kernels/lists.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ4sortE4mine = internal unnamed_addr addrspace(3) global [1024 x i32] undef, align 4
@_ZZ11prefix_sumsE4sums = internal unnamed_addr addrspace(3) global [2 x [1024 x i32]] undef, align 4
@_ZZ9histogramE4mine = internal addrspace(3) global [256 x i32] undef, align 4

; Function Attrs: convergent mustprogress norecurse nounwind
define ptx_kernel void @sort(ptr nocapture noundef %0) local_unnamed_addr #0 {
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %3 = shl i32 %2, 10
  %4 = sext i32 %3 to i64
  %5 = getelementptr i32, ptr %0, i64 %4
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = icmp slt i32 %6, 1024
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br i1 %7, label %11, label %9

9:                                                ; preds = %11, %1
  %10 = icmp slt i32 %6, 512
  br label %20

11:                                               ; preds = %1, %11
  %12 = phi i32 [ %17, %11 ], [ %6, %1 ]
  %13 = sext i32 %12 to i64
  %14 = getelementptr i32, ptr %5, i64 %13
  %15 = load i32, ptr %14, align 4, !tbaa !8
  %16 = getelementptr [1024 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4sortE4mine to ptr), i64 0, i64 %13
  store i32 %15, ptr %16, align 4, !tbaa !8
  %17 = add i32 %12, %8
  %18 = icmp slt i32 %17, 1024
  br i1 %18, label %11, label %9, !llvm.loop !12

19:                                               ; preds = %54
  tail call void @llvm.nvvm.barrier0()
  br i1 %7, label %86, label %85

20:                                               ; preds = %54, %9
  %21 = phi i32 [ 2, %9 ], [ %55, %54 ]
  %22 = ashr exact i32 %21, 1
  br label %57

23:                                               ; preds = %61
  %24 = shl i32 %21, 1
  %25 = ashr exact i32 %24, 1
  br label %26

26:                                               ; preds = %50, %23
  %27 = phi i32 [ %51, %50 ], [ %25, %23 ]
  tail call void @llvm.nvvm.barrier0()
  br i1 %10, label %28, label %50

28:                                               ; preds = %26
  %29 = add nsw i32 %27, -1
  br label %30

30:                                               ; preds = %47, %28
  %31 = phi i32 [ %6, %28 ], [ %48, %47 ]
  %32 = shl i32 %31, 1
  %33 = and i32 %31, %29
  %34 = sub i32 %32, %33
  %35 = add i32 %34, %27
  %36 = sext i32 %34 to i64
  %37 = getelementptr [1024 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4sortE4mine to ptr), i64 0, i64 %36
  %38 = load i32, ptr %37, align 4, !tbaa !8
  %39 = sext i32 %35 to i64
  %40 = getelementptr [1024 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4sortE4mine to ptr), i64 0, i64 %39
  %41 = load i32, ptr %40, align 4, !tbaa !8
  %42 = and i32 %34, %24
  %43 = icmp ne i32 %42, 0
  %44 = icmp ule i32 %38, %41
  %45 = xor i1 %43, %44
  br i1 %45, label %47, label %46

46:                                               ; preds = %30
  store i32 %41, ptr %37, align 4, !tbaa !8
  store i32 %38, ptr %40, align 4, !tbaa !8
  br label %47

47:                                               ; preds = %46, %30
  %48 = add i32 %31, %8
  %49 = icmp slt i32 %48, 512
  br i1 %49, label %30, label %50, !llvm.loop !14

50:                                               ; preds = %47, %26
  %51 = sdiv i32 %27, 2
  %52 = add nsw i32 %27, 1
  %53 = icmp ult i32 %52, 3
  br i1 %53, label %54, label %26, !llvm.loop !15

54:                                               ; preds = %50
  %55 = shl i32 %21, 2
  %56 = icmp slt i32 %55, 1025
  br i1 %56, label %20, label %19, !llvm.loop !16

57:                                               ; preds = %20, %61
  %58 = phi i32 [ %62, %61 ], [ %22, %20 ]
  tail call void @llvm.nvvm.barrier0()
  br i1 %10, label %59, label %61

59:                                               ; preds = %57
  %60 = add nsw i32 %58, -1
  br label %65

61:                                               ; preds = %82, %57
  %62 = sdiv i32 %58, 2
  %63 = add nsw i32 %58, 1
  %64 = icmp ult i32 %63, 3
  br i1 %64, label %23, label %57, !llvm.loop !15

65:                                               ; preds = %59, %82
  %66 = phi i32 [ %6, %59 ], [ %83, %82 ]
  %67 = shl i32 %66, 1
  %68 = and i32 %66, %60
  %69 = sub i32 %67, %68
  %70 = add i32 %69, %58
  %71 = sext i32 %69 to i64
  %72 = getelementptr [1024 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4sortE4mine to ptr), i64 0, i64 %71
  %73 = load i32, ptr %72, align 4, !tbaa !8
  %74 = sext i32 %70 to i64
  %75 = getelementptr [1024 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4sortE4mine to ptr), i64 0, i64 %74
  %76 = load i32, ptr %75, align 4, !tbaa !8
  %77 = and i32 %69, %21
  %78 = icmp ne i32 %77, 0
  %79 = icmp ule i32 %73, %76
  %80 = xor i1 %78, %79
  br i1 %80, label %82, label %81

81:                                               ; preds = %65
  store i32 %76, ptr %72, align 4, !tbaa !8
  store i32 %73, ptr %75, align 4, !tbaa !8
  br label %82

82:                                               ; preds = %81, %65
  %83 = add i32 %66, %8
  %84 = icmp slt i32 %83, 512
  br i1 %84, label %65, label %61, !llvm.loop !14

85:                                               ; preds = %86, %19
  ret void

86:                                               ; preds = %19, %86
  %87 = phi i32 [ %92, %86 ], [ %6, %19 ]
  %88 = sext i32 %87 to i64
  %89 = getelementptr [1024 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ4sortE4mine to ptr), i64 0, i64 %88
  %90 = load i32, ptr %89, align 4, !tbaa !8
  %91 = getelementptr i32, ptr %5, i64 %88
  store i32 %90, ptr %91, align 4, !tbaa !8
  %92 = add i32 %87, %8
  %93 = icmp slt i32 %92, 1024
  br i1 %93, label %86, label %85, !llvm.loop !17
}

; Function Attrs: convergent mustprogress norecurse nounwind
define ptx_kernel void @prefix_sums(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1) local_unnamed_addr #0 {
  %3 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = icmp slt i32 %3, 1024
  br i1 %4, label %7, label %5

5:                                                ; preds = %2
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %12

7:                                                ; preds = %2
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = shl i32 %8, 10
  %10 = add i32 %9, -1
  %11 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %14

12:                                               ; preds = %22, %5
  %13 = phi i32 [ %6, %5 ], [ %11, %22 ]
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %194, label %31

14:                                               ; preds = %7, %22
  %15 = phi i32 [ %3, %7 ], [ %26, %22 ]
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %22, label %17

17:                                               ; preds = %14
  %18 = add i32 %10, %15
  %19 = sext i32 %18 to i64
  %20 = getelementptr i32, ptr %0, i64 %19
  %21 = load i32, ptr %20, align 4, !tbaa !8
  br label %22

22:                                               ; preds = %14, %17
  %23 = phi i32 [ %21, %17 ], [ 0, %14 ]
  %24 = sext i32 %15 to i64
  %25 = getelementptr [1024 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 %24
  store i32 %23, ptr %25, align 4, !tbaa !8
  %26 = add i32 %15, %11
  %27 = icmp slt i32 %26, 1024
  br i1 %27, label %14, label %12, !llvm.loop !18

28:                                               ; preds = %193
  %29 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %30 = shl i32 %29, 10
  br label %212

31:                                               ; preds = %205, %12
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %32, label %49

32:                                               ; preds = %31, %43
  %33 = phi i32 [ %47, %43 ], [ %3, %31 ]
  %34 = sext i32 %33 to i64
  %35 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %34
  %36 = load i32, ptr %35, align 4, !tbaa !8
  %37 = icmp slt i32 %33, 2
  br i1 %37, label %43, label %38

38:                                               ; preds = %32
  %39 = add nsw i32 %33, -2
  %40 = zext i32 %39 to i64
  %41 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %40
  %42 = load i32, ptr %41, align 4, !tbaa !8
  br label %43

43:                                               ; preds = %38, %32
  %44 = phi i32 [ %42, %38 ], [ 0, %32 ]
  %45 = add i32 %44, %36
  %46 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %34
  store i32 %45, ptr %46, align 4, !tbaa !8
  %47 = add i32 %33, %13
  %48 = icmp slt i32 %47, 1024
  br i1 %48, label %32, label %49, !llvm.loop !19

49:                                               ; preds = %43, %31
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %50, label %67

50:                                               ; preds = %49, %61
  %51 = phi i32 [ %65, %61 ], [ %3, %49 ]
  %52 = sext i32 %51 to i64
  %53 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %52
  %54 = load i32, ptr %53, align 4, !tbaa !8
  %55 = icmp slt i32 %51, 4
  br i1 %55, label %61, label %56

56:                                               ; preds = %50
  %57 = add nsw i32 %51, -4
  %58 = zext i32 %57 to i64
  %59 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %58
  %60 = load i32, ptr %59, align 4, !tbaa !8
  br label %61

61:                                               ; preds = %56, %50
  %62 = phi i32 [ %60, %56 ], [ 0, %50 ]
  %63 = add i32 %62, %54
  %64 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %52
  store i32 %63, ptr %64, align 4, !tbaa !8
  %65 = add i32 %51, %13
  %66 = icmp slt i32 %65, 1024
  br i1 %66, label %50, label %67, !llvm.loop !19

67:                                               ; preds = %61, %49
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %68, label %85

68:                                               ; preds = %67, %79
  %69 = phi i32 [ %83, %79 ], [ %3, %67 ]
  %70 = sext i32 %69 to i64
  %71 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %70
  %72 = load i32, ptr %71, align 4, !tbaa !8
  %73 = icmp slt i32 %69, 8
  br i1 %73, label %79, label %74

74:                                               ; preds = %68
  %75 = add nsw i32 %69, -8
  %76 = zext i32 %75 to i64
  %77 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %76
  %78 = load i32, ptr %77, align 4, !tbaa !8
  br label %79

79:                                               ; preds = %74, %68
  %80 = phi i32 [ %78, %74 ], [ 0, %68 ]
  %81 = add i32 %80, %72
  %82 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %70
  store i32 %81, ptr %82, align 4, !tbaa !8
  %83 = add i32 %69, %13
  %84 = icmp slt i32 %83, 1024
  br i1 %84, label %68, label %85, !llvm.loop !19

85:                                               ; preds = %79, %67
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %86, label %103

86:                                               ; preds = %85, %97
  %87 = phi i32 [ %101, %97 ], [ %3, %85 ]
  %88 = sext i32 %87 to i64
  %89 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %88
  %90 = load i32, ptr %89, align 4, !tbaa !8
  %91 = icmp slt i32 %87, 16
  br i1 %91, label %97, label %92

92:                                               ; preds = %86
  %93 = add nsw i32 %87, -16
  %94 = zext i32 %93 to i64
  %95 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %94
  %96 = load i32, ptr %95, align 4, !tbaa !8
  br label %97

97:                                               ; preds = %92, %86
  %98 = phi i32 [ %96, %92 ], [ 0, %86 ]
  %99 = add i32 %98, %90
  %100 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %88
  store i32 %99, ptr %100, align 4, !tbaa !8
  %101 = add i32 %87, %13
  %102 = icmp slt i32 %101, 1024
  br i1 %102, label %86, label %103, !llvm.loop !19

103:                                              ; preds = %97, %85
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %104, label %121

104:                                              ; preds = %103, %115
  %105 = phi i32 [ %119, %115 ], [ %3, %103 ]
  %106 = sext i32 %105 to i64
  %107 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %106
  %108 = load i32, ptr %107, align 4, !tbaa !8
  %109 = icmp slt i32 %105, 32
  br i1 %109, label %115, label %110

110:                                              ; preds = %104
  %111 = add nsw i32 %105, -32
  %112 = zext i32 %111 to i64
  %113 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %112
  %114 = load i32, ptr %113, align 4, !tbaa !8
  br label %115

115:                                              ; preds = %110, %104
  %116 = phi i32 [ %114, %110 ], [ 0, %104 ]
  %117 = add i32 %116, %108
  %118 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %106
  store i32 %117, ptr %118, align 4, !tbaa !8
  %119 = add i32 %105, %13
  %120 = icmp slt i32 %119, 1024
  br i1 %120, label %104, label %121, !llvm.loop !19

121:                                              ; preds = %115, %103
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %122, label %139

122:                                              ; preds = %121, %133
  %123 = phi i32 [ %137, %133 ], [ %3, %121 ]
  %124 = sext i32 %123 to i64
  %125 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %124
  %126 = load i32, ptr %125, align 4, !tbaa !8
  %127 = icmp slt i32 %123, 64
  br i1 %127, label %133, label %128

128:                                              ; preds = %122
  %129 = add nsw i32 %123, -64
  %130 = zext i32 %129 to i64
  %131 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %130
  %132 = load i32, ptr %131, align 4, !tbaa !8
  br label %133

133:                                              ; preds = %128, %122
  %134 = phi i32 [ %132, %128 ], [ 0, %122 ]
  %135 = add i32 %134, %126
  %136 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %124
  store i32 %135, ptr %136, align 4, !tbaa !8
  %137 = add i32 %123, %13
  %138 = icmp slt i32 %137, 1024
  br i1 %138, label %122, label %139, !llvm.loop !19

139:                                              ; preds = %133, %121
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %140, label %157

140:                                              ; preds = %139, %151
  %141 = phi i32 [ %155, %151 ], [ %3, %139 ]
  %142 = sext i32 %141 to i64
  %143 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %142
  %144 = load i32, ptr %143, align 4, !tbaa !8
  %145 = icmp slt i32 %141, 128
  br i1 %145, label %151, label %146

146:                                              ; preds = %140
  %147 = add nsw i32 %141, -128
  %148 = zext i32 %147 to i64
  %149 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %148
  %150 = load i32, ptr %149, align 4, !tbaa !8
  br label %151

151:                                              ; preds = %146, %140
  %152 = phi i32 [ %150, %146 ], [ 0, %140 ]
  %153 = add i32 %152, %144
  %154 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %142
  store i32 %153, ptr %154, align 4, !tbaa !8
  %155 = add i32 %141, %13
  %156 = icmp slt i32 %155, 1024
  br i1 %156, label %140, label %157, !llvm.loop !19

157:                                              ; preds = %151, %139
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %158, label %175

158:                                              ; preds = %157, %169
  %159 = phi i32 [ %173, %169 ], [ %3, %157 ]
  %160 = sext i32 %159 to i64
  %161 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %160
  %162 = load i32, ptr %161, align 4, !tbaa !8
  %163 = icmp slt i32 %159, 256
  br i1 %163, label %169, label %164

164:                                              ; preds = %158
  %165 = add nsw i32 %159, -256
  %166 = zext i32 %165 to i64
  %167 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %166
  %168 = load i32, ptr %167, align 4, !tbaa !8
  br label %169

169:                                              ; preds = %164, %158
  %170 = phi i32 [ %168, %164 ], [ 0, %158 ]
  %171 = add i32 %170, %162
  %172 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %160
  store i32 %171, ptr %172, align 4, !tbaa !8
  %173 = add i32 %159, %13
  %174 = icmp slt i32 %173, 1024
  br i1 %174, label %158, label %175, !llvm.loop !19

175:                                              ; preds = %169, %157
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %176, label %193

176:                                              ; preds = %175, %187
  %177 = phi i32 [ %191, %187 ], [ %3, %175 ]
  %178 = sext i32 %177 to i64
  %179 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %178
  %180 = load i32, ptr %179, align 4, !tbaa !8
  %181 = icmp slt i32 %177, 512
  br i1 %181, label %187, label %182

182:                                              ; preds = %176
  %183 = add nsw i32 %177, -512
  %184 = zext i32 %183 to i64
  %185 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %184
  %186 = load i32, ptr %185, align 4, !tbaa !8
  br label %187

187:                                              ; preds = %182, %176
  %188 = phi i32 [ %186, %182 ], [ 0, %176 ]
  %189 = add i32 %188, %180
  %190 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %178
  store i32 %189, ptr %190, align 4, !tbaa !8
  %191 = add i32 %177, %13
  %192 = icmp slt i32 %191, 1024
  br i1 %192, label %176, label %193, !llvm.loop !19

193:                                              ; preds = %187, %175
  tail call void @llvm.nvvm.barrier0()
  br i1 %4, label %28, label %211

194:                                              ; preds = %12, %205
  %195 = phi i32 [ %209, %205 ], [ %3, %12 ]
  %196 = sext i32 %195 to i64
  %197 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %196
  %198 = load i32, ptr %197, align 4, !tbaa !8
  %199 = icmp slt i32 %195, 1
  br i1 %199, label %205, label %200

200:                                              ; preds = %194
  %201 = add nsw i32 %195, -1
  %202 = zext i32 %201 to i64
  %203 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %202
  %204 = load i32, ptr %203, align 4, !tbaa !8
  br label %205

205:                                              ; preds = %194, %200
  %206 = phi i32 [ %204, %200 ], [ 0, %194 ]
  %207 = add i32 %206, %198
  %208 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 1, i64 %196
  store i32 %207, ptr %208, align 4, !tbaa !8
  %209 = add i32 %195, %13
  %210 = icmp slt i32 %209, 1024
  br i1 %210, label %194, label %31, !llvm.loop !19

211:                                              ; preds = %212, %193
  ret void

212:                                              ; preds = %28, %212
  %213 = phi i32 [ %3, %28 ], [ %220, %212 ]
  %214 = sext i32 %213 to i64
  %215 = getelementptr [2 x [1024 x i32]], ptr addrspacecast (ptr addrspace(3) @_ZZ11prefix_sumsE4sums to ptr), i64 0, i64 0, i64 %214
  %216 = load i32, ptr %215, align 4, !tbaa !8
  %217 = add i32 %213, %30
  %218 = sext i32 %217 to i64
  %219 = getelementptr i32, ptr %1, i64 %218
  store i32 %216, ptr %219, align 4, !tbaa !8
  %220 = add i32 %213, %13
  %221 = icmp slt i32 %220, 1024
  br i1 %221, label %212, label %211, !llvm.loop !20
}

; Function Attrs: convergent mustprogress norecurse nounwind
define ptx_kernel void @histogram(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = icmp slt i32 %4, 256
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br i1 %5, label %15, label %7

7:                                                ; preds = %15, %3
  tail call void @llvm.nvvm.barrier0()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = mul i32 %8, %6
  %10 = add i32 %9, %4
  %11 = icmp slt i32 %10, %2
  br i1 %11, label %12, label %21

12:                                               ; preds = %7
  %13 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %14 = mul i32 %13, %6
  br label %24

15:                                               ; preds = %3, %15
  %16 = phi i32 [ %19, %15 ], [ %4, %3 ]
  %17 = sext i32 %16 to i64
  %18 = getelementptr [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE4mine to ptr), i64 0, i64 %17
  store i32 0, ptr %18, align 4, !tbaa !8
  %19 = add i32 %16, %6
  %20 = icmp slt i32 %19, 256
  br i1 %20, label %15, label %7, !llvm.loop !21

21:                                               ; preds = %24, %7
  tail call void @llvm.nvvm.barrier0()
  br i1 %5, label %22, label %34

22:                                               ; preds = %21
  %23 = shl i32 %8, 8
  br label %35

24:                                               ; preds = %12, %24
  %25 = phi i32 [ %10, %12 ], [ %32, %24 ]
  %26 = sext i32 %25 to i64
  %27 = getelementptr i8, ptr %0, i64 %26
  %28 = load i8, ptr %27, align 1, !tbaa !22
  %29 = zext i8 %28 to i64
  %30 = getelementptr [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE4mine to ptr), i64 0, i64 %29
  %31 = atomicrmw add ptr %30, i32 1 monotonic, align 4
  %32 = add i32 %25, %14
  %33 = icmp slt i32 %32, %2
  br i1 %33, label %24, label %21, !llvm.loop !23

34:                                               ; preds = %35, %21
  ret void

35:                                               ; preds = %22, %35
  %36 = phi i32 [ %4, %22 ], [ %43, %35 ]
  %37 = sext i32 %36 to i64
  %38 = getelementptr [256 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE4mine to ptr), i64 0, i64 %37
  %39 = load i32, ptr %38, align 4, !tbaa !8
  %40 = add i32 %36, %23
  %41 = sext i32 %40 to i64
  %42 = getelementptr i32, ptr %1, i64 %41
  store i32 %39, ptr %42, align 4, !tbaa !8
  %43 = add i32 %36, %6
  %44 = icmp slt i32 %43, 256
  br i1 %44, label %35, label %34, !llvm.loop !24
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @sparse(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly %2, ptr nocapture noundef readonly %3, ptr nocapture noundef writeonly %4, i32 noundef %5) local_unnamed_addr #1 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = icmp slt i32 %11, %5
  br i1 %12, label %13, label %16

13:                                               ; preds = %6
  %14 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %15 = mul i32 %14, %8
  br label %17

16:                                               ; preds = %55, %6
  ret void

17:                                               ; preds = %13, %55
  %18 = phi i32 [ %11, %13 ], [ %58, %55 ]
  %19 = sext i32 %18 to i64
  %20 = getelementptr i32, ptr %0, i64 %19
  %21 = load i32, ptr %20, align 4, !tbaa !8
  %22 = add nsw i32 %18, 1
  %23 = sext i32 %22 to i64
  %24 = getelementptr i32, ptr %0, i64 %23
  %25 = load i32, ptr %24, align 4, !tbaa !8
  %26 = icmp slt i32 %21, %25
  br i1 %26, label %27, label %55

27:                                               ; preds = %17
  %28 = sub i32 %25, %21
  %29 = xor i32 %21, -1
  %30 = add i32 %25, %29
  %31 = and i32 %28, 3
  %32 = icmp eq i32 %31, 0
  br i1 %32, label %50, label %33

33:                                               ; preds = %27, %33
  %34 = phi i32 [ %47, %33 ], [ %21, %27 ]
  %35 = phi double [ %46, %33 ], [ 0.000000e+00, %27 ]
  %36 = phi i32 [ %48, %33 ], [ 0, %27 ]
  %37 = sext i32 %34 to i64
  %38 = getelementptr double, ptr %2, i64 %37
  %39 = load double, ptr %38, align 8, !tbaa !25
  %40 = getelementptr i32, ptr %1, i64 %37
  %41 = load i32, ptr %40, align 4, !tbaa !8
  %42 = sext i32 %41 to i64
  %43 = getelementptr double, ptr %3, i64 %42
  %44 = load double, ptr %43, align 8, !tbaa !25
  %45 = fmul contract double %39, %44
  %46 = fadd contract double %35, %45
  %47 = add nsw i32 %34, 1
  %48 = add i32 %36, 1
  %49 = icmp eq i32 %48, %31
  br i1 %49, label %50, label %33, !llvm.loop !27

50:                                               ; preds = %33, %27
  %51 = phi double [ undef, %27 ], [ %46, %33 ]
  %52 = phi i32 [ %21, %27 ], [ %47, %33 ]
  %53 = phi double [ 0.000000e+00, %27 ], [ %46, %33 ]
  %54 = icmp ult i32 %30, 3
  br i1 %54, label %55, label %60

55:                                               ; preds = %50, %60, %17
  %56 = phi double [ 0.000000e+00, %17 ], [ %51, %50 ], [ %105, %60 ]
  %57 = getelementptr double, ptr %4, i64 %19
  store double %56, ptr %57, align 8, !tbaa !25
  %58 = add i32 %18, %15
  %59 = icmp slt i32 %58, %5
  br i1 %59, label %17, label %16, !llvm.loop !29

60:                                               ; preds = %50, %60
  %61 = phi i32 [ %106, %60 ], [ %52, %50 ]
  %62 = phi double [ %105, %60 ], [ %53, %50 ]
  %63 = sext i32 %61 to i64
  %64 = getelementptr double, ptr %2, i64 %63
  %65 = load double, ptr %64, align 8, !tbaa !25
  %66 = getelementptr i32, ptr %1, i64 %63
  %67 = load i32, ptr %66, align 4, !tbaa !8
  %68 = sext i32 %67 to i64
  %69 = getelementptr double, ptr %3, i64 %68
  %70 = load double, ptr %69, align 8, !tbaa !25
  %71 = fmul contract double %65, %70
  %72 = fadd contract double %62, %71
  %73 = add nsw i32 %61, 1
  %74 = sext i32 %73 to i64
  %75 = getelementptr double, ptr %2, i64 %74
  %76 = load double, ptr %75, align 8, !tbaa !25
  %77 = getelementptr i32, ptr %1, i64 %74
  %78 = load i32, ptr %77, align 4, !tbaa !8
  %79 = sext i32 %78 to i64
  %80 = getelementptr double, ptr %3, i64 %79
  %81 = load double, ptr %80, align 8, !tbaa !25
  %82 = fmul contract double %76, %81
  %83 = fadd contract double %72, %82
  %84 = add nsw i32 %61, 2
  %85 = sext i32 %84 to i64
  %86 = getelementptr double, ptr %2, i64 %85
  %87 = load double, ptr %86, align 8, !tbaa !25
  %88 = getelementptr i32, ptr %1, i64 %85
  %89 = load i32, ptr %88, align 4, !tbaa !8
  %90 = sext i32 %89 to i64
  %91 = getelementptr double, ptr %3, i64 %90
  %92 = load double, ptr %91, align 8, !tbaa !25
  %93 = fmul contract double %87, %92
  %94 = fadd contract double %83, %93
  %95 = add nsw i32 %61, 3
  %96 = sext i32 %95 to i64
  %97 = getelementptr double, ptr %2, i64 %96
  %98 = load double, ptr %97, align 8, !tbaa !25
  %99 = getelementptr i32, ptr %1, i64 %96
  %100 = load i32, ptr %99, align 4, !tbaa !8
  %101 = sext i32 %100 to i64
  %102 = getelementptr double, ptr %3, i64 %101
  %103 = load double, ptr %102, align 8, !tbaa !25
  %104 = fmul contract double %98, %103
  %105 = fadd contract double %94, %104
  %106 = add nsw i32 %61, 4
  %107 = icmp eq i32 %106, %25
  br i1 %107, label %55, label %60, !llvm.loop !30
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @search(ptr nocapture noundef readonly %0, i32 noundef %1, ptr nocapture noundef readonly %2, ptr nocapture noundef writeonly %3, i32 noundef %4) local_unnamed_addr #1 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %4
  br i1 %11, label %12, label %16

12:                                               ; preds = %5
  %13 = icmp sgt i32 %1, 0
  %14 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %15 = mul i32 %14, %7
  br label %17

16:                                               ; preds = %35, %5
  ret void

17:                                               ; preds = %12, %35
  %18 = phi i32 [ %10, %12 ], [ %38, %35 ]
  %19 = sext i32 %18 to i64
  %20 = getelementptr i64, ptr %2, i64 %19
  %21 = load i64, ptr %20, align 8, !tbaa !31
  br i1 %13, label %22, label %35

22:                                               ; preds = %17, %22
  %23 = phi i32 [ %33, %22 ], [ %1, %17 ]
  %24 = phi i32 [ %32, %22 ], [ 0, %17 ]
  %25 = add i32 %23, %24
  %26 = sdiv i32 %25, 2
  %27 = sext i32 %26 to i64
  %28 = getelementptr i64, ptr %0, i64 %27
  %29 = load i64, ptr %28, align 8, !tbaa !31
  %30 = icmp slt i64 %29, %21
  %31 = add nsw i32 %26, 1
  %32 = select i1 %30, i32 %31, i32 %24
  %33 = select i1 %30, i32 %23, i32 %26
  %34 = icmp slt i32 %32, %33
  br i1 %34, label %22, label %35, !llvm.loop !33

35:                                               ; preds = %22, %17
  %36 = phi i32 [ 0, %17 ], [ %32, %22 ]
  %37 = getelementptr i32, ptr %3, i64 %19
  store i32 %36, ptr %37, align 4, !tbaa !8
  %38 = add i32 %18, %15
  %39 = icmp slt i32 %38, %4
  br i1 %39, label %17, label %16, !llvm.loop !34
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4}
!llvm.module.flags = !{!5, !6, !7}

!0 = !{ptr @sort, !"kernel", i32 1}
!1 = !{ptr @prefix_sums, !"kernel", i32 1}
!2 = !{ptr @histogram, !"kernel", i32 1}
!3 = !{ptr @sparse, !"kernel", i32 1}
!4 = !{ptr @search, !"kernel", i32 1}
!5 = !{i32 1, !"wchar_size", i32 4}
!6 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = !{!9, !9, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C++ TBAA"}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.mustprogress"}
!14 = distinct !{!14, !13}
!15 = distinct !{!15, !13}
!16 = distinct !{!16, !13}
!17 = distinct !{!17, !13}
!18 = distinct !{!18, !13}
!19 = distinct !{!19, !13}
!20 = distinct !{!20, !13}
!21 = distinct !{!21, !13}
!22 = !{!10, !10, i64 0}
!23 = distinct !{!23, !13}
!24 = distinct !{!24, !13}
!25 = !{!26, !26, i64 0}
!26 = !{!"double", !10, i64 0}
!27 = distinct !{!27, !28}
!28 = !{!"llvm.loop.unroll.disable"}
!29 = distinct !{!29, !13}
!30 = distinct !{!30, !13}
!31 = !{!32, !32, i64 0}
!32 = !{!"long", !10, i64 0}
!33 = distinct !{!33, !13}
!34 = distinct !{!34, !13}
