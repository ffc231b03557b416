; A debug value between the old place of an instruction and the new one names no register any more; one after the new place still does.
;
; RUN: %llc -maxreg=63 -O2 -mcpu=sm_80 -verify-machineinstrs -stop-after=livevars < %s | FileCheck %s
; UNSUPPORTED: llvm-24-up

target triple = "nvptx64-nvidia-cuda"

define void @debug_value(ptr addrspace(1) %p) !dbg !4 {
; CHECK-LABEL: name: debug_value
; CHECK:       bb.1
; CHECK:       DBG_VALUE {{\$noreg|undef}}
; CHECK:       bb.2
; CHECK:       %[[X:[0-9]+]]:{{.*}}= XOR
; CHECK:       DBG_VALUE %[[X]]
entry:
  %a = load volatile i32, ptr addrspace(1) %p, !dbg !8
  %x = xor i32 %a, 1234, !dbg !8
  %some = icmp slt i32 %a, 0, !dbg !8
  br i1 %some, label %then, label %out, !dbg !8
then:
  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !8
  store volatile i32 7, ptr addrspace(1) %p, !dbg !8
  br label %out, !dbg !8
out:
  call void @llvm.dbg.value(metadata i32 %x, metadata !7, metadata !DIExpression()), !dbg !8
  store volatile i32 %x, ptr addrspace(1) %p, !dbg !8
  store volatile i32 %a, ptr addrspace(1) %p, !dbg !8
  ret void, !dbg !8
}

declare void @llvm.dbg.value(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "p", isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Dwarf Version", i32 2}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "debug_value", file: !1, line: 1, type: !5, unit: !0, retainedNodes: !9)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 1, type: !10)
!8 = !DILocation(line: 2, scope: !4)
!9 = !{!7}
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
