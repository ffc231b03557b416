; An address in global memory keeps its 64 bits. The offset that a global and a shared address have in common does, too, and the shared one takes
; the low half of it.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; STATS: short-addresses:
; STATS: {{ }}1 addresses of 32 bits{{$}}
; STATS: {{ }}1 registers truncated{{$}}

target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x i32] undef, align 4

define i32 @global(ptr addrspace(1) %p, i64 %i) {
; CHECK-LABEL: global(
; CHECK: shl.b64 [[O:%rd[0-9]+]], {{%rd[0-9]+}}, 2;
; CHECK-DAG: add.s64 [[P:%rd[0-9]+]], {{%rd[0-9]+}}, [[O]];
; CHECK-DAG: cvt.u32.u64 [[L:%r[0-9]+]], [[O]];
; CHECK-DAG: add.s32 [[Q:%r[0-9]+]], {{%r[0-9]+}}, [[L]];
; CHECK-DAG: ld.global.{{[bu]}}32 {{%r[0-9]+}}, [[[P]]];
; CHECK-DAG: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [[[Q]]];
; CHECK: ret;
  %a = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  %b = getelementptr inbounds [256 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %x = load i32, ptr addrspace(1) %a
  %y = load i32, ptr addrspace(3) %b
  %z = add i32 %x, %y
  ret i32 %z
}
