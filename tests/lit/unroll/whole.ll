; A loop that runs eight times is unrolled wholly: its local array becomes registers. Without the stage, in the upstream profile and with
; -ptx-passes that leaves it out the array is in local memory.

; RUN: %llc-unroll -mcpu=sm_80 %s -o %t.ptx -ptx-stats 2>%t.stats
; RUN: FileCheck %s --implicit-check-not=.local --implicit-check-not=bra <%t.ptx
; RUN: FileCheck %s --check-prefix=STATS <%t.stats
; RUN: %llc-unroll -mcpu=sm_80 -ptx-unroll=off %s -o - | FileCheck %s --check-prefix=OFF
; RUN: %llc-unroll -mcpu=sm_80 -ptx-passes=emitter,phi-elim %s -o - | FileCheck %s --check-prefix=OFF
; RUN: %llc-unroll -mcpu=sm_80 -ptx-fast-compile %s -o - | FileCheck %s --check-prefix=OFF
; RUN: %llc-unroll -mcpu=sm_80 -ptx-profile=upstream %s -o %t.upstream
; RUN: %stock-llc -mcpu=sm_80 %s -o - | diff %t.upstream -

; CHECK-LABEL: .func {{.*}} turn(
; CHECK:         ret;

; OFF:         st.local
; OFF:         ld.local
; OFF:         bra

; STATS:      unroll: 1 functions
; STATS-NEXT: {{^ +}}1 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @turn(i32 %a, i32 %b, i32 %value) {
entry:
  %key = alloca [2 x i32], align 4
  store i32 %a, ptr %key, align 4
  %second = getelementptr inbounds i8, ptr %key, i64 4
  store i32 %b, ptr %second, align 4
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %value, %entry ], [ %turned, %loop ]
  %odd = and i32 %i, 1
  %at = zext i32 %odd to i64
  %from = getelementptr inbounds [2 x i32], ptr %key, i64 0, i64 %at
  %part = load i32, ptr %from, align 4
  %product = mul i32 %x, 9
  %turned = xor i32 %product, %part
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %loop, label %end

end:
  ret i32 %turned
}
