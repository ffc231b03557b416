; The kernel that the tests in plugin/ compile: a loop whose values are tied operands,
; in three functions, so that a pass can be seen to run on each.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @first(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 1, %entry ], [ %t, %loop ]
  %a = call i32 asm sideeffect "first $0;", "=r,0"(i32 %s)
  %t = add i32 %a, %s
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  store i32 %t, ptr %p
  ret void
}

define i32 @second(i32 %x) {
  %y = add i32 %x, 7
  %a = call i32 asm "second $0;", "=r,0"(i32 %y)
  ret i32 %a
}

define float @third(float %x) {
  %y = fadd float %x, 7.0
  %a = call float asm "third $0;", "=f,0"(float %y)
  ret float %a
}
