; ptxas is predicted to use 45 registers: it has room, so nothing moves. One more value, and all additions move: enough-registers.ll.
;
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck %s
; CHECK: hoist:
; CHECK: {{ }}0 instructions moved up{{$}}

target triple = "nvptx64-nvidia-cuda"

define float @sum(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
entry:
  %p0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load float, ptr addrspace(1) %p0
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %v3 = load float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %v4 = load float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %v5 = load float, ptr addrspace(1) %p5
  %p6 = getelementptr float, ptr addrspace(1) %p, i64 6
  %v6 = load float, ptr addrspace(1) %p6
  %p7 = getelementptr float, ptr addrspace(1) %p, i64 7
  %v7 = load float, ptr addrspace(1) %p7
  %p8 = getelementptr float, ptr addrspace(1) %p, i64 8
  %v8 = load float, ptr addrspace(1) %p8
  %p9 = getelementptr float, ptr addrspace(1) %p, i64 9
  %v9 = load float, ptr addrspace(1) %p9
  %p10 = getelementptr float, ptr addrspace(1) %p, i64 10
  %v10 = load float, ptr addrspace(1) %p10
  %p11 = getelementptr float, ptr addrspace(1) %p, i64 11
  %v11 = load float, ptr addrspace(1) %p11
  %p12 = getelementptr float, ptr addrspace(1) %p, i64 12
  %v12 = load float, ptr addrspace(1) %p12
  %p13 = getelementptr float, ptr addrspace(1) %p, i64 13
  %v13 = load float, ptr addrspace(1) %p13
  %p14 = getelementptr float, ptr addrspace(1) %p, i64 14
  %v14 = load float, ptr addrspace(1) %p14
  %p15 = getelementptr float, ptr addrspace(1) %p, i64 15
  %v15 = load float, ptr addrspace(1) %p15
  %p16 = getelementptr float, ptr addrspace(1) %p, i64 16
  %v16 = load float, ptr addrspace(1) %p16
  %p17 = getelementptr float, ptr addrspace(1) %p, i64 17
  %v17 = load float, ptr addrspace(1) %p17
  %p18 = getelementptr float, ptr addrspace(1) %p, i64 18
  %v18 = load float, ptr addrspace(1) %p18
  %p19 = getelementptr float, ptr addrspace(1) %p, i64 19
  %v19 = load float, ptr addrspace(1) %p19
  %p20 = getelementptr float, ptr addrspace(1) %p, i64 20
  %v20 = load float, ptr addrspace(1) %p20
  %p21 = getelementptr float, ptr addrspace(1) %p, i64 21
  %v21 = load float, ptr addrspace(1) %p21
  %p22 = getelementptr float, ptr addrspace(1) %p, i64 22
  %v22 = load float, ptr addrspace(1) %p22
  %p23 = getelementptr float, ptr addrspace(1) %p, i64 23
  %v23 = load float, ptr addrspace(1) %p23
  %p24 = getelementptr float, ptr addrspace(1) %p, i64 24
  %v24 = load float, ptr addrspace(1) %p24
  %p25 = getelementptr float, ptr addrspace(1) %p, i64 25
  %v25 = load float, ptr addrspace(1) %p25
  %p26 = getelementptr float, ptr addrspace(1) %p, i64 26
  %v26 = load float, ptr addrspace(1) %p26
  %p27 = getelementptr float, ptr addrspace(1) %p, i64 27
  %v27 = load float, ptr addrspace(1) %p27
  %p28 = getelementptr float, ptr addrspace(1) %p, i64 28
  %v28 = load float, ptr addrspace(1) %p28
  %p29 = getelementptr float, ptr addrspace(1) %p, i64 29
  %v29 = load float, ptr addrspace(1) %p29
  %p30 = getelementptr float, ptr addrspace(1) %p, i64 30
  %v30 = load float, ptr addrspace(1) %p30
  %p31 = getelementptr float, ptr addrspace(1) %p, i64 31
  %v31 = load float, ptr addrspace(1) %p31
  %p32 = getelementptr float, ptr addrspace(1) %p, i64 32
  %v32 = load float, ptr addrspace(1) %p32
  %p33 = getelementptr float, ptr addrspace(1) %p, i64 33
  %v33 = load float, ptr addrspace(1) %p33
  %p34 = getelementptr float, ptr addrspace(1) %p, i64 34
  %v34 = load float, ptr addrspace(1) %p34
  %p35 = getelementptr float, ptr addrspace(1) %p, i64 35
  %v35 = load float, ptr addrspace(1) %p35
  %p36 = getelementptr float, ptr addrspace(1) %p, i64 36
  %v36 = load float, ptr addrspace(1) %p36
  br i1 %c, label %yes, label %rest
yes:
  store i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  %a1 = fadd float %v0, %v1
  %a2 = fadd float %a1, %v2
  %a3 = fadd float %a2, %v3
  %a4 = fadd float %a3, %v4
  %a5 = fadd float %a4, %v5
  %a6 = fadd float %a5, %v6
  %a7 = fadd float %a6, %v7
  %a8 = fadd float %a7, %v8
  %a9 = fadd float %a8, %v9
  %a10 = fadd float %a9, %v10
  %a11 = fadd float %a10, %v11
  %a12 = fadd float %a11, %v12
  %a13 = fadd float %a12, %v13
  %a14 = fadd float %a13, %v14
  %a15 = fadd float %a14, %v15
  %a16 = fadd float %a15, %v16
  %a17 = fadd float %a16, %v17
  %a18 = fadd float %a17, %v18
  %a19 = fadd float %a18, %v19
  %a20 = fadd float %a19, %v20
  %a21 = fadd float %a20, %v21
  %a22 = fadd float %a21, %v22
  %a23 = fadd float %a22, %v23
  %a24 = fadd float %a23, %v24
  %a25 = fadd float %a24, %v25
  %a26 = fadd float %a25, %v26
  %a27 = fadd float %a26, %v27
  %a28 = fadd float %a27, %v28
  %a29 = fadd float %a28, %v29
  %a30 = fadd float %a29, %v30
  %a31 = fadd float %a30, %v31
  %a32 = fadd float %a31, %v32
  %a33 = fadd float %a32, %v33
  %a34 = fadd float %a33, %v34
  %a35 = fadd float %a34, %v35
  %a36 = fadd float %a35, %v36
  ret float %a36
}
