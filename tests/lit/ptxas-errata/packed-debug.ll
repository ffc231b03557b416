; A sum of two halves that becomes a sum of 32 bits is no value of a variable any more: the half that no code reads has lost its constant.
;
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -verify-machineinstrs -stop-after=livevars < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_90 -mattr=+ptx80 -ptx-ptxas-version=13.1.115 -stop-after=livevars < %s | FileCheck --check-prefix=KEPT %s
; REQUIRES: llvm-18-up
; UNSUPPORTED: llvm-24-up

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: name: half
; CHECK:     = ADD{{.*}}, 3
; CHECK:     DBG_VALUE {{\$noreg|undef}}
; KEPT-LABEL: name: half
; KEPT:      %[[S:[0-9]+]]:{{.*}}= ADD16x2
; KEPT:      DBG_VALUE %[[S]]
define void @half(ptr addrspace(1) %p) !dbg !4 {
  %v = load volatile <2 x i16>, ptr addrspace(1) %p, !dbg !8
  %s = add <2 x i16> %v, <i16 3, i16 7>, !dbg !8
  call void @llvm.dbg.value(metadata <2 x i16> %s, metadata !7, metadata !DIExpression()), !dbg !8
  store volatile i32 7, ptr addrspace(1) %p, !dbg !8
  %e = extractelement <2 x i16> %s, i32 0, !dbg !8
  %m = mul i16 %e, 5, !dbg !8
  store i16 %m, ptr addrspace(1) %p, !dbg !8
  ret void, !dbg !8
}

declare void @llvm.dbg.value(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "p", isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "half", file: !1, line: 1, type: !5, unit: !0, retainedNodes: !9)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1, type: !10)
!8 = !DILocation(line: 2, scope: !4)
!9 = !{!7}
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
