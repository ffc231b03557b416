// Computes what the kernels of ir_starts.ll give.
#include "../grid.h"

// The word at `p` plus this many bytes.
static u32 at(const u32 *p, u64 bytes) { return *(const u32 *)((const u8 *)p + (s64)bytes); }
// Sums up what a loop reads that begins at `in` plus `q` bytes.
static u32 walk(const u32 *in, const u64 *d, u64 q, u64 step, s32 n, u32 s) {
  for (s32 i = 0; i == 0 || i < n; i++, q += step)
    s = s * 31 + at(in, q + d[0]) + 3 * at(in, q + d[1]);
  return s;
}
static u32 first(const u32 *in, const u64 *d, u64 q) { return at(in, q + d[0]) - at(in, q + d[1]); }

KERNEL constant_after_the_start(u32 *out, const u32 *in, const u64 *d, u64, s32 n) {
  u64 q = 4 * thread_x();
  out[thread_x()] = walk(in, d, q + 256, 128, n, first(in, d, q));
}
KERNEL step_after_the_start(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u64 q = 4 * thread_x();
  u32 u = first(in, d, q);
  out[thread_x()] = n > 0 ? walk(in, d, q + step, step, n, u) : u;
}
KERNEL start_on_one_way(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u64 q = 4 * thread_x();
  out[thread_x()] = walk(in, d, q, step, n, n > 2 ? first(in, d, q) : 7);
}
KERNEL start_with_other_bits(u32 *out, const u32 *in, const u64 *d, u64, s32 n) {
  u32 t = thread_x();
  out[t] = walk(in, d, 256 + 16 * (t & 7), 128, n, first(in, d, 2 * (t << 3 & 24)));
}
KERNEL loaded_step(u32 *out, const u32 *in, const u64 *d, u64, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++) {
    u64 step = d[2 + (s & 1)];
    s = s * 31 + at(in, q + d[0]) + 3 * at(in, q + d[1]);
    q += step;
  }
  out[thread_x()] = s;
}
KERNEL loaded_distances(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++, q += step) {
    u32 odd = s & 1;
    s = s * 31 + at(in, q + d[odd]) + 3 * at(in, q + d[odd ^ 1]);
  }
  out[thread_x()] = s;
}
KERNEL two_steps(u32 *out, const u32 *, const u64 *d, u64 step, s32 n) {
  u32 t = thread_x(), s = t, a = t, b = t, s1 = (u32)step, s2 = (u32)d[0], before = b;
  for (s32 i = 0; i == 0 || i < n; i++) {
    u32 z = s & 4 ? 3 : (a + s1) * 7;
    before = b;
    s = ((s * 31 + a) ^ (b + s2)) + z + (a + s1);
    a += s1, b += s2;
  }
  out[t] = s + before;
}
KERNEL other_shifts(u32 *out, const u32 *in, const u64 *, u64 step, s32 n) {
  u64 x = thread_x(), y = x & 7, e = y ^ 5;
  u32 v1 = at(in, 4 * x * step + 8 * y * (u64)(s64)n), v2 = at(in, 4 * e * step + 4 * e * (u64)(s64)n);
  out[thread_x()] = (v1 + 3 * v2) ^ (u32)(4 * e * step);
}
KERNEL high_index_without_sign(u32 *out, const u32 *in, const u32 *d, u64 step, s32 n) {
  u32 s = thread_x(), i = d[s] & 63, j = i ^ 21;
  u64 q = 0;
  for (s32 k = 0; k < n; k++, q += step)
    s = s * 31 + at(in, q + 4 * i) + 3 * at(in, q + 4 * j);
  out[thread_x()] = s;
}

LAUNCHES {
  Buffer out = Buffer::zeros(128), in = Buffer::random(8192, 29);
  Buffer d = Buffer::of(std::vector<u64>{1024, 900, 4, 36});
  for (s32 n : {0, 1, 2, 3, 9})
    for (s64 step : {4, 0, 12, 28}) {
      LAUNCH(constant_after_the_start, 1, 32, 0, out, in, d, step, n);
      LAUNCH(step_after_the_start, 1, 32, 0, out, in, d, step, n);
      LAUNCH(start_on_one_way, 1, 32, 0, out, in, d, step, n);
      LAUNCH(start_with_other_bits, 1, 32, 0, out, in, d, step, n);
      LAUNCH(loaded_step, 1, 32, 0, out, in, d, step, n);
      LAUNCH(loaded_distances, 1, 32, 0, out, in, d, step, n);
      LAUNCH(two_steps, 1, 32, 0, out, in, d, step, n);
      LAUNCH(other_shifts, 1, 32, 0, out, in, d, step, n);
      LAUNCH(high_index_without_sign, 1, 32, 0, out, in, Buffer::random(128, 30), step, n);
    }
}
