// Computes what the kernels of ir_widths.ll give.
#include "../grid.h"

KERNEL odd_widths(u64 *out, const u64 *in, u64 by) {
  u64 v = in[thread_x()], *own = out + 4 * thread_x();
  const u64 low24 = (1ull << 24) - 1, low33 = (1ull << 33) - 1, low48 = (1ull << 48) - 1;
  u64 a2 = ((v & low24) + 5) * ((v & low24) + 5) & low24;
  u64 b1 = ((v & low33) - a2) & low33, c1 = (v << by) & low48;
  own[0] = (u64)((s64)(a2 << 40) >> 43);
  own[1] = (b1 >> 7) + (b1 >> 32);
  own[2] = (u64)((s64)(c1 << 16) >> 16);
  own[3] = c1 > (v & low48) ? ~0ull : 0;
}
KERNEL intrinsics(u32 *out, const u64 *in, u32 by) {
  u64 v = in[thread_x()], h = v >> 32;
  u32 a = (u32)v, b = (u32)h, n = by % 32, m = by % 64, *own = out + 8 * thread_x();
  own[0] = n ? a << n | b >> (32 - n) : a;
  own[1] = 0;
  for (u32 i = 0; i < 32; i++)
    own[1] |= (a >> i & 1) << (31 - i);
  u64 g = m ? v << (64 - m) | h >> m : h;
  own[2] = (u32)g, own[3] = (u32)(g >> 32);
  own[4] = (u32)(s16)(u16)(a << 8 | (a >> 8 & 255));
  own[5] = b >> 31 ? 0 - b : b;
  own[6] = a + b < a ? ~0u : a + b;
  s64 difference = (s64)(s32)a - (s32)b;
  own[7] = difference > 0x7fffffff ? 0x7fffffff : difference < -0x80000000ll ? 0x80000000 : (u32)difference;
}
KERNEL vectors(u32 *out, const u64 *in, u32 k) {
  u64 v = in[thread_x()];
  const u8 from[4] = {7, 2, 5, 0}, plus[4] = {1, 127, 255, 128};
  u32 m[4], *own = out + 8 * thread_x(), bytes = 0;
  for (u32 i = 0; i < 4; i++) {
    u8 one = (u8)((v >> 8 * from[i]) + plus[i]);
    bytes |= (u32)one << 8 * i;
    m[i] = (u32)(s32)(s8)one * (u32)(u16)(v >> 16 * i);
  }
  own[6] = m[k];
  m[2] = (u32)(v >> 32);
  for (u32 i = 0; i < 4; i++)
    own[i] = m[i];
  own[4] = m[3], own[5] = m[2], own[7] = bytes;
}
KERNEL stored_predicates(u8 *out, const u32 *in, u32 n) {
  u32 v = in[thread_x()];
  bool c = (s32)v < (s32)n, d = v < n;
  u8 *own = out + 4 * thread_x();
  own[0] = c, own[1] = d;
  s16 z = c != d ? -56 : c;
  own[2] = (u8)z, own[3] = (u8)((u16)z >> 8);
}

LAUNCHES {
  std::vector<u64> edges;
  for (u64 e : {0ull, 1ull, ~0ull, 1ull << 63, 1ull << 31, 1ull << 32, 1ull << 23, 1ull << 47, 0x80000000ffffffffull, 0x7fffffff80000000ull})
    for (u64 f : {0ull, 5ull, 0xfffffffffffffff8ull})
      edges.push_back(e + f);
  edges.resize(32, 77);
  Buffer edge = Buffer::of(edges), random = Buffer::random(256, 24), out = Buffer::zeros(1024);
  for (const Buffer &in : {edge, random}) {
    for (u64 by : {0, 1, 16, 47})
      LAUNCH(odd_widths, 1, 32, 0, out, in, by);
    for (u32 by : {0, 1, 31, 32, 33, 63, 64})
      LAUNCH(intrinsics, 1, 32, 0, out, in, by);
    for (u32 k : {0, 1, 2, 3})
      LAUNCH(vectors, 1, 32, 0, out, in, k);
    for (u32 n : {0u, 1u, 0x80000000u, 0xffffffffu})
      LAUNCH(stored_predicates, 1, 32, 0, out, in, n);
  }
}
