; A debugger finds the variable that a comparison has set, also where the comparison is inverted: it is an expression then.

; RUN: %llc-unroll -O2 -mcpu=sm_80 < %s -o %t.ptx -print-after=infer-address-spaces 2>&1 | FileCheck %s
; RUN: sed -e "/dbg.value/d" %s | %llc-unroll -O2 -mcpu=sm_80 -o - | sed -e "/[.]loc/d" >%t.without
; RUN: grep -c "setp.ne" %t.without

; CHECK:     icmp ne i32 %next, %n
; CHECK-NOT: value({{(metadata )?}}i1 %done,
; CHECK:     DW_OP_eq

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) !dbg !5 {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %loop, label %exit
exit:
  ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr addrspace(1) %p
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %n, !dbg !10
  call void @llvm.dbg.value(metadata i1 %done, metadata !9, metadata !DIExpression()), !dbg !10
  br i1 %done, label %exit, label %loop, !dbg !10
}

declare void @llvm.dbg.value(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "p", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{}
!3 = !{i32 2, !"Dwarf Version", i32 2}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, unit: !0, retainedNodes: !2)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!9 = !DILocalVariable(name: "done", scope: !5, file: !1, line: 2, type: !8)
!10 = !DILocation(line: 2, column: 3, scope: !5)
