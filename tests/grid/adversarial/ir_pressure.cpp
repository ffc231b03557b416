// Computes what the kernels of ir_pressure.ll give.
#include "../grid.h"

KERNEL keys(u32 *out, const u32 *in, s32 n) {
  u32 k = in[thread_x()], s = thread_x();
  const u32 all[] = {k + 101, k ^ 102, k << 3, k >> 4, (u32)((s32)k >> 5), k & 65535, k | 4097, 107 - k, k * 9, k - 101};
  s32 i = 0;
  do {
    u32 x = in[s & 127], p = x ^ k;
    if (x >> 31) {
      for (u32 j = 0; j < 10; j++)
        p = (p ^ all[j]) * (2 * j + 3);
      p += all[0];
      if ((s32)p < 5)
        p = ((all[0] & all[1]) - all[7]) ^ all[4];
    }
    s = (s * 31 + p + all[2]) ^ k;
  } while (++i < n);
  for (u32 j = 0; j < 48; j++)
    s = s * 31 + in[j];
  out[thread_x()] = s;
}
KERNEL conditions(u32 *out, const u32 *in, s32 n) {
  u32 a = in[thread_x()], b = in[thread_x() + 32], s = thread_x();
  const u32 c[] = {
    (u32)(a != 495397697u) | (u32)(b > 1522142063u),
    (u32)((s32)a >= 990795394) ^ (u32)(b < 896800478u),
    (u32)((s32)a < 1486193091) & (u32)(b == 271458893u),
    (u32)(a == 1981590788u) | (u32)(b >= 1793600956u),
    (u32)(a > 329504837u) ^ (u32)((s32)b < 1168259371),
    (u32)((s32)a <= 824902534) & (u32)(b <= 542917786u),
    (u32)(a <= 1320300231u) | (u32)((s32)b >= 2065059849),
    (u32)(a >= 1815697928u) ^ (u32)((s32)b <= 1439718264),
    (u32)(a < 163611977u) & (u32)(b != 814376679u),
    (u32)(a != 659009674u) | (u32)(b > 189035094u),
    (u32)((s32)a >= 1154407371) ^ (u32)(b < 1711177157u),
    (u32)((s32)a < 1649805068) & (u32)(b == 1085835572u),
  };
  s32 i = 0;
  do {
    for (u32 j = 0; j < 12; j++)
      if (c[j])
        s = s * (2 * j + 5) + a;
    s = s * 31 + (a ^ b);
    u32 z = c[0] ? 3 : (u32)i;
    z = c[1] ? z : 5;
    z = c[2] ? z : s;
    s += z;
  } while (++i < n);
  out[thread_x()] = s;
}
KERNEL conditions_once(u32 *out, const u32 *in) {
  u32 a = in[thread_x()], b = in[thread_x() + 32], s = thread_x();
  const u32 c[] = {
    (u32)(a != 495397697u) | (u32)(b > 1522142063u),
    (u32)((s32)a >= 990795394) ^ (u32)(b < 896800478u),
    (u32)((s32)a < 1486193091) & (u32)(b == 271458893u),
    (u32)(a == 1981590788u) | (u32)(b >= 1793600956u),
    (u32)(a > 329504837u) ^ (u32)((s32)b < 1168259371),
    (u32)((s32)a <= 824902534) & (u32)(b <= 542917786u),
    (u32)(a <= 1320300231u) | (u32)((s32)b >= 2065059849),
    (u32)(a >= 1815697928u) ^ (u32)((s32)b <= 1439718264),
  };
  for (u32 j = 0; j < 8; j++)
    if (c[j])
      s = s * (2 * j + 5) + j + 1;
  out[thread_x()] = (s ^ a) + b;
}

LAUNCHES {
  for (u64 seed = 30; seed < 36; seed++)
    LAUNCH(conditions_once, 1, 32, 0, Buffer::zeros(128), Buffer::random(256, seed));
  Buffer in = Buffer::random(1024, 26), out = Buffer::zeros(128);
  for (s32 n : {0, 1, 2, 23}) {
    LAUNCH(keys, 1, 32, 0, out, in, n);
    LAUNCH(conditions, 1, 32, 0, out, in, n);
    LAUNCH(conditions, 1, 32, 0, out, Buffer::random(1024, 27), n);
  }
}
