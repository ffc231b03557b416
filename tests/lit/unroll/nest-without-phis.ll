; LLVM unrolls a loop only if the loops around it hand on their values by PHIs: with assertions it died here.

; RUN: %llc-unroll -mcpu=sm_80 %s -o - | FileCheck %s

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL:   .func (.param .b32 func_retval0) num_rows(
; CHECK-COUNT-4: ld.volatile{{(\.global|\.local)?}}.{{[bu]}}32
; CHECK-NOT:     ld.volatile{{(\.global|\.local)?}}.{{[bu]}}32
define i32 @num_rows(ptr %p, i32 %n) {
entry:
  br label %outer
outer:
  %row = phi i32 [ 0, %entry ], [ %next_row, %latch ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  %at = getelementptr inbounds i32, ptr %p, i32 %i
  %value = load volatile i32, ptr %at
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %inner, label %latch
latch:
  %next_row = add i32 %row, 1
  %again = icmp ult i32 %next_row, %n
  br i1 %again, label %outer, label %end
end:
  ret i32 %next_row
}
