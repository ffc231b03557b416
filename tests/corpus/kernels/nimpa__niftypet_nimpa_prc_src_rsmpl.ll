; nimpa 2.6.3, Apache licence 2.0, copyright 2018-20 Pawel Markiewicz, Casper da Costa-Luis (licences/apache-2.0.txt), from PyPI's nimpa-2.6.3.tar.gz: niftypet/nimpa/prc/src/rsmpl.cu
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Cimg = type { float, float, float, i16, i16, i16, float, float, float, float, float, float, i16, i16, i16, float, float, float }

@cA = dso_local addrspace(4) externally_initialized global [12 x float] zeroinitializer, align 4
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(4) @cA to ptr)], section "llvm.metadata"

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite)
define dso_local void @_Z7d_rsmplPfPKf4Cimg(ptr nocapture noundef %0, ptr nocapture noundef readonly %1, ptr nocapture noundef readonly byval(%struct.Cimg) align 4 %2) local_unnamed_addr #0 {
  %4 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %8 = tail call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %9 = mul i32 %8, %7
  %10 = add i32 %9, %5
  %11 = mul i32 %10, %6
  %12 = add i32 %11, %4
  %13 = uitofp i32 %4 to float
  %14 = load float, ptr %2, align 4, !tbaa !6
  %15 = fmul contract float %14, %13
  %16 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 6
  %17 = load float, ptr %16, align 4, !tbaa !12
  %18 = fadd contract float %15, %17
  %19 = fpext float %18 to double
  %20 = fdiv contract float %14, 1.000000e+01
  %21 = fpext float %20 to double
  %22 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %23 = uitofp i32 %22 to double
  %24 = fadd contract double %23, 5.000000e-01
  %25 = fmul contract double %24, %21
  %26 = fadd contract double %25, %19
  %27 = fptrunc double %26 to float
  %28 = uitofp i32 %5 to float
  %29 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 1
  %30 = load float, ptr %29, align 4, !tbaa !13
  %31 = fmul contract float %30, %28
  %32 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 7
  %33 = load float, ptr %32, align 4, !tbaa !14
  %34 = fadd contract float %31, %33
  %35 = fneg contract float %34
  %36 = fpext float %35 to double
  %37 = fdiv contract float %30, 1.000000e+01
  %38 = fpext float %37 to double
  %39 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %40 = uitofp i32 %39 to double
  %41 = fadd contract double %40, 5.000000e-01
  %42 = fmul contract double %41, %38
  %43 = fsub contract double %36, %42
  %44 = fptrunc double %43 to float
  %45 = uitofp i32 %7 to float
  %46 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 2
  %47 = load float, ptr %46, align 4, !tbaa !15
  %48 = fmul contract float %47, %45
  %49 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 8
  %50 = load float, ptr %49, align 4, !tbaa !16
  %51 = fadd contract float %48, %50
  %52 = fpext float %51 to double
  %53 = fdiv contract float %47, 1.000000e+01
  %54 = fpext float %53 to double
  %55 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %56 = uitofp i32 %55 to double
  %57 = fadd contract double %56, 5.000000e-01
  %58 = fmul contract double %57, %54
  %59 = fadd contract double %58, %52
  %60 = fptrunc double %59 to float
  %61 = load float, ptr addrspacecast (ptr addrspace(4) @cA to ptr), align 4, !tbaa !17
  %62 = fmul contract float %61, %27
  %63 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 4), align 4, !tbaa !17
  %64 = fmul contract float %63, %44
  %65 = fadd contract float %62, %64
  %66 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 8), align 4, !tbaa !17
  %67 = fmul contract float %66, %60
  %68 = fadd contract float %65, %67
  %69 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 12), align 4, !tbaa !17
  %70 = fadd contract float %69, %68
  %71 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 32), align 4, !tbaa !17
  %72 = fmul contract float %71, %27
  %73 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 36), align 4, !tbaa !17
  %74 = fmul contract float %73, %44
  %75 = fadd contract float %72, %74
  %76 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 40), align 4, !tbaa !17
  %77 = fmul contract float %76, %60
  %78 = fadd contract float %75, %77
  %79 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 44), align 4, !tbaa !17
  %80 = fadd contract float %79, %78
  %81 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 15
  %82 = load float, ptr %81, align 4, !tbaa !18
  %83 = fneg contract float %82
  %84 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 9
  %85 = load float, ptr %84, align 4, !tbaa !19
  %86 = fdiv contract float %83, %85
  %87 = bitcast float %86 to i32
  %88 = and i32 %87, -2147483648
  %89 = or i32 %88, 1056964608
  %90 = bitcast i32 %89 to float
  %91 = tail call float @llvm.nvvm.add.rz.f(float %86, float %90) #2
  %92 = tail call float @llvm.trunc.f32(float %91)
  %93 = fdiv contract float %70, %85
  %94 = tail call float @llvm.floor.f32(float %93)
  %95 = fadd contract float %94, %92
  %96 = fptosi float %95 to i16
  %97 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 17
  %98 = load float, ptr %97, align 4, !tbaa !20
  %99 = fneg contract float %98
  %100 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 11
  %101 = load float, ptr %100, align 4, !tbaa !21
  %102 = fdiv contract float %99, %101
  %103 = bitcast float %102 to i32
  %104 = and i32 %103, -2147483648
  %105 = or i32 %104, 1056964608
  %106 = bitcast i32 %105 to float
  %107 = tail call float @llvm.nvvm.add.rz.f(float %102, float %106) #2
  %108 = tail call float @llvm.trunc.f32(float %107)
  %109 = fdiv contract float %80, %101
  %110 = tail call float @llvm.floor.f32(float %109)
  %111 = fadd contract float %110, %108
  %112 = fptosi float %111 to i16
  %113 = sext i16 %96 to i64
  %114 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 12
  %115 = load i16, ptr %114, align 4, !tbaa !22
  %116 = sext i16 %115 to i32
  %117 = icmp sgt i16 %115, %96
  br i1 %117, label %118, label %174

