; Debug values and labels are emitted in the order of the source. Row E10.
; LLVM 22 has the verifier reject its own code for the by-value parameter, so it is off.

; LLVM 24's verifier, which always runs where a pipeline ends in machine code, rejects this: also in stock's output.
; UNSUPPORTED: llvm-24-up

; RUN: %same --no-verify --pass=emitter --levels=O0,O1,O2,O3 -- %s -mcpu=sm_80 | FileCheck %s --check-prefix=COUNT
; RUN: %same --no-verify --pass=emitter --asm --levels=O0,O2 -- %s -mcpu=sm_80
; RUN: %llc %s -mcpu=sm_80 -stop-after=finalize-isel -o - | FileCheck %s
; With references to instructions too.
; RUN: %same --no-verify --pass=emitter --levels=O0,O2 -- %s -mcpu=sm_80 -experimental-debug-variable-locations | FileCheck %s --check-prefix=COUNT

; COUNT-NOT: left to stock
; COUNT:     O2: blocks {{[0-9]+}}, debug values and labels {{[0-9]+}}

; CHECK-LABEL: name: f
; A constant, folded into the expression or not; a value that is gone; one of two registers.
; CHECK-DAG: DBG_VALUE 42, $noreg
; CHECK-DAG: DBG_VALUE $noreg, $noreg
; CHECK-DAG: DBG_VALUE_LIST !{{[0-9]+}}, !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), %{{[0-9]+}}, %{{[0-9]+}}
; CHECK-DAG: DBG_LABEL

target triple = "nvptx64-nvidia-cuda"

define i32 @f(i32 %x, i32 %n, ptr %p) !dbg !5 {
entry:
  call void @llvm.dbg.value(metadata i32 %x, metadata !9, metadata !DIExpression()), !dbg !11
  call void @llvm.dbg.value(metadata i32 42, metadata !10, metadata !DIExpression()), !dbg !11
  %slot = alloca i32
  call void @llvm.dbg.declare(metadata ptr %slot, metadata !15, metadata !DIExpression()), !dbg !11
  store i32 %n, ptr %slot, !dbg !11
  br label %loop, !dbg !11

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], !dbg !12
  %a = phi i32 [ %x, %entry ], [ %c, %loop ], !dbg !12
  call void @llvm.dbg.value(metadata i32 %a, metadata !9, metadata !DIExpression()), !dbg !12
  %dead = mul i32 %a, 12345, !dbg !12
  call void @llvm.dbg.value(metadata i32 undef, metadata !10, metadata !DIExpression()), !dbg !12
  %v = load i32, ptr %p, !dbg !13
  call void @llvm.dbg.value(metadata !DIArgList(i32 %v, i32 %a), metadata !10, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value)), !dbg !13
  call void @llvm.dbg.label(metadata !16), !dbg !13
  %c = add i32 %a, %v, !dbg !13
  call void @llvm.dbg.value(metadata i32 %c, metadata !9, metadata !DIExpression(DW_OP_plus_uconst, 3)), !dbg !13
  %next = add i32 %i, 1, !dbg !13
  call void @llvm.dbg.value(metadata i1 true, metadata !17, metadata !DIExpression()), !dbg !13
  %t = icmp slt i32 %next, %n, !dbg !13
  call void @llvm.dbg.value(metadata i1 %t, metadata !17, metadata !DIExpression()), !dbg !13
  br i1 %t, label %loop, label %exit, !dbg !13

exit:
  call void @llvm.dbg.value(metadata i128 1208925819614629174706189, metadata !18, metadata !DIExpression()), !dbg !14
  call void @llvm.dbg.value(metadata float 1.5, metadata !19, metadata !DIExpression()), !dbg !14
  call void @llvm.dbg.value(metadata ptr null, metadata !20, metadata !DIExpression()), !dbg !14
  %r = load volatile i32, ptr %slot, !dbg !14
  %s = add i32 %c, %r, !dbg !14
  ret i32 %s, !dbg !14
}

%struct = type { [4 x i32] }
define void @byval(ptr byval(%struct) %s, ptr %p) !dbg !21 {
  call void @llvm.dbg.declare(metadata ptr %s, metadata !22, metadata !DIExpression()), !dbg !23
  %v = load i32, ptr %s, !dbg !23
  store i32 %v, ptr %p, !dbg !23
  ret void, !dbg !23
}

declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !DISubroutineType(types: !{})
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 2, !"Dwarf Version", i32 2}
!5 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !2, unit: !0, retainedNodes: !8)
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!8 = !{!9, !10}
!9 = !DILocalVariable(name: "a", arg: 1, scope: !5, file: !1, line: 1, type: !6)
!10 = !DILocalVariable(name: "b", scope: !5, file: !1, line: 2, type: !6)
!11 = !DILocation(line: 1, scope: !5)
!12 = !DILocation(line: 2, scope: !5)
!13 = !DILocation(line: 3, scope: !5)
!14 = !DILocation(line: 4, scope: !5)
!15 = !DILocalVariable(name: "slot", scope: !5, file: !1, line: 2, type: !6)
!16 = !DILabel(scope: !5, name: "again", file: !1, line: 3)
!17 = !DILocalVariable(name: "t", scope: !5, file: !1, line: 3, type: !7)
!18 = !DILocalVariable(name: "wide", scope: !5, file: !1, line: 4, type: !6)
!19 = !DILocalVariable(name: "fp", scope: !5, file: !1, line: 4, type: !6)
!20 = !DILocalVariable(name: "null", scope: !5, file: !1, line: 4, type: !6)
!21 = distinct !DISubprogram(name: "byval", scope: !1, file: !1, line: 9, type: !2, unit: !0)
!22 = !DILocalVariable(name: "s", arg: 1, scope: !21, file: !1, line: 9, type: !6)
!23 = !DILocation(line: 9, scope: !21)
