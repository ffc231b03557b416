; Addresses that differ by a constant share a register (stage fold-addresses), where it is certain that they do. They are
; sums of integers, as of GEPs LLVM does some of this itself.
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -verify-machineinstrs < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-verify -ptx-stats < %s 2>&1 >/dev/null | FileCheck --check-prefix=STATS %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=livevars < %s | FileCheck --check-prefix=STOCK %s
; RUN: %llc -O0 -mcpu=sm_80 -ptx-verify < %s | FileCheck --check-prefix=O0 %s

; STATS: fold-addresses: 10 functions
; STATS: addresses folded
; STATS: {{[1-9][0-9]*}} verified addresses

target triple = "nvptx64-nvidia-cuda"

; The low bits of a shifted index are clear.
define ptx_kernel void @unrolled(i64 %p, i32 %n) {
; CHECK-LABEL: .entry unrolled
; CHECK: ld.volatile.{{.*}}[[[P:%rd[0-9]+]]];
; CHECK: ld.volatile.{{.*}}[[[P]]+8];
; CHECK: ld.volatile.{{.*}}[[[P]]+24];
; CHECK: st.volatile.{{.*}} [[[P]]+16],
; CHECK: ret;
; STOCK-LABEL: .entry unrolled
; STOCK: or.b32
; STOCK: mul.wide.u32
; STOCK: ret;
; O0-LABEL: .entry unrolled
; O0: or.b32
; O0: ret;
  %i = shl i32 %n, 2
  %i1 = or i32 %i, 1
  %i2 = or i32 %i, 2
  %i3 = or i32 %i1, 2
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %w2 = zext i32 %i2 to i64
  %w3 = zext i32 %i3 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %b2 = mul i64 %w2, 8
  %b3 = mul i64 %w3, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %a2 = add i64 %p, %b2
  %a3 = add i64 %p, %b3
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  %p3 = inttoptr i64 %a3 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  %v1 = load volatile i64, ptr addrspace(1) %p1
  %v3 = load volatile i64, ptr addrspace(1) %p3
  %s = add i64 %v0, %v1
  %t = add i64 %s, %v3
  store volatile i64 %t, ptr addrspace(1) %p2
  ret void
}

; Nothing says that bit 0 is clear.
define ptx_kernel void @not_disjoint(i64 %p, i32 %i) {
; CHECK-LABEL: .entry not_disjoint
; CHECK-NOT: +8]
; CHECK: or.b32
; CHECK-NOT: +8]
; CHECK: ret;
  %i1 = or i32 %i, 1
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  store volatile i64 %v0, ptr addrspace(1) %p1
  ret void
}

; i + 1 may be 0.
define ptx_kernel void @wraps(i64 %p, i32 %i) {
; CHECK-LABEL: .entry wraps
; CHECK-NOT: +8]
; CHECK: add.s32
; CHECK-NOT: +8]
; CHECK: ret;
  %i1 = add i32 %i, 1
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  store volatile i64 %v0, ptr addrspace(1) %p1
  ret void
}

; It may not if i is small.
define ptx_kernel void @does_not_wrap(i64 %p, i32 %n) {
; CHECK-LABEL: .entry does_not_wrap
; CHECK: ld.volatile.{{.*}}[[[P:%rd[0-9]+]]];
; CHECK: st.volatile.{{.*}} [[[P]]+8],
; CHECK: ret;
  %i = lshr i32 %n, 8
  %i1 = add i32 %i, 1
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  store volatile i64 %v0, ptr addrspace(1) %p1
  ret void
}

; A sign stays one: what is or'ed in is below it.
define ptx_kernel void @signed(i64 %p, i32 %n) {
; CHECK-LABEL: .entry signed
; CHECK: ld.volatile.{{.*}}[[[P:%rd[0-9]+]]];
; CHECK: st.volatile.{{.*}} [[[P]]+8],
; CHECK: ret;
  %i = shl i32 %n, 1
  %i1 = or i32 %i, 1
  %w0 = sext i32 %i to i64
  %w1 = sext i32 %i1 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  store volatile i64 %v0, ptr addrspace(1) %p1
  ret void
}

; Zero-extended and sign-extended are two indices.
define ptx_kernel void @two_extensions(i64 %p, i32 %n) {
; CHECK-LABEL: .entry two_extensions
; CHECK-NOT: +8]
; CHECK: ret;
  %i = shl i32 %n, 1
  %i1 = or i32 %i, 1
  %w0 = zext i32 %i to i64
  %w1 = sext i32 %i1 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  store volatile i64 %v0, ptr addrspace(1) %p1
  ret void
}

