; What is made of registers that end goes up over branches (stage hoist).
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

; STATS: hoist: 10 functions
; STATS: {{[1-9][0-9]*}} instructions moved up

target triple = "nvptx64-nvidia-cuda"

; Six loaded values wait for the branch to be over: their sum does.
define float @sum(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}sum(
; CHECK-COUNT-5: add.{{(rn.)?}}f32
; CHECK: bra
; CHECK: st.global
; CHECK-NOT: add.
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  ret float %s4
}

; The same of inline assembly that does nothing but compute, which LLVM up to 21 sinks as well: reciprocals in libdevice's tanh, where a
; kernel of Triton's needed 56 registers for 45.
define float @assembly(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}assembly(
; CHECK: rcp.approx
; CHECK-COUNT-5: add.{{(rn.)?}}f32
; CHECK: bra
; CHECK: st.global
; CHECK-NOT: add.
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %r = call float asm "rcp.approx.ftz.f32 $0, $1;", "=f,f"(float %v0)
  %s0 = fadd float %r, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  ret float %s4
}

; If it does more than that it stays, and all that is made of it.
define float @assembly_with_effects(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}assembly_with_effects(
; CHECK: bra
; CHECK: st.global
; CHECK: rcp.approx
; CHECK-COUNT-5: add.{{(rn.)?}}f32
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %r = call float asm sideeffect "rcp.approx.ftz.f32 $0, $1;", "=f,f"(float %v0)
  %s0 = fadd float %r, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  ret float %s4
}

; The same with a quotient, for which ptxas calls a routine (in LAMMPS' edpd and cupy's binomial one more such call cost 4 to 8 registers).
define float @routine(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}routine(
; CHECK: bra
; CHECK: st.global
; CHECK-COUNT-5: div.rn.f32
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %s0 = fdiv float %v0, %v1
  %s1 = fdiv float %s0, %w0
  %s2 = fdiv float %s1, %w1
  %s3 = fdiv float %s2, %x0
  %s4 = fdiv float %s3, %x1
  ret float %s4
}

; They are read again: nothing is gained.
define float @again(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}again(
; CHECK: bra
; CHECK: st.global
; CHECK-COUNT-5: add.{{(rn.)?}}f32
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  store volatile float %v0, ptr addrspace(1) %q
  store volatile float %v1, ptr addrspace(1) %q
  store volatile float %w0, ptr addrspace(1) %q
  store volatile float %w1, ptr addrspace(1) %q
  store volatile float %x0, ptr addrspace(1) %q
  store volatile float %x1, ptr addrspace(1) %q
  ret float %s4
}

; Below the branch it is computed on one way only, and stays there.
define float @sometimes(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}sometimes(
; CHECK-NOT: add.{{(rn.)?}}f32
; CHECK: bra
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %rest, label %no
no:
  ret float 0.0
rest:
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  store float %s4, ptr addrspace(1) %q
  ret float %s4
}

; A loop in between is passed, and nothing goes into it or out of it.
define float @loop(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
; CHECK-LABEL: .func {{.*}}loop(
; CHECK-COUNT-5: add.{{(rn.)?}}f32
; CHECK: st.{{(volatile.)?}}global
; CHECK: bra
; CHECK-NOT: add.{{(rn.)?}}f32
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  store volatile i32 %i, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %again, label %rest
rest:
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  ret float %s4
}

; What is loaded below is not moved over the store.
define void @loads(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func loads(
; CHECK: bra
; CHECK: st.global
; CHECK-COUNT-6: ld.global{{(.nc)?}}.{{[bf]}}32
; CHECK: ret;
entry:
  %a0 = load ptr addrspace(1), ptr addrspace(1) %p
  %p1 = getelementptr i64, ptr addrspace(1) %p, i64 1
  %a1 = load ptr addrspace(1), ptr addrspace(1) %p1
  %p2 = getelementptr i64, ptr addrspace(1) %p, i64 2
  %a2 = load ptr addrspace(1), ptr addrspace(1) %p2
  %p3 = getelementptr i64, ptr addrspace(1) %p, i64 3
  %a3 = load ptr addrspace(1), ptr addrspace(1) %p3
  %p4 = getelementptr i64, ptr addrspace(1) %p, i64 4
  %a4 = load ptr addrspace(1), ptr addrspace(1) %p4
  %p5 = getelementptr i64, ptr addrspace(1) %p, i64 5
  %a5 = load ptr addrspace(1), ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %v0 = load float, ptr addrspace(1) %a0
  %v1 = load float, ptr addrspace(1) %a1
  %v2 = load float, ptr addrspace(1) %a2
  %v3 = load float, ptr addrspace(1) %a3
  %v4 = load float, ptr addrspace(1) %a4
  %v5 = load float, ptr addrspace(1) %a5
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %v2
  %s2 = fadd float %s1, %v3
  %s3 = fadd float %s2, %v4
  %s4 = fadd float %s3, %v5
  store float %s4, ptr addrspace(1) %p
  ret void
}

; What the branches bring is not there above; the rest of the sum is.
define float @phi(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}phi(
; CHECK-COUNT-5: add.{{(rn.)?}}f32
; CHECK: bra
; CHECK: add.{{(rn.)?}}f32
; CHECK: ret;
entry:
  %v0 = load float, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w0 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %w1 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x0 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %x1 = load float, ptr addrspace(1) %p5
  br i1 %c, label %yes, label %rest
yes:
  %l = load float, ptr addrspace(1) %q
  br label %rest
rest:
  %n = phi float [ 1.0, %entry ], [ %l, %yes ]
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  %s5 = fadd float %s4, %n
  ret float %s5
}

; A register that is cheaper in front of its conversion is converted above all the same, as what goes up reads it.
define double @wider(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}wider(
; CHECK: cvt.f64.f32
; CHECK-COUNT-4: add.{{(rn.)?}}f64
; CHECK: bra
; CHECK: ret;
entry:
  %f = load float, ptr addrspace(1) %q
  %a = load double, ptr addrspace(1) %p
  %p1 = getelementptr double, ptr addrspace(1) %p, i64 1
  %b = load double, ptr addrspace(1) %p1
  %p2 = getelementptr double, ptr addrspace(1) %p, i64 2
  %d = load double, ptr addrspace(1) %p2
  %p3 = getelementptr double, ptr addrspace(1) %p, i64 3
  %e = load double, ptr addrspace(1) %p3
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %w = fpext float %f to double
  %s0 = fadd double %w, %a
  %s1 = fadd double %s0, %b
  %s2 = fadd double %s1, %d
  %s3 = fadd double %s2, %e
  store double %w, ptr addrspace(1) %q
  ret double %s3
}
