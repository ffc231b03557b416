; An address in shared memory and all that it is computed of have 32 bits: the index is not extended, and the product and the sum are those of
; 32 bits. So has the address of the symbol.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats=all < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %upstream-is-stock
; STATS: short-addresses:
; STATS: {{ }}2 addresses of 32 bits{{$}}
; STATS: {{ }}0 conversions erased{{$}}
; STATS: {{ }}3 registers of 64 bits made 32{{$}}
; STATS: {{ }}0 registers truncated{{$}}

target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x [3 x i32]] undef, align 4

define i32 @shared(i32 %i, i32 %v) {
; CHECK-LABEL: shared(
; CHECK: // %bb.0:
; CHECK-NOT: %rd
; CHECK-DAG: mul.lo.s32 [[O:%r[0-9]+]], {{%r[0-9]+}}, 12;
; CHECK-DAG: mov.{{[bu]}}32 [[S:%r[0-9]+]], tile;
; CHECK: add.s32 [[P:%r[0-9]+]], [[S]], [[O]];
; CHECK: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [[[P]]+4];
; CHECK: st{{(.volatile)?}}.shared.{{[bu]}}32 [[[P]]+8], {{%r[0-9]+}};
; CHECK: ret;
; STOCK-LABEL: shared(
; STOCK: mul.wide.s32
; STOCK: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [%rd
; STOCK: ret;
  %p = getelementptr inbounds [256 x [3 x i32]], ptr addrspace(3) @tile, i32 0, i32 %i, i32 1
  %q = getelementptr inbounds [256 x [3 x i32]], ptr addrspace(3) @tile, i32 0, i32 %i, i32 2
  %x = load i32, ptr addrspace(3) %p
  store i32 %v, ptr addrspace(3) %q
  ret i32 %x
}
