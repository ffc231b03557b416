// Lists of numbers: sorting, sums of all that comes before, counting, a
// sparse matrix, searching.
#include "../../examples/device.h"

enum { COUNT = 1024 };

// Sorts COUNT numbers of each block, by Batcher's bitonic network.
extern "C" __global__ void sort(unsigned *values) {
  __shared__ unsigned mine[COUNT];
  unsigned *block = values + block_index() * COUNT;
  for (int i = thread_index(); i < COUNT; i += block_size())
    mine[i] = block[i];
  for (int size = 2; size <= COUNT; size *= 2)
    for (int distance = size / 2; distance; distance /= 2) {
      wait_for_block();
      for (int i = thread_index(); i < COUNT / 2; i += block_size()) {
        int low = 2 * i - (i & (distance - 1)), high = low + distance;
        unsigned a = mine[low], b = mine[high];
        bool is_down = low & size;
        if ((a > b) != is_down) {
          mine[low] = b;
          mine[high] = a;
        }
      }
    }
  wait_for_block();
  for (int i = thread_index(); i < COUNT; i += block_size())
    block[i] = mine[i];
}

// The sum of all numbers before each one, in COUNT numbers of each block.
extern "C" __global__ void prefix_sums(const int *in, int *out) {
  __shared__ int sums[2][COUNT];
  int from = 0;
  for (int i = thread_index(); i < COUNT; i += block_size())
    sums[0][i] = i ? in[block_index() * COUNT + i - 1] : 0;
  for (int distance = 1; distance < COUNT; distance *= 2) {
    wait_for_block();
    for (int i = thread_index(); i < COUNT; i += block_size())
      sums[1 - from][i] =
          sums[from][i] + (i >= distance ? sums[from][i - distance] : 0);
    from = 1 - from;
  }
  wait_for_block();
  for (int i = thread_index(); i < COUNT; i += block_size())
    out[block_index() * COUNT + i] = sums[from][i];
}

// How often each byte occurs, for each block.
extern "C" __global__ void histogram(const unsigned char *bytes, int *counts,
                                     int n) {
  __shared__ int mine[256];
  for (int i = thread_index(); i < 256; i += block_size())
    mine[i] = 0;
  wait_for_block();
  for (int i = global_index(); i < n; i += global_count())
    __atomic_fetch_add(&mine[bytes[i]], 1, __ATOMIC_RELAXED);
  wait_for_block();
  for (int i = thread_index(); i < 256; i += block_size())
    counts[block_index() * 256 + i] = mine[i];
}

// y = matrix * x; the matrix is sparse, by compressed rows.
extern "C" __global__ void sparse(const int *starts, const int *columns,
                                  const double *values, const double *x,
                                  double *y, int rows) {
  for (int row = global_index(); row < rows; row += global_count()) {
    double sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
      sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

// Where each key stands in a sorted list, or would stand.
extern "C" __global__ void search(const long *sorted, int n, const long *keys,
                                  int *found, int num_keys) {
  for (int k = global_index(); k < num_keys; k += global_count()) {
    long key = keys[k];
    int low = 0, high = n;
    while (low < high) {
      int middle = (low + high) / 2;
      if (sorted[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    found[k] = low;
  }
}
