// Attacks induction: variables of a loop, their sums with distances, and variables that are equal for a while.
#include "../grid.h"

// Shows: a distance that the loop changes, or a step of 0 or below, is taken for a constant one.
KERNEL pointers_side_by_side(u32 *out, const u32 *in, s64 step, s64 a, s64 b, u32 n) {
  const u32 *p = in + 256;
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    const u32 *q = p + a, *r = p + b, *s = q + b;
    sum = sum * 31 + q[thread_x()] + 3 * r[thread_x()] + 5 * s[0] + 7 * s[1];
    p += step;
  }
  out[thread_x()] = sum;
}

// Shows: a sum after the step is computed as one before it.
KERNEL sums_around_the_step(u32 *out, const u32 *in, u32 step, u32 distance, u32 n) {
  u32 i = thread_x(), sum = 0;
  NO_UNROLL
  for (u32 k = 0; k < n; k++) {
    sum = sum * 31 + in[(i + distance) & 255];
    i += step;
    sum = sum * 31 + 3 * in[(i + distance) & 255] + 5 * in[(i - distance) & 255];
  }
  out[2 * thread_x()] = sum;
  out[2 * thread_x() + 1] = i + distance;
}

// Shows: variables that begin alike, and one of which steps only sometimes, are equal.
KERNEL equal_for_a_while(u32 *out, const u32 *in, u32 step, u32 n) {
  u32 i = 0, j = 0, k = 0, sum = 0;
  NO_UNROLL
  while (i < n) {
    sum = sum * 31 + in[i & 255] + 3 * in[j & 255] + 5 * in[k & 255];
    i += step;
    if (sum & 16)
      j += step;
    k += (sum & 32) ? step : 1;
  }
  out[thread_x()] = sum + 7 * i + 11 * j + 13 * k + thread_x();
}

// Shows: equal variables, one of which is read after the loop as it was in the last iteration.
KERNEL equal_until_the_end(u32 *out, const u32 *in, u32 step, u32 n, u32 limit) {
  u32 i = 1, j = 1, last = 77, sum = 0;
  NO_UNROLL
  for (u32 k = 0; k < n; k++) {
    last = j;
    sum = sum * 31 + in[i & 255];
    i += step;
    if ((sum & 0xff) > limit)
      break;
    sum += in[j & 255];
    j += step;
  }
  out[4 * thread_x()] = sum;
  out[4 * thread_x() + 1] = i;
  out[4 * thread_x() + 2] = j;
  out[4 * thread_x() + 3] = last;
}

// Shows: variables that begin or step otherwise, by constants alike in their low bits, are equal.
KERNEL nearly_equal(u64 *out, const u32 *in, u32 n) {
  u32 a = 0, b = 0, c = 1;
  u64 d = 0, e = 1ull << 32, sum = 0;
  NO_UNROLL
  for (u32 k = 0; k < n; k++) {
    sum = sum * 31 + in[a & 255] + 3 * in[b & 255] + 5 * in[c & 255] + 7 * d + 11 * e;
    a += 3;
    b += 3 + 256 * (k & 1);
    c += 3;
    d += 3;
    e += 3;
  }
  out[thread_x()] = sum + a + b + c + d * e;
}

// Shows: a variable that the inner loop takes over from the outer one begins again.
KERNEL nested_loops(u32 *out, const u32 *in, u32 rows, u32 columns, u32 distance) {
  u32 at = thread_x(), sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < rows; i++) {
    NO_UNROLL
    for (u32 j = i & 1; j < columns; j++) {
      sum = sum * 31 + in[at & 255] + 3 * in[(at + distance) & 255] + 5 * in[(at + i) & 255] + 7 * in[(j + distance) & 255];
      at += 3;
    }
    at += distance;
    sum = sum * 31 + in[(at + distance) & 255];
  }
  out[2 * thread_x()] = sum;
  out[2 * thread_x() + 1] = at;
}

// Shows: a loop that counts down through 0 runs once more or once less, or an address below the start is wrong.
KERNEL counting_down(u32 *out, const u32 *in, u32 n, u64 distance) {
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = n; i-- > 0;)
    sum = sum * 31 + in[i] + 3 * in[i + distance] + 5 * in[n - i];
  const u32 *p = in + n;
  NO_UNROLL
  while (p != in) {
    p--;
    sum = sum * 31 + p[0] + 3 * p[distance];
  }
  out[thread_x()] = sum + thread_x();
}

// Shows: steps that wrap around, or are 2^31: the variable of 32 bits is not that of 64 bits.
KERNEL wrapping_variables(u32 *out, const u32 *in, u32 start, u32 step, u32 n) {
  u32 i = start;
  u64 j = start;
  u32 sum = 0;
  NO_UNROLL
  for (u32 k = 0; k < n; k++) {
    sum = sum * 31 + in[(i >> 24)] + 3 * in[(j >> 30) & 255] + 5 * in[((u64)i + j) >> 25 & 255];
    i += step;
    j += step;
  }
  out[2 * thread_x()] = sum + i;
  out[2 * thread_x() + 1] = (u32)(j >> 16) + thread_x();
}

