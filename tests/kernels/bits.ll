; build/llvm-17/bin/clang -O3 -S -emit-llvm -fno-ident -fwrapv -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib -std=c++17 ../tests/kernels/bits.cu, by make
; ModuleID = '../tests/kernels/bits.cu'
source_filename = "../tests/kernels/bits.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: write)
define ptx_kernel void @philox(ptr nocapture noundef writeonly %0, i32 noundef %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  br i1 %9, label %10, label %44

10:                                               ; preds = %3
  %11 = xor i32 %1, -1640531527
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul i32 %12, %5
  %14 = add i32 %1, -1150833019
  %15 = zext i32 %1 to i64
  %16 = mul nuw i64 %15, 3449720151
  %17 = lshr i64 %16, 32
  %18 = trunc i64 %17 to i32
  %19 = mul i32 %1, -845247145
  %20 = xor i32 %11, %18
  %21 = add i32 %11, -1640531527
  %22 = add i32 %1, 1993301258
  %23 = zext i32 %20 to i64
  %24 = mul nuw i64 %23, 3528531795
  %25 = lshr i64 %24, 32
  %26 = trunc i64 %25 to i32
  %27 = mul i32 %20, -766435501
  %28 = add i32 %11, 1013904242
  %29 = add i32 %1, 842468239
  %30 = add i32 %11, -626627285
  %31 = add i32 %1, -308364780
  %32 = add i32 %11, 2027808484
  %33 = add i32 %1, -1459197799
  %34 = add i32 %11, 387276957
  %35 = add i32 %1, 1684936478
  %36 = add i32 %11, -1253254570
  %37 = add i32 %1, 534103459
  %38 = add i32 %11, 1401181199
  %39 = add i32 %1, -616729560
  %40 = add i32 %11, -239350328
  %41 = add i32 %1, -1767562579
  %42 = add i32 %11, -1879881855
  %43 = add i32 %1, 1376571698
  br label %45

44:                                               ; preds = %45, %3
  ret void

45:                                               ; preds = %10, %45
  %46 = phi i32 [ %8, %10 ], [ %186, %45 ]
  %47 = zext i32 %46 to i64
  %48 = mul nuw i64 %47, 3528531795
  %49 = lshr i64 %48, 32
  %50 = trunc i64 %49 to i32
  %51 = mul i32 %46, -766435501
  %52 = xor i32 %14, %50
  %53 = zext i32 %52 to i64
  %54 = mul nuw i64 %53, 3449720151
  %55 = lshr i64 %54, 32
  %56 = trunc i64 %55 to i32
  %57 = mul i32 %52, -845247145
  %58 = xor i32 %19, %56
  %59 = xor i32 %58, %21
  %60 = xor i32 %51, %26
  %61 = xor i32 %60, %22
  %62 = zext i32 %59 to i64
  %63 = mul nuw i64 %62, 3528531795
  %64 = lshr i64 %63, 32
  %65 = trunc i64 %64 to i32
  %66 = mul i32 %59, -766435501
  %67 = zext i32 %61 to i64
  %68 = mul nuw i64 %67, 3449720151
  %69 = lshr i64 %68, 32
  %70 = trunc i64 %69 to i32
  %71 = mul i32 %61, -845247145
  %72 = xor i32 %57, %70
  %73 = xor i32 %72, %28
  %74 = xor i32 %27, %65
  %75 = xor i32 %74, %29
  %76 = zext i32 %73 to i64
  %77 = mul nuw i64 %76, 3528531795
  %78 = lshr i64 %77, 32
  %79 = trunc i64 %78 to i32
  %80 = mul i32 %73, -766435501
  %81 = zext i32 %75 to i64
  %82 = mul nuw i64 %81, 3449720151
  %83 = lshr i64 %82, 32
  %84 = trunc i64 %83 to i32
  %85 = mul i32 %75, -845247145
  %86 = xor i32 %71, %84
  %87 = xor i32 %86, %30
  %88 = xor i32 %66, %79
  %89 = xor i32 %88, %31
  %90 = zext i32 %87 to i64
  %91 = mul nuw i64 %90, 3528531795
  %92 = lshr i64 %91, 32
  %93 = trunc i64 %92 to i32
  %94 = mul i32 %87, -766435501
  %95 = zext i32 %89 to i64
  %96 = mul nuw i64 %95, 3449720151
  %97 = lshr i64 %96, 32
  %98 = trunc i64 %97 to i32
  %99 = mul i32 %89, -845247145
  %100 = xor i32 %85, %98
  %101 = xor i32 %100, %32
  %102 = xor i32 %80, %93
  %103 = xor i32 %102, %33
  %104 = zext i32 %101 to i64
  %105 = mul nuw i64 %104, 3528531795
  %106 = lshr i64 %105, 32
  %107 = trunc i64 %106 to i32
  %108 = mul i32 %101, -766435501
  %109 = zext i32 %103 to i64
  %110 = mul nuw i64 %109, 3449720151
  %111 = lshr i64 %110, 32
  %112 = trunc i64 %111 to i32
  %113 = mul i32 %103, -845247145
  %114 = xor i32 %99, %112
  %115 = xor i32 %114, %34
  %116 = xor i32 %94, %107
  %117 = xor i32 %116, %35
  %118 = zext i32 %115 to i64
  %119 = mul nuw i64 %118, 3528531795
  %120 = lshr i64 %119, 32
  %121 = trunc i64 %120 to i32
  %122 = mul i32 %115, -766435501
  %123 = zext i32 %117 to i64
  %124 = mul nuw i64 %123, 3449720151
  %125 = lshr i64 %124, 32
  %126 = trunc i64 %125 to i32
  %127 = mul i32 %117, -845247145
  %128 = xor i32 %113, %126
  %129 = xor i32 %128, %36
  %130 = xor i32 %108, %121
  %131 = xor i32 %130, %37
  %132 = zext i32 %129 to i64
  %133 = mul nuw i64 %132, 3528531795
  %134 = lshr i64 %133, 32
  %135 = trunc i64 %134 to i32
  %136 = mul i32 %129, -766435501
  %137 = zext i32 %131 to i64
  %138 = mul nuw i64 %137, 3449720151
  %139 = lshr i64 %138, 32
  %140 = trunc i64 %139 to i32
  %141 = mul i32 %131, -845247145
  %142 = xor i32 %127, %140
  %143 = xor i32 %142, %38
  %144 = xor i32 %122, %135
  %145 = xor i32 %144, %39
  %146 = zext i32 %143 to i64
  %147 = mul nuw i64 %146, 3528531795
  %148 = lshr i64 %147, 32
  %149 = trunc i64 %148 to i32
  %150 = mul i32 %143, -766435501
  %151 = zext i32 %145 to i64
  %152 = mul nuw i64 %151, 3449720151
  %153 = lshr i64 %152, 32
  %154 = trunc i64 %153 to i32
  %155 = mul i32 %145, -845247145
  %156 = xor i32 %141, %154
  %157 = xor i32 %156, %40
  %158 = xor i32 %136, %149
  %159 = xor i32 %158, %41
  %160 = zext i32 %157 to i64
  %161 = mul nuw i64 %160, 3528531795
  %162 = lshr i64 %161, 32
  %163 = trunc i64 %162 to i32
  %164 = mul i32 %157, -766435501
  %165 = zext i32 %159 to i64
  %166 = mul nuw i64 %165, 3449720151
  %167 = lshr i64 %166, 32
  %168 = trunc i64 %167 to i32
  %169 = mul i32 %159, -845247145
  %170 = xor i32 %155, %168
  %171 = xor i32 %170, %42
  %172 = xor i32 %150, %163
  %173 = xor i32 %172, %43
  %174 = shl i32 %46, 2
  %175 = sext i32 %174 to i64
  %176 = getelementptr i32, ptr %0, i64 %175
  store i32 %171, ptr %176, align 4, !tbaa !7
  %177 = or i32 %174, 1
  %178 = sext i32 %177 to i64
  %179 = getelementptr i32, ptr %0, i64 %178
  store i32 %169, ptr %179, align 4, !tbaa !7
  %180 = or i32 %174, 2
  %181 = sext i32 %180 to i64
  %182 = getelementptr i32, ptr %0, i64 %181
  store i32 %173, ptr %182, align 4, !tbaa !7
  %183 = or i32 %174, 3
  %184 = sext i32 %183 to i64
  %185 = getelementptr i32, ptr %0, i64 %184
  store i32 %164, ptr %185, align 4, !tbaa !7
  %186 = add i32 %46, %13
  %187 = icmp slt i32 %186, %2
  br i1 %187, label %45, label %44, !llvm.loop !11
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @xorshift(ptr nocapture noundef %0, ptr nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = mul i32 %8, 5
  %10 = sext i32 %9 to i64
  %11 = getelementptr i32, ptr %0, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !7
  %13 = getelementptr i32, ptr %11, i64 1
  %14 = load i32, ptr %13, align 4, !tbaa !7
  %15 = getelementptr i32, ptr %11, i64 2
  %16 = load i32, ptr %15, align 4, !tbaa !7
  %17 = getelementptr i32, ptr %11, i64 3
  %18 = load i32, ptr %17, align 4, !tbaa !7
  %19 = getelementptr i32, ptr %11, i64 4
  %20 = load i32, ptr %19, align 4, !tbaa !7
  %21 = icmp sgt i32 %2, 0
  br i1 %21, label %22, label %59

22:                                               ; preds = %3
  %23 = and i32 %2, 7
  %24 = icmp ult i32 %2, 8
  br i1 %24, label %27, label %25

25:                                               ; preds = %22
  %26 = and i32 %2, -8
  br label %68

27:                                               ; preds = %68, %22
  %28 = phi i32 [ undef, %22 ], [ %130, %68 ]
  %29 = phi i32 [ undef, %22 ], [ %122, %68 ]
  %30 = phi i32 [ undef, %22 ], [ %114, %68 ]
  %31 = phi i32 [ undef, %22 ], [ %106, %68 ]
  %32 = phi i32 [ undef, %22 ], [ %138, %68 ]
  %33 = phi i32 [ undef, %22 ], [ %139, %68 ]
  %34 = phi i32 [ %12, %22 ], [ %106, %68 ]
  %35 = phi i32 [ 0, %22 ], [ %139, %68 ]
  %36 = phi i32 [ %20, %22 ], [ %138, %68 ]
  %37 = phi i32 [ %18, %22 ], [ %130, %68 ]
  %38 = phi i32 [ %16, %22 ], [ %122, %68 ]
  %39 = phi i32 [ %14, %22 ], [ %114, %68 ]
  %40 = icmp eq i32 %23, 0
  br i1 %40, label %59, label %41

41:                                               ; preds = %27, %41
  %42 = phi i32 [ %47, %41 ], [ %34, %27 ]
  %43 = phi i32 [ %56, %41 ], [ %35, %27 ]
  %44 = phi i32 [ %55, %41 ], [ %36, %27 ]
  %45 = phi i32 [ %44, %41 ], [ %37, %27 ]
  %46 = phi i32 [ %45, %41 ], [ %38, %27 ]
  %47 = phi i32 [ %46, %41 ], [ %39, %27 ]
  %48 = phi i32 [ %57, %41 ], [ 0, %27 ]
  %49 = lshr i32 %42, 2
  %50 = xor i32 %49, %42
  %51 = shl i32 %44, 4
  %52 = shl i32 %50, 1
  %53 = xor i32 %51, %52
  %54 = xor i32 %53, %44
  %55 = xor i32 %54, %50
  %56 = add i32 %55, %43
  %57 = add i32 %48, 1
  %58 = icmp eq i32 %57, %23
  br i1 %58, label %59, label %41, !llvm.loop !13

59:                                               ; preds = %27, %41, %3
  %60 = phi i32 [ %14, %3 ], [ %30, %27 ], [ %46, %41 ]
  %61 = phi i32 [ %16, %3 ], [ %29, %27 ], [ %45, %41 ]
  %62 = phi i32 [ %18, %3 ], [ %28, %27 ], [ %44, %41 ]
  %63 = phi i32 [ %20, %3 ], [ %32, %27 ], [ %55, %41 ]
  %64 = phi i32 [ 0, %3 ], [ %33, %27 ], [ %56, %41 ]
  %65 = phi i32 [ %12, %3 ], [ %31, %27 ], [ %47, %41 ]
  store i32 %65, ptr %11, align 4, !tbaa !7
  store i32 %60, ptr %13, align 4, !tbaa !7
  store i32 %61, ptr %15, align 4, !tbaa !7
  store i32 %62, ptr %17, align 4, !tbaa !7
  store i32 %63, ptr %19, align 4, !tbaa !7
  %66 = sext i32 %8 to i64
  %67 = getelementptr i32, ptr %1, i64 %66
  store i32 %64, ptr %67, align 4, !tbaa !7
  ret void

68:                                               ; preds = %68, %25
  %69 = phi i32 [ %12, %25 ], [ %106, %68 ]
  %70 = phi i32 [ 0, %25 ], [ %139, %68 ]
  %71 = phi i32 [ %20, %25 ], [ %138, %68 ]
  %72 = phi i32 [ %18, %25 ], [ %130, %68 ]
  %73 = phi i32 [ %16, %25 ], [ %122, %68 ]
  %74 = phi i32 [ %14, %25 ], [ %114, %68 ]
  %75 = phi i32 [ 0, %25 ], [ %140, %68 ]
  %76 = lshr i32 %69, 2
  %77 = xor i32 %76, %69
  %78 = shl i32 %71, 4
  %79 = shl i32 %77, 1
  %80 = xor i32 %78, %79
  %81 = xor i32 %80, %71
  %82 = xor i32 %81, %77
  %83 = add i32 %82, %70
  %84 = lshr i32 %74, 2
  %85 = xor i32 %84, %74
  %86 = shl i32 %82, 4
  %87 = shl i32 %85, 1
  %88 = xor i32 %86, %87
  %89 = xor i32 %88, %82
  %90 = xor i32 %89, %85
  %91 = add i32 %90, %83
  %92 = lshr i32 %73, 2
  %93 = xor i32 %92, %73
  %94 = shl i32 %90, 4
  %95 = shl i32 %93, 1
  %96 = xor i32 %94, %95
  %97 = xor i32 %96, %90
  %98 = xor i32 %97, %93
  %99 = add i32 %98, %91
  %100 = lshr i32 %72, 2
  %101 = xor i32 %100, %72
  %102 = shl i32 %98, 4
  %103 = shl i32 %101, 1
  %104 = xor i32 %102, %103
  %105 = xor i32 %104, %98
  %106 = xor i32 %105, %101
  %107 = add i32 %106, %99
  %108 = lshr i32 %71, 2
  %109 = xor i32 %108, %71
  %110 = shl i32 %106, 4
  %111 = shl i32 %109, 1
  %112 = xor i32 %110, %111
  %113 = xor i32 %112, %106
  %114 = xor i32 %113, %109
  %115 = add i32 %114, %107
  %116 = lshr i32 %82, 2
  %117 = xor i32 %116, %82
  %118 = shl i32 %114, 4
  %119 = shl i32 %117, 1
  %120 = xor i32 %118, %119
  %121 = xor i32 %120, %114
  %122 = xor i32 %121, %117
  %123 = add i32 %122, %115
  %124 = lshr i32 %90, 2
  %125 = xor i32 %124, %90
  %126 = shl i32 %122, 4
  %127 = shl i32 %125, 1
  %128 = xor i32 %126, %127
  %129 = xor i32 %128, %122
  %130 = xor i32 %129, %125
  %131 = add i32 %130, %123
  %132 = lshr i32 %98, 2
  %133 = xor i32 %132, %98
  %134 = shl i32 %130, 4
  %135 = shl i32 %133, 1
  %136 = xor i32 %134, %135
  %137 = xor i32 %136, %130
  %138 = xor i32 %137, %133
  %139 = add i32 %138, %131
  %140 = add i32 %75, 8
  %141 = icmp eq i32 %140, %26
  br i1 %141, label %27, label %68, !llvm.loop !15
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @fnv(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef writeonly %2, i32 noundef %3) local_unnamed_addr #2 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = icmp slt i32 %9, %3
  br i1 %10, label %11, label %14

11:                                               ; preds = %4
  %12 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %13 = mul i32 %12, %6
  br label %15

14:                                               ; preds = %51, %4
  ret void

15:                                               ; preds = %11, %51
  %16 = phi i32 [ %9, %11 ], [ %54, %51 ]
  %17 = sext i32 %16 to i64
  %18 = getelementptr i32, ptr %1, i64 %17
  %19 = load i32, ptr %18, align 4, !tbaa !7
  %20 = add nsw i32 %16, 1
  %21 = sext i32 %20 to i64
  %22 = getelementptr i32, ptr %1, i64 %21
  %23 = load i32, ptr %22, align 4, !tbaa !7
  %24 = icmp slt i32 %19, %23
  br i1 %24, label %25, label %51

25:                                               ; preds = %15
  %26 = sub i32 %23, %19
  %27 = xor i32 %19, -1
  %28 = add i32 %23, %27
  %29 = and i32 %26, 7
  %30 = icmp ult i32 %28, 7
  br i1 %30, label %33, label %31

31:                                               ; preds = %25
  %32 = and i32 %26, -8
  br label %56

33:                                               ; preds = %56, %25
  %34 = phi i64 [ undef, %25 ], [ %114, %56 ]
  %35 = phi i32 [ %19, %25 ], [ %115, %56 ]
  %36 = phi i64 [ -3750763034362895579, %25 ], [ %114, %56 ]
  %37 = icmp eq i32 %29, 0
  br i1 %37, label %51, label %38

38:                                               ; preds = %33, %38
  %39 = phi i32 [ %48, %38 ], [ %35, %33 ]
  %40 = phi i64 [ %47, %38 ], [ %36, %33 ]
  %41 = phi i32 [ %49, %38 ], [ 0, %33 ]
  %42 = sext i32 %39 to i64
  %43 = getelementptr i8, ptr %0, i64 %42
  %44 = load i8, ptr %43, align 1, !tbaa !16
  %45 = zext i8 %44 to i64
  %46 = xor i64 %40, %45
  %47 = mul i64 %46, 1099511628211
  %48 = add nsw i32 %39, 1
  %49 = add i32 %41, 1
  %50 = icmp eq i32 %49, %29
  br i1 %50, label %51, label %38, !llvm.loop !17

51:                                               ; preds = %33, %38, %15
  %52 = phi i64 [ -3750763034362895579, %15 ], [ %34, %33 ], [ %47, %38 ]
  %53 = getelementptr i64, ptr %2, i64 %17
  store i64 %52, ptr %53, align 8, !tbaa !18
  %54 = add i32 %16, %13
  %55 = icmp slt i32 %54, %3
  br i1 %55, label %15, label %14, !llvm.loop !20

56:                                               ; preds = %56, %31
  %57 = phi i32 [ %19, %31 ], [ %115, %56 ]
  %58 = phi i64 [ -3750763034362895579, %31 ], [ %114, %56 ]
  %59 = phi i32 [ 0, %31 ], [ %116, %56 ]
  %60 = sext i32 %57 to i64
  %61 = getelementptr i8, ptr %0, i64 %60
  %62 = load i8, ptr %61, align 1, !tbaa !16
  %63 = zext i8 %62 to i64
  %64 = xor i64 %58, %63
  %65 = mul i64 %64, 1099511628211
  %66 = add nsw i32 %57, 1
  %67 = sext i32 %66 to i64
  %68 = getelementptr i8, ptr %0, i64 %67
  %69 = load i8, ptr %68, align 1, !tbaa !16
  %70 = zext i8 %69 to i64
  %71 = xor i64 %65, %70
  %72 = mul i64 %71, 1099511628211
  %73 = add nsw i32 %57, 2
  %74 = sext i32 %73 to i64
  %75 = getelementptr i8, ptr %0, i64 %74
  %76 = load i8, ptr %75, align 1, !tbaa !16
  %77 = zext i8 %76 to i64
  %78 = xor i64 %72, %77
  %79 = mul i64 %78, 1099511628211
  %80 = add nsw i32 %57, 3
  %81 = sext i32 %80 to i64
  %82 = getelementptr i8, ptr %0, i64 %81
  %83 = load i8, ptr %82, align 1, !tbaa !16
  %84 = zext i8 %83 to i64
  %85 = xor i64 %79, %84
  %86 = mul i64 %85, 1099511628211
  %87 = add nsw i32 %57, 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr i8, ptr %0, i64 %88
  %90 = load i8, ptr %89, align 1, !tbaa !16
  %91 = zext i8 %90 to i64
  %92 = xor i64 %86, %91
  %93 = mul i64 %92, 1099511628211
  %94 = add nsw i32 %57, 5
  %95 = sext i32 %94 to i64
  %96 = getelementptr i8, ptr %0, i64 %95
  %97 = load i8, ptr %96, align 1, !tbaa !16
  %98 = zext i8 %97 to i64
  %99 = xor i64 %93, %98
  %100 = mul i64 %99, 1099511628211
  %101 = add nsw i32 %57, 6
  %102 = sext i32 %101 to i64
  %103 = getelementptr i8, ptr %0, i64 %102
  %104 = load i8, ptr %103, align 1, !tbaa !16
  %105 = zext i8 %104 to i64
  %106 = xor i64 %100, %105
  %107 = mul i64 %106, 1099511628211
  %108 = add nsw i32 %57, 7
  %109 = sext i32 %108 to i64
  %110 = getelementptr i8, ptr %0, i64 %109
  %111 = load i8, ptr %110, align 1, !tbaa !16
  %112 = zext i8 %111 to i64
  %113 = xor i64 %107, %112
  %114 = mul i64 %113, 1099511628211
  %115 = add nsw i32 %57, 8
  %116 = add i32 %59, 8
  %117 = icmp eq i32 %116, %32
  br i1 %117, label %33, label %56, !llvm.loop !21
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @xtea(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, i32 noundef %2) local_unnamed_addr #2 {
  %4 = alloca [4 x i32], align 4
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4) #4
  %5 = load i32, ptr %1, align 4, !tbaa !7
  store i32 %5, ptr %4, align 4, !tbaa !7
  %6 = getelementptr inbounds i32, ptr %4, i64 1
  %7 = getelementptr i32, ptr %1, i64 1
  %8 = load i32, ptr %7, align 4, !tbaa !7
  store i32 %8, ptr %6, align 4, !tbaa !7
  %9 = getelementptr inbounds i32, ptr %4, i64 2
  %10 = getelementptr i32, ptr %1, i64 2
  %11 = load i32, ptr %10, align 4, !tbaa !7
  store i32 %11, ptr %9, align 4, !tbaa !7
  %12 = getelementptr inbounds i32, ptr %4, i64 3
  %13 = getelementptr i32, ptr %1, i64 3
  %14 = load i32, ptr %13, align 4, !tbaa !7
  store i32 %14, ptr %12, align 4, !tbaa !7
  %15 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %16 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %17 = mul i32 %15, %16
  %18 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = add i32 %17, %18
  %20 = icmp slt i32 %19, %2
  br i1 %20, label %21, label %24

21:                                               ; preds = %3
  %22 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %23 = mul i32 %22, %16
  br label %25

24:                                               ; preds = %35, %3
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4) #4
  ret void

