; A PHI whose values are computed alike becomes one computation, so that an address that is computed from it is a constant away from another
; one. It stays if the values differ, depend on memory, take too many instructions or divide, if it begins a loop, if the function is compiled
; for size, and in the upstream profile.

; RUN: %llc -O2 -mcpu=sm_80 < %s -ptx-stats 2>%t.stats | FileCheck %s
; RUN: FileCheck --check-prefix=STATS %s < %t.stats
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=emitter,phi-elim < %s | FileCheck --check-prefix=OFF %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-passes=equal-phis < %s | FileCheck %s
; RUN: %llc -O2 -mcpu=sm_80 -ptx-profile=upstream < %s > %t.upstream
; RUN: %stock-llc -O2 -mcpu=sm_80 < %s | diff %t.upstream -

; STATS:      equal-phis: 6 functions
; STATS-NEXT: 1 PHIs left: their values take too many instructions
; STATS-NEXT: 1 PHIs replaced

target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; CHECK-LABEL: .entry transform(
; CHECK:         ld.volatile.global.{{[bu]}}32 %r{{[0-9]+}}, [%rd{{[0-9]+}}+1024];
; OFF-LABEL: .entry transform(
; OFF-NOT:       +1024
; OFF:           ret;
define ptx_kernel void @transform(ptr addrspace(1) %p, i64 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %tid to i64
  %at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %index
  %is_full = icmp sgt i64 %n, 511
  br i1 %is_full, label %full, label %guarded
full:
  store volatile i32 1, ptr addrspace(1) %at
  %next.full = add nuw nsw i32 %tid, 256
  %second.full = zext i32 %next.full to i64
  br label %second
guarded:
  %next.guarded = add nuw nsw i32 %tid, 256
  %second.guarded = zext i32 %next.guarded to i64
  %is_in = icmp sgt i64 %n, %second.guarded
  br i1 %is_in, label %second, label %exit
second:
  %where = phi i64 [ %second.full, %full ], [ %second.guarded, %guarded ]
  %second.at = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %where
  %x = load volatile i32, ptr addrspace(1) %second.at
  store volatile i32 %x, ptr addrspace(1) %at
  br label %exit
exit:
  ret void
}

; The values are not the same: one is 256 more, the other 257.
; CHECK-LABEL: .entry other_values(
; CHECK:         add.s32 {{.*}}, 256;
; CHECK:         add.s32 {{.*}}, 257;
define ptx_kernel void @other_values(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr addrspace(1) %p
  %last.a = add i32 %x, 256
  br label %end
b:
  store volatile i32 2, ptr addrspace(1) %p
  %last.b = add i32 %x, 257
  br label %end
end:
  %result = phi i32 [ %last.a, %a ], [ %last.b, %b ]
  store volatile i32 %result, ptr addrspace(1) %p
  ret void
}

; The memory that they are read from may have changed.
; CHECK-LABEL: .entry of_memory(
; CHECK:         ld.volatile.global
; CHECK:         ld.volatile.global
; CHECK:         ret;
define ptx_kernel void @of_memory(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr addrspace(1) %p
  %last.a = load volatile i32, ptr addrspace(1) %p
  br label %end
b:
  store volatile i32 2, ptr addrspace(1) %p
  %last.b = load volatile i32, ptr addrspace(1) %p
  br label %end
end:
  %result = phi i32 [ %last.a, %a ], [ %last.b, %b ]
  store volatile i32 %result, ptr addrspace(1) %p
  ret void
}

; A division takes many instructions.
; CHECK-LABEL: .entry divided(
; CHECK:         div.u32
; CHECK:         div.u32
; CHECK:         ret;
define ptx_kernel void @divided(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr addrspace(1) %p
  %last.a = udiv i32 %x, %n
  br label %end
b:
  store volatile i32 2, ptr addrspace(1) %p
  %last.b = udiv i32 %x, %n
  br label %end
end:
  %result = phi i32 [ %last.a, %a ], [ %last.b, %b ]
  store volatile i32 %result, ptr addrspace(1) %p
  ret void
}

; Five instructions are too many.
; CHECK-LABEL: .entry long(
; CHECK:         shr.u32
; CHECK:         shr.u32
; CHECK:         ret;
define ptx_kernel void @long(ptr addrspace(1) %p, i32 %n) {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr addrspace(1) %p
  %one.a = mul i32 %x, %n
  %two.a = xor i32 %one.a, %x
  %three.a = lshr i32 %two.a, 3
  %last.a = mul i32 %three.a, %two.a
  br label %end
b:
  store volatile i32 2, ptr addrspace(1) %p
  %one.b = mul i32 %x, %n
  %two.b = xor i32 %one.b, %x
  %three.b = lshr i32 %two.b, 3
  %last.b = mul i32 %three.b, %two.b
  br label %end
end:
  %result = phi i32 [ %last.a, %a ], [ %last.b, %b ]
  store volatile i32 %result, ptr addrspace(1) %p
  ret void
}

; A function that is compiled for size.
; CHECK-LABEL: .entry for_size(
; CHECK:         xor.b32
; CHECK:         xor.b32
; CHECK:         ret;
define ptx_kernel void @for_size(ptr addrspace(1) %p, i32 %n) optsize {
entry:
  %x = load volatile i32, ptr addrspace(1) %p
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %a, label %b
a:
  store volatile i32 1, ptr addrspace(1) %p
  %last.a = xor i32 %x, %n
  br label %end
b:
  store volatile i32 2, ptr addrspace(1) %p
  %last.b = xor i32 %x, %n
  br label %end
end:
  %result = phi i32 [ %last.a, %a ], [ %last.b, %b ]
  store volatile i32 %result, ptr addrspace(1) %p
  ret void
}

; At the start of a loop it would be computed in each iteration.
; CHECK-LABEL: .entry loop(
define ptx_kernel void @loop(ptr addrspace(1) %p, i32 %n, i32 %m) {
entry:
  %first = xor i32 %n, %m
  br label %loop
loop:
  %x = phi i32 [ %first, %entry ], [ %next, %loop ]
  store volatile i32 %x, ptr addrspace(1) %p
  %next = xor i32 %n, %m
  %more = load volatile i1, ptr addrspace(1) %p
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
