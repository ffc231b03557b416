; Four conditions stay: there are predicates enough.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: remat:
; STATS: {{ }}0 instructions erased{{$}}
; STATS: {{ }}0 instructions rematerialised{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @few(ptr addrspace(1) %q) {
; CHECK-LABEL: .func few(
; CHECK: setp.{{.*}}, 2004;
; CHECK: bra
; CHECK-NOT: setp
; CHECK: ret;
entry:
  %a = load volatile i32, ptr addrspace(1) %q
  %b = load volatile i32, ptr addrspace(1) %q
  %x1 = icmp ult i32 %a, 1001
  %y1 = icmp ne i32 %b, 2001
  %c1 = and i1 %x1, %y1
  %x2 = icmp ult i32 %a, 1002
  %y2 = icmp ne i32 %b, 2002
  %c2 = and i1 %x2, %y2
  %x3 = icmp ult i32 %a, 1003
  %y3 = icmp ne i32 %b, 2003
  %c3 = and i1 %x3, %y3
  %x4 = icmp ult i32 %a, 1004
  %y4 = icmp ne i32 %b, 2004
  %c4 = and i1 %x4, %y4
  store volatile i32 100, ptr addrspace(1) %q
  br label %b1
b1:
  br i1 %c1, label %t1, label %b2
t1:
  store volatile i32 101, ptr addrspace(1) %q
  br label %b2
b2:
  br i1 %c2, label %t2, label %b3
t2:
  store volatile i32 102, ptr addrspace(1) %q
  br label %b3
b3:
  br i1 %c3, label %t3, label %b4
t3:
  store volatile i32 103, ptr addrspace(1) %q
  br label %b4
b4:
  br i1 %c4, label %t4, label %b5
t4:
  store volatile i32 104, ptr addrspace(1) %q
  br label %b5
b5:
  %s1 = select i1 %c1, i32 1, i32 0
  store volatile i32 %s1, ptr addrspace(1) %q
  %s2 = select i1 %c2, i32 2, i32 0
  store volatile i32 %s2, ptr addrspace(1) %q
  %s3 = select i1 %c3, i32 3, i32 0
  store volatile i32 %s3, ptr addrspace(1) %q
  %s4 = select i1 %c4, i32 4, i32 0
  store volatile i32 %s4, ptr addrspace(1) %q
  store volatile i32 %a, ptr addrspace(1) %q
  store volatile i32 %b, ptr addrspace(1) %q
  ret void
}
