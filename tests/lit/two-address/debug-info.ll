; Debug instructions lie between those that the pass works on, and change nothing:
; with and without them the same copies. Rows T1, T2, T3.

; RUN: %same -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --asm --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80
; RUN: %llc %s -mcpu=sm_80 -verify-machineinstrs -stop-after=twoaddressinstruction -o - | FileCheck %s

; COUNT: O2: copies inserted 4, two-address instructions 3

; CHECK:      DBG_VALUE
; CHECK:      COPY
; CHECK:      INLINEASM &"inc $0;"{{.*}}, !{{[0-9]+}}, debug-location

; The debug values of the copied variable survive to the end.
; RUN: %llc %s -mcpu=sm_80 -o - | FileCheck %s --check-prefix=ASM
; ASM: .loc
; ASM: .section .debug_info

target triple = "nvptx64-nvidia-cuda"

define i32 @f(i32 %x, i32 %n) !dbg !5 {
entry:
  call void @llvm.dbg.value(metadata i32 %x, metadata !9, metadata !DIExpression()), !dbg !11
  br label %loop, !dbg !11

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], !dbg !12
  %a = phi i32 [ %x, %entry ], [ %d, %loop ], !dbg !12
  call void @llvm.dbg.value(metadata i32 %a, metadata !9, metadata !DIExpression()), !dbg !12
  %b = call i32 asm sideeffect "inc $0;", "=r,0"(i32 %a), !dbg !12, !srcloc !15
  call void @llvm.dbg.value(metadata i32 %b, metadata !10, metadata !DIExpression()), !dbg !12
  %c = add i32 %a, %b, !dbg !13
  call void @llvm.dbg.value(metadata i32 %c, metadata !9, metadata !DIExpression(DW_OP_plus_uconst, 3)), !dbg !13
  %two = call { i32, i32 } asm "two $0, $1;", "=r,=r,0,1"(i32 %c, i32 %b), !dbg !13
  %d = extractvalue { i32, i32 } %two, 0, !dbg !13
  %e = extractvalue { i32, i32 } %two, 1, !dbg !13
  call void @llvm.dbg.value(metadata i32 %e, metadata !10, metadata !DIExpression()), !dbg !13
  %next = add i32 %i, 1, !dbg !13
  %more = icmp slt i32 %next, %n, !dbg !13
  br i1 %more, label %loop, label %done, !dbg !13

done:
  %f = call i32 asm "dec $0;", "=r,0"(i32 %e), !dbg !14
  ret i32 %f, !dbg !14
}

declare void @llvm.dbg.value(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "by hand", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "f.c", directory: "src")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 2, !"Dwarf Version", i32 2}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !6, unit: !0, retainedNodes: !8)
!6 = !DISubroutineType(types: !7)
!7 = !{!16, !16, !16}
!8 = !{!9, !10}
!9 = !DILocalVariable(name: "a", scope: !5, file: !1, line: 2, type: !16)
!10 = !DILocalVariable(name: "b", scope: !5, file: !1, line: 3, type: !16)
!11 = !DILocation(line: 2, scope: !5)
!12 = !DILocation(line: 3, scope: !5)
!13 = !DILocation(line: 4, scope: !5)
!14 = !DILocation(line: 5, scope: !5)
!15 = !{i32 7}
!16 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
