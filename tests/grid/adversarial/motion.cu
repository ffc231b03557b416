// Attacks hoist, sink and remat: computations that another place would make something else of. `-maxreg=16` makes them move more.
#include "../grid.h"

#define LOAD8(p, s) u32 g0 = (p)[0], g1 = (p)[s], g2 = (p)[2 * s], g3 = (p)[3 * s], g4 = (p)[4 * s], g5 = (p)[5 * s], g6 = (p)[6 * s], g7 = (p)[7 * s]
#define MIX8 ((g0 ^ g1) * 3 + (g2 ^ g3) * 5 + (g4 ^ g5) * 7 + (g6 ^ g7) * 11)

// Shows hoist: a computation moves up, but an operand is that of the other branch, or loads move over the stores in between.
KERNEL many_end_in_one(u32 *data, const u32 *in, u32 n) {
  u32 t = thread_x();
  u32 *own = data + 16 * t;
  LOAD8(own, 1);
  u32 side = in[t];
  if (side & 1) {
    own[0] = side;
    own[3] = side * 5;
    NO_UNROLL
    for (u32 i = 0; i < n; i++)
      side = side * 31 + in[(side >> 20) & 255];
    g4 = side;
  } else {
    own[7] = g0;
  }
  u32 after = own[0] + own[3] + own[7];
  own[8] = MIX8;
  own[9] = after + side;
}

// Shows hoist: what is computed after a loop goes before it, though the loop changes an operand.
KERNEL loop_changes_operand(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x();
  LOAD8(in + t, 32);
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    sum = sum * 31 + g7;
    g7 = in[(g7 >> 9) & 255];
    if (g7 & 1)
      g5 += i;
  }
  out[t] = sum + MIX8;
}

// Shows hoist: a division, or a shift by too much, is executed above the test that guards it, and its result is taken.
KERNEL guarded_division(u32 *out, const u32 *in, u32 mask) {
  u32 t = thread_x();
  LOAD8(in + t, 32);
  u32 divisor = g7 & mask, result = 5;
  if (divisor != 0)
    result = (g0 + g1 + g2) / divisor + (g3 + g4 + g5) % divisor;
  if ((g6 & mask) < 32)
    result += g0 << (g6 & mask);
  out[t] = result + MIX8;
}

// Shows hoist and sink: loads of shared memory move over the barrier between them and another thread's store.
KERNEL loads_and_barriers(u32 *out, const u32 *in, u32 rounds) {
  SHARED u32 tile[288];
  u32 t = thread_x();
  tile[t] = in[t];
  tile[t + 32] = in[t + 32];
  for (u32 k = 64 + t; k < 288; k += 32)
    tile[k] = in[k];
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < rounds; i++) {
    barrier();
    LOAD8(tile + (t ^ 1), 32);
    u32 first = g0 * 3;
    barrier();
    tile[t] = g7 + i;
    tile[((t + 5) & 31) + 224] = g0 ^ i;
    barrier();
    u32 second = tile[t ^ 3] + tile[(t ^ 7) + 224];
    if (sum & 8)
      sum = sum * 31 + MIX8 + first;
    sum += second + first;
  }
  out[t] = sum;
}

// Shows sink: a load moves below a store that changes what it reads; volatile ones and atomic ones move at all.
KERNEL results_read_far_below(u32 *data, u32 *counter, const u32 *in, u32 n) {
  u32 t = thread_x();
  u32 *own = data + 16 * t;
  u32 early = own[1], ticket = atomic_add(counter + t, 3);
  u32 seen = *(volatile u32 *)(counter + t);
  u32 product = early * 77 + n;
  own[1] = t;
  own[2] = 5;
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    sum = sum * 31 + in[(sum >> 8) & 255];
    own[1] = sum;
    atomic_add(counter + t, i);
  }
  if (sum & 1)
    own[3] = product + ticket;
  else
    own[4] = product ^ seen;
  own[5] = early;
}

