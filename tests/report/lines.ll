; ModuleID = 'lines.cu'
source_filename = "lines.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite)
define ptx_kernel void @rows(ptr nocapture noundef readonly %0, ptr nocapture noundef readonly %1, ptr nocapture noundef writeonly %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 !dbg !8 {
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !11
  %7 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !14
  %8 = mul nsw i32 %6, %7, !dbg !15
  %9 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !16
  %10 = add nsw i32 %8, %9, !dbg !17
  %11 = icmp slt i32 %10, %3, !dbg !18
  br i1 %11, label %12, label %65, !dbg !19

12:                                               ; preds = %5
  %13 = icmp sgt i32 %4, 0, !dbg !20
  br i1 %13, label %14, label %35, !dbg !21

14:                                               ; preds = %12
  %15 = mul nsw i32 %10, %4
  %16 = and i32 %4, 1, !dbg !21
  %17 = icmp eq i32 %4, 1, !dbg !21
  br i1 %17, label %20, label %18, !dbg !21

18:                                               ; preds = %14
  %19 = and i32 %4, -2, !dbg !21
  br label %39, !dbg !21

20:                                               ; preds = %39, %14
  %21 = phi float [ undef, %14 ], [ %61, %39 ]
  %22 = phi i32 [ 0, %14 ], [ %62, %39 ]
  %23 = phi float [ 0.000000e+00, %14 ], [ %61, %39 ]
  %24 = icmp eq i32 %16, 0, !dbg !21
  br i1 %24, label %35, label %25, !dbg !21

25:                                               ; preds = %20
  %26 = add nsw i32 %22, %15, !dbg !22
  %27 = sext i32 %26 to i64, !dbg !23
  %28 = getelementptr inbounds float, ptr %0, i64 %27, !dbg !23
  %29 = load float, ptr %28, align 4, !dbg !23, !tbaa !24
  %30 = zext i32 %22 to i64, !dbg !28
  %31 = getelementptr inbounds float, ptr %1, i64 %30, !dbg !28
  %32 = load float, ptr %31, align 4, !dbg !28, !tbaa !24
  %33 = fmul contract float %29, %32, !dbg !29
  %34 = fadd contract float %23, %33, !dbg !30
  br label %35, !dbg !31

35:                                               ; preds = %25, %20, %12
  %36 = phi float [ 0.000000e+00, %12 ], [ %21, %20 ], [ %34, %25 ], !dbg !32
  %37 = sext i32 %10 to i64, !dbg !31
  %38 = getelementptr inbounds float, ptr %2, i64 %37, !dbg !31
  store float %36, ptr %38, align 4, !dbg !33, !tbaa !24
  br label %65, !dbg !34

39:                                               ; preds = %39, %18
  %40 = phi i32 [ 0, %18 ], [ %62, %39 ]
  %41 = phi float [ 0.000000e+00, %18 ], [ %61, %39 ]
  %42 = phi i32 [ 0, %18 ], [ %63, %39 ]
  %43 = add nsw i32 %40, %15, !dbg !22
  %44 = sext i32 %43 to i64, !dbg !23
  %45 = getelementptr inbounds float, ptr %0, i64 %44, !dbg !23
  %46 = load float, ptr %45, align 4, !dbg !23, !tbaa !24
  %47 = zext i32 %40 to i64, !dbg !28
  %48 = getelementptr inbounds float, ptr %1, i64 %47, !dbg !28
  %49 = load float, ptr %48, align 4, !dbg !28, !tbaa !24
  %50 = fmul contract float %46, %49, !dbg !29
  %51 = fadd contract float %41, %50, !dbg !30
  %52 = or i32 %40, 1, !dbg !35
  %53 = add nsw i32 %52, %15, !dbg !22
  %54 = sext i32 %53 to i64, !dbg !23
  %55 = getelementptr inbounds float, ptr %0, i64 %54, !dbg !23
  %56 = load float, ptr %55, align 4, !dbg !23, !tbaa !24
  %57 = zext i32 %52 to i64, !dbg !28
  %58 = getelementptr inbounds float, ptr %1, i64 %57, !dbg !28
  %59 = load float, ptr %58, align 4, !dbg !28, !tbaa !24
  %60 = fmul contract float %56, %59, !dbg !29
  %61 = fadd contract float %51, %60, !dbg !30
  %62 = add nuw nsw i32 %40, 2, !dbg !35
  %63 = add i32 %42, 2, !dbg !21
  %64 = icmp eq i32 %63, %19, !dbg !21
  br i1 %64, label %20, label %39, !dbg !21, !llvm.loop !36

65:                                               ; preds = %5, %35
  ret void, !dbg !34
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx70,+sm_80" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!nvvm.annotations = !{!2}
!llvm.module.flags = !{!3, !4, !5, !6, !7}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: DebugDirectivesOnly, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "lines.cu", directory: "/src")
!2 = !{ptr @rows, !"kernel", i32 1}
!3 = !{i32 7, !"Dwarf Version", i32 2}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{i32 1, !"wchar_size", i32 4}
!6 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!7 = !{i32 7, !"frame-pointer", i32 2}
!8 = distinct !DISubprogram(name: "rows", scope: !1, file: !1, line: 15, type: !9, scopeLine: 15, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!9 = !DISubroutineType(types: !10)
!10 = !{}
!11 = !DILocation(line: 12, column: 10, scope: !12, inlinedAt: !13)
!12 = distinct !DISubprogram(name: "number", scope: !1, file: !1, line: 11, type: !9, scopeLine: 11, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!13 = distinct !DILocation(line: 16, column: 13, scope: !8)
!14 = !DILocation(line: 12, column: 43, scope: !12, inlinedAt: !13)
!15 = !DILocation(line: 12, column: 41, scope: !12, inlinedAt: !13)
!16 = !DILocation(line: 12, column: 75, scope: !12, inlinedAt: !13)
!17 = !DILocation(line: 12, column: 73, scope: !12, inlinedAt: !13)
!18 = !DILocation(line: 17, column: 11, scope: !8)
!19 = !DILocation(line: 17, column: 7, scope: !8)
!20 = !DILocation(line: 20, column: 31, scope: !8)
!21 = !DILocation(line: 20, column: 3, scope: !8)
!22 = !DILocation(line: 21, column: 33, scope: !8)
!23 = !DILocation(line: 21, column: 12, scope: !8)
!24 = !{!25, !25, i64 0}
!25 = !{!"float", !26, i64 0}
!26 = !{!"omnipotent char", !27, i64 0}
!27 = !{!"Simple C++ TBAA"}
!28 = !DILocation(line: 21, column: 45, scope: !8)
!29 = !DILocation(line: 21, column: 43, scope: !8)
!30 = !DILocation(line: 21, column: 9, scope: !8)
!31 = !DILocation(line: 22, column: 3, scope: !8)
!32 = !DILocation(line: 0, scope: !8)
!33 = !DILocation(line: 22, column: 15, scope: !8)
!34 = !DILocation(line: 23, column: 1, scope: !8)
!35 = !DILocation(line: 20, column: 42, scope: !8)
!36 = distinct !{!36, !21, !37, !38}
!37 = !DILocation(line: 21, column: 58, scope: !8)
!38 = !{!"llvm.loop.mustprogress"}
