; Debug values stay right through the coalescer and change no code. Row C1.
;
; RUN: %same --pass=coalescer --levels=O2 -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --asm --pass=coalescer --levels=O0,O1,O2,O3 --maybe -- %s -mcpu=sm_80
; RUN: %llc %s -mcpu=sm_80 -stop-after=register-coalescer -o - | FileCheck %s

; COUNT: O2: interval joins performed {{[1-9]}}

; CHECK: DBG_VALUE

target triple = "nvptx64-nvidia-cuda"

define i32 @sum(i32 %n) !dbg !4 {
entry:
  br label %loop, !dbg !8
loop:
  %i = phi i32 [ 0, %entry ], [ %i2, %loop ]
  %s = phi i32 [ 1, %entry ], [ %s2, %loop ]
  call void @llvm.dbg.value(metadata i32 %s, metadata !7, metadata !DIExpression()), !dbg !8
  %s2 = mul i32 %s, %i, !dbg !8
  call void @llvm.dbg.value(metadata i32 %s2, metadata !7, metadata !DIExpression()), !dbg !8
  %i2 = add i32 %i, 1, !dbg !8
  %c = icmp ult i32 %i2, %n, !dbg !8
  br i1 %c, label %loop, label %exit, !dbg !8
exit:
  %r = add i32 %s2, %s, !dbg !8
  call void @llvm.dbg.value(metadata i32 %s, metadata !7, metadata !DIExpression()), !dbg !8
  ret i32 %r, !dbg !8
}
declare void @llvm.dbg.value(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "p", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "sum.c", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "sum", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, unit: !0, retainedNodes: !6)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: "s", scope: !4, file: !1, line: 2, type: !9)
!8 = !DILocation(line: 2, column: 1, scope: !4)
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
