// Sorts: bitonic in one block, by merging runs and by ranks in several. Knuth, The Art of Computer Programming 3, sections 5.2 and 5.3.4.
#include "known.h"

SHARED u32 keys[512];

// Sorts 2 elements for each thread; the block has 256 threads.
KERNEL bitonic(const s32 *in, s32 *out) {
  u32 t = thread_x();
  keys[t] = in[t], keys[t + 256] = in[t + 256];
  for (u32 size = 2; size <= 512; size *= 2)
    for (u32 stride = size / 2; stride > 0; stride /= 2) {
      barrier();
      u32 low = 2 * t - (t & (stride - 1)), high = low + stride;
      s32 a = keys[low], b = keys[high];
      if ((a > b) == ((low & size) == 0))
        keys[low] = b, keys[high] = a;
    }
  barrier();
  out[t] = keys[t], out[t + 256] = keys[t + 256];
}

// Merges runs of `width` elements in pairs: each element looks for its place in the other run.
KERNEL merge(const s32 *in, s32 *out, u32 width, u32 count) {
  u32 i = index_x();
  if (i >= count)
    return;
  u32 run = i / width, other = (run ^ 1) * width;
  s32 key = in[i];
  u32 low = 0, high = width;
  while (low < high) {
    u32 middle = (low + high) / 2;
    s32 there = in[other + middle];
    // Equal ones of the first run stay before those of the second.
    if (run & 1 ? there <= key : there < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[(run & ~1u) * width + (i - run * width) + low] = key;
}

// Counts for each element how many come before it, in tiles of shared memory; a value goes with each key.
KERNEL by_ranks(const u64 *in, const u16 *values, u64 *out, u16 *out_values, u32 count) {
  SHARED u64 tile[64];
  u32 i = index_x(), rank = 0;
  u64 key = i < count ? in[i] : 0;
  for (u32 first = 0; first < count; first += 64) {
    barrier();
    if (first + thread_x() < count)
      tile[thread_x()] = in[first + thread_x()];
    barrier();
    for (u32 j = 0; j < 64 && first + j < count; j++)
      rank += tile[j] < key || (tile[j] == key && first + j < i);
  }
  if (i < count)
    out[rank] = key, out_values[rank] = values[i];
}

// Sorts by 8 bits at a time, within a block of 128 threads that have an element each: the place of an element among the equal ones is
// found by a vote in its warp for each bit of the digit.
KERNEL radix(const u32 *in, u32 *out) {
  SHARED u32 from[128], counts[4][256], starts[256];
  u32 t = thread_x(), warp = t / 32, below = (1u << t % 32) - 1;
  u32 key = in[block_x() * 128 + t];
  for (u32 shift = 0; shift < 32; shift += 8) {
    for (u32 i = t; i < 1024; i += 128)
      counts[i / 256][i % 256] = 0;
    barrier();
    u32 digit = key >> shift & 255, same = EVERYONE;
    for (u32 bit = 0; bit < 8; bit++) {
      bool is_set = digit >> bit & 1;
      u32 votes = ballot(is_set);
      same &= is_set ? votes : ~votes;
    }
    u32 rank = __builtin_popcount(same & below);
    if (rank == 0)
      counts[warp][digit] = __builtin_popcount(same);
    barrier();
    if (t == 0) {
      u32 sum = 0;
      for (u32 i = 0; i < 256; i++) {
        starts[i] = sum;
        for (u32 w = 0; w < 4; w++)
          sum += counts[w][i];
      }
    }
    barrier();
    u32 place = starts[digit] + rank;
    for (u32 w = 0; w < warp; w++)
      place += counts[w][digit];
    from[place] = key;
    barrier();
    key = from[t];
  }
  out[block_x() * 128 + t] = key;
}
