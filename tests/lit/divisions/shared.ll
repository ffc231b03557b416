; Divisions of a block by one number share its reciprocal, one test and one branch. Loads move up for that if nothing is written before them.
; The reciprocal of a number that a loop does not change is computed before the loop. Where the test fails, zeros are allowed next, and for
; everything else each is divided by itself.

; RUN: %llc -ptx-divisions -mcpu=sm_80 < %s -ptx-stats 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s < %t.stats
; RUN: %llc -ptx-divisions -mcpu=sm_80 -ptx-passes=divisions < %s | FileCheck %s
; RUN: %llc -mcpu=sm_80 < %s | FileCheck --check-prefix=OFF --implicit-check-not=rcp.approx %s
; RUN: %llc -ptx-divisions -mcpu=sm_80 -ptx-profile=upstream < %s > %t.upstream
; RUN: %stock-llc -mcpu=sm_80 < %s | diff %t.upstream -

; STATS:      divisions: 5 functions
; STATS-NEXT: 5 divisors shared

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: .entry normalize(
; CHECK-COUNT-2:  ld.global.{{[buf]}}32
; CHECK:          and.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 1073741824;
; CHECK:          bra
; CHECK:          // %fast
; CHECK:          rcp.approx.ftz.f32 [[Y:%[rf][0-9]+]], [[D:%[rf][0-9]+]];
; CHECK-NEXT:     fma.rn.f32 {{.*}}, [[Y]], 0f3F800000;
; CHECK-NEXT:     fma.rn.f32
; CHECK-NEXT:     mul.rn.f32
; CHECK-NEXT:     fma.rn.f32
; CHECK-NEXT:     fma.rn.f32
; CHECK-NEXT:     mul.rn.f32
; CHECK-NEXT:     fma.rn.f32
; CHECK-NEXT:     fma.rn.f32
; CHECK-NOT:      rcp
; CHECK-NOT:      div.rn
; CHECK-COUNT-2:  st.global
; CHECK:          // %check
; CHECK:          setp.eq.f32
; CHECK:          setp.eq.f32
; CHECK:          // %zeros
; CHECK:          rcp.approx.ftz.f32
; CHECK-COUNT-2:  selp.f32
; CHECK:          // %slow
; CHECK-COUNT-2:  div.rn.f32
; CHECK:        // -- End function
; OFF-LABEL: .entry normalize(
; OFF:            div.rn.f32
; OFF:            st.global
; OFF:            div.rn.f32
define ptx_kernel void @normalize(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %out, float %d) {
  %q = getelementptr float, ptr addrspace(1) %p, i32 1
  %x = load float, ptr addrspace(1) %p
  %first = fdiv float %x, %d
  %y = load float, ptr addrspace(1) %q
  store float %first, ptr addrspace(1) %out
  %second = fdiv float %y, %d
  %to = getelementptr float, ptr addrspace(1) %out, i32 1
  store float %second, ptr addrspace(1) %to
  ret void
}

; In double precision it is refined twice, and the lower half of the approximation is 1. The quotient of 1 is the reciprocal.
; CHECK-LABEL: .entry wide(
; CHECK:          // %fast
; CHECK:          rcp.approx.ftz.f64
; CHECK:          or.b64 {{.*}}, 1;
; CHECK-COUNT-5:  fma.rn.f64
; CHECK-NEXT:     mul.rn.f64
; CHECK-NEXT:     fma.rn.f64
; CHECK-NEXT:     fma.rn.f64
; CHECK-NOT:      fma
; CHECK:          // %check
; CHECK:        // -- End function
; OFF-LABEL: .entry wide(
; OFF-DAG:        rcp.rn.f64
; OFF-DAG:        div.rn.f64
define ptx_kernel void @wide(ptr addrspace(1) %out, double %x, double %d) {
  %inverse = fdiv double 1.0, %d
  %q = fdiv double %x, %d
  %to = getelementptr double, ptr addrspace(1) %out, i32 1
  store double %inverse, ptr addrspace(1) %out
  store double %q, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: .entry invariant(
; CHECK:          rcp.approx.ftz.f32
; CHECK:        [[LOOP:\$L__BB.*]]: {{.*}}
; CHECK-NOT:      rcp
; CHECK:          mul.rn.f32
; CHECK:        // -- End function
; OFF-LABEL: .entry invariant(
define ptx_kernel void @invariant(ptr addrspace(1) %p, float %d, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %i
  %pair = load <2 x float>, ptr addrspace(1) %at
  %x = extractelement <2 x float> %pair, i32 0
  %y = extractelement <2 x float> %pair, i32 1
  %a = fdiv float %x, %d
  %b = fdiv float %y, %d
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; In double precision this pays for one division.
; CHECK-LABEL: .entry alone(
; CHECK:          rcp.approx.ftz.f64
; CHECK:        $L__BB{{.*}}: {{.*}}
; CHECK-NOT:      rcp
; CHECK:        // -- End function
; OFF-LABEL: .entry alone(
define ptx_kernel void @alone(ptr addrspace(1) %p, double %d, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr double, ptr addrspace(1) %p, i32 %i
  %x = load double, ptr addrspace(1) %at
  %a = fdiv double %x, %d
  store double %a, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; A number that is not zero needs no test of that.
; CHECK-LABEL: .entry constants(
; CHECK:          rcp.approx.ftz.f32
; CHECK:          setp.eq.f32
; CHECK-NOT:      setp.eq.f32
; CHECK:        // -- End function
; OFF-LABEL: .entry constants(
define ptx_kernel void @constants(ptr addrspace(1) %out, float %x, float %d) {
  %a = fdiv float 3.0, %d
  %b = fdiv float %x, %d
  %to = getelementptr float, ptr addrspace(1) %out, i32 1
  store float %a, ptr addrspace(1) %out
  store float %b, ptr addrspace(1) %to
  ret void
}
