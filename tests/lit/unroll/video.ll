; No processor has the instruction vadd4 with saturation, so ptxas makes 27 of it. A loop that runs 100 times is left if its copies then would not fit into the instruction cache: here four of them. With add in their place it is unrolled.

; RUN: %llc-unroll -mcpu=sm_80 %s -o /dev/null -ptx-stats 2>&1 | FileCheck %s
; CHECK: {{^ +}}1 loops left: too long
; RUN: sed -e 's/vadd4.u32.u32.u32.sat $0,$1,$2,$1/add.u32 $0,$1,$2/' %s | %llc-unroll -mcpu=sm_80 -o /dev/null -ptx-stats 2>&1 | FileCheck %s --check-prefix=ADDED
; ADDED: {{^ +}}1 loops unrolled wholly

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @video(ptr addrspace(1) %out, i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load volatile i32, ptr addrspace(1) %out
  %a = call i32 asm "vadd4.u32.u32.u32.sat $0,$1,$2,$1;", "=r,r,r"(i32 %v, i32 %x)
  %b = call i32 asm "{ vadd4.u32.u32.u32.sat $0,$1,$2,$1; }", "=r,r,r"(i32 %a, i32 %x)
  %c = call i32 asm "{ .reg .pred q; setp.ne.u32 q,$1,0; @!q vadd4.u32.u32.u32.sat $0,$1,$2,$1; }", "=r,r,r"(i32 %b, i32 %x)
  %d = call i32 asm "{ .reg .pred q; setp.ne.u32 q,$1,0; @!q vadd4.u32.u32.u32.sat $0,$1,$2,$1; }", "=r,r,r"(i32 %c, i32 %x)
  store volatile i32 %d, ptr addrspace(1) %out
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}