25:                                               ; preds = %21, %35
  %26 = phi i32 [ %19, %21 ], [ %36, %35 ]
  %27 = shl i32 %26, 1
  %28 = sext i32 %27 to i64
  %29 = getelementptr i32, ptr %0, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !7
  %31 = or i32 %27, 1
  %32 = sext i32 %31 to i64
  %33 = getelementptr i32, ptr %0, i64 %32
  %34 = load i32, ptr %33, align 4, !tbaa !7
  br label %38

35:                                               ; preds = %38
  store i32 %77, ptr %29, align 4, !tbaa !7
  store i32 %90, ptr %33, align 4, !tbaa !7
  %36 = add i32 %26, %23
  %37 = icmp slt i32 %36, %2
  br i1 %37, label %25, label %24, !llvm.loop !22

38:                                               ; preds = %38, %25
  %39 = phi i32 [ 0, %25 ], [ %91, %38 ]
  %40 = phi i32 [ 0, %25 ], [ %78, %38 ]
  %41 = phi i32 [ %34, %25 ], [ %90, %38 ]
  %42 = phi i32 [ %30, %25 ], [ %77, %38 ]
  %43 = shl i32 %41, 4
  %44 = lshr i32 %41, 5
  %45 = xor i32 %43, %44
  %46 = add i32 %45, %41
  %47 = and i32 %40, 2
  %48 = zext i32 %47 to i64
  %49 = getelementptr [4 x i32], ptr %4, i64 0, i64 %48
  %50 = load i32, ptr %49, align 4, !tbaa !7
  %51 = add i32 %50, %40
  %52 = xor i32 %51, %46
  %53 = add i32 %52, %42
  %54 = add i32 %40, -1640531527
  %55 = shl i32 %53, 4
  %56 = lshr i32 %53, 5
  %57 = xor i32 %55, %56
  %58 = add i32 %57, %53
  %59 = lshr i32 %54, 11
  %60 = and i32 %59, 3
  %61 = zext i32 %60 to i64
  %62 = getelementptr [4 x i32], ptr %4, i64 0, i64 %61
  %63 = load i32, ptr %62, align 4, !tbaa !7
  %64 = add i32 %63, %54
  %65 = xor i32 %58, %64
  %66 = add i32 %65, %41
  %67 = shl i32 %66, 4
  %68 = lshr i32 %66, 5
  %69 = xor i32 %67, %68
  %70 = add i32 %69, %66
  %71 = and i32 %54, 3
  %72 = zext i32 %71 to i64
  %73 = getelementptr [4 x i32], ptr %4, i64 0, i64 %72
  %74 = load i32, ptr %73, align 4, !tbaa !7
  %75 = add i32 %74, %54
  %76 = xor i32 %75, %70
  %77 = add i32 %76, %53
  %78 = add i32 %40, 1013904242
  %79 = shl i32 %77, 4
  %80 = lshr i32 %77, 5
  %81 = xor i32 %79, %80
  %82 = add i32 %81, %77
  %83 = lshr i32 %78, 11
  %84 = and i32 %83, 3
  %85 = zext i32 %84 to i64
  %86 = getelementptr [4 x i32], ptr %4, i64 0, i64 %85
  %87 = load i32, ptr %86, align 4, !tbaa !7
  %88 = add i32 %87, %78
  %89 = xor i32 %82, %88
  %90 = add i32 %89, %66
  %91 = add nuw nsw i32 %39, 2
  %92 = icmp eq i32 %91, 32
  br i1 %92, label %35, label %38, !llvm.loop !23
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nounwind }

!nvvm.annotations = !{!0, !1, !2, !3}
!llvm.module.flags = !{!4, !5, !6}

!0 = !{ptr @philox, !"kernel", i32 1}
!1 = !{ptr @xorshift, !"kernel", i32 1}
!2 = !{ptr @fnv, !"kernel", i32 1}
!3 = !{ptr @xtea, !"kernel", i32 1}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!6 = !{i32 7, !"frame-pointer", i32 2}
!7 = !{!8, !8, i64 0}
!8 = !{!"int", !9, i64 0}
!9 = !{!"omnipotent char", !10, i64 0}
!10 = !{!"Simple C++ TBAA"}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.unroll.disable"}
!15 = distinct !{!15, !12}
!16 = !{!9, !9, i64 0}
!17 = distinct !{!17, !14}
!18 = !{!19, !19, i64 0}
!19 = !{!"long", !9, i64 0}
!20 = distinct !{!20, !12}
!21 = distinct !{!21, !12}
!22 = distinct !{!22, !12}
!23 = distinct !{!23, !12}
