// Computes what the kernels of ir_halves.ll give.
#include "../grid.h"

KERNEL pairs_around(u32 *out, const u32 *in, u32 n) {
  u32 s = thread_x(), pair = in[thread_x()], i = 0;
  do {
    s = s * 31 + pair;
    if (!(s & 8))
      pair = in[s & 255];
  } while (++i < n);
  out[thread_x()] = s + (pair >> 16);
}
KERNEL swapped(u32 *out, const u32 *in, u32 n) {
  u32 s = thread_x(), v = in[thread_x()], pair = v, i = 0;
  do {
    s = s * 31 + pair;
    pair = (s ^ v) << 16 | (s ^ v) >> 16;
  } while (++i < n);
  out[thread_x()] = s;
}
KERNEL of_two_values(u32 *out, const u32 *in, u32 n) {
  u32 s = thread_x(), v = in[thread_x()], lo = v & 0xffff, hi = ~v >> 16, k = hi, i = 0;
  do {
    s = s * 31 + (hi << 16 | lo) + (hi << 16 | k);
    lo = k = (s ^ v) & 0xffff;
    hi = ~s >> 16;
  } while (++i < n);
  out[thread_x()] = s;
}
KERNEL four_parts(u64 *out, const u64 *in, u32 n) {
  u64 v = in[thread_x()], s = v, parts = v;
  u32 i = 0;
  do {
    s = s * 31 + parts + (parts >> 32 & 0xffff);
    parts = s ^ v;
  } while (++i < n);
  out[thread_x()] = s;
}
KERNEL halves_of_doubles(u64 *out, const u64 *in, u32 n) {
  u64 v = in[thread_x()], s = v, pair = v;
  u32 i = 0;
  do {
    s = s * 31 + pair;
    pair = s & 32 ? pair << 32 | pair >> 32 : s ^ v;
  } while (++i < n);
  out[thread_x()] = s + (pair >> 32);
}
KERNEL pairs_made_wide(u32 *out, const u32 *in, u32 n) {
  u32 s = thread_x(), pair = in[thread_x()], i = 0;
  do {
    s = s * 31 + pair;
    if (!(s & 8)) {
      pair = in[s & 255];
      s += pair & 0xffff;
    }
  } while (++i < n);
  out[thread_x()] = s;
}
KERNEL four_parts_made_wide(u64 *out, const u64 *in, u32 n) {
  u64 v = in[thread_x()], s = v, parts = v;
  u32 i = 0;
  do {
    s = s * 31 + parts + 3;
    parts = s ^ v;
  } while (++i < n);
  out[thread_x()] = s;
}
KERNEL halves_made_wide(u64 *out, const u64 *in, u32 n) {
  u64 v = in[thread_x()], s = v, pair = v;
  u32 i = 0;
  do {
    s = s * 31 + pair;
    if (!(s & 32))
      pair = s ^ v;
  } while (++i < n);
  out[thread_x()] = s;
}
KERNEL two_pairs(u32 *out, const u32 *in, u32 n) {
  u32 s = thread_x(), v = in[thread_x()], a = v, b = ~v, i = 0;
  do {
    s = s * 31 + (a - b);
    a = s ^ v;
    b = ~s;
  } while (++i < n);
  out[thread_x()] = s;
}

LAUNCHES {
  Buffer in = Buffer::random(1024, 23), out = Buffer::zeros(256);
  for (u32 n : {0, 1, 2, 3, 25}) {
    LAUNCH(pairs_around, 1, 32, 0, out, in, n);
    LAUNCH(swapped, 1, 32, 0, out, in, n);
    LAUNCH(of_two_values, 1, 32, 0, out, in, n);
    LAUNCH(four_parts, 1, 32, 0, out, in, n);
    LAUNCH(halves_of_doubles, 1, 32, 0, out, in, n);
    LAUNCH(pairs_made_wide, 1, 32, 0, out, in, n);
    LAUNCH(four_parts_made_wide, 1, 32, 0, out, in, n);
    LAUNCH(halves_made_wide, 1, 32, 0, out, in, n);
    LAUNCH(two_pairs, 1, 32, 0, out, in, n);
  }
}
