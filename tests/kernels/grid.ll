; build/llvm-17/bin/clang -O3 -S -emit-llvm -fno-ident -fwrapv -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib -std=c++17 ../tests/kernels/grid.cu, by make
; ModuleID = '../tests/kernels/grid.cu'
source_filename = "../tests/kernels/grid.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Body = type { float, float, float, float }

@_ZZ6bodiesE4near = internal unnamed_addr addrspace(3) global [128 x %struct.Body] undef, align 4

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @heat(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1, i32 noundef %2, i32 noundef %3, i32 noundef %4, float noundef %5) local_unnamed_addr #0 {
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul i32 %7, %8
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add i32 %9, %10
  %12 = sdiv i32 %11, %2
  %13 = mul i32 %12, %2
  %14 = sub i32 %11, %13
  %15 = icmp sgt i32 %14, 0
  %16 = icmp sgt i32 %12, 0
  %17 = and i1 %15, %16
  %18 = add i32 %2, -1
  %19 = icmp slt i32 %14, %18
  %20 = and i1 %19, %17
  %21 = add i32 %3, -1
  %22 = icmp slt i32 %12, %21
  %23 = and i1 %22, %20
  br i1 %23, label %24, label %149

24:                                               ; preds = %6
  %25 = mul i32 %3, %2
  %26 = add i32 %4, -1
  %27 = icmp sgt i32 %26, 1
  br i1 %27, label %28, label %149

28:                                               ; preds = %24
  %29 = mul i32 %12, %2
  %30 = add i32 %29, %14
  %31 = add i32 %30, %25
  %32 = sext i32 %31 to i64
  %33 = getelementptr float, ptr %0, i64 %32
  %34 = load float, ptr %33, align 4, !tbaa !6
  %35 = sext i32 %30 to i64
  %36 = getelementptr float, ptr %0, i64 %35
  %37 = load float, ptr %36, align 4, !tbaa !6
  %38 = and i32 %4, 1
  %39 = icmp eq i32 %4, 3
  br i1 %39, label %112, label %40

40:                                               ; preds = %28
  %41 = and i32 %4, -2
  %42 = add i32 %41, -4
  br label %43

43:                                               ; preds = %43, %40
  %44 = phi i32 [ %31, %40 ], [ %79, %43 ]
  %45 = phi float [ %34, %40 ], [ %82, %43 ]
  %46 = phi float [ %37, %40 ], [ %51, %43 ]
  %47 = phi i32 [ 0, %40 ], [ %110, %43 ]
  %48 = add i32 %44, %25
  %49 = sext i32 %48 to i64
  %50 = getelementptr float, ptr %0, i64 %49
  %51 = load float, ptr %50, align 4, !tbaa !6
  %52 = add i32 %44, -1
  %53 = sext i32 %52 to i64
  %54 = getelementptr float, ptr %0, i64 %53
  %55 = load float, ptr %54, align 4, !tbaa !6
  %56 = add i32 %44, 1
  %57 = sext i32 %56 to i64
  %58 = getelementptr float, ptr %0, i64 %57
  %59 = load float, ptr %58, align 4, !tbaa !6
  %60 = fadd contract float %55, %59
  %61 = sub i32 %44, %2
  %62 = sext i32 %61 to i64
  %63 = getelementptr float, ptr %0, i64 %62
  %64 = load float, ptr %63, align 4, !tbaa !6
  %65 = fadd contract float %60, %64
  %66 = add i32 %44, %2
  %67 = sext i32 %66 to i64
  %68 = getelementptr float, ptr %0, i64 %67
  %69 = load float, ptr %68, align 4, !tbaa !6
  %70 = fadd contract float %65, %69
  %71 = fadd contract float %46, %70
  %72 = fadd contract float %51, %71
  %73 = fmul contract float %45, 6.000000e+00
  %74 = fsub contract float %72, %73
  %75 = fmul contract float %74, %5
  %76 = fadd contract float %45, %75
  %77 = sext i32 %44 to i64
  %78 = getelementptr float, ptr %1, i64 %77
  store float %76, ptr %78, align 4, !tbaa !6
  %79 = add i32 %48, %25
  %80 = sext i32 %79 to i64
  %81 = getelementptr float, ptr %0, i64 %80
  %82 = load float, ptr %81, align 4, !tbaa !6
  %83 = add i32 %48, -1
  %84 = sext i32 %83 to i64
  %85 = getelementptr float, ptr %0, i64 %84
  %86 = load float, ptr %85, align 4, !tbaa !6
  %87 = add i32 %48, 1
  %88 = sext i32 %87 to i64
  %89 = getelementptr float, ptr %0, i64 %88
  %90 = load float, ptr %89, align 4, !tbaa !6
  %91 = fadd contract float %86, %90
  %92 = sub i32 %48, %2
  %93 = sext i32 %92 to i64
  %94 = getelementptr float, ptr %0, i64 %93
  %95 = load float, ptr %94, align 4, !tbaa !6
  %96 = fadd contract float %91, %95
  %97 = add i32 %48, %2
  %98 = sext i32 %97 to i64
  %99 = getelementptr float, ptr %0, i64 %98
  %100 = load float, ptr %99, align 4, !tbaa !6
  %101 = fadd contract float %96, %100
  %102 = fadd contract float %45, %101
  %103 = fadd contract float %82, %102
  %104 = fmul contract float %51, 6.000000e+00
  %105 = fsub contract float %103, %104
  %106 = fmul contract float %105, %5
  %107 = fadd contract float %51, %106
  %108 = sext i32 %48 to i64
  %109 = getelementptr float, ptr %1, i64 %108
  store float %107, ptr %109, align 4, !tbaa !6
  %110 = add i32 %47, 2
  %111 = icmp eq i32 %47, %42
  br i1 %111, label %112, label %43, !llvm.loop !10

