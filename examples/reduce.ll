; build/llvm-17/bin/clang -O3 -S -emit-llvm -fno-ident -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib -std=c++17 reduce.cu, by make
; ModuleID = 'reduce.cu'
source_filename = "reduce.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@_ZZ6reduceE12partial_sums = internal unnamed_addr addrspace(3) global [32 x float] undef, align 4
@_ZZ6reduceE14partial_maxima = internal unnamed_addr addrspace(3) global [32 x float] undef, align 4

; Function Attrs: convergent mustprogress norecurse nounwind
define ptx_kernel void @reduce(ptr nocapture noundef readonly %0, ptr nocapture noundef writeonly %1, ptr nocapture noundef writeonly %2, i32 noundef %3) local_unnamed_addr #0 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = sdiv i32 %5, 32
  %7 = mul i32 %6, 32
  %8 = sub i32 %5, %7
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %10 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %11 = mul nsw i32 %9, %10
  %12 = add nsw i32 %11, %5
  %13 = icmp slt i32 %12, %3
  br i1 %13, label %14, label %17

14:                                               ; preds = %4
  %15 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %16 = mul nsw i32 %15, %10
  br label %43

17:                                               ; preds = %43, %4
  %18 = phi float [ 0xFFF0000000000000, %4 ], [ %52, %43 ]
  %19 = phi float [ 0.000000e+00, %4 ], [ %50, %43 ]
  %20 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 16, float %19) #3, !srcloc !4
  %21 = fadd contract float %19, %20
  %22 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 8, float %21) #3, !srcloc !4
  %23 = fadd contract float %21, %22
  %24 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 4, float %23) #3, !srcloc !4
  %25 = fadd contract float %23, %24
  %26 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 2, float %25) #3, !srcloc !4
  %27 = fadd contract float %25, %26
  %28 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 1, float %27) #3, !srcloc !4
  %29 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 16, float %18) #3, !srcloc !4
  %30 = fcmp contract ogt float %29, %18
  %31 = select contract i1 %30, float %29, float %18
  %32 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 8, float %31) #3, !srcloc !4
  %33 = fcmp contract ogt float %32, %31
  %34 = select contract i1 %33, float %32, float %31
  %35 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 4, float %34) #3, !srcloc !4
  %36 = fcmp contract ogt float %35, %34
  %37 = select contract i1 %36, float %35, float %34
  %38 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 2, float %37) #3, !srcloc !4
  %39 = fcmp contract ogt float %38, %37
  %40 = select contract i1 %39, float %38, float %37
  %41 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 1, float %40) #3, !srcloc !4
  %42 = icmp eq i32 %8, 0
  br i1 %42, label %55, label %62

43:                                               ; preds = %14, %43
  %44 = phi float [ 0.000000e+00, %14 ], [ %50, %43 ]
  %45 = phi i32 [ %12, %14 ], [ %53, %43 ]
  %46 = phi float [ 0xFFF0000000000000, %14 ], [ %52, %43 ]
  %47 = sext i32 %45 to i64
  %48 = getelementptr inbounds float, ptr %0, i64 %47
  %49 = load float, ptr %48, align 4, !tbaa !5
  %50 = fadd contract float %44, %49
  %51 = fcmp contract ogt float %49, %46
  %52 = select contract i1 %51, float %49, float %46
  %53 = add nsw i32 %45, %16
  %54 = icmp slt i32 %53, %3
  br i1 %54, label %43, label %17, !llvm.loop !9

55:                                               ; preds = %17
  %56 = sext i32 %6 to i64
  %57 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6reduceE14partial_maxima to ptr), i64 0, i64 %56
  %58 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6reduceE12partial_sums to ptr), i64 0, i64 %56
  %59 = fcmp contract ogt float %41, %40
  %60 = select contract i1 %59, float %41, float %40
  %61 = fadd contract float %27, %28
  store float %61, ptr %58, align 4, !tbaa !5
  store float %60, ptr %57, align 4, !tbaa !5
  br label %62

62:                                               ; preds = %55, %17
  tail call void @llvm.nvvm.barrier0()
  %63 = add i32 %5, 31
  %64 = icmp ult i32 %63, 63
  br i1 %64, label %65, label %109

65:                                               ; preds = %62
  %66 = sdiv i32 %10, 32
  %67 = icmp slt i32 %8, %66
  br i1 %67, label %68, label %72

68:                                               ; preds = %65
  %69 = sext i32 %8 to i64
  %70 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6reduceE12partial_sums to ptr), i64 0, i64 %69
  %71 = load float, ptr %70, align 4, !tbaa !5
  br label %72

72:                                               ; preds = %65, %68
  %73 = phi contract float [ %71, %68 ], [ 0.000000e+00, %65 ]
  %74 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 16, float %73) #3, !srcloc !4
  %75 = fadd contract float %73, %74
  %76 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 8, float %75) #3, !srcloc !4
  %77 = fadd contract float %75, %76
  %78 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 4, float %77) #3, !srcloc !4
  %79 = fadd contract float %77, %78
  %80 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 2, float %79) #3, !srcloc !4
  %81 = fadd contract float %79, %80
  %82 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 1, float %81) #3, !srcloc !4
  %83 = fadd contract float %81, %82
  br i1 %67, label %84, label %88

84:                                               ; preds = %72
  %85 = sext i32 %8 to i64
  %86 = getelementptr inbounds [32 x float], ptr addrspacecast (ptr addrspace(3) @_ZZ6reduceE14partial_maxima to ptr), i64 0, i64 %85
  %87 = load float, ptr %86, align 4, !tbaa !5
  br label %88

88:                                               ; preds = %72, %84
  %89 = phi contract float [ %87, %84 ], [ 0xFFF0000000000000, %72 ]
  %90 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 16, float %89) #3, !srcloc !4
  %91 = fcmp contract ogt float %90, %89
  %92 = select contract i1 %91, float %90, float %89
  %93 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 8, float %92) #3, !srcloc !4
  %94 = fcmp contract ogt float %93, %92
  %95 = select contract i1 %94, float %93, float %92
  %96 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 4, float %95) #3, !srcloc !4
  %97 = fcmp contract ogt float %96, %95
  %98 = select contract i1 %97, float %96, float %95
  %99 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 2, float %98) #3, !srcloc !4
  %100 = fcmp contract ogt float %99, %98
  %101 = select contract i1 %100, float %99, float %98
  %102 = tail call contract float asm sideeffect "shfl.sync.bfly.b32 $0, $0, $1, 31, 0xffffffff;", "=f,r,0"(i32 1, float %101) #3, !srcloc !4
  br i1 %42, label %103, label %109

103:                                              ; preds = %88
  %104 = sext i32 %9 to i64
  %105 = getelementptr inbounds float, ptr %2, i64 %104
  %106 = getelementptr inbounds float, ptr %1, i64 %104
  %107 = fcmp contract ogt float %102, %101
  %108 = select contract i1 %107, float %102, float %101
  store float %83, ptr %106, align 4, !tbaa !5
  store float %108, ptr %105, align 4, !tbaa !5
  br label %109

109:                                              ; preds = %88, %103, %62
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #2

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { convergent nounwind }

!nvvm.annotations = !{!0}
!llvm.module.flags = !{!1, !2, !3}

!0 = !{ptr @reduce, !"kernel", i32 1}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{i64 332}
!5 = !{!6, !6, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
