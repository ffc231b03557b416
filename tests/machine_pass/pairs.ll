; A pair of conversions with a block boundary in between: the index is widened in `entry`, and `narrow` takes the lower half of a sum of it, which LLVM
; computes in 32 bits. It selects instructions for one block at a time, so its PTX converts there and back.
target triple = "nvptx64-nvidia-cuda"

define i32 @pairs(i32 %a, i32 %b, ptr %table, i32 %case) {
entry:
  %index = sub i32 %a, %b
  %wide = sext i32 %index to i64
  %place = getelementptr i8, ptr %table, i64 %wide
  store volatile i8 1, ptr %place
  switch i32 %case, label %out [ i32 0, label %narrow
                               i32 1, label %narrow ]

narrow:
  %sum = add i64 %wide, 7
  %low = trunc i64 %sum to i32
  %product = mul i32 %low, %low
  br label %out

out:
  %result = phi i32 [ %product, %narrow ], [ 0, %entry ]
  ret i32 %result
}
