; Addresses of 32 bits that differ by a constant share a register even where the index may wrap around: sums of 32 bits do not, modulo 2^32. With 64
; bits the extended sum would be another one.
;
; RUN: %llc -O2 -mcpu=sm_80 -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=fold-addresses,livevars < %s | FileCheck --check-prefix=LONG %s

target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x i32] undef, align 4

define i32 @folded(i32 %i) {
; CHECK-LABEL: folded(
; CHECK: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [[[P:%r[0-9]+]]];
; CHECK: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [[[P]]+12];
; CHECK: ret;
; LONG-LABEL: folded(
; LONG: ld{{(.volatile)?}}.shared.{{[bu]}}32 {{%r[0-9]+}}, [[[P:%rd[0-9]+]]];
; LONG-NOT: [[[P]]+12]
; LONG: ret;
  %j = add i32 %i, 3
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %j to i64
  %p = getelementptr inbounds [256 x i32], ptr addrspace(3) @tile, i64 0, i64 %w0
  %q = getelementptr inbounds [256 x i32], ptr addrspace(3) @tile, i64 0, i64 %w1
  %x = load volatile i32, ptr addrspace(3) %p
  %y = load volatile i32, ptr addrspace(3) %q
  %z = add i32 %x, %y
  ret i32 %z
}
