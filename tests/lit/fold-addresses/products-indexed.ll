; The two products in the address of p[i * m][j * n] are added first and shifted once. A shifted product that is also read
; elsewhere is not changed.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: fold-addresses:
; STATS: {{ }}0 addresses folded{{$}}
; STATS: {{ }}2 addresses of loads and stores{{$}}
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 products of 32 bits{{$}}
; STATS: {{ }}0 shifts read in loops made products of 32 bits{{$}}
; STATS: {{ }}0 sums of a common one and a constant{{$}}
; STATS: {{ }}1 sums shifted once{{$}}

target triple = "nvptx64-nvidia-cuda"

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
