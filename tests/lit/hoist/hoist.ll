; What is made of registers that end goes up over branches (stage hoist).
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

; STATS: hoist: 4 functions
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
  %v = load <2 x float>, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w = load <2 x float>, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x = load <2 x float>, ptr addrspace(1) %p2
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %v0 = extractelement <2 x float> %v, i32 0
  %v1 = extractelement <2 x float> %v, i32 1
  %w0 = extractelement <2 x float> %w, i32 0
  %w1 = extractelement <2 x float> %w, i32 1
  %x0 = extractelement <2 x float> %x, i32 0
  %x1 = extractelement <2 x float> %x, i32 1
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
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
  %v = load <2 x float>, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w = load <2 x float>, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x = load <2 x float>, ptr addrspace(1) %p2
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %v0 = extractelement <2 x float> %v, i32 0
  %v1 = extractelement <2 x float> %v, i32 1
  %w0 = extractelement <2 x float> %w, i32 0
  %w1 = extractelement <2 x float> %w, i32 1
  %x0 = extractelement <2 x float> %x, i32 0
  %x1 = extractelement <2 x float> %x, i32 1
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  store <2 x float> %v, ptr addrspace(1) %q
  store <2 x float> %w, ptr addrspace(1) %q
  store <2 x float> %x, ptr addrspace(1) %q
  ret float %s4
}

; Below the branch it is computed on one way only, and stays there.
define float @sometimes(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
; CHECK-LABEL: .func {{.*}}sometimes(
; CHECK-NOT: add.{{(rn.)?}}f32
; CHECK: bra
; CHECK: ret;
entry:
  %v = load <2 x float>, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w = load <2 x float>, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x = load <2 x float>, ptr addrspace(1) %p2
  br i1 %c, label %rest, label %no
no:
  ret float 0.0
rest:
  %v0 = extractelement <2 x float> %v, i32 0
  %v1 = extractelement <2 x float> %v, i32 1
  %w0 = extractelement <2 x float> %w, i32 0
  %w1 = extractelement <2 x float> %w, i32 1
  %x0 = extractelement <2 x float> %x, i32 0
  %x1 = extractelement <2 x float> %x, i32 1
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
  %v = load <2 x float>, ptr addrspace(1) %p
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 2
  %w = load <2 x float>, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 4
  %x = load <2 x float>, ptr addrspace(1) %p2
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  store volatile i32 %i, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %again, label %rest
rest:
  %v0 = extractelement <2 x float> %v, i32 0
  %v1 = extractelement <2 x float> %v, i32 1
  %w0 = extractelement <2 x float> %w, i32 0
  %w1 = extractelement <2 x float> %w, i32 1
  %x0 = extractelement <2 x float> %x, i32 0
  %x1 = extractelement <2 x float> %x, i32 1
  %s0 = fadd float %v0, %v1
  %s1 = fadd float %s0, %w0
  %s2 = fadd float %s1, %w1
  %s3 = fadd float %s2, %x0
  %s4 = fadd float %s3, %x1
  ret float %s4
}
