// Dense linear algebra: a product of matrices by tiles, a transposition, a
// row-wise softmax.
#include "../../examples/device.h"

enum { TILE = 32, PART = 4 };

// c = a * b, n x n, n a multiple of TILE. A block of 8 x 8 threads makes a
// tile, each thread PART x PART of it.
extern "C" __global__ void product(const float *a, const float *b, float *c,
                                   int n) {
  __shared__ float left[TILE][TILE + 1], right[TILE][TILE + 1];
  int tx = thread_index() % 8, ty = thread_index() / 8;
  int row = block_index() / (n / TILE) * TILE,
      column = block_index() % (n / TILE) * TILE;
  float sums[PART][PART] = {};
  for (int at = 0; at < n; at += TILE) {
    for (int y = ty; y < TILE; y += 8)
      for (int x = tx; x < TILE; x += 8) {
        left[y][x] = a[(row + y) * n + at + x];
        right[y][x] = b[(at + y) * n + column + x];
      }
    wait_for_block();
    for (int k = 0; k < TILE; k++)
#pragma unroll
      for (int i = 0; i < PART; i++)
#pragma unroll
        for (int j = 0; j < PART; j++)
          sums[i][j] += left[ty * PART + i][k] * right[k][tx * PART + j];
    wait_for_block();
  }
  for (int i = 0; i < PART; i++)
    for (int j = 0; j < PART; j++)
      c[(row + ty * PART + i) * n + column + tx * PART + j] = sums[i][j];
}

// to = transposed from, through a tile of shared memory.
extern "C" __global__ void transpose(const double *from, double *to, int rows,
                                     int columns) {
  __shared__ double tile[TILE][TILE + 1];
  int tiles = (columns + TILE - 1) / TILE;
  int x = block_index() % tiles * TILE + thread_index() % TILE,
      y = block_index() / tiles * TILE;
  for (int i = thread_index() / TILE; i < TILE; i += block_size() / TILE)
    if (x < columns && y + i < rows)
      tile[i][thread_index() % TILE] = from[(y + i) * (long)columns + x];
  wait_for_block();
  int from_x = block_index() / tiles * TILE + thread_index() % TILE,
      to_y = block_index() % tiles * TILE;
  for (int i = thread_index() / TILE; i < TILE; i += block_size() / TILE)
    if (from_x < rows && to_y + i < columns)
      to[(to_y + i) * (long)rows + from_x] = tile[thread_index() % TILE][i];
}

static __device__ float power_of_two(float x) {
  float result;
  asm("ex2.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// A row for each thread; the maximum and the sum of it in one walk.
extern "C" __global__ void softmax(const float *in, float *out, int rows,
                                   int columns) {
  for (int row = global_index(); row < rows; row += global_count()) {
    const float *values = in + row * columns;
    float top = values[0], sum = 0;
    for (int i = 0; i < columns; i++) {
      float value = values[i], higher = value > top ? value : top;
      sum = sum * power_of_two((top - higher) * 1.442695f) +
            power_of_two((value - higher) * 1.442695f);
      top = higher;
    }
    for (int i = 0; i < columns; i++)
      out[row * columns + i] =
          power_of_two((values[i] - top) * 1.442695f) / sum;
  }
}
