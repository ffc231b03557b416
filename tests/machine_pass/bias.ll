; `kernel` stores what it loads of `table`. The pass `builds` of the plugin `misuse` adds what `bias` has, as a source does that run.py writes.
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) global i32 41, align 4
@bias = addrspace(1) global i32 1, align 4

define void @kernel(ptr addrspace(1) %out) {
  %value = load i32, ptr addrspace(1) @table
  store i32 %value, ptr addrspace(1) %out
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
