// Attacks fold-addresses: products and shifts of 64 bits that 32 bits are said to be enough for.
#include "../grid.h"

#define LIMIT 4096

// Shows: a product of two numbers with a sign is computed without, in a loop with the extensions before it.
KERNEL signed_products(u64 *out, const s32 *x, const s32 *y, u32 n) {
  s64 a = x[global_index()], sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++)
    sum = (s64)((u64)sum * 3 + (u64)(a * (s64)y[i]));
  out[global_index()] = (u64)sum;
}

// Shows: a product of two numbers without a sign is computed with one.
KERNEL unsigned_products(u64 *out, const u32 *x, const u32 *y, u32 n) {
  u64 a = x[global_index()], sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++)
    sum = sum * 3 + a * (u64)y[i];
  out[global_index()] = sum;
}

// Shows: of a product with one sign and one without, one of both is taken for the other.
KERNEL mixed_products(u64 *out, const s32 *x, const u32 *y, u32 n) {
  u64 a = (u64)(s64)x[global_index()], sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++)
    sum = sum * 3 + a * (u64)y[i] + (a + 1) * (u64)(y[i] >> 1);
  out[global_index()] = sum;
}

// Shows: a number that is not negative by its bits is taken for negative, or one that may be is not.
KERNEL half_known_sign(u64 *out, const u32 *x, const s32 *y, u32 n) {
  u64 a = (u64)(x[global_index()] >> 1), b = (u64)(x[global_index()] | 0x80000000u), sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u64 signed_y = (u64)(s64)y[i];
    sum = sum * 3 + a * signed_y + 5 * (b * signed_y);
  }
  out[global_index()] = sum;
}

// Shows: a load that extends 8 or 16 bits is taken for one of the other sign, or of 32 bits.
KERNEL products_of_narrow_loads(u64 *out, const s8 *a8, const u16 *b16, const s16 *c16, const u32 *d32, u32 n) {
  u64 d = d32[global_index()], sum = 0;
  s64 c = c16[global_index()];
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u64 a = (u64)(s64)a8[i], b = b16[i];
    sum = sum * 3 + a * d + b * (u64)c + a * (u64)c + b * d;
  }
  out[global_index()] = sum;
}

// Shows: 2^31 is a positive constant of 32 bits; and shifts of numbers with a sign lose it.
KERNEL shifts_before_loop(u32 *out, const u32 *in, const s32 *x, u64 bias, u32 n) {
  s64 a = x[2 * global_index()], b = x[2 * global_index() + 1];
  u64 at_a = (u64)a << 30, at_b = (u64)b << 31, at_c = (u64)a << 2, at_d = (u64)b << 2;
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u64 k = 4 * (u64)i + bias;
    sum = sum * 31 + load_below(in, at_a + k, LIMIT) + 3 * load_below(in, at_b + k, LIMIT) + 5 * load_below(in, at_c + k, LIMIT) +
          7 * load_below(in, at_d + k, LIMIT);
  }
  out[global_index()] = sum;
}

// Shows: products that are shifted by different amounts are shifted once.
KERNEL sums_of_shifted_products(u32 *out, const u32 *in, u64 x, u64 y, u64 z) {
  u64 i = global_index();
  const u32 *p = in + 100;
  u32 sum = load_below(p, ((i * x) << 2) + ((i * y) << 2), LIMIT - 400);
  sum = sum * 31 + load_below(p, ((i * x) << 2) + ((i * z) << 3), LIMIT - 400);
  sum = sum * 31 + load_below(p, ((i * y) << 2) + (z << 2), LIMIT - 400);
  sum = sum * 31 + load_below(p, ((i * y) << 2) + (i << 2), LIMIT - 400);
  out[global_index()] = sum;
}

// Shows: the high word of a product of 64 bits is that of its low halves.
KERNEL high_words(u64 *out, const u32 *x, u32 n) {
  u32 i = global_index();
  u64 a = x[i], b = (u64)(s64)(s32)x[i + 1], sum = 0;
  NO_UNROLL
  for (u32 k = 0; k < n; k++) {
    u64 product = a * b;
    sum += (product >> 32) ^ (product << 32);
    a += x[k];
    b = product;
  }
  out[i] = sum;
}

#ifdef NATIVE
LAUNCHES {
  Buffer out = Buffer::zeros(64 * 8);
  std::vector<u32> edges;
  for (u32 e : {0u, 1u, 2u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu, 0xfffffffeu, 3u, 0x10000u, 0xffffu, 0x8000u})
    edges.push_back(e);
  std::vector<u32> all;
  for (u32 i = 0; i < 160; i++)
    all.push_back(edges[(i * 7 + i / 12) % edges.size()]);
  Buffer x = Buffer::of(all), y = Buffer::random(640, 3);
  for (u32 n : {0, 1, 2, 13}) {
    LAUNCH(signed_products, 2, 32, 0, out, x, y, n);
    LAUNCH(signed_products, 2, 32, 0, out, x, x, n);
    LAUNCH(unsigned_products, 2, 32, 0, out, x, y, n);
    LAUNCH(unsigned_products, 2, 32, 0, out, x, x, n);
    LAUNCH(mixed_products, 2, 32, 0, out, x, x, n);
    LAUNCH(mixed_products, 2, 32, 0, out, y, x, n);
    LAUNCH(half_known_sign, 2, 32, 0, out, x, x, n);
    LAUNCH(half_known_sign, 2, 32, 0, out, y, x, n);
    LAUNCH(products_of_narrow_loads, 2, 32, 0, out, y, x, y, x, n);
    LAUNCH(high_words, 2, 32, 0, out, x, n);
    LAUNCH(high_words, 2, 32, 0, out, y, n);
  }
  std::vector<s32> small;
  for (s32 i = 0; i < 128; i++)
    small.push_back(i % 3 - 1);
  Buffer in = Buffer::random(LIMIT, 4), words = Buffer::zeros(64 * 4), factors = Buffer::of(small);
  for (u64 bias : {0ull, 1ull << 30, 1ull << 31, (u64)0 - (1ull << 30), (u64)0 - (1ull << 31), 0x80ull})
    LAUNCH(shifts_before_loop, 2, 32, 0, words, in, factors, bias, 9);
  LAUNCH(sums_of_shifted_products, 2, 32, 0, words, in, 3, 4, 5);
  LAUNCH(sums_of_shifted_products, 2, 32, 0, words, in, (u64)0 - 1, 2, 1);
  LAUNCH(sums_of_shifted_products, 2, 32, 0, words, in, 1ull << 61, 3ull << 61, 1ull << 60);
}
#endif