// Shows sink: what goes into a branch is read by a PHI after it, or by the other branch.
KERNEL readers_in_branches(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), a = in[t], b = in[t + 32], c = in[t + 64];
  u32 x = a * b + c, y = x * 3 + a, z = y ^ x;
  u32 result = c;
  if (a & 1) {
    if (b & 1)
      result = x;
    else
      result = y + n;
  } else {
    NO_UNROLL
    for (u32 i = 0; i < n; i++)
      result = result * 31 + (i & 1 ? x : c);
  }
  if (result & 2)
    result += z;
  out[2 * t] = result;
  out[2 * t + 1] = c & 1 ? z : b;
}

// Shows sink and hoist: a shuffle or a vote goes under a branch, where not all threads execute it.
KERNEL shuffles_stay(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), v = in[t];
  u32 down = shuffle_down(v, 1), across = shuffle_xor(v, 16), votes = ballot(v & 1);
  u32 sum = 0;
  if (v & 2) {
    NO_UNROLL
    for (u32 i = 0; i < n; i++)
      sum = sum * 31 + (i ^ down);
    sum += votes;
  } else {
    sum = across * 3;
  }
  u32 again = shuffle_up(sum, 2);
  if (sum & 4)
    sum += again + down;
  out[t] = sum + shuffle(sum, v & 31);
}

// Shows remat: a key is computed again of a register that has another value by then, or by the wrong constant.
KERNEL keys_of_one_register(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), k = in[t], x = 0;
  u32 k1 = k + 1, k2 = k ^ 0x5a5a, k3 = k << 3, k4 = k >> 5, k5 = k * 7, k6 = k - 9, k7 = k & 0xff00ff, k8 = k | 0x10001, k9 = ~k, k10 = 0 - k,
      k11 = (k << 7) | (k >> 25), k12 = k + 0x9e3779b9, k13 = k12 ^ k, k14 = (u32)((s32)k >> 9);
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 w = in[(x >> 8) & 255];
    if (w & 1) {
      x = x * 31 + k1 + k2 + (k3 ^ k4);
      if (w & 8)
        x += k13 ^ k14;
    } else {
      x = x * 29 + k5 + k6 + (k7 ^ k8);
    }
    if (w & 2)
      x ^= k9 + k10 * k11;
    x += k12 + k;
    if (w & 4)
      k = k * 5 + w;
  }
  out[t] = x + k + k14;
}

// Shows remat: a predicate is computed again of registers that are not what they were, or with its sense turned around.
KERNEL many_predicates(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), a = in[t], b = in[t + 32], c = in[t + 64];
  bool p0 = a < b, p1 = (s32)a < (s32)b, p2 = b == c, p3 = (s32)c >= 0, p4 = (a & 1) != 0, p5 = (b & 2) == 0, p6 = a + b > c, p7 = (s32)(a - b) <= (s32)c,
       p8 = p0 != p3, p9 = p1 && p5, p10 = p4 || p6, p11 = (c & 7) == (a & 7), p12 = a > c, p13 = (b >> 31) != (c >> 31);
  u32 x = c;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    if (p0) x = x * 3 + in[x >> 24];
    if (p1) x = x * 5 + in[x >> 25];
    if (p2) x ^= i;
    if (p3) x = x * 7 + in[x >> 26];
    if (p4) x += in[(x >> 3) & 255];
    if (p5) x -= in[(x >> 5) & 255];
    if (p6) x = x * 9 + 1;
    if (p7) x ^= in[(x >> 7) & 255];
    if (p8) x += a;
    if (p9) x = x * 11 + b;
    if (p10) x ^= x >> 3;
    if (p11) x = x * 13 + i;
    if (p12) x ^= in[x >> 27];
    if (p13) x += 0x1234567;
    x += a ^ b ^ c;
  }
  out[t] = x;
}

// Shows remat: a comparison of floats is computed again as its opposite, which NaNs tell apart.
KERNEL float_predicates(u32 *out, const float *in, u32 n) {
  u32 t = thread_x();
  float a = in[t & 7], b = in[(t >> 2) & 7];
  bool less = a < b, not_less = !(a < b), greater_equal = a >= b, equal = a == b, unequal = a != b, unordered = a != a || b != b;
  u32 x = t;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    if (less) x = x * 3 + 1;
    if (not_less) x = x * 5 + 2;
    x += in[x & 7] > a;
    if (greater_equal) x = x * 7 + 3;
    if (equal) x = x * 9 + 4;
    x += in[(x >> 4) & 7] < b;
    if (unequal) x = x * 11 + 5;
    if (unordered) x = x * 13 + 6;
  }
  out[t] = x;
}

