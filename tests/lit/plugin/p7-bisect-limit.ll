; -ptx-bisect-limit leaves the functions after the first n to stock LLVM, wholly: selection, LoopStrengthReduce and passes.

; RUN: %llc %s -mcpu=sm_80 -ptx-passes=none -o %t.stock.ptx
; RUN: %llc %s -mcpu=sm_80 -o %t.ours.ptx
; RUN: not cmp %t.stock.ptx %t.ours.ptx
; RUN: %llc %s -mcpu=sm_80 -ptx-bisect-limit=0 -o %t.0.ptx 2>%t.0
; RUN: cmp %t.stock.ptx %t.0.ptx
; RUN: FileCheck %s --check-prefix=NONE <%t.0
; NONE: bisect: function 1, first: stock
; NONE-NEXT: bisect: function 2, second: stock
; RUN: %llc %s -mcpu=sm_80 -ptx-bisect-limit=2 -o %t.2.ptx
; RUN: cmp %t.ours.ptx %t.2.ptx

; With one, the first function is ours, and the second stock's.
; RUN: %llc %s -mcpu=sm_80 -ptx-bisect-limit=1 -ptx-verify -verify-machineinstrs -o %t.1.ptx 2>%t.1
; RUN: FileCheck %s --check-prefix=ONE <%t.1
; ONE: bisect: function 1, first: ptxpasses
; ONE-NEXT: bisect: function 2, second: stock
; RUN: sed -n -e "/entry second/,//p" %t.1.ptx >%t.1.second
; RUN: sed -n -e "/entry second/,//p" %t.stock.ptx >%t.stock.second
; RUN: cmp %t.stock.second %t.1.second
; RUN: sed -e "/entry second/,//d" %t.1.ptx >%t.1.first
; RUN: sed -e "/entry second/,//d" %t.ours.ptx >%t.ours.first
; RUN: cmp %t.ours.first %t.1.first

; RUN: not %llc %s -mcpu=sm_80 -ptx-bisect-limit=some -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD
; BAD: for the {{-+}}ptx-bisect-limit option: invalid value 'some'; allowed: an integer from 0 to 4294967295

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @first(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, i32 %stride) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = mul i32 %i, %stride
  %at.wide = sext i32 %at to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at.wide
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %at.wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

define void @second(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %n, i32 %stride) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = mul i32 %i, %stride
  %at.wide = sext i32 %at to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at.wide
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %at.wide
  %value = load float, ptr addrspace(1) %from
  store float %value, ptr addrspace(1) %to
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @first, !"kernel", i32 1}
!1 = !{ptr @second, !"kernel", i32 1}
