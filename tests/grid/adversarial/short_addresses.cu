// Attacks short-addresses: values of 64 bits of which an address in shared or constant memory needs the low half, and another reader more.
#include "../grid.h"

CONSTANT u32 table[64] = {3,  1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5,
                          10, 2, 8, 8, 4, 1, 9, 7, 1, 6, 9, 3, 9, 9, 3, 7, 5, 1, 0, 5, 8, 2, 0, 9, 7, 4, 9, 4, 4, 5, 9, 2};

#define FILL_TILE                                                                                                                      \
  SHARED u32 tile[128];                                                                                                                \
  for (u32 fill = thread_x(); fill < 128; fill += block_size_x())                                                                      \
    tile[fill] = fill * 0x9e3779b9u;                                                                                                   \
  barrier()

// Shows: the index that is stored whole as well is extended from its low half.
KERNEL index_is_stored(u64 *out, const u64 *in) {
  FILL_TILE;
  u64 index = in[thread_x()] * 3 + 1;
  out[2 * thread_x()] = index;
  out[2 * thread_x() + 1] = tile[index & 127] + index;
}

// Shows: a comparison of 64 bits compares low halves.
KERNEL index_is_compared(u32 *out, const u64 *in, u64 n) {
  FILL_TILE;
  u64 index = in[thread_x()];
  u32 sum = 1;
  if (index < n)
    sum = tile[index & 127] + table[index & 63];
  if ((s64)index < (s64)n)
    sum = sum * 31 + tile[(index + 1) & 127];
  out[thread_x()] = sum;
}

// Shows: a right shift takes bits of a high half that is not there any more; with and without a sign.
KERNEL index_is_shifted(u32 *out, const u64 *in) {
  FILL_TILE;
  u64 x = in[thread_x()] + 5;
  u32 sum = tile[(x >> 20) & 127] + 3 * tile[(x >> 32) & 127] + 5 * tile[(x >> 57)] + 7 * tile[((s64)x >> 57) + 64];
  sum = sum * 31 + table[(x >> 30) & 63] + 3 * table[(x << 3) >> 58] + 5 * table[((s64)(x << 7) >> 59) + 32];
  out[thread_x()] = sum;
}

// Shows: a shift to the left by 32 and more, known at run time only, shifts a register of 32 bits by what is left modulo 32.
KERNEL long_shifts(u32 *out, const u64 *in, u32 by) {
  FILL_TILE;
  u64 x = in[thread_x()];
  u32 sum = tile[(x << by) & 127] + 3 * tile[((x << (by ^ 1)) + 5) & 127] + 5 * table[((x << (63 - by)) ^ 9) & 63];
  out[thread_x()] = sum;
}

// Shows: an index with a sign is extended with zeros, so that what is after or before the tile is read.
KERNEL negative_indices(u32 *out, const s32 *in, s64 far) {
  FILL_TILE;
  s32 i = in[thread_x()] % 32;
  const u32 *middle = tile + 64;
  u32 sum = middle[i] + 3 * middle[-i] + 5 * middle[(s64)i * 2] + 7 * middle[far - i] + 11 * table[32 + i] + 13 * table[32 - (s64)i + (far >> 5)];
  middle += i;
  sum = sum * 31 + middle[-1] + 3 * middle[far];
  out[thread_x()] = sum;
}

// Shows: the quotient, the remainder or the high word of a product is computed from low halves.
KERNEL index_is_divided(u32 *out, const u64 *in, u64 by) {
  FILL_TILE;
  u64 x = in[thread_x()];
  u64 high = (u64)((unsigned __int128)x * (x + by) >> 64);
  out[thread_x()] = tile[(x / by) & 127] + 3 * tile[(x % by) & 127] + 5 * tile[high & 127] + 7 * table[(x / 10) & 63] + 11 * table[(x * by) & 63];
}

// Shows: the difference of two addresses of shared memory, which is negative, is one of 32 bits.
KERNEL pointer_differences(s64 *out, const u32 *in) {
  FILL_TILE;
  const u32 *p = tile + (in[thread_x()] & 63), *q = tile + (in[thread_x() + 1] & 127);
  u32 sum = 0;
  NO_UNROLL
  while (p < q) {
    sum = sum * 31 + *p;
    p += 3;
  }
  out[2 * thread_x()] = p - q;
  out[2 * thread_x() + 1] = sum + *q;
}