112:                                              ; preds = %43, %28
  %113 = phi i32 [ %31, %28 ], [ %79, %43 ]
  %114 = phi float [ %34, %28 ], [ %82, %43 ]
  %115 = phi float [ %37, %28 ], [ %51, %43 ]
  %116 = icmp eq i32 %38, 0
  br i1 %116, label %149, label %117

117:                                              ; preds = %112
  %118 = add i32 %113, %25
  %119 = sext i32 %118 to i64
  %120 = getelementptr float, ptr %0, i64 %119
  %121 = load float, ptr %120, align 4, !tbaa !6
  %122 = add i32 %113, -1
  %123 = sext i32 %122 to i64
  %124 = getelementptr float, ptr %0, i64 %123
  %125 = load float, ptr %124, align 4, !tbaa !6
  %126 = add i32 %113, 1
  %127 = sext i32 %126 to i64
  %128 = getelementptr float, ptr %0, i64 %127
  %129 = load float, ptr %128, align 4, !tbaa !6
  %130 = fadd contract float %125, %129
  %131 = sub i32 %113, %2
  %132 = sext i32 %131 to i64
  %133 = getelementptr float, ptr %0, i64 %132
  %134 = load float, ptr %133, align 4, !tbaa !6
  %135 = fadd contract float %130, %134
  %136 = add i32 %113, %2
  %137 = sext i32 %136 to i64
  %138 = getelementptr float, ptr %0, i64 %137
  %139 = load float, ptr %138, align 4, !tbaa !6
  %140 = fadd contract float %135, %139
  %141 = fadd contract float %115, %140
  %142 = fadd contract float %121, %141
  %143 = fmul contract float %114, 6.000000e+00
  %144 = fsub contract float %142, %143
  %145 = fmul contract float %144, %5
  %146 = fadd contract float %114, %145
  %147 = sext i32 %113 to i64
  %148 = getelementptr float, ptr %1, i64 %147
  store float %146, ptr %148, align 4, !tbaa !6
  br label %149

149:                                              ; preds = %117, %112, %24, %6
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define ptx_kernel void @bodies(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1, i32 noundef %2) local_unnamed_addr #1 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = mul i32 %4, %5
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = add i32 %6, %7
  %9 = icmp slt i32 %8, %2
  %10 = select i1 %9, i32 %8, i32 0
  %11 = sext i32 %10 to i64
  %12 = getelementptr %struct.Body, ptr %0, i64 %11
  %13 = load float, ptr %12, align 4, !tbaa.struct !12
  %14 = getelementptr inbounds i8, ptr %12, i64 4
  %15 = load float, ptr %14, align 4, !tbaa.struct !13
  %16 = getelementptr inbounds i8, ptr %12, i64 8
  %17 = load float, ptr %16, align 4, !tbaa.struct !14
  %18 = icmp sgt i32 %2, 0
  br i1 %18, label %19, label %23

