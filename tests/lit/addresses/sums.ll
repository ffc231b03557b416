; Sums of 32 bits that differ by a constant share what they have in common (stage fold-addresses), where a register of
; another block need not live on for them or a chain of instructions goes; and what is known of bits: counters of loops, and
; numbers of threads in kernels that say how many there are.
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

; STATS: fold-addresses: 6 functions
; STATS-DAG: {{[1-9][0-9]*}} sums of a common one and a constant
; STATS-DAG: {{[1-9][0-9]*}} instructions erased

target triple = "nvptx64-nvidia-cuda"

@smem = external addrspace(3) global [0 x i8], align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; The counter is a multiple of 1,024, so that `or` is a sum: one, and constants (LLVM 17 makes it one itself). Nothing but the number of the
; thread lives through the loop.
define void @counter(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func counter(
; CHECK: [[TID:%r[0-9]+]], %tid.x;
; CHECK: and.b32 [[LOW:%r[0-9]+]], [[TID]], 255;
; CHECK-NOT: 256;
; CHECK: {{^}}$L__BB0_1:
; CHECK: {{or.b32|add.s32}} [[I:%r[0-9]+]], {{%r[0-9]+, %r[0-9]+}};
; CHECK-NEXT: {{or.b32|add.s32}} [[I1:%r[0-9]+]], [[I]], 256;
; CHECK-NEXT: {{or.b32|add.s32}} [[I2:%r[0-9]+]], [[I]], 512;
; CHECK-DAG: st.global.{{[bu]}}32 [%rd{{[0-9]+}}], [[I]];
; CHECK-DAG: st.global.{{[bu]}}32 [[[P:%rd[0-9]+]]+1024], [[I1]];
; CHECK-DAG: st.global.{{[bu]}}32 [[[P]]+2048], [[I2]];
; CHECK: add.s32 [[COUNT:%r[0-9]+]], [[COUNT]], 1024;
; CHECK: ret;
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 255
  %low1 = or i32 %low, 256
  %low2 = or i32 %low, 512
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = or i32 %i, %low
  %a1 = or i32 %i, %low1
  %a2 = or i32 %i, %low2
  %w = sext i32 %a to i64
  %w1 = sext i32 %a1 to i64
  %w2 = sext i32 %a2 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  %p2 = getelementptr i32, ptr addrspace(1) %p, i64 %w2
  store i32 %a, ptr addrspace(1) %p0
  store i32 %a1, ptr addrspace(1) %p1
  store i32 %a2, ptr addrspace(1) %p2
  %next = add i32 %i, 1024
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The counter may have bit 8 set: nothing is known to be a sum.
define void @odd_counter(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func odd_counter(
; CHECK: {{^}}$L__BB1_1:
; CHECK-COUNT-2: mul.wide.s32
; CHECK: ret;
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 255
  %low1 = or i32 %low, 256
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = or i32 %i, %low
  %a1 = or i32 %i, %low1
  %w = sext i32 %a to i64
  %w1 = sext i32 %a1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store i32 %a, ptr addrspace(1) %p0
  store i32 %a1, ptr addrspace(1) %p1
  %next = add i32 %i, 1280
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A counter that does not begin with a multiple.
define void @odd_start(ptr addrspace(1) %p, i32 %n, i32 %start) {
; CHECK-LABEL: .func odd_start(
; CHECK: {{^}}$L__BB2_1:
; CHECK-COUNT-2: mul.wide.s32
; CHECK: ret;
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 255
  %low1 = or i32 %low, 256
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %a = or i32 %i, %low
  %a1 = or i32 %i, %low1
  %w = sext i32 %a to i64
  %w1 = sext i32 %a1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store i32 %a, ptr addrspace(1) %p0
  store i32 %a1, ptr addrspace(1) %p1
  %next = add i32 %i, 1024
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Addresses of shared memory that inline assembly takes as 32 bits, as in Triton's kernels: four instructions each become one.
define void @shared(i32 %x) {
; CHECK-LABEL: .func shared(
; CHECK: cvt.u32.u64 [[S:%r[0-9]+]],
; CHECK-NOT: cvt
; CHECK-DAG: add.s32 [[S1:%r[0-9]+]], [[S]], 4096;
; CHECK-DAG: add.s32 [[S2:%r[0-9]+]], [[S]], 8192;
; CHECK-DAG: use [[S]];
; CHECK-DAG: use [[S1]];
; CHECK-DAG: use [[S2]];
; CHECK: ret;
  %low = and i32 %x, 4080
  %low1 = or i32 %low, 4096
  %low2 = or i32 %low, 8192
  %w = zext i32 %low to i64
  %w1 = zext i32 %low1 to i64
  %w2 = zext i32 %low2 to i64
  %s = add i64 %w, ptrtoint (ptr addrspace(3) @smem to i64)
  %s1 = add i64 %w1, ptrtoint (ptr addrspace(3) @smem to i64)
  %s2 = add i64 %w2, ptrtoint (ptr addrspace(3) @smem to i64)
  %t = trunc i64 %s to i32
  %t1 = trunc i64 %s1 to i32
  %t2 = trunc i64 %s2 to i32
  call void asm sideeffect "use $0;", "r"(i32 %t)
  call void asm sideeffect "use $0;", "r"(i32 %t1)
  call void asm sideeffect "use $0;", "r"(i32 %t2)
  ret void
}

; 256 threads: bit 8 of their numbers is clear, as the kernel says how many there are.
define void @few_threads(ptr addrspace(1) %p) #0 {
; CHECK-LABEL: .entry few_threads(
; CHECK: st.volatile.global.{{[bu]}}32 [[[P:%rd[0-9]+]]],
; CHECK: st.volatile.global.{{[bu]}}32 [[[P]]+1024],
; CHECK: ret;
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low1 = or i32 %tid, 256
  %w = zext i32 %tid to i64
  %w1 = zext i32 %low1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store volatile i32 1, ptr addrspace(1) %p0
  store volatile i32 2, ptr addrspace(1) %p1
  ret void
}

; 512 threads: it need not be.
define void @many_threads(ptr addrspace(1) %p) #1 {
; CHECK-LABEL: .entry many_threads(
; CHECK: st.volatile.global.{{[bu]}}32 [%rd{{[0-9]+}}],
; CHECK: st.volatile.global.{{[bu]}}32 [%rd{{[0-9]+}}],
; CHECK: ret;
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low1 = or i32 %tid, 256
  %w = zext i32 %tid to i64
  %w1 = zext i32 %low1 to i64
  %p0 = getelementptr i32, ptr addrspace(1) %p, i64 %w
  %p1 = getelementptr i32, ptr addrspace(1) %p, i64 %w1
  store volatile i32 1, ptr addrspace(1) %p0
  store volatile i32 2, ptr addrspace(1) %p1
  ret void
}

attributes #0 = { "nvvm.reqntid"="256" }
attributes #1 = { "nvvm.maxntid"="512,1,1" }

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @few_threads, !"kernel", i32 1}
!1 = !{ptr @many_threads, !"kernel", i32 1}
!2 = !{ptr @few_threads, !"reqntidx", i32 256}
!3 = !{ptr @many_threads, !"maxntidx", i32 512}
