// What the sources here need of CUDA's and OpenCL's headers, so that clang
// alone compiles them: `make` in this folder shows how.
#pragma once

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define DEVICE static inline __device__
#else
#define DEVICE static inline
#endif

DEVICE int thread_index(void) { return __nvvm_read_ptx_sreg_tid_x(); }
DEVICE int block_index(void) { return __nvvm_read_ptx_sreg_ctaid_x(); }
DEVICE int block_size(void) { return __nvvm_read_ptx_sreg_ntid_x(); }
DEVICE int grid_size(void) { return __nvvm_read_ptx_sreg_nctaid_x(); }
DEVICE void wait_for_block(void) { __syncthreads(); }

// The thread's number in the grid, and how many threads the grid has.
DEVICE int global_index(void) {
  return block_index() * block_size() + thread_index();
}
DEVICE int global_count(void) { return grid_size() * block_size(); }
