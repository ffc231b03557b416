// Random numbers. Philox4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011), with the authors' vectors.
// MT19937: Matsumoto and Nishimura (1998); known.py compares with Python's own. xorshift64*: Vigna (2016).
#include "known.h"

KERNEL philox(const u32 *counters, const u32 *keys, u32 *out, u32 count) {
  u32 id = index_x();
  if (id >= count)
    return;
  u32 c[4], key0 = keys[2 * id], key1 = keys[2 * id + 1];
  for (u32 i = 0; i < 4; i++)
    c[i] = counters[4 * id + i];
  for (u32 round = 0; round < 10; round++) {
    u64 a = (u64)c[0] * 0xd2511f53, b = (u64)c[2] * 0xcd9e8d57;
    u32 next[4] = {(u32)(b >> 32) ^ c[1] ^ key0, (u32)b, (u32)(a >> 32) ^ c[3] ^ key1, (u32)a};
    for (u32 i = 0; i < 4; i++)
      c[i] = next[i];
    key0 += 0x9e3779b9, key1 += 0xbb67ae85;
  }
  for (u32 i = 0; i < 4; i++)
    out[4 * id + i] = c[i];
}

// Makes the next 624 numbers for each of `turns`, in a block of 256 threads. The state's last words depend on its first new ones.
KERNEL twister(const u32 *seed, u32 *out, u32 turns) {
  SHARED u32 state[624];
  u32 t = thread_x();
  for (u32 i = t; i < 624; i += 256)
    state[i] = seed[i];
  for (u32 turn = 0; turn < turns; turn++) {
    for (u32 first = 0; first < 624; first += 227) {
      barrier();
      u32 i = first + t;
      bool is_mine = t < 227 && i < 624;
      u32 word = 0;
      if (is_mine) {
        u32 mixed = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7fffffff);
        word = state[(i + 397) % 624] ^ mixed >> 1 ^ (mixed & 1 ? 0x9908b0df : 0);
      }
      barrier();
      if (is_mine)
        state[i] = word;
    }
    barrier();
    for (u32 i = t; i < 624; i += 256) {
      u32 y = state[i];
      y ^= y >> 11;
      y ^= y << 7 & 0x9d2c5680;
      y ^= y << 15 & 0xefc60000;
      y ^= y >> 18;
      out[turn * 624 + i] = y;
    }
  }
}

KERNEL xorshift(const u64 *seeds, u64 *out, u32 steps) {
  u32 id = index_x();
  u64 x = seeds[id];
  for (u32 i = 0; i < steps; i++) {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    out[id * steps + i] = x * 0x2545f4914f6cdd1d;
  }
}