19:                                               ; preds = %3
  %20 = icmp slt i32 %7, 128
  %21 = sext i32 %7 to i64
  %22 = getelementptr [128 x %struct.Body], ptr addrspacecast (ptr addrspace(3) @_ZZ6bodiesE4near to ptr), i64 0, i64 %21
  br label %27

23:                                               ; preds = %44, %3
  %24 = phi float [ 0.000000e+00, %3 ], [ %45, %44 ]
  %25 = phi float [ 0.000000e+00, %3 ], [ %46, %44 ]
  %26 = phi float [ 0.000000e+00, %3 ], [ %47, %44 ]
  br i1 %9, label %86, label %96

27:                                               ; preds = %19, %44
  %28 = phi i32 [ %2, %19 ], [ %50, %44 ]
  %29 = phi float [ 0.000000e+00, %19 ], [ %47, %44 ]
  %30 = phi float [ 0.000000e+00, %19 ], [ %46, %44 ]
  %31 = phi float [ 0.000000e+00, %19 ], [ %45, %44 ]
  %32 = phi i32 [ 0, %19 ], [ %48, %44 ]
  %33 = tail call i32 @llvm.smin.i32(i32 %28, i32 128)
  %34 = tail call i32 @llvm.smax.i32(i32 %33, i32 1)
  br i1 %20, label %35, label %41

35:                                               ; preds = %27
  %36 = add i32 %32, %7
  %37 = icmp slt i32 %36, %2
  br i1 %37, label %38, label %41

38:                                               ; preds = %35
  %39 = sext i32 %36 to i64
  %40 = getelementptr %struct.Body, ptr %0, i64 %39
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 4 dereferenceable(16) %22, ptr noundef nonnull align 4 dereferenceable(16) %40, i64 16, i1 false), !tbaa.struct !12
  br label %41

41:                                               ; preds = %38, %35, %27
  tail call void @llvm.nvvm.barrier0()
  %42 = sub i32 %2, %32
  %43 = icmp sgt i32 %42, 0
  br i1 %43, label %51, label %44

44:                                               ; preds = %51, %41
  %45 = phi float [ %31, %41 ], [ %83, %51 ]
  %46 = phi float [ %30, %41 ], [ %81, %51 ]
  %47 = phi float [ %29, %41 ], [ %79, %51 ]
  tail call void @llvm.nvvm.barrier0()
  %48 = add i32 %32, 128
  %49 = icmp slt i32 %48, %2
  %50 = add i32 %28, -128
  br i1 %49, label %27, label %23, !llvm.loop !15

51:                                               ; preds = %41, %51
  %52 = phi float [ %79, %51 ], [ %29, %41 ]
  %53 = phi float [ %81, %51 ], [ %30, %41 ]
  %54 = phi float [ %83, %51 ], [ %31, %41 ]
  %55 = phi i32 [ %84, %51 ], [ 0, %41 ]
  %56 = zext i32 %55 to i64
  %57 = getelementptr [128 x %struct.Body], ptr addrspacecast (ptr addrspace(3) @_ZZ6bodiesE4near to ptr), i64 0, i64 %56
  %58 = load float, ptr %57, align 4, !tbaa !16
  %59 = fsub contract float %58, %13
  %60 = getelementptr [128 x %struct.Body], ptr addrspacecast (ptr addrspace(3) @_ZZ6bodiesE4near to ptr), i64 0, i64 %56, i32 1
  %61 = load float, ptr %60, align 4, !tbaa !18
  %62 = fsub contract float %61, %15
  %63 = getelementptr [128 x %struct.Body], ptr addrspacecast (ptr addrspace(3) @_ZZ6bodiesE4near to ptr), i64 0, i64 %56, i32 2
  %64 = load float, ptr %63, align 4, !tbaa !19
  %65 = fsub contract float %64, %17
  %66 = fmul contract float %59, %59
  %67 = fmul contract float %62, %62
  %68 = fadd contract float %66, %67
  %69 = fmul contract float %65, %65
  %70 = fadd contract float %68, %69
  %71 = fadd contract float %70, 0x3EB0C6F7A0000000
  %72 = tail call contract float asm "rsqrt.approx.f32 $0, $1;", "=f,f"(float %71) #7, !srcloc !20
  %73 = getelementptr [128 x %struct.Body], ptr addrspacecast (ptr addrspace(3) @_ZZ6bodiesE4near to ptr), i64 0, i64 %56, i32 3
  %74 = load float, ptr %73, align 4, !tbaa !21
  %75 = fmul contract float %72, %74
  %76 = fmul contract float %72, %75
  %77 = fmul contract float %72, %76
  %78 = fmul contract float %59, %77
  %79 = fadd contract float %52, %78
  %80 = fmul contract float %62, %77
  %81 = fadd contract float %53, %80
  %82 = fmul contract float %65, %77
  %83 = fadd contract float %54, %82
  %84 = add nuw nsw i32 %55, 1
  %85 = icmp eq i32 %84, %34
  br i1 %85, label %44, label %51, !llvm.loop !22