; Inline assembly reads the second address: it stays, as a sum.
define ptx_kernel void @read_elsewhere(i64 %p, i32 %n) {
; CHECK-LABEL: .entry read_elsewhere
; CHECK: ld.volatile.{{.*}}[[[P:%rd[0-9]+]]];
; CHECK: use [[Q:%rd[0-9]+]];
; CHECK: st.volatile.{{.*}} [[[Q]]],
; CHECK: st.volatile.{{.*}} [[[P]]+16],
; CHECK: ret;
  %i = shl i32 %n, 2
  %i1 = or i32 %i, 1
  %i2 = or i32 %i, 2
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %w2 = zext i32 %i2 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %b2 = mul i64 %w2, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %a2 = add i64 %p, %b2
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  call void asm sideeffect "use $0;", "l"(i64 %a1)
  store volatile i64 %v0, ptr addrspace(1) %p1
  store volatile i64 %v0, ptr addrspace(1) %p2
  ret void
}

; Of two branches neither is on the way to the other.
define ptx_kernel void @branches(i64 %p, i32 %n, i1 %c) {
; CHECK-LABEL: .entry branches
; CHECK: ld.volatile.{{.*}}[{{%rd[0-9]+}}];
; CHECK: ld.volatile.{{.*}}[{{%rd[0-9]+}}];
; CHECK: ret;
  %i = shl i32 %n, 2
  br i1 %c, label %left, label %right
left:
  %i1 = or i32 %i, 1
  %w1 = zext i32 %i1 to i64
  %b1 = mul i64 %w1, 8
  %a1 = add i64 %p, %b1
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v1 = load volatile i64, ptr addrspace(1) %p1
  call void asm sideeffect "left $0;", "l"(i64 %v1)
  br label %end
right:
  %i2 = or i32 %i, 2
  %w2 = zext i32 %i2 to i64
  %b2 = mul i64 %w2, 8
  %a2 = add i64 %p, %b2
  %p2 = inttoptr i64 %a2 to ptr addrspace(1)
  %v2 = load volatile i64, ptr addrspace(1) %p2
  call void asm sideeffect "right $0;", "l"(i64 %v2)
  br label %end
end:
  ret void
}

; More than SASS has bits for.
define ptx_kernel void @far(i64 %p, i32 %n) {
; CHECK-LABEL: .entry far
; CHECK-NOT: +8388608]
; CHECK: ret;
  %i = shl i32 %n, 24
  %i1 = or i32 %i, 1048576
  %w0 = zext i32 %i to i64
  %w1 = zext i32 %i1 to i64
  %b0 = mul i64 %w0, 8
  %b1 = mul i64 %w1, 8
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %p0 = inttoptr i64 %a0 to ptr addrspace(1)
  %p1 = inttoptr i64 %a1 to ptr addrspace(1)
  %v0 = load volatile i64, ptr addrspace(1) %p0
  store volatile i64 %v0, ptr addrspace(1) %p1
  ret void
}

; As Triton loads: what inline assembly takes stays a register, and becomes a sum that ptxas folds. A block has no more than
; 1,024 threads.
define ptx_kernel void @asm_addresses(i64 %p) {
; CHECK-LABEL: .entry asm_addresses
; CHECK: add.s64 [[P:%rd[0-9]+]], {{%rd[0-9]+}}, {{%rd[0-9]+}};
; CHECK-NOT: or.b32
; CHECK: add.s64 [[Q:%rd[0-9]+]], [[P]], 4096;
; CHECK: get {{%r[0-9]+}}, [[P]];
; CHECK: get {{%r[0-9]+}}, [[Q]];
; CHECK: ret;
; STOCK-LABEL: .entry asm_addresses
; STOCK: or.b32
; STOCK: ret;
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t1 = or i32 %t, 1024
  %w0 = zext i32 %t to i64
  %w1 = zext i32 %t1 to i64
  %b0 = mul i64 %w0, 4
  %b1 = mul i64 %w1, 4
  %a0 = add i64 %p, %b0
  %a1 = add i64 %p, %b1
  %v0 = call i32 asm sideeffect "get $0, $1;", "=r,l"(i64 %a0)
  %v1 = call i32 asm sideeffect "get $0, $1;", "=r,l"(i64 %a1)
  call void asm sideeffect "put $0, $1;", "r,r"(i32 %v0, i32 %v1)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
