// Attacks what instruction selection makes of arithmetic, and with it whoever reads machine code: each result is stored.
#include "../grid.h"

// Shows: a division or a remainder by a constant, with and without a sign, 32 and 64 bits.
KERNEL divisions_by_constants(u64 *out, const u64 *in) {
  u64 x = in[global_index()];
  s64 s = (s64)x;
  u32 u = (u32)x;
  s32 i = (s32)u;
  u64 *own = out + 16 * global_index();
  own[0] = x / 3, own[1] = x % 7, own[2] = (u64)(s / 5), own[3] = (u64)(s % 10), own[4] = u / 7, own[5] = u % 1000, own[6] = (u32)(i / 3);
  own[7] = (u32)(i % 13), own[8] = (u32)(i / 8), own[9] = (u32)(i % 16), own[10] = (u64)(s / 1024), own[11] = (u64)(s % 64), own[12] = (u32)(i / -7);
  own[13] = u / 0x80000001u, own[14] = x / 0x8000000000000001ull, own[15] = (u16)x / 11 + (u8)x % 13 + (u32)((s16)x / -3);
}

// Shows: a division by numbers of which only the low half is there, or whose sign is not what it seems.
KERNEL divisions(u64 *out, const u64 *in, const u64 *by) {
  u64 x = in[global_index()], y = by[global_index()];
  u64 *own = out + 8 * global_index();
  u64 d = y | 1;
  s64 e = (s64)(y >> 2) + 2;
  own[0] = x / d, own[1] = x % d, own[2] = (u64)((s64)x / e), own[3] = (u64)((s64)x % e), own[4] = (u32)x / (u32)d, own[5] = (u32)x % (u32)d;
  own[6] = (u32)((s32)x / (s32)((u32)e >> 1 | 2)), own[7] = (u32)((s32)x % (s32)((u32)e >> 1 | 2));
}

// Shows: bytes are taken from the wrong place, or with the wrong sign.
KERNEL bytes_of_words(u32 *out, const u32 *in, u32 selector) {
  u32 a = in[global_index()], b = in[global_index() + 1];
  u32 *own = out + 8 * global_index();
  own[0] = byte_perm(a, b, selector), own[1] = byte_perm(b, a, 0x3715), own[2] = byte_perm(a, b, 0x9bdf);
  own[3] = (a >> 8 & 255) | (b & 255) << 8 | (a >> 24) << 16 | (b >> 16 & 255) << 24;
  own[4] = __builtin_bswap32(a) ^ (u32)(s8)(b >> 8), own[5] = (u32)((s32)(a << 11) >> 21), own[6] = a << 9 >> 25, own[7] = (u32)(s16)(a >> 9) + (u16)(b >> 5);
}

// Shows: a funnel shift or a rotation by 0 or by more than 31, a shift by the whole width less one.
KERNEL funnel_shifts(u64 *out, const u64 *in, u32 by) {
  u64 x = in[global_index()];
  u32 a = (u32)x, b = (u32)(x >> 32), n = by & 31, m = (by + a) & 63;
  u64 *own = out + 8 * global_index();
  own[0] = (a << n) | (a >> ((32 - n) & 31)), own[1] = n ? (a << n) | (b >> (32 - n)) : a, own[2] = (u32)(x >> n), own[3] = x << m | x >> ((64 - m) & 63);
  own[4] = a >> 31 | (u64)((s32)b >> 31) << 1, own[5] = (u64)((s64)x >> 63) ^ x >> 63, own[6] = x << 63 | (u64)a << 31, own[7] = (x << n) >> n ^ (u64)((s64)(x << m) >> m);
}

// Shows: a comparison or a choice takes numbers without a sign for ones with it, in 8, 16, 32 and 64 bits.
KERNEL comparisons(u32 *out, const u64 *in) {
  u64 x = in[2 * global_index()], y = in[2 * global_index() + 1];
  u32 r = 0;
  r |= (u32)(x < y) << 0 | (u32)((s64)x < (s64)y) << 1 | (u32)((u32)x < (u32)y) << 2 | (u32)((s32)x < (s32)y) << 3;
  r |= (u32)((u16)x < (u16)y) << 4 | (u32)((s16)x < (s16)y) << 5 | (u32)((u8)x < (u8)y) << 6 | (u32)((s8)x < (s8)y) << 7;
  r |= (u32)((s32)x < (s64)y) << 8 | (u32)((u32)x < y) << 9 | (u32)((s8)x == (s16)y) << 10 | (u32)((u8)x >= (s16)y) << 11;
  u32 least = (u32)x < (u32)y ? (u32)x : (u32)y;
  s32 most = (s32)x > (s32)y ? (s32)x : (s32)y;
  s64 wide = (s64)x < (s64)y ? (s64)y : (s64)x;
  out[global_index()] = r * 31 + least + 3 * (u32)most + 5 * (u32)wide + 7 * (u32)(wide >> 32);
}

