// Sum and maximum of an array: a grid-stride loop, a butterfly of warp shuffles
// written as inline assembly with "+f" operands (the shuffle reads and writes
// the same register), and a second stage through shared memory.
#include "device.h"

static __device__ inline float shuffle_xor(float value, int lanes) {
  asm volatile("shfl.sync.bfly.b32 %0, %0, %1, 31, 0xffffffff;"
               : "+f"(value)
               : "r"(lanes));
  return value;
}

// `sum` is read again after the shuffle: its copy has to stay.
static __device__ inline float warp_sum(float sum) {
  for (int lanes = 16; lanes; lanes /= 2)
    sum += shuffle_xor(sum, lanes);
  return sum;
}

static __device__ inline float warp_max(float best) {
  for (int lanes = 16; lanes; lanes /= 2) {
    float other = shuffle_xor(best, lanes);
    best = other > best ? other : best;
  }
  return best;
}

extern "C" __global__ void reduce(const float *in, float *sums, float *maxima,
                                  int n) {
  __shared__ float partial_sums[32], partial_maxima[32];
  int warp = thread_index() / 32, lane = thread_index() % 32;
  float sum = 0, best = -__builtin_inff();
  for (int i = global_index(); i < n; i += global_count()) {
    sum += in[i];
    best = in[i] > best ? in[i] : best;
  }
  sum = warp_sum(sum);
  best = warp_max(best);
  if (lane == 0) {
    partial_sums[warp] = sum;
    partial_maxima[warp] = best;
  }
  wait_for_block();
  if (warp == 0) {
    bool used = lane < block_size() / 32;
    sum = warp_sum(used ? partial_sums[lane] : 0);
    best = warp_max(used ? partial_maxima[lane] : -__builtin_inff());
    if (lane == 0) {
      sums[block_index()] = sum;
      maxima[block_index()] = best;
    }
  }
}
