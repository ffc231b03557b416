; LLVM's remarks name each loop that was unrolled.

; RUN: %llc-unroll -mcpu=sm_80 %S/whole.ll -o /dev/null -pass-remarks=loop-unroll 2>&1 | FileCheck %s
; RUN: %llc-unroll -mcpu=sm_80 -ptx-unroll=off %S/whole.ll -o /dev/null -pass-remarks=loop-unroll 2>&1 | count 0
; CHECK: remark: {{.*}}completely unrolled loop with 8 iterations
