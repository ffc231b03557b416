; Three loaded values and their sum: it saves two registers, fewer than the four that are asked for, so it stays. 38 other values live through the branch, so that the function
; is large enough for the stage. If the function is to fit in 63 registers, saving one is enough.
;
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=NONE %s
; RUN: %llc -O2 -mcpu=sm_80 -maxreg=63 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=TIGHT %s
; NONE: hoist:
; NONE: {{ }}0 instructions moved up{{$}}
; TIGHT: hoist:
; TIGHT: {{ }}2 instructions moved up{{$}}

target triple = "nvptx64-nvidia-cuda"

define float @sum(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
entry:
  %p0 = getelementptr float, ptr addrspace(1) %p, i64 0
  %v0 = load volatile float, ptr addrspace(1) %p0
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %v1 = load volatile float, ptr addrspace(1) %p1
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %v2 = load volatile float, ptr addrspace(1) %p2
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %v3 = load volatile float, ptr addrspace(1) %p3
  %p4 = getelementptr float, ptr addrspace(1) %p, i64 4
  %v4 = load volatile float, ptr addrspace(1) %p4
  %p5 = getelementptr float, ptr addrspace(1) %p, i64 5
  %v5 = load volatile float, ptr addrspace(1) %p5
  %p6 = getelementptr float, ptr addrspace(1) %p, i64 6
  %v6 = load volatile float, ptr addrspace(1) %p6
  %p7 = getelementptr float, ptr addrspace(1) %p, i64 7
  %v7 = load volatile float, ptr addrspace(1) %p7
  %p8 = getelementptr float, ptr addrspace(1) %p, i64 8
  %v8 = load volatile float, ptr addrspace(1) %p8
  %p9 = getelementptr float, ptr addrspace(1) %p, i64 9
  %v9 = load volatile float, ptr addrspace(1) %p9
  %p10 = getelementptr float, ptr addrspace(1) %p, i64 10
  %v10 = load volatile float, ptr addrspace(1) %p10
  %p11 = getelementptr float, ptr addrspace(1) %p, i64 11
  %v11 = load volatile float, ptr addrspace(1) %p11
  %p12 = getelementptr float, ptr addrspace(1) %p, i64 12
  %v12 = load volatile float, ptr addrspace(1) %p12
  %p13 = getelementptr float, ptr addrspace(1) %p, i64 13
  %v13 = load volatile float, ptr addrspace(1) %p13
  %p14 = getelementptr float, ptr addrspace(1) %p, i64 14
  %v14 = load volatile float, ptr addrspace(1) %p14
  %p15 = getelementptr float, ptr addrspace(1) %p, i64 15
  %v15 = load volatile float, ptr addrspace(1) %p15
  %p16 = getelementptr float, ptr addrspace(1) %p, i64 16
  %v16 = load volatile float, ptr addrspace(1) %p16
  %p17 = getelementptr float, ptr addrspace(1) %p, i64 17
  %v17 = load volatile float, ptr addrspace(1) %p17
  %p18 = getelementptr float, ptr addrspace(1) %p, i64 18
  %v18 = load volatile float, ptr addrspace(1) %p18
  %p19 = getelementptr float, ptr addrspace(1) %p, i64 19
  %v19 = load volatile float, ptr addrspace(1) %p19
  %p20 = getelementptr float, ptr addrspace(1) %p, i64 20
  %v20 = load volatile float, ptr addrspace(1) %p20
  %p21 = getelementptr float, ptr addrspace(1) %p, i64 21
  %v21 = load volatile float, ptr addrspace(1) %p21
  %p22 = getelementptr float, ptr addrspace(1) %p, i64 22
  %v22 = load volatile float, ptr addrspace(1) %p22
  %p23 = getelementptr float, ptr addrspace(1) %p, i64 23
  %v23 = load volatile float, ptr addrspace(1) %p23
  %p24 = getelementptr float, ptr addrspace(1) %p, i64 24
  %v24 = load volatile float, ptr addrspace(1) %p24
  %p25 = getelementptr float, ptr addrspace(1) %p, i64 25
  %v25 = load volatile float, ptr addrspace(1) %p25
  %p26 = getelementptr float, ptr addrspace(1) %p, i64 26
  %v26 = load volatile float, ptr addrspace(1) %p26
  %p27 = getelementptr float, ptr addrspace(1) %p, i64 27
  %v27 = load volatile float, ptr addrspace(1) %p27
  %p28 = getelementptr float, ptr addrspace(1) %p, i64 28
  %v28 = load volatile float, ptr addrspace(1) %p28
  %p29 = getelementptr float, ptr addrspace(1) %p, i64 29
  %v29 = load volatile float, ptr addrspace(1) %p29
  %p30 = getelementptr float, ptr addrspace(1) %p, i64 30
  %v30 = load volatile float, ptr addrspace(1) %p30
  %p31 = getelementptr float, ptr addrspace(1) %p, i64 31
  %v31 = load volatile float, ptr addrspace(1) %p31
  %p32 = getelementptr float, ptr addrspace(1) %p, i64 32
  %v32 = load volatile float, ptr addrspace(1) %p32
  %p33 = getelementptr float, ptr addrspace(1) %p, i64 33
  %v33 = load volatile float, ptr addrspace(1) %p33
  %p34 = getelementptr float, ptr addrspace(1) %p, i64 34
  %v34 = load volatile float, ptr addrspace(1) %p34
  %p35 = getelementptr float, ptr addrspace(1) %p, i64 35
  %v35 = load volatile float, ptr addrspace(1) %p35
  %p36 = getelementptr float, ptr addrspace(1) %p, i64 36
  %v36 = load volatile float, ptr addrspace(1) %p36
  %p37 = getelementptr float, ptr addrspace(1) %p, i64 37
  %v37 = load volatile float, ptr addrspace(1) %p37
  %p38 = getelementptr float, ptr addrspace(1) %p, i64 38
  %v38 = load volatile float, ptr addrspace(1) %p38
  %p39 = getelementptr float, ptr addrspace(1) %p, i64 39
  %v39 = load volatile float, ptr addrspace(1) %p39
  %p40 = getelementptr float, ptr addrspace(1) %p, i64 40
  %v40 = load volatile float, ptr addrspace(1) %p40
  br i1 %c, label %yes, label %rest
yes:
  store volatile i32 1, ptr addrspace(1) %q
  br label %rest
rest:
  store volatile float %v0, ptr addrspace(1) %q
  store volatile float %v1, ptr addrspace(1) %q
  store volatile float %v2, ptr addrspace(1) %q
  store volatile float %v3, ptr addrspace(1) %q
  store volatile float %v4, ptr addrspace(1) %q
  store volatile float %v5, ptr addrspace(1) %q
  store volatile float %v6, ptr addrspace(1) %q
  store volatile float %v7, ptr addrspace(1) %q
  store volatile float %v8, ptr addrspace(1) %q
  store volatile float %v9, ptr addrspace(1) %q
  store volatile float %v10, ptr addrspace(1) %q
  store volatile float %v11, ptr addrspace(1) %q
  store volatile float %v12, ptr addrspace(1) %q
  store volatile float %v13, ptr addrspace(1) %q
  store volatile float %v14, ptr addrspace(1) %q
  store volatile float %v15, ptr addrspace(1) %q
  store volatile float %v16, ptr addrspace(1) %q
  store volatile float %v17, ptr addrspace(1) %q
  store volatile float %v18, ptr addrspace(1) %q
  store volatile float %v19, ptr addrspace(1) %q
  store volatile float %v20, ptr addrspace(1) %q
  store volatile float %v21, ptr addrspace(1) %q
  store volatile float %v22, ptr addrspace(1) %q
  store volatile float %v23, ptr addrspace(1) %q
  store volatile float %v24, ptr addrspace(1) %q
  store volatile float %v25, ptr addrspace(1) %q
  store volatile float %v26, ptr addrspace(1) %q
  store volatile float %v27, ptr addrspace(1) %q
  store volatile float %v28, ptr addrspace(1) %q
  store volatile float %v29, ptr addrspace(1) %q
  store volatile float %v30, ptr addrspace(1) %q
  store volatile float %v31, ptr addrspace(1) %q
  store volatile float %v32, ptr addrspace(1) %q
  store volatile float %v33, ptr addrspace(1) %q
  store volatile float %v34, ptr addrspace(1) %q
  store volatile float %v35, ptr addrspace(1) %q
  store volatile float %v36, ptr addrspace(1) %q
  store volatile float %v37, ptr addrspace(1) %q
  %a1 = fadd float %v38, %v39
  %a2 = fadd float %a1, %v40
  ret float %a2
}
