// The kernel of the report's test that has debug information: a dot product of each thread's row with a vector,
// whose helper is inlined. lines.ll is made of it by
//
//   clang -O2 -S -emit-llvm -fno-ident -gline-tables-only -x cuda --cuda-device-only --cuda-gpu-arch=sm_80
//     --cuda-feature=+ptx70 -nocudainc -nocudalib lines.cu
//
// with /src as the folder's name.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

static __device__ int number() {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}

extern "C" __global__ void rows(const float *matrix, const float *vector, float *result, int count, int columns) {
  int row = number();
  if (row >= count)
    return;
  float sum = 0;
  for (int column = 0; column < columns; ++column)
    sum += matrix[row * columns + column] * vector[column];
  result[row] = sum;
}
