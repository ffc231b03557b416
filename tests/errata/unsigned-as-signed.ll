; The fault in stock LLVM's code: the stage ptxas-errata avoids it.
target triple = "nvptx64-nvidia-cuda"

define void @unsigned_as_signed(ptr addrspace(1) %out, ptr addrspace(1) %in) {
entry:
  %a = load i32, ptr addrspace(1) %in
  %second = getelementptr i32, ptr addrspace(1) %in, i32 1
  %b = load i32, ptr addrspace(1) %second
  %unsigned = icmp uge i32 %a, %b
  %signed = icmp sge i32 %a, %b
  br i1 %unsigned, label %next, label %one
one:
  %m = mul i32 %a, 3
  %n = add i32 %m, %b
  br label %next
next:
  %x = phi i32 [ %a, %entry ], [ %n, %one ]
  br i1 %signed, label %exit, label %two
two:
  %q = mul i32 %x, 5
  %s = add i32 %q, %a
  br label %exit
exit:
  %y = phi i32 [ %x, %next ], [ %s, %two ]
  store i32 %y, ptr addrspace(1) %out
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @unsigned_as_signed, !"kernel", i32 1}
