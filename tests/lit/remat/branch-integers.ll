; Comparisons of integers are recomputed next to their readers where eight live, also if their own block branches on them.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: remat:
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}8 instructions rematerialised{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @integers(ptr addrspace(1) %q) {
; CHECK-LABEL: .func integers(
; CHECK-COUNT-16: setp.
; CHECK-NOT: setp.
; CHECK: ret;
entry:
  %a = load volatile i32, ptr addrspace(1) %q
  br label %b1
b1:
  %c1 = icmp ult i32 %a, 1001
  br i1 %c1, label %t1, label %b2
t1:
  store volatile i32 101, ptr addrspace(1) %q
  br label %b2
b2:
  %c2 = icmp ult i32 %a, 1002
  br i1 %c2, label %t2, label %b3
t2:
  store volatile i32 102, ptr addrspace(1) %q
  br label %b3
b3:
  %c3 = icmp ult i32 %a, 1003
  br i1 %c3, label %t3, label %b4
t3:
  store volatile i32 103, ptr addrspace(1) %q
  br label %b4
b4:
  %c4 = icmp ult i32 %a, 1004
  br i1 %c4, label %t4, label %b5
t4:
  store volatile i32 104, ptr addrspace(1) %q
  br label %b5
b5:
  %c5 = icmp ult i32 %a, 1005
  br i1 %c5, label %t5, label %b6
t5:
  store volatile i32 105, ptr addrspace(1) %q
  br label %b6
b6:
  %c6 = icmp ult i32 %a, 1006
  br i1 %c6, label %t6, label %b7
t6:
  store volatile i32 106, ptr addrspace(1) %q
  br label %b7
b7:
  %c7 = icmp ult i32 %a, 1007
  br i1 %c7, label %t7, label %b8
t7:
  store volatile i32 107, ptr addrspace(1) %q
  br label %b8
b8:
  %c8 = icmp ult i32 %a, 1008
  br i1 %c8, label %t8, label %b9
t8:
  store volatile i32 108, ptr addrspace(1) %q
  br label %b9
b9:
  br i1 %c1, label %u1, label %d1
u1:
  store volatile i32 201, ptr addrspace(1) %q
  br label %d1
d1:
  br i1 %c2, label %u2, label %d2
u2:
  store volatile i32 202, ptr addrspace(1) %q
  br label %d2
d2:
  br i1 %c3, label %u3, label %d3
u3:
  store volatile i32 203, ptr addrspace(1) %q
  br label %d3
d3:
  br i1 %c4, label %u4, label %d4
u4:
  store volatile i32 204, ptr addrspace(1) %q
  br label %d4
d4:
  br i1 %c5, label %u5, label %d5
u5:
  store volatile i32 205, ptr addrspace(1) %q
  br label %d5
d5:
  br i1 %c6, label %u6, label %d6
u6:
  store volatile i32 206, ptr addrspace(1) %q
  br label %d6
d6:
  br i1 %c7, label %u7, label %d7
u7:
  store volatile i32 207, ptr addrspace(1) %q
  br label %d7
d7:
  br i1 %c8, label %u8, label %d8
u8:
  store volatile i32 208, ptr addrspace(1) %q
  br label %d8
d8:
  store volatile i32 %a, ptr addrspace(1) %q
  ret void
}
