; One function with a body, after declarations.
target triple = "nvptx64-nvidia-cuda"
declare void @not_this(i32)
declare void @nor_this(i32)
define void @only_this_one(i32 %x) {
  call void @not_this(i32 %x)
  ret void
}