// Shows: the loop is left in the middle, where some of its variables have stepped and others have not.
KERNEL leaves_in_the_middle(u32 *out, const u32 *in, u32 n, u32 distance) {
  u32 i = thread_x(), j = thread_x() * 2, sum = 0, how = 0;
  NO_UNROLL
  for (;;) {
    if (i >= n) {
      how = 1;
      break;
    }
    sum = sum * 31 + in[(i + distance) & 255];
    i += 3;
    if ((sum & 15) == 5) {
      how = 2;
      break;
    }
    sum = sum * 31 + in[(j + distance) & 255];
    j += 3;
    if ((sum & 31) == 9) {
      how = 3;
      break;
    }
  }
  out[2 * thread_x()] = sum + how;
  out[2 * thread_x() + 1] = 7 * (i + distance) + 11 * (j + distance);
}

// Shows: masks of a variable, of different bits, are one variable.
KERNEL masks_of_variables(u32 *out, const u32 *in, u32 n) {
  SHARED u32 stages[4][32];
  u32 sum = 0, t = thread_x();
  for (u32 k = 0; k < 4; k++)
    stages[k][t] = in[t + 32 * k];
  barrier();
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    sum = sum * 31 + stages[i & 3][t] + 3 * stages[i & 1][t ^ 1] + 5 * stages[(i + 1) & 3][t] + 7 * stages[(i >> 1) & 1][t];
    barrier();
    stages[(i + 2) & 3][t] = sum;
    barrier();
  }
  out[t] = sum;
}

// Shows: a variable of a loop whose step is another variable of it.
KERNEL second_order(u32 *out, const u32 *in, u32 n, u32 distance) {
  u32 i = 0, step = 1, sum = 0;
  NO_UNROLL
  for (u32 k = 0; k < n; k++) {
    sum = sum * 31 + in[(i + distance) & 255] + 3 * in[(i + step) & 255] + 5 * in[(step + distance) & 255];
    i += step;
    step += 2;
  }
  out[thread_x()] = sum + i * step + thread_x();
}

// Shows: sums that go to shared memory by assembly begin one step early or late.
KERNEL copies_to_shared(u32 *out, const u32 *in, u32 n, u32 distance) {
  SHARED u32 tile[512];
  u32 t = thread_x(), base = shared_address(tile), other = base + 4 * distance, sum = 0;
  u32 at = 4 * t;
  for (u32 k = t; k < 512; k += 32)
    tile[k] = k;
  barrier();
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    store_shared(base + at, in[(at + i) & 255]);
    store_shared(other + at, ~in[(at + i) & 255]);
    store_shared(other + at + 4 * 64, i + t);
    at = (at + 128) & 511;
    sum = sum * 31 + load_shared(base + at) + load_shared(other + at);
  }
  barrier();
  for (u32 k = t; k < 512; k += 32)
    out[k] = tile[k];
  out[512 + t] = sum;
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(4096, 8), out = Buffer::zeros(512), more = Buffer::zeros(544 * 4);
  for (u32 n : {0, 1, 2, 3, 17}) {
    for (s64 step : {0, 1, 4, -3}) {
      LAUNCH(pointers_side_by_side, 1, 32, 0, out, in, step, 3, 32, n);
      LAUNCH(pointers_side_by_side, 1, 32, 0, out, in, step, 0, -32, n);
      LAUNCH(sums_around_the_step, 1, 32, 0, out, in, (u32)step, 7, n);
      LAUNCH(sums_around_the_step, 1, 32, 0, out, in, (u32)step, 0x80000001u, n);
      LAUNCH(equal_until_the_end, 1, 32, 0, out, in, (u32)step, n, 255);
      LAUNCH(equal_until_the_end, 1, 32, 0, out, in, (u32)step, n, 60);
      LAUNCH(equal_until_the_end, 1, 32, 0, out, in, (u32)step, n, 190);
    }
    for (u32 step : {1, 3, 0x40000000})
      LAUNCH(equal_for_a_while, 1, 32, 0, out, in, step, step == 0x40000000 && n == 17 ? 0x90000000 : n);
    LAUNCH(nearly_equal, 1, 32, 0, out, in, n);
    for (u32 rows : {0, 1, 4})
      for (u32 distance : {0u, 5u, 0xfffffffbu})
        LAUNCH(nested_loops, 1, 32, 0, out, in, rows, n, distance);
    for (u64 distance : {0, 1, 100})
      LAUNCH(counting_down, 1, 32, 0, out, in, n, distance);
    for (u32 start : {0u, 0x7fffffffu, 0xfffffff0u})
      for (u32 step : {0u, 1u, 0x80000000u, 0xf0000000u, 0x12345678u})
        LAUNCH(wrapping_variables, 1, 32, 0, out, in, start, step, n);
    for (u32 distance : {0u, 9u, 0xfffffff0u})
      LAUNCH(leaves_in_the_middle, 1, 32, 0, out, in, 20 * n, distance);
    LAUNCH(masks_of_variables, 1, 32, 0, out, in, n);
    LAUNCH(second_order, 1, 32, 0, out, in, n, 5);
    LAUNCH(copies_to_shared, 1, 32, 0, more, in, n, 128);
    LAUNCH(copies_to_shared, 1, 32, 0, more, in, n, 3 * 64);
  }
}
#endif
