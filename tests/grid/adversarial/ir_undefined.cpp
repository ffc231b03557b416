// Computes what the kernels of ir_undefined.ll give.
#include "../grid.h"

KERNEL frozen(u32 *out, const u32 *in, u32 n) {
  u32 v = in[thread_x()], s = v;
  for (u32 i = 0; i < n; i++)
    s = s * 31 + (s & 1 ? 8 + v : 3);
  out[thread_x()] = s + 7;
}
KERNEL undefined_at_first(u32 *out, const u32 *in, u32 n) {
  u32 s = in[thread_x()], u = 0, q = 0;
  for (u32 i = 0; i < n; i++) {
    u = (i == 0 ? 7 : u + in[q]) ^ i;
    s = s * 31 + u;
    q = s & 255;
  }
  out[thread_x()] = s;
}
KERNEL poison_not_chosen(u64 *out, const u32 *in, u64) {
  u32 v = in[thread_x()], by = v & 63;
  u64 *own = out + 8 * thread_x();
  own[0] = v == 0x7fffffff ? 5 : (u64)(s64)(s32)(v + 1);
  own[1] = v == 0xffffffff ? 6 : v + 1;
  own[2] = (u64)(s64)(s32)(v + 1);
  own[3] = (u32)(v + 1);
  own[4] = by > 31 ? 7 : v << by;
  own[5] = by > 31 ? 8 : v >> by;
}
KERNEL flags_of_equal_sums(u32 *out, const u32 *in, u32 start, u64) {
  u32 i = start + thread_x(), a = i < 1024 ? in[i] : 0, b = i < 1000 ? in[i + 8] : 0, c = i + 8 < 1024 ? in[i + 8] : 0;
  out[thread_x()] = (a * 3 + b) * 5 + c;
}

LAUNCHES {
  Buffer in = Buffer::random(4096, 20), out = Buffer::zeros(2048);
  for (u32 n : {0, 1, 2, 13}) {
    LAUNCH(frozen, 1, 32, 0, out, in, n);
    LAUNCH(undefined_at_first, 1, 32, 0, out, in, n);
  }
  std::vector<u32> edges = {0, 1, 31, 32, 33, 63, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x7ffffffe, 64, 95, 96, 0xdeadbeef};
  LAUNCH(poison_not_chosen, 1, 16, 0, out, Buffer::of(edges), 0);
  LAUNCH(poison_not_chosen, 1, 32, 0, out, in, 0);
  for (u32 start : {0u, 990u, 1010u, 0xfffffff0u, 0x7ffffff0u, 0xffffffe8u})
    LAUNCH(flags_of_equal_sums, 1, 32, 0, out, in, start, 0);
}
