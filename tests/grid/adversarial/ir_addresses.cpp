// Computes what the kernels of ir_addresses.ll give.
#include "../grid.h"

KERNEL or_in_loops(u32 *out, const u32 *in, s32 start, s32 n) {
  u32 s = 0;
  s32 i = 0, j = start;
  do {
    s = s * 31 + in[i] + 3 * in[i | 1];
    i += 2;
  } while (i < n);
  do {
    s = s * 31 + in[j] + 3 * in[j | 1];
    j += 2;
  } while (j < n);
  out[thread_x()] = s;
}
static u32 below(const u32 *in, u64 index) { return index < 1024 ? in[index] : 0; }
KERNEL wrapped_in_one_block(u32 *out, const u32 *in, u32 start, u64 bias) {
  u32 i = start + thread_x(), j = i + 16, k = i - 16;
  out[thread_x()] = ((below(in, i + bias) * 3 + below(in, j + bias)) * 5 + below(in, k + bias)) * 7 + below(in, (u64)(s64)(s32)j + bias);
}
KERNEL far_offsets(u32 *out, const u32 *in, u64 far) {
  const u32 *p = in + thread_x(), *q = p + far / 4;
  out[thread_x()] = ((q[0] * 3 + q[1]) * 5 + q[2]) * 7 + p[3];
}
KERNEL shared_wraps(u32 *out, const u32 *in, u64) {
  SHARED u32 tile[64];
  u32 t = thread_x();
  tile[t] = in[t];
  barrier();
  u64 back = 0 - 4 * (u64)(t ^ 5);
  out[t] = tile[63 - t] * 3 + tile[t ^ 5] + ((u32)(back >> 32) ^ 4 * (t ^ 5)) + ((s64)back < 0);
}
KERNEL generic_of_both(u32 *out, const u32 *in, u32 n) {
  SHARED u32 tile[64];
  u32 t = thread_x(), s = in[t], i = 0;
  tile[t] = in[t] * 7;
  barrier();
  const u32 *p = tile;
  do {
    s = s * 31 + p[t];
    p = s & 8 ? in : tile;
  } while (++i < n);
  out[t] = s;
}

LAUNCHES {
  Buffer in = Buffer::random(4096, 21), out = Buffer::zeros(256);
  for (s32 n : {0, 1, 2, 3, 40})
    for (s32 start : {0, 1, 2, 3, 21})
      LAUNCH(or_in_loops, 1, 32, 0, out, in, start, n);
  for (u32 start : {0u, 8u, 0xfffffff0u, 0xffffffe0u, 0x7ffffff8u, 0x80000000u})
    for (s64 bias : {0ll, 40ll, -0x7ffffff0ll, -0xffffffd0ll, 0x80000000ll})
      LAUNCH(wrapped_in_one_block, 1, 32, 0, out, in, start, (u64)bias);
  for (u64 far : {0, 4, 2048})
    LAUNCH(far_offsets, 1, 64, 0, out, in, far);
  for (s64 far : {0ll, 1ll, -1ll, 1ll << 30, 1ll << 32, -1ll << 40})
    LAUNCH(shared_wraps, 1, 64, 0, out, in, (u64)far);
  for (u32 n : {0, 1, 2, 12})
    LAUNCH(generic_of_both, 1, 64, 0, out, in, n);
}
