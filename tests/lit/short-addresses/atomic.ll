; Atomic operations on shared memory take addresses of 32 bits; those on global memory do not.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

define i32 @atomic(ptr addrspace(3) %p, ptr addrspace(1) %g, i64 %i, i32 %v) {
; CHECK-LABEL: atomic(
; CHECK-DAG: atom{{.*}}.shared{{.*}}.add.{{[su]}}32 {{%r[0-9]+}}, [%r{{[0-9]+}}], {{%r[0-9]+}};
; CHECK-DAG: atom{{.*}}.shared{{.*}}.exch.b32 {{%r[0-9]+}}, [%r{{[0-9]+}}], 3;
; CHECK-DAG: atom{{.*}}.shared{{.*}}.cas.b32 {{%r[0-9]+}}, [%r{{[0-9]+}}], 3, {{%r[0-9]+}};
; CHECK-DAG: atom{{.*}}.global{{.*}}.add.{{[su]}}32 {{%r[0-9]+}}, [%rd{{[0-9]+}}], {{%r[0-9]+}};
; CHECK: ret;
  %a = getelementptr inbounds i32, ptr addrspace(3) %p, i64 %i
  %b = getelementptr inbounds i64, ptr addrspace(1) %g, i64 %i
  %x = atomicrmw add ptr addrspace(3) %a, i32 %v monotonic
  %y = atomicrmw xchg ptr addrspace(3) %a, i32 3 monotonic
  %z = cmpxchg ptr addrspace(3) %a, i32 3, i32 %v monotonic monotonic
  %w = atomicrmw add ptr addrspace(1) %b, i32 %v monotonic
  %s = add i32 %x, %y
  %z0 = extractvalue { i32, i1 } %z, 0
  %t = add i32 %z0, %w
  %u = add i32 %s, %t
  ret i32 %u
}