86:                                               ; preds = %23
  %87 = mul i32 %8, 3
  %88 = sext i32 %87 to i64
  %89 = getelementptr float, ptr %1, i64 %88
  store float %26, ptr %89, align 4, !tbaa !6
  %90 = add i32 %87, 1
  %91 = sext i32 %90 to i64
  %92 = getelementptr float, ptr %1, i64 %91
  store float %25, ptr %92, align 4, !tbaa !6
  %93 = add i32 %87, 2
  %94 = sext i32 %93 to i64
  %95 = getelementptr float, ptr %1, i64 %94
  store float %24, ptr %95, align 4, !tbaa !6
  br label %96

96:                                               ; preds = %86, %23
  ret void
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: write)
define ptx_kernel void @mandelbrot(ptr nocapture noundef writeonly %0, i32 noundef %1, i32 noundef %2, double noundef %3) local_unnamed_addr #3 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %7 = mul i32 %5, %6
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = add i32 %7, %8
  %10 = mul i32 %2, %1
  %11 = icmp slt i32 %9, %10
  br i1 %11, label %12, label %17

12:                                               ; preds = %4
  %13 = sdiv i32 %1, -2
  %14 = sdiv i32 %2, -2
  %15 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %16 = mul i32 %15, %6
  br label %18

17:                                               ; preds = %94, %4
  ret void

18:                                               ; preds = %12, %94
  %19 = phi i32 [ %9, %12 ], [ %98, %94 ]
  %20 = freeze i32 %19
  %21 = sdiv i32 %20, %1
  %22 = mul i32 %21, %1
  %23 = sub i32 %20, %22
  %24 = add i32 %23, %13
  %25 = sitofp i32 %24 to double
  %26 = fmul contract double %25, %3
  %27 = add i32 %21, %14
  %28 = sitofp i32 %27 to double
  %29 = fmul contract double %28, %3
  br label %30

30:                                               ; preds = %78, %18
  %31 = phi i32 [ 0, %18 ], [ %84, %78 ]
  %32 = phi double [ 0.000000e+00, %18 ], [ %83, %78 ]
  %33 = phi double [ 0.000000e+00, %18 ], [ %80, %78 ]
  %34 = fmul contract double %33, %33
  %35 = fmul contract double %32, %32
  %36 = fadd contract double %34, %35
  %37 = fcmp contract olt double %36, 4.000000e+00
  br i1 %37, label %38, label %94

38:                                               ; preds = %30
  %39 = fsub contract double %34, %35
  %40 = fadd contract double %26, %39
  %41 = fmul contract double %33, 2.000000e+00
  %42 = fmul contract double %41, %32
  %43 = fadd contract double %29, %42
  %44 = fmul contract double %40, %40
  %45 = fmul contract double %43, %43
  %46 = fadd contract double %44, %45
  %47 = fcmp contract olt double %46, 4.000000e+00
  br i1 %47, label %48, label %92

48:                                               ; preds = %38
  %49 = fsub contract double %44, %45
  %50 = fadd contract double %26, %49
  %51 = fmul contract double %40, 2.000000e+00
  %52 = fmul contract double %51, %43
  %53 = fadd contract double %29, %52
  %54 = fmul contract double %50, %50
  %55 = fmul contract double %53, %53
  %56 = fadd contract double %54, %55
  %57 = fcmp contract olt double %56, 4.000000e+00
  br i1 %57, label %58, label %90