118:                                              ; preds = %3
  %119 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 16), align 4, !tbaa !17
  %120 = fmul contract float %119, %27
  %121 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 20), align 4, !tbaa !17
  %122 = fmul contract float %121, %44
  %123 = fadd contract float %120, %122
  %124 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 24), align 4, !tbaa !17
  %125 = fmul contract float %124, %60
  %126 = fadd contract float %123, %125
  %127 = load float, ptr getelementptr inbounds (i8, ptr addrspacecast (ptr addrspace(4) @cA to ptr), i64 28), align 4, !tbaa !17
  %128 = fadd contract float %127, %126
  %129 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 10
  %130 = load float, ptr %129, align 4, !tbaa !23
  %131 = fdiv contract float %128, %130
  %132 = tail call float @llvm.ceil.f32(float %131)
  %133 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 16
  %134 = load float, ptr %133, align 4, !tbaa !24
  %135 = fneg contract float %134
  %136 = fdiv contract float %135, %130
  %137 = bitcast float %136 to i32
  %138 = and i32 %137, -2147483648
  %139 = or i32 %138, 1056964608
  %140 = bitcast i32 %139 to float
  %141 = tail call float @llvm.nvvm.add.rz.f(float %136, float %140) #2
  %142 = tail call float @llvm.trunc.f32(float %141)
  %143 = fsub contract float %142, %132
  %144 = fptosi float %143 to i16
  %145 = sext i16 %144 to i32
  %146 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 13
  %147 = load i16, ptr %146, align 2, !tbaa !25
  %148 = sext i16 %147 to i32
  %149 = icmp sgt i16 %147, %144
  br i1 %149, label %150, label %174

150:                                              ; preds = %118
  %151 = getelementptr inbounds %struct.Cimg, ptr %2, i64 0, i32 14
  %152 = load i16, ptr %151, align 4, !tbaa !26
  %153 = icmp sgt i16 %152, %112
  %154 = or i16 %112, %96
  %155 = or i16 %154, %144
  %156 = icmp sgt i16 %155, -1
  %157 = and i1 %156, %153
  br i1 %157, label %158, label %174

158:                                              ; preds = %150
  %159 = sext i16 %112 to i32
  %160 = and i64 %113, 4294967295
  %161 = getelementptr inbounds float, ptr %0, i64 %160
  %162 = mul nsw i32 %145, %116
  %163 = sext i32 %162 to i64
  %164 = getelementptr inbounds float, ptr %161, i64 %163
  %165 = mul nsw i32 %159, %116
  %166 = mul nsw i32 %165, %148
  %167 = sext i32 %166 to i64
  %168 = getelementptr inbounds float, ptr %164, i64 %167
  %169 = sext i32 %12 to i64
  %170 = getelementptr inbounds float, ptr %1, i64 %169
  %171 = load float, ptr %170, align 4, !tbaa !17
  %172 = fdiv contract float %171, 1.000000e+03
  %173 = atomicrmw fadd ptr %168, float %172 seq_cst, align 4
  br label %174

174:                                              ; preds = %158, %150, %118, %3
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.nvvm.add.rz.f(float, float) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.floor.f32(float) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.ceil.f32(float) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.trunc.f32(float) #1

attributes #0 = { mustprogress nofree norecurse nounwind willreturn memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}
!nvvm.annotations = !{!4}
!nvvmir.version = !{!5}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 1]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{ptr @_Z7d_rsmplPfPKf4Cimg, !"kernel", i32 1}
!5 = !{i32 2, i32 0}
!6 = !{!7, !8, i64 0}
!7 = !{!"_ZTS4Cimg", !8, i64 0, !8, i64 4, !8, i64 8, !11, i64 12, !11, i64 14, !11, i64 16, !8, i64 20, !8, i64 24, !8, i64 28, !8, i64 32, !8, i64 36, !8, i64 40, !11, i64 44, !11, i64 46, !11, i64 48, !8, i64 52, !8, i64 56, !8, i64 60}
!8 = !{!"float", !9, i64 0}
!9 = !{!"omnipotent char", !10, i64 0}
!10 = !{!"Simple C++ TBAA"}
!11 = !{!"short", !9, i64 0}
!12 = !{!7, !8, i64 20}
!13 = !{!7, !8, i64 4}
!14 = !{!7, !8, i64 24}
!15 = !{!7, !8, i64 8}
!16 = !{!7, !8, i64 28}
!17 = !{!8, !8, i64 0}
!18 = !{!7, !8, i64 52}
!19 = !{!7, !8, i64 32}
!20 = !{!7, !8, i64 60}
!21 = !{!7, !8, i64 40}
!22 = !{!7, !11, i64 44}
!23 = !{!7, !8, i64 36}
!24 = !{!7, !8, i64 56}
!25 = !{!7, !11, i64 46}
!26 = !{!7, !11, i64 48}
