; Copies that nothing reads: in the default profile they are left out or erased, and counted; in the upstream profile they
; are made as LLVM makes them. x86 shows it, as NVPTX has no physical registers to copy from. Requirements E3, E4 and E11.

; REQUIRES: target-x86-64
; RUN: %llc %s -mtriple=x86_64 -O2 -ptx-all-targets -ptx-passes=emitter -stop-after=finalize-isel -verify-machineinstrs -o - | FileCheck %s --check-prefixes=CHECK,CICC
; RUN: %llc %s -mtriple=x86_64 -O2 -ptx-all-targets -ptx-passes=emitter -ptx-profile=upstream -stop-after=finalize-isel -o - | FileCheck %s --check-prefixes=CHECK,UPSTREAM
; RUN: %llc %s -mtriple=x86_64 -O2 -ptx-all-targets -ptx-passes=emitter -ptx-stats -verify-machineinstrs -o %t.s 2>&1 | FileCheck %s --check-prefix=STATS
; RUN: %llc %s -mtriple=x86_64 -O2 -ptx-passes=none -o %t.stock.s
; RUN: diff %t.s %t.stock.s

; STATS-DAG: copies that nothing reads left out
; STATS-DAG: nodes with others glued to them
; STATS-DAG: nodes of several results

declare i32 @callee(i32)

; CHECK-LABEL: name: unread
; CHECK:       CALL64pcrel32
; CICC-NOT:    COPY $eax
; UPSTREAM:    COPY $eax
; CHECK:       CALL64pcrel32
; The second result is read; requirement E4.
; CHECK:       COPY $eax
; CHECK:       RET 0
define i32 @unread(i32 %x) {
  %a = call i32 @callee(i32 %x)
  %b = call i32 @callee(i32 %x)
  ret i32 %b
}

; Both results of one division; requirement E13.
; CHECK-LABEL: name: both
; CHECK:       DIV32r
; CHECK-DAG:   COPY $eax
; CHECK-DAG:   COPY $edx
; CHECK:       RET 0
define i32 @both(i32 %x, i32 %y) {
  %q = udiv i32 %x, %y
  %r = urem i32 %x, %y
  %s = xor i32 %q, %r
  ret i32 %s
}
