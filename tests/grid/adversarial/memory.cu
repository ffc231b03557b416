// Attacks all stages that move or join accesses: aliasing, volatile and atomic ones, fences, and pointers to different spaces.
#include "../grid.h"

// Shows: loads on both sides of a store that may alias are one, or go over it.
KERNEL aliasing_stores(u32 *data, u32 a, u32 b, u32 n) {
  u32 *own = data + 64 * thread_x(), sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 x = own[a + i], y = own[a + i + 1];
    own[b + i] = x + y + i;
    u32 z = own[a + i], w = own[a + i + 1];
    own[b + i + 1] = z ^ w;
    sum = sum * 31 + x + 3 * y + 5 * z + 7 * w + own[a + i];
  }
  own[0] = sum;
}

// Shows: narrow stores into a word that is loaded on both sides.
KERNEL stores_of_bytes(u32 *data, u32 at, u32 n) {
  u32 *own = data + 16 * thread_x(), sum = 0;
  u8 *bytes = (u8 *)own;
  u16 *shorts = (u16 *)own;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 before = own[1];
    bytes[at + i % 8] = (u8)(before + i);
    u32 between = own[1];
    shorts[(at + i) % 8] = (u16)(between * 3);
    sum = sum * 31 + before + 5 * between + 7 * own[1];
  }
  own[8] = sum;
}

// Shows: volatile loads are one, or volatile stores are dropped; each access counts.
KERNEL volatile_accesses(u32 *data, u32 n) {
  volatile u32 *own = data + 16 * thread_x();
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 a = own[0];
    own[0] = a + 1;
    u32 b = own[0];
    own[0] = b + i;
    own[1] = own[0];
    sum = sum * 31 + a + b + own[1];
  }
  own[2] = sum;
}

// Shows: atomic operations are one, or go over each other or over plain accesses of the same word.
KERNEL atomic_accesses(u32 *data, u32 n) {
  u32 *own = data + 16 * thread_x(), sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 a = atomic_add(own, 3), b = atomic_max(own + 1, a ^ i);
    u32 c = own[0];
    u32 d = atomic_exchange(own, c + b);
    u32 e = atomic_add(own, 3);
    sum = sum * 31 + a + 3 * b + 5 * c + 7 * d + 11 * e + own[1];
  }
  own[2] = sum;
}

// Shows: a read-modify-write of many threads loses some of them; the sum and the maximum need no order.
KERNEL counts_of_all(u32 *bins, const u32 *in, u32 n) {
  SHARED u32 local[16];
  if (thread_x() < 16)
    local[thread_x()] = 0;
  barrier();
  NO_UNROLL
  for (u32 i = global_index(); i < n; i += global_count()) {
    atomic_add(&local[in[i] & 15], i);
    atomic_max(bins + 16 + (in[i] >> 28), in[i]);
  }
  barrier();
  if (thread_x() < 16)
    atomic_add(bins + thread_x(), local[thread_x()]);
}

// Shows: a value is handed to the next thread of the warp by shared memory, with a fence and a barrier between, a few times.
KERNEL handing_on(u32 *out, const u32 *in, u32 n) {
  SHARED u32 tile[2][64];
  u32 t = thread_x(), v = in[t];
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    tile[i & 1][t] = v;
    fence();
    barrier();
    v = v * 31 + tile[i & 1][(t + 1) & 63] + 3 * tile[i & 1][(t + 63) & 63];
  }
  out[t] = v;
}

// Shows: a select of addresses in different spaces takes an access of one of them.
CONSTANT u32 constants[32] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83};
GLOBAL u32 globals[32] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2};
KERNEL four_spaces(u32 *out, const u32 *in, u32 n) {
  SHARED u32 tile[32];
  u32 local[32], t = thread_x(), sum = 0;
  tile[t] = in[t];
  for (u32 k = 0; k < 32; k++)
    local[k] = in[k] * 3 + t;
  barrier();
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 which = (sum + i + t) % 5, at = (sum >> 8) & 31;
    const u32 *p = which == 0 ? tile : which == 1 ? constants : which == 2 ? globals : which == 3 ? local : in;
    sum = sum * 31 + p[at] + 3 * p[at ^ 1];
    local[at] = sum;
  }
  out[t] = sum;
}

// Shows: an array in local memory with indices that are known at run time only; two arrays get the same place.
KERNEL local_arrays(u32 *out, const u32 *in, u32 n) {
  u32 a[20], b[20], t = thread_x();
  for (u32 k = 0; k < 20; k++) {
    a[k] = in[k] + t;
    b[k] = in[k + 20] ^ t;
  }
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 from = (a[i % 20] >> 5) % 20, to = (b[i % 20] >> 7) % 20;
    u32 old = a[to];
    a[to] = b[from] + i;
    b[from] = old * 3;
    a[from] ^= b[to];
  }
  u32 sum = 0;
  for (u32 k = 0; k < 20; k++)
    sum = sum * 31 + a[k] + 7 * b[k];
  out[t] = sum;
}

// Shows: loads that were joined to one of 8 or 16 bytes at an address that is aligned to 4 only, or parts in the wrong order.
struct alignas(16) Quad {
  u32 v[4];
};
KERNEL wide_accesses(Quad *out, const Quad *in, const u32 *words, u32 shift) {
  u32 t = thread_x();
  Quad q = in[t ^ 1];
  const u32 *p = words + 4 * t + shift;
  u32 a = p[0], b = p[1], c = p[2], d = p[3];
  u64 e = ((const u64 *)words)[t], f = ((const u64 *)words)[t + 1];
  out[t] = Quad{q.v[3] + a, q.v[0] ^ b ^ (u32)e, q.v[2] - c + (u32)(f >> 32), q.v[1] * d};
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(4096, 12), out = Buffer::zeros(512);
  for (u32 n : {0, 1, 2, 21}) {
    for (u32 a : {1, 3})
      for (u32 b : {0, 1, 2, 3, 4, 30})
        LAUNCH(aliasing_stores, 1, 32, 0, Buffer::random(8192, 13), a, b, n);
    for (u32 at : {0, 2, 4})
      LAUNCH(stores_of_bytes, 1, 32, 0, Buffer::random(2048, 14), at, n);
    LAUNCH(volatile_accesses, 1, 32, 0, Buffer::random(2048, 15), n);
    LAUNCH(atomic_accesses, 1, 32, 0, Buffer::random(2048, 16), n);
    LAUNCH(counts_of_all, 3, 64, 0, Buffer::zeros(128), in, 30 * n);
    LAUNCH(handing_on, 1, 64, 0, out, in, n);
    LAUNCH(four_spaces, 1, 32, 0, out, in, n);
    LAUNCH(local_arrays, 1, 32, 0, out, in, n);
  }
  for (u32 shift : {0, 1, 2, 3})
    LAUNCH(wide_accesses, 1, 32, 0, out, in, in, shift);
}
#endif
