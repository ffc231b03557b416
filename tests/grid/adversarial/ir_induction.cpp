// Computes what the kernels of ir_induction.ll give.
#include "../grid.h"

// The word at `p` plus this many bytes.
static u32 at(const u32 *p, u64 bytes) { return *(const u32 *)((const u8 *)p + (s64)bytes); }

KERNEL two_distances(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++, q += step)
    s = s * 31 + 3 * at(in, q + d[0]) + 5 * at(in, q + d[1]) + 1;
  out[thread_x()] = s;
}
KERNEL sums_after_the_step(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s, w = d[1];
  for (s32 i = 0; i == 0 || i < n; i++) {
    q += step, w += step;
    s = s * 31 + 3 * at(in, q + d[0]) + 5 * at(in, w + d[0]) + 1;
  }
  out[thread_x()] = s;
}
KERNEL both_sides_of_the_step(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++, q += step)
    s = s * 31 + 3 * at(in, q + d[0]) + 5 * at(in, q + d[1]) + 7 * at(in, q + step + d[0]) + 9 * at(in, q + step + d[1]) + 1;
  out[thread_x()] = s;
}
KERNEL variable_is_read_after(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++, q += step)
    s = s * 31 + 3 * at(in, q + d[0]) + 5 * at(in, q + d[1]) + 1;
  out[thread_x()] = s + (u32)(q - step + 5 * q);
}
KERNEL distance_changes(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++, q += step)
    s = s * 31 + 3 * at(in, q + d[i & 1]) + 5 * at(in, q + d[~i & 1]) + 1;
  out[thread_x()] = s;
}
KERNEL step_changes(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++, q += step, step = 0 - step)
    s = s * 31 + 3 * at(in, q + d[0]) + 5 * at(in, q + d[1]) + 1;
  out[thread_x()] = s;
}
KERNEL numbers(u32 *out, const u32 *, const u64 *d, u32 step, s32 n) {
  u32 s = thread_x(), q = s, a = (u32)d[0], b = (u32)d[1];
  for (s32 i = 0; i == 0 || i < n; i++, q += step)
    s = s * 31 + 3 * (q + a) + 5 * (q + b) + 7 * (q + a < q + b) + 9 * (q - a) + 1;
  out[thread_x()] = s;
}
KERNEL equal_ones(u32 *out, const u32 *, const u64 *, u32 step, s32 n) {
  u32 s = thread_x(), a = 0, e = 0, f = step;
  for (s32 i = 0; i == 0 || i < n; i++, a += 4, e += 8, f += 4)
    s = s * 31 + 3 * a + 5 * a + 7 * (a + 4) + 9 * e + 11 * f + 13 * f + 15 * (a + 4) + 1;
  out[thread_x()] = s + (((3 * (a - 4) + a) * (a + 4) ^ (f - 4)) + f);
}
KERNEL masks(u32 *out, const u32 *in, const u64 *, u32 step, s32 n) {
  u32 s = thread_x(), a = 0, b = 0, c = 0;
  for (s32 i = 0; i == 0 || i < n; i++, a += step, b = (b + 1) & 3, c = (c + 1) & 1)
    s = s * 31 + 3 * in[a & 3] + 5 * in[b] + 7 * in[c] + 9 * in[b] + 1;
  out[thread_x()] = s;
}
KERNEL nested(u32 *out, const u32 *in, const u64 *d, u64 step, s32 n) {
  u32 s = thread_x();
  u64 q = 4 * s;
  for (s32 i = 0; i == 0 || i < n; i++) {
    for (s32 j = 0; j <= i; j++, q += step)
      s = s * 31 + 3 * at(in, q + d[i & 1]) + 5 * at(in, q + d[0]);
    q -= 2 * step;
  }
  out[thread_x()] = s;
}

LAUNCHES {
  Buffer out = Buffer::zeros(128), in = Buffer::random(4096, 25);
  for (s32 n : {0, 1, 2, 3, 9})
    for (s64 step : {4, 0, 12, -4}) {
      const std::vector<u64> near = {1024, 512}, far = {1024, 900};
      for (const Buffer &d : {Buffer::of(near), Buffer::of(far)}) {
        LAUNCH(two_distances, 1, 32, 0, out, in, d, step, n);
        LAUNCH(sums_after_the_step, 1, 32, 0, out, in, d, step, n);
        LAUNCH(both_sides_of_the_step, 1, 32, 0, out, in, d, step, n);
        LAUNCH(variable_is_read_after, 1, 32, 0, out, in, d, step, n);
        LAUNCH(distance_changes, 1, 32, 0, out, in, d, step, n);
        LAUNCH(step_changes, 1, 32, 0, out, in, d, step, n);
        LAUNCH(nested, 1, 32, 0, out, in, d, step, n);
      }
      LAUNCH(numbers, 1, 32, 0, out, in, Buffer::of(std::vector<u64>{0xfffffff0, 0x80000001}), (u32)step, n);
      LAUNCH(equal_ones, 1, 32, 0, out, in, out, (u32)step, n);
      LAUNCH(masks, 1, 32, 0, out, in, out, (u32)step, n);
    }
}
