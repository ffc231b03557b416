; Both sides make the same PTX of it.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @same(ptr addrspace(1) %out) {
  store float 1.000000e+00, ptr addrspace(1) %out, align 4
  ret void
}
