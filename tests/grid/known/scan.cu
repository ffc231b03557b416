// Exclusive sums: by shuffles in a warp, by the warps' sums in a block, and over blocks. Hillis and Steele, "Data parallel algorithms" (1986).
#include "known.h"

// Gives the sum of what the threads before this one have, and the sum of the whole block in `total`.
DEVICE u32 sum_before(u32 value, u32 *total) {
  SHARED u32 sums[32];
  u32 t = thread_x(), lane = t % 32, sum = value;
  for (u32 by = 1; by < 32; by *= 2) {
    u32 other = shuffle_up(sum, by);
    sum += lane >= by ? other : 0;
  }
  barrier();
  if (lane == 31)
    sums[t / 32] = sum;
  barrier();
  u32 before = 0, all = 0;
  for (u32 warp = 0; warp < block_size_x() / 32; warp++) {
    before += warp < t / 32 ? sums[warp] : 0;
    all += sums[warp];
  }
  *total = all;
  return before + sum - value;
}

// Scans each block alone.
KERNEL scan_blocks(const u32 *in, u32 *out, u32 *totals) {
  u32 total, i = index_x();
  out[i] = sum_before(in[i], &total);
  if (thread_x() == 0)
    totals[block_x()] = total;
}

// Scans everything: each block first adds what the blocks before it have.
KERNEL scan_all(const u32 *in, u32 *out, u32 count) {
  u32 before = 0, total, t = thread_x();
  for (u32 first = 0; first < block_x() * block_size_x(); first += block_size_x()) {
    sum_before(in[first + t], &total);
    before += total;
  }
  u32 i = index_x();
  u32 sum = before + sum_before(i < count ? in[i] : 0, &total);
  if (i < count)
    out[i] = sum;
}

// Keeps the elements that are not 0, in order; the block's size is 64. Their number goes to `kept`.
KERNEL compact(const u32 *in, u32 *out, u32 *kept, u32 count) {
  u32 place = 0;
  for (u32 first = 0; first < count; first += block_size_x()) {
    u32 i = first + thread_x(), value = i < count ? in[i] : 0, total;
    u32 before = sum_before(value != 0, &total);
    if (value)
      out[place + before] = value;
    place += total;
  }
  if (thread_x() == 0)
    *kept = place;
}
