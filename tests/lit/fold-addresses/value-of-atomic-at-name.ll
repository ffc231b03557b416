; Where the address of an atomic operation is the name of a shared variable, the first register that it reads is its value, and a constant after that is what
; it is compared with. They were taken for an address and its offset (LLVM 21 to 23): the second compare-and-swap read the first one's value, and the
; difference of the two was added to the 7.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %upstream-is-stock

target triple = "nvptx64-nvidia-cuda"
@lock = internal addrspace(3) global i32 undef, align 4
@locks = internal addrspace(3) global [4 x i32] undef, align 4
@ticket = internal addrspace(1) global i32 0, align 4

; CHECK-LABEL: .entry compared(
; CHECK: add.s32 [[A:%r[0-9]+]], {{%r[0-9]+}}, 4;
; CHECK: add.s32 [[B:%r[0-9]+]], {{%r[0-9]+}}, {{4|8}};
; CHECK: cas.b32 {{%r[0-9]+}}, [{{lock|%r[0-9]+}}], [[A]], 7;
; CHECK: cas.b32 {{%r[0-9]+}}, [{{lock|%r[0-9]+}}], [[B]], 7;
; CHECK: ret;
define ptx_kernel void @compared(ptr addrspace(1) %p, i32 %a, i32 %k) {
  %m = mul i32 %a, %k
  %b = add i32 %m, 4
  %c = add i32 %m, 8
  %r = cmpxchg ptr addrspace(3) @lock, i32 %b, i32 7 monotonic monotonic
  %s = cmpxchg ptr addrspace(3) @lock, i32 %c, i32 7 monotonic monotonic
  %x = extractvalue { i32, i1 } %r, 0
  %y = extractvalue { i32, i1 } %s, 0
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: .entry changed(
; CHECK: add.s32 [[A:%r[0-9]+]], {{%r[0-9]+}}, 4;
; CHECK: add.s32 [[B:%r[0-9]+]], {{%r[0-9]+}}, {{4|8}};
; CHECK-DAG: atom{{.*}}.shared{{.*}}.exch.b32 {{%r[0-9]+}}, [{{locks\+8|%r[0-9]+(\+8)?}}], [[A]];
; CHECK-DAG: atom{{.*}}.shared{{.*}}.exch.b32 {{%r[0-9]+}}, [{{locks\+8|%r[0-9]+(\+8)?}}], [[B]];
; CHECK-DAG: atom{{.*}}.shared{{.*}}.add.u32 {{%r[0-9]+}}, [{{locks\+8|%r[0-9]+(\+8)?}}], [[A]];
; CHECK-DAG: atom{{.*}}.shared{{.*}}.add.u32 {{%r[0-9]+}}, [{{locks\+8|%r[0-9]+(\+8)?}}], [[B]];
; CHECK-DAG: atom{{.*}}.global{{.*}}.add.u32 {{%r[0-9]+}}, [{{ticket|%rd[0-9]+}}], [[A]];
; CHECK-DAG: atom{{.*}}.global{{.*}}.add.u32 {{%r[0-9]+}}, [{{ticket|%rd[0-9]+}}], [[B]];
; CHECK: ret;
define ptx_kernel void @changed(ptr addrspace(1) %p, i32 %a, i32 %k) {
  %m = mul i32 %a, %k
  %b = add i32 %m, 4
  %c = add i32 %m, 8
  %place = getelementptr [4 x i32], ptr addrspace(3) @locks, i32 0, i32 2
  %r0 = atomicrmw xchg ptr addrspace(3) %place, i32 %b monotonic
  %r1 = atomicrmw xchg ptr addrspace(3) %place, i32 %c monotonic
  %r2 = atomicrmw add ptr addrspace(3) %place, i32 %b acquire
  %r3 = atomicrmw add ptr addrspace(3) %place, i32 %c acquire
  %r4 = atomicrmw add ptr addrspace(1) @ticket, i32 %b monotonic
  %r5 = atomicrmw add ptr addrspace(1) @ticket, i32 %c monotonic
  %s0 = xor i32 %r0, %r1
  %s1 = xor i32 %s0, %r2
  %s2 = xor i32 %s1, %r3
  %s3 = xor i32 %s2, %r4
  %s4 = xor i32 %s3, %r5
  store i32 %s4, ptr addrspace(1) %p
  ret void
}