58:                                               ; preds = %48
  %59 = fsub contract double %54, %55
  %60 = fadd contract double %26, %59
  %61 = fmul contract double %50, 2.000000e+00
  %62 = fmul contract double %61, %53
  %63 = fadd contract double %29, %62
  %64 = fmul contract double %60, %60
  %65 = fmul contract double %63, %63
  %66 = fadd contract double %64, %65
  %67 = fcmp contract olt double %66, 4.000000e+00
  br i1 %67, label %68, label %88

68:                                               ; preds = %58
  %69 = fsub contract double %64, %65
  %70 = fadd contract double %26, %69
  %71 = fmul contract double %60, 2.000000e+00
  %72 = fmul contract double %71, %63
  %73 = fadd contract double %29, %72
  %74 = fmul contract double %70, %70
  %75 = fmul contract double %73, %73
  %76 = fadd contract double %74, %75
  %77 = fcmp contract olt double %76, 4.000000e+00
  br i1 %77, label %78, label %86

78:                                               ; preds = %68
  %79 = fsub contract double %74, %75
  %80 = fadd contract double %26, %79
  %81 = fmul contract double %70, 2.000000e+00
  %82 = fmul contract double %81, %73
  %83 = fadd contract double %29, %82
  %84 = add nuw nsw i32 %31, 5
  %85 = icmp eq i32 %84, 255
  br i1 %85, label %94, label %30, !llvm.loop !23

86:                                               ; preds = %68
  %87 = add nuw nsw i32 %31, 4
  br label %94

88:                                               ; preds = %58
  %89 = add nuw nsw i32 %31, 3
  br label %94

90:                                               ; preds = %48
  %91 = add nuw nsw i32 %31, 2
  br label %94

92:                                               ; preds = %38
  %93 = add nuw nsw i32 %31, 1
  br label %94

94:                                               ; preds = %30, %78, %92, %90, %88, %86
  %95 = phi i32 [ %87, %86 ], [ %89, %88 ], [ %91, %90 ], [ %93, %92 ], [ 255, %78 ], [ %31, %30 ]
  %96 = sext i32 %19 to i64
  %97 = getelementptr i32, ptr %0, i64 %96
  store i32 %95, ptr %97, align 4, !tbaa !24
  %98 = add i32 %19, %16
  %99 = icmp slt i32 %98, %10
  br i1 %99, label %18, label %17, !llvm.loop !26
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #4

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #4

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #5

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #6

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #6

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #1 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nofree norecurse nosync nounwind memory(argmem: write) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #4 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { convergent nocallback nounwind }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { convergent nounwind memory(none) }

!nvvm.annotations = !{!0, !1, !2}
!llvm.module.flags = !{!3, !4, !5}

!0 = !{ptr @heat, !"kernel", i32 1}
!1 = !{ptr @bodies, !"kernel", i32 1}
!2 = !{ptr @mandelbrot, !"kernel", i32 1}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!5 = !{i32 7, !"frame-pointer", i32 2}
!6 = !{!7, !7, i64 0}
!7 = !{!"float", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
!12 = !{i64 0, i64 4, !6, i64 4, i64 4, !6, i64 8, i64 4, !6, i64 12, i64 4, !6}
!13 = !{i64 0, i64 4, !6, i64 4, i64 4, !6, i64 8, i64 4, !6}
!14 = !{i64 0, i64 4, !6, i64 4, i64 4, !6}
!15 = distinct !{!15, !11}
!16 = !{!17, !7, i64 0}
!17 = !{!"_ZTS4Body", !7, i64 0, !7, i64 4, !7, i64 8, !7, i64 12}
!18 = !{!17, !7, i64 4}
!19 = !{!17, !7, i64 8}
!20 = !{i64 1668}
!21 = !{!17, !7, i64 12}
!22 = distinct !{!22, !11}
!23 = distinct !{!23, !11}
!24 = !{!25, !25, i64 0}
!25 = !{!"int", !8, i64 0}
!26 = distinct !{!26, !11}
