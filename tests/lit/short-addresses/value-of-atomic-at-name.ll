; Where the address of an atomic operation is the name of a shared variable, the first register that it reads is its value. That was taken for the
; address, and got a register of 32 bits (LLVM 21 to 23): sums, and values that branches join, of integers and of floating point.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"
@sum = internal addrspace(3) global double undef, align 8
@word = internal addrspace(3) global i64 undef, align 8
@words = internal addrspace(3) global [4 x i64] undef, align 8

; CHECK-LABEL: .entry joined(
; CHECK: atom{{.*}}.shared{{.*}}.add.f64 %{{[rf]?d[0-9]+}}, [{{sum|%r[0-9]+}}], %{{[rf]d[0-9]+}};
; CHECK: ret;
define ptx_kernel void @joined(ptr addrspace(1) %p, i1 %c) {
entry:
  %v = load double, ptr addrspace(1) %p
  br i1 %c, label %a, label %b
a:
  %w = fadd double %v, 1.0
  br label %b
b:
  %x = phi double [ %v, %entry ], [ %w, %a ]
  %r = atomicrmw fadd ptr addrspace(3) @sum, double %x monotonic
  ret void
}

; CHECK-LABEL: .entry sums(
; CHECK-COUNT-9: {{(atom|red)}}{{.*}}.shared{{.*}}.{{add|max|xor|exch}}.{{[usb]}}64 {{.*}}[{{word(s\+[0-9]+)?|%r[0-9]+(\+[0-9]+)?}}], {{%rd[0-9]+|temp}};
; CHECK-NOT: 64 {{.*}}%r{{[0-9]+}};
; CHECK: ret;
define ptx_kernel void @sums(ptr addrspace(1) %p, i64 %a, i64 %k) {
  %b = add i64 %a, 4
  %c = add i64 %a, %k
  %d = shl i64 %c, 3
  %place = getelementptr [4 x i64], ptr addrspace(3) @words, i32 0, i32 2
  %r0 = atomicrmw add ptr addrspace(3) @word, i64 %b monotonic
  %r1 = atomicrmw add ptr addrspace(3) %place, i64 %c monotonic
  %r2 = atomicrmw sub ptr addrspace(3) @word, i64 %d monotonic
  %r3 = atomicrmw umax ptr addrspace(3) @word, i64 %c acquire
  %r4 = atomicrmw max ptr addrspace(3) %place, i64 %d monotonic
  %r5 = atomicrmw xor ptr addrspace(3) @word, i64 %b syncscope("block") monotonic
  %r6 = atomicrmw xchg ptr addrspace(3) %place, i64 %c monotonic
  %s0 = xor i64 %r0, %r1
  %s1 = xor i64 %s0, %r2
  %s2 = xor i64 %s1, %r3
  %s3 = xor i64 %s2, %r4
  %s4 = xor i64 %s3, %r5
  %s5 = xor i64 %s4, %r6
  store i64 %s5, ptr addrspace(1) %p
  %unread = atomicrmw add ptr addrspace(3) @word, i64 %d monotonic
  %unread1 = atomicrmw xor ptr addrspace(3) %place, i64 %c monotonic
  ret void
}

; CHECK-LABEL: .entry swapped(
; CHECK: cas.b64 {{%rd[0-9]+}}, [{{word|%r[0-9]+}}], [[A:%rd[0-9]+]], 7;
; CHECK: cas.b64 {{%rd[0-9]+}}, [{{word|%r[0-9]+}}], 7, [[A]];
; CHECK: cas.b64 {{%rd[0-9]+}}, [{{words\+16|%r[0-9]+(\+16)?}}], [[A]], {{%rd[0-9]+}};
; CHECK: ret;
define ptx_kernel void @swapped(ptr addrspace(1) %p, i64 %a, i64 %k) {
  %b = add i64 %a, %k
  %c = sub i64 %a, %k
  %place = getelementptr [4 x i64], ptr addrspace(3) @words, i32 0, i32 2
  %r0 = cmpxchg ptr addrspace(3) @word, i64 %b, i64 7 monotonic monotonic
  %r1 = cmpxchg ptr addrspace(3) @word, i64 7, i64 %b monotonic monotonic
  %r2 = cmpxchg ptr addrspace(3) %place, i64 %b, i64 %c monotonic monotonic
  %x = extractvalue { i64, i1 } %r0, 0
  %y = extractvalue { i64, i1 } %r1, 0
  %z = extractvalue { i64, i1 } %r2, 0
  %s = xor i64 %x, %y
  %t = xor i64 %s, %z
  store i64 %t, ptr addrspace(1) %p
  ret void
}
