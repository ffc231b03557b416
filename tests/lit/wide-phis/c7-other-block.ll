; 128 bits that are written in one block and read in another one: no unpack and no pack.
;
; REQUIRES: llvm-19-up
; RUN: %llc -O2 -mcpu=sm_80 -mattr=+ptx83 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -mattr=+ptx83 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; STATS: wide-phis:
; STATS: {{ }}1 packs and unpacks of what a register holds already{{$}}

target triple = "nvptx64-nvidia-cuda"

define void @read_later(ptr addrspace(1) %p, i32 %n) {
; CHECK-LABEL: .func read_later
; CHECK: mov.b128 [[V:%rq[0-9]+]], {a, b};
; CHECK-NOT: %rd{{[0-9]+}}}
; CHECK: mov.b128 {a, b}, [[V]];
; CHECK: ret;
entry:
  %v = call i128 asm sideeffect "{ .reg .b64 a, b; mov.b64 a, 1; mov.b64 b, 2; mov.b128 $0, {a, b}; }", "=q"()
  %c = icmp slt i32 %n, 0
  br i1 %c, label %then, label %exit
then:
  call void asm sideeffect "{ .reg .b64 a, b; mov.b128 {a, b}, $0; st.global.b64 [$1], a; }", "q,l"(i128 %v, ptr addrspace(1) %p)
  br label %exit
exit:
  ret void
}