// Shows remat: values that are computed again after a barrier are loaded again.
KERNEL values_across_barriers(u32 *out, const u32 *in, u32 n) {
  SHARED u32 tile[32];
  u32 t = thread_x();
  tile[t] = in[t];
  barrier();
  u32 k = tile[31 - t], k1 = k + 1, k2 = k ^ 0xff, k3 = k * 5, k4 = k >> 3, k5 = k << 4, k6 = k & 0xfff, sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    barrier();
    tile[t] += k1 + i;
    barrier();
    u32 w = tile[(t + i) & 31];
    if (w & 1)
      sum = sum * 31 + (k2 ^ k3);
    if (w & 2)
      sum += k4 * k5 + k6;
    sum += k + w;
  }
  out[t] = sum;
}

// Shows hoist and sink: assembly with effects, here on shared memory, goes over other assembly.
DEVICE u32 add_to_shared(u32 address, u32 a, u32 b, u32 c, u32 d) {
#ifdef NATIVE
  u32 value = load_shared(address) + a + b + c + d;
  store_shared(address, value);
#else
  u32 value;
  asm volatile("{ ld.shared.u32 %0, [%1]; add.u32 %0, %0, %2; add.u32 %0, %0, %3; add.u32 %0, %0, %4; add.u32 %0, %0, %5; st.shared.u32 [%1], %0; }"
               : "=&r"(value)
               : "r"(address), "r"(a), "r"(b), "r"(c), "r"(d));
#endif
  return value;
}
KERNEL assembly_in_order(u32 *out, const u32 *in, u32 n) {
  SHARED u32 tile[32];
  u32 t = thread_x(), own = shared_address(tile + t);
  store_shared(own, t);
  LOAD8(in + t, 32);
  u32 early = add_to_shared(own, g0, g1, 1, 2), side = g2;
  if (side & 1) {
    store_shared(own, side);
    NO_UNROLL
    for (u32 i = 0; i < n; i++)
      side = side * 31 + load_shared(own);
  }
  u32 late = add_to_shared(own, g4, g5, g6, g7) + add_to_shared(own, g3, g6, g7, 3);
  if (side & 2)
    store_shared(own, 9);
  if (side & 4)
    side += early;
  out[t] = side + late * 3 + load_shared(own);
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(4096, 9), data = Buffer::random(32 * 64, 10), out = Buffer::zeros(256), counter = Buffer::zeros(128);
  float nan = __builtin_nanf("");
  Buffer floats = Buffer::of(std::vector<float>{0.0f, -0.0f, 1.5f, nan, -2.0f, __builtin_inff(), -__builtin_inff(), 1.5f});
  for (u32 n : {0, 1, 2, 19}) {
    LAUNCH(many_end_in_one, 1, 32, 0, data, in, n);
    LAUNCH(loop_changes_operand, 1, 32, 0, out, in, n);
    LAUNCH(loads_and_barriers, 1, 32, 0, out, in, n);
    LAUNCH(results_read_far_below, 1, 32, 0, data, counter, in, n);
    LAUNCH(readers_in_branches, 1, 32, 0, out, in, n);
    LAUNCH(shuffles_stay, 1, 32, 0, out, in, n);
    LAUNCH(keys_of_one_register, 1, 32, 0, out, in, n);
    LAUNCH(many_predicates, 1, 32, 0, out, in, n);
    LAUNCH(float_predicates, 1, 32, 0, out, floats, n);
    LAUNCH(values_across_barriers, 1, 32, 0, out, in, n);
    LAUNCH(assembly_in_order, 1, 32, 0, out, in, n);
  }
  for (u32 mask : {0u, 1u, 3u, 63u, 0xffffffffu})
    LAUNCH(guarded_division, 1, 32, 0, out, in, mask);
}
#endif