// Shows: sums with a carry, and products of 64 and 128 bits put together from halves.
KERNEL long_arithmetic(u64 *out, const u64 *in) {
  typedef unsigned __int128 u128;
  u64 a = in[global_index()], b = in[global_index() + 1], c = in[global_index() + 2], d = in[global_index() + 3];
  u128 x = (u128)a << 64 | b, y = (u128)c << 64 | d, sum = x + y, difference = x - y, product = x * y, shifted = x << (d & 127), right = y >> (b & 127);
  u64 *own = out + 10 * global_index();
  own[0] = (u64)sum, own[1] = (u64)(sum >> 64), own[2] = (u64)difference, own[3] = (u64)(difference >> 64), own[4] = (u64)product;
  own[5] = (u64)(product >> 64), own[6] = (u64)shifted, own[7] = (u64)(shifted >> 64), own[8] = (u64)right, own[9] = (u64)(right >> 64) + (x < y);
}

// Shows: counts of bits, of 0 as well.
KERNEL counts_of_bits(u32 *out, const u64 *in, u32 shift) {
  u64 x = shift < 64 ? in[global_index()] >> shift : 0;
  u32 a = (u32)x;
  u32 leading = a ? (u32)__builtin_clz(a) : 32, trailing = x ? (u32)__builtin_ctzll(x) : 64;
  out[global_index()] = (u32)__builtin_popcount(a) + 64 * (u32)__builtin_popcountll(x) + 8192 * leading + (trailing << 20);
}

// Shows: a number becomes a float, or a float a number, as if it had no sign, or of another width.
KERNEL conversions(double *out, const u64 *in) {
  u64 x = in[global_index()];
  double *own = out + 8 * global_index();
  own[0] = (double)(s32)x, own[1] = (double)(u32)x, own[2] = (double)(s64)x, own[3] = (double)x, own[4] = (double)(float)(s32)x, own[5] = (double)(float)x;
  own[6] = (double)(s64)((double)(s32)x * 1.5), own[7] = (double)((u32)((float)(u16)x * 0.75f) + (s8)x);
}

#ifdef NATIVE
LAUNCHES {
  std::vector<u64> edges;
  for (u64 e : {0ull, 1ull, ~0ull, 1ull << 63, (1ull << 63) - 1, 1ull << 31, (1ull << 31) - 1, 1ull << 32, (1ull << 32) - 1, 0x80ull, 0x7full, 0x8000ull, 0x7fffull, 0xffffull, 0xffffffff80000000ull, 0xffffffff7fffffffull})
    for (u64 f : {0ull, 1ull, 5ull, ~0ull, 0xfffffffffffffff8ull})
      edges.push_back(e + f);
  Buffer edge = Buffer::of(edges), random = Buffer::random(640, 17), out = Buffer::zeros(64 * 128);
  for (const Buffer &in : {edge, random}) {
    LAUNCH(divisions_by_constants, 2, 32, 0, out, in);
    LAUNCH(divisions, 2, 32, 0, out, in, random);
    LAUNCH(divisions, 2, 32, 0, out, in, edge);
    LAUNCH(comparisons, 1, 40, 0, out, in);
    LAUNCH(long_arithmetic, 2, 32, 0, out, in);
    LAUNCH(conversions, 2, 32, 0, out, in);
    for (u32 selector : {0x3210u, 0x7654u, 0x0246u, 0xfedcu, 0x8c19u})
      LAUNCH(bytes_of_words, 2, 32, 0, out, in, selector);
    for (u32 by : {0, 1, 7, 31, 32, 63})
      LAUNCH(funnel_shifts, 2, 32, 0, out, in, by);
    for (u32 shift : {0, 1, 31, 33, 63, 64})
      LAUNCH(counts_of_bits, 2, 32, 0, out, in, shift);
  }
}
#endif
