; A function of one block, and one with a loop that a register lives through.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @block(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @loop(ptr addrspace(1) %p, i32 %n) {
entry:
  %a = load volatile i32, ptr addrspace(1) %p
  %b = load volatile i32, ptr addrspace(1) %p
  br label %l
l:
  %c = phi i32 [ 0, %entry ], [ %cn, %next ]
  %v = load volatile i32, ptr addrspace(1) %p
  %d = icmp eq i32 %v, %a
  br i1 %d, label %next, label %other
other:
  store volatile i32 %b, ptr addrspace(1) %p
  br label %next
next:
  %cn = add i32 %c, %b
  %e = icmp slt i32 %cn, %n
  br i1 %e, label %l, label %exit
exit:
  store volatile i32 %a, ptr addrspace(1) %p
  ret void
}
