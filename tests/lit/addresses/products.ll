; Products whose factors were extended in another block multiply 32 bits, and sums of what is shifted alike are shifted once (stage
; fold-addresses).
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc <%s -mcpu=sm_80 -ptx-profile=upstream -o %t.up && %stock-llc <%s -mcpu=sm_80 -o - | cmp - %t.up

; STATS: fold-addresses: 7 functions
; STATS-DAG: {{[1-9][0-9]*}} sums shifted once
; STATS-DAG: 3 products of 32 bits

target triple = "nvptx64-nvidia-cuda"

; Both factors are extended with their signs, one in front of the loop.
define i64 @signed(i32 %a, i32 %b, i32 %n) {
; CHECK-LABEL: .func {{.*}}signed(
; CHECK: $L
; CHECK: {{(mul|mad).wide.s32}}
; CHECK-NOT: lo.s64
; CHECK: ret;
entry:
  %y = sext i32 %b to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %of = xor i32 %i, %a
  %x = sext i32 %of to i64
  %p = mul i64 %x, %y
  %t = xor i64 %s, %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %t
}

; One is not negative, so that its zeros are its sign; something is added.
define i64 @masked(i32 %a, i32 %b, i64 %c, i32 %n) {
; CHECK-LABEL: .func {{.*}}masked(
; CHECK: $L
; CHECK: {{(mul|mad).wide.s32}}
; CHECK-NOT: lo.s64
; CHECK: ret;
entry:
  %low = and i32 %b, 65535
  %y = zext i32 %low to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %of = xor i32 %i, %a
  %x = sext i32 %of to i64
  %p = mul i64 %x, %y
  %q = add i64 %p, %c
  %t = xor i64 %s, %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %t
}

; A sign and zeros are not the same: the product stays.
define i64 @mixed(i32 %a, i32 %b, i32 %n) {
; CHECK-LABEL: .func {{.*}}mixed(
; CHECK: $L
; CHECK: {{(mul|mad).lo.s64}}
; CHECK: ret;
entry:
  %y = zext i32 %b to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %of = xor i32 %i, %a
  %x = sext i32 %of to i64
  %p = mul i64 %x, %y
  %t = xor i64 %s, %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %t
}

; What is loaded with its sign has its number in the low half.
define i64 @loaded(ptr addrspace(1) %p, i32 %b, i32 %n) {
; CHECK-LABEL: .func {{.*}}loaded(
; CHECK: $L
; CHECK: ld.global.s32
; CHECK: {{(mul|mad).wide.s32}}
; CHECK-NOT: lo.s64
; CHECK: ret;
entry:
  %y = sext i32 %b to i64
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %a = load i32, ptr addrspace(1) %at
  %x = sext i32 %a to i64
  %r = mul i64 %x, %y
  %t = xor i64 %s, %r
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %t
}

; Outside of loops products stay as they are.
define i64 @outside(i32 %a, i32 %b, i1 %c) {
; CHECK-LABEL: .func {{.*}}outside(
; CHECK: mul.lo.s64
; CHECK: ret;
entry:
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  br i1 %c, label %yes, label %no
yes:
  %p = mul i64 %x, %y
  ret i64 %p
no:
  %s = add i64 %x, %y
  ret i64 %s
}

; p[i * m][j * n], shifted once; what somebody else reads is not.
define void @indexed(ptr addrspace(1) %p, i64 %i, i64 %m, i64 %j, i64 %n, ptr addrspace(1) %q) {
; CHECK-LABEL: .func indexed(
; CHECK: shl.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 2;
; CHECK-NOT: shl.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 2;
; CHECK-COUNT-2: shl.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 3;
; CHECK: ret;
  %im = mul i64 %i, %m
  %jn = mul i64 %j, %n
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %im
  %b = getelementptr i32, ptr addrspace(1) %a, i64 %jn
  store i32 1, ptr addrspace(1) %b
  %in = mul i64 %i, %n
  %jm = mul i64 %j, %m
  %c = getelementptr i64, ptr addrspace(1) %q, i64 %in
  %d = getelementptr i64, ptr addrspace(1) %c, i64 %jm
  %e = ptrtoint ptr addrspace(1) %c to i64
  store i64 %e, ptr addrspace(1) %d
  ret void
}

; Shifts by different amounts have nothing in common.
define void @different(ptr addrspace(1) %p, i64 %i, i64 %m, i64 %j, i64 %n) {
; CHECK-LABEL: .func different(
; CHECK-DAG: shl.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 2;
; CHECK-DAG: shl.b64 {{%rd[0-9]+}}, {{%rd[0-9]+}}, 3;
; CHECK: ret;
  %im = mul i64 %i, %m
  %jn = mul i64 %j, %n
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %im
  %b = getelementptr i64, ptr addrspace(1) %a, i64 %jn
  store i32 1, ptr addrspace(1) %b
  ret void
}
