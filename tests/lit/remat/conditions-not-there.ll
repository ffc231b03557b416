; Conditions stay where one of the numbers that they compare ends before their readers. (Without sink, which moves others where remat has brought
; the numbers down.)
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs -ptx-passes=emitter,hoist,remat,livevars,phi-elim,two-address,liveintervals,coalescer < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: remat:
; STATS: {{ }}{{(0|4)}} instructions erased{{$}}
; STATS: {{ }}{{(0|4)}} instructions rematerialised{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @not_there(ptr addrspace(1) %q) {
; CHECK-LABEL: .func not_there(
; CHECK: setp.{{.*}}, 2008;
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
  %x5 = icmp ult i32 %a, 1005
  %y5 = icmp ne i32 %b, 2005
  %c5 = and i1 %x5, %y5
  %x6 = icmp ult i32 %a, 1006
  %y6 = icmp ne i32 %b, 2006
  %c6 = and i1 %x6, %y6
  %x7 = icmp ult i32 %a, 1007
  %y7 = icmp ne i32 %b, 2007
  %c7 = and i1 %x7, %y7
  %x8 = icmp ult i32 %a, 1008
  %y8 = icmp ne i32 %b, 2008
  %c8 = and i1 %x8, %y8
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
  br i1 %c5, label %t5, label %b6
t5:
  store volatile i32 105, ptr addrspace(1) %q
  br label %b6
b6:
  br i1 %c6, label %t6, label %b7
t6:
  store volatile i32 106, ptr addrspace(1) %q
  br label %b7
b7:
  br i1 %c7, label %t7, label %b8
t7:
  store volatile i32 107, ptr addrspace(1) %q
  br label %b8
b8:
  br i1 %c8, label %t8, label %b9
t8:
  store volatile i32 108, ptr addrspace(1) %q
  br label %b9
b9:
  %s1 = select i1 %c1, i32 1, i32 0
  store volatile i32 %s1, ptr addrspace(1) %q
  %s2 = select i1 %c2, i32 2, i32 0
  store volatile i32 %s2, ptr addrspace(1) %q
  %s3 = select i1 %c3, i32 3, i32 0
  store volatile i32 %s3, ptr addrspace(1) %q
  %s4 = select i1 %c4, i32 4, i32 0
  store volatile i32 %s4, ptr addrspace(1) %q
  %s5 = select i1 %c5, i32 5, i32 0
  store volatile i32 %s5, ptr addrspace(1) %q
  %s6 = select i1 %c6, i32 6, i32 0
  store volatile i32 %s6, ptr addrspace(1) %q
  %s7 = select i1 %c7, i32 7, i32 0
  store volatile i32 %s7, ptr addrspace(1) %q
  %s8 = select i1 %c8, i32 8, i32 0
  store volatile i32 %s8, ptr addrspace(1) %q
  store volatile i32 %a, ptr addrspace(1) %q
  ret void
}
