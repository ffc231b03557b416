// A kernel with its launch, and a function for the host, with what clang needs to see of CUDA's headers.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef unsigned long size_t;
typedef struct Stream *cudaStream_t;
typedef int cudaError_t;
struct dim3 {
  unsigned x, y, z;
};
extern "C" cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);

extern "C" __device__ int step(int x, int i) { return x * 7 + i; }
extern "C" __global__ void walk(int *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = step(p[i], i);
}
int main() { return 0; }
