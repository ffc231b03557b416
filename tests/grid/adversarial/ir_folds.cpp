// Computes what the kernels of ir_folds.ll give.
#include "../grid.h"

static u32 mixed(const u32 *in, const std::vector<s64> &indices) {
  u32 s = 0;
  for (s64 i : indices)
    s = s * 31 + in[i];
  return s;
}
KERNEL or_below_a_shift(u32 *out, const u32 *in, u32 n) {
  u32 i = (n + thread_x()) << 2;
  out[thread_x()] = mixed(in, {i, i | 1, i | 2, i | 3, i | 4, i | 9});
}
KERNEL signed_below_a_shift(u32 *out, const u32 *in, u32 n) {
  s32 i = (s32)((n + thread_x()) << 26) >> 22;
  out[thread_x()] = mixed(in + 1024, {i | 1, i | 2, (i | 1) ^ 14, i ^ -16, i - 9, i + 100});
}
KERNEL sums_of_masked(u32 *out, const u32 *in, u32 n) {
  u32 x = n + thread_x(), i = x & 252, j = x >> 26;
  out[thread_x()] = mixed(in, {i, i + 5, i + j, i + j + 7, (i + 5) << 1, (i + j + 7) * 3, 300 - i, i});
}
KERNEL shifts(u32 *out, const u32 *in, const s32 *d, s64 step, s32 n) {
  u32 s = thread_x();
  s64 a = d[s], b = d[s + 32], c = ~b;
  const u8 *q = (const u8 *)in + 2048;
  auto at = [](const u8 *p) { return *(const u32 *)p; };
  for (s32 i = 0; i < n; i++, q += step)
    s = s * 31 + at(q + 4 * a) + 3 * at(q + 8 * b) + 5 * at(q + 16 * c) + 7 * at(q + 4 * ((a & 63) + 1));
  out[thread_x()] = s;
}
KERNEL products(u32 *out, const u32 *in, u64 f, u64 g) {
  u64 i = thread_x(), j = i ^ 3, e = j * f * g, at = i * g;
  u32 third = e < 512 ? in[(s64)(e + at)] : 0;
  out[thread_x()] = (in[i * f + j * g] * 3 + in[at + 2 * j * f] * 5 + third) ^ (u32)((e << 2) >> 2);
}
KERNEL assembly(u32 *out, const u32 *in, u32 n) {
  u32 low = ((n + thread_x()) << 2 & 1020) / 4;
  out[thread_x()] = (((in[low] * 3 + in[low | 256]) * 5 + in[low | 512]) * 7 + in[low | 128]) * 9 + in[low ^ 512];
}
KERNEL counters(u32 *out, const u32 *in, u32 start, s32 n) {
  u32 s = thread_x(), low = s & 15, a = low | 16, b = low | 32, c = low | 8, j = start << 4;
  s32 i = 0;
  do {
    s = s * 31 + in[i | a] + 3 * in[i | b] + 5 * in[i | c] + 7 * in[j | a] + 9 * in[j | b] + 11 * in[j | low];
    i += 64, j += 32;
  } while (i < n);
  out[thread_x()] = s;
}

LAUNCHES {
  Buffer in = Buffer::random(8192, 28), out = Buffer::zeros(128);
  for (u32 n : {0u, 3u, 0x40000000u, 0xc0000001u})
    LAUNCH(or_below_a_shift, 1, 32, 0, out, in, n);
  for (u32 n : {0u, 31u, 0xfffffff0u})
    LAUNCH(signed_below_a_shift, 1, 32, 0, out, in, n);
  for (u32 n : {0u, 31u, 0x80000000u, 0xffffffffu, 0xfffffff0u, 0x7ffffff0u, 200u})
    LAUNCH(sums_of_masked, 1, 32, 0, out, in, n);
  std::vector<s32> d;
  for (s32 i = 0; i < 64; i++)
    d.push_back(i % 2 ? i : -i);
  for (s32 n : {0, 1, 2, 11})
    for (s64 step : {0, 4, 20, -4})
      LAUNCH(shifts, 1, 32, 0, out, in, Buffer::of(d), step, n);
  LAUNCH(products, 1, 32, 0, out, in, 3, 2);
  LAUNCH(products, 1, 32, 0, out, in, 0, 1ull << 62);
  LAUNCH(products, 1, 32, 0, out, in, 1ull << 63, 5);
  LAUNCH(products, 1, 32, 0, out, in, 1, (1ull << 62) + 2);
  for (u32 n : {0u, 7u, 200u, 0xfffffff0u})
    LAUNCH(assembly, 1, 32, 0, out, in, n);
  for (u32 start : {0, 1, 2, 3})
    for (s32 n : {0, 1, 64, 65, 1000})
      LAUNCH(counters, 1, 32, 0, out, in, start, n);
}
