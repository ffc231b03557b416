// Products of matrices in tiles of shared memory, of any size. known.py multiplies small integers, whose sums are exact in any order.
// CUDA C++ Programming Guide, "Shared Memory".
#include "known.h"

// c (rows x columns) = a (rows x inner) * b (inner x columns); blocks of 8 x 8 threads.
template <class T> DEVICE void product(const T *a, const T *b, T *c, u32 rows, u32 columns, u32 inner, T (&tile_a)[8][8], T (&tile_b)[8][8]) {
  u32 x = thread_x(), y = thread_y(), column = index_x(), row = index_y();
  T sum = 0;
  for (u32 first = 0; first < inner; first += 8) {
    tile_a[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0;
    tile_b[y][x] = column < columns && first + y < inner ? b[(first + y) * columns + column] : 0;
    barrier();
    for (u32 i = 0; i < 8; i++)
      sum += tile_a[y][i] * tile_b[i][x];
    barrier();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

KERNEL matmul_f32(const float *a, const float *b, float *c, u32 rows, u32 columns, u32 inner) {
  SHARED float tile_a[8][8], tile_b[8][8];
  product(a, b, c, rows, columns, inner, tile_a, tile_b);
}

KERNEL matmul_f64(const double *a, const double *b, double *c, u32 rows, u32 columns, u32 inner) {
  SHARED double tile_a[8][8], tile_b[8][8];
  product(a, b, c, rows, columns, inner, tile_a, tile_b);
}

// Each thread has 4 x 4 results in registers, and reads four elements at once.
KERNEL matmul_registers(const float *RESTRICT a, const float *RESTRICT b, float *RESTRICT c, u32 columns, u32 inner) {
  typedef float Four __attribute__((ext_vector_type(4)));
  float sums[4][4] = {};
  u32 row = 4 * index_y(), column = 4 * index_x();
  for (u32 i = 0; i < inner; i++) {
    Four right = *(const Four *)(b + i * columns + column);
    for (u32 y = 0; y < 4; y++) {
      float left = a[(row + y) * inner + i];
      for (u32 x = 0; x < 4; x++)
        sums[y][x] = __builtin_fmaf(left, right[x], sums[y][x]);
    }
  }
  for (u32 y = 0; y < 4; y++)
    *(Four *)(c + (row + y) * columns + column) = (Four){sums[y][0], sums[y][1], sums[y][2], sums[y][3]};
}