// Shows: a pointer that goes to shared memory or to global memory is short.
KERNEL either_space(u32 *out, const u32 *in, u32 which) {
  FILL_TILE;
  const u32 *p = (thread_x() + which) & 1 ? tile : in;
  p += (thread_x() * 5) & 63;
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < which; i++) {
    sum = sum * 31 + p[i];
    p = (sum & 4) == 0 ? p + 1 : (sum & 8) == 0 ? tile + 7 : in + 9;
  }
  out[thread_x()] = sum + *p;
}

// Shows: a pointer of a loop that begins in shared memory and is read after the loop as a number.
KERNEL walking_pointer(u64 *out, const u64 *in, u64 step, u64 n) {
  FILL_TILE;
  u64 at = in[thread_x()] & 31, sum = 0, i;
  NO_UNROLL
  for (i = 0; i < n; i++) {
    sum = sum * 31 + tile[at & 127] + table[(at + 1) & 63];
    at += step;
    if ((at >> 31) == 3)
      break;
  }
  out[2 * thread_x()] = at;
  out[2 * thread_x() + 1] = sum + i;
}

// Shows: stores and atomic operations on short addresses go elsewhere.
KERNEL stores_to_shared(u32 *out, const u64 *in) {
  DYNAMIC_SHARED(u32, bins);
  u64 x = in[thread_x()];
  bins[thread_x()] = 0;
  bins[thread_x() + 64] = ~thread_x();
  barrier();
  atomic_add(&bins[x & 63], (u32)(x >> 32));
  atomic_max(&bins[64 + (x >> 58)], (u32)x);
  barrier();
  ((u8 *)bins)[512 + 3 * thread_x()] = (u8)x;
  ((u16 *)bins)[400 + thread_x()] = (u16)(x >> 48);
  barrier();
  out[thread_x()] = bins[thread_x()] + 3 * bins[127 - thread_x()] + 5 * ((u8 *)bins)[512 + 3 * (63 - thread_x())] + 7 * ((u16 *)bins)[463 - thread_x()];
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(1024, 7), out = Buffer::zeros(1024);
  std::vector<u64> edges;
  for (u32 i = 0; i < 64; i++)
    edges.push_back(((u64)(i & 3) << 32) - (i & 1) + i / 4 + ((u64)(i == 9) << 63));
  Buffer near = Buffer::of(edges);
  for (const Buffer &x : {in, near}) {
    LAUNCH(index_is_stored, 1, 64, 0, out, x);
    for (u64 n : {0ull, 5ull, 1ull << 31, 1ull << 32, (1ull << 32) + 7, 1ull << 63, ~0ull})
      LAUNCH(index_is_compared, 1, 64, 0, out, x, n);
    LAUNCH(index_is_shifted, 1, 64, 0, out, x);
    for (u32 by : {0, 1, 2, 6, 30, 31, 32, 33, 62, 63})
      LAUNCH(long_shifts, 1, 64, 0, out, x, by);
    for (s64 far : {0, 1, 31, -31})
      LAUNCH(negative_indices, 1, 64, 0, out, x, far);
    for (u64 by : {1ull, 3ull, 1ull << 32, (1ull << 32) + 1, 0xffffffffull, ~0ull})
      LAUNCH(index_is_divided, 1, 64, 0, out, x, by);
    LAUNCH(pointer_differences, 1, 64, 0, out, x);
    for (u64 step : {0ull, 1ull, ~0ull, 1ull << 32, 0x7fffffffull, 1ull << 30})
      for (u64 n : {0, 1, 9})
        LAUNCH(walking_pointer, 1, 64, 0, out, x, step, n);
    LAUNCH(stores_to_shared, 1, 64, 1024, out, x);
  }
  for (u32 which : {0, 1, 2, 11})
    LAUNCH(either_space, 1, 64, 0, out, in, which);
}
#endif
