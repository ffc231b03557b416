// Attacks fold-addresses: addresses that differ by a constant only as long as no index of 32 bits wraps around.
#include "../grid.h"

// Words that a kernel may read, in bytes.
#define LIMIT 4096

// Shows: the sum is extended as if it could not wrap around.
KERNEL unsigned_sum_wraps(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index(), sum = 0;
  UNROLL
  for (u32 k = 0; k < 64; k += 16)
    sum = sum * 31 + load_below(in, 4 * (u64)(u32)(i + k), LIMIT);
  out[global_index()] = sum;
}

// Shows: the same with a sign. The bias makes the index small again where it is below -2^31 or above.
KERNEL signed_sum_wraps(u32 *out, const u32 *in, u32 start, s64 bias) {
  u32 i = start + global_index(), sum = 0;
  UNROLL
  for (u32 k = 0; k < 64; k += 16)
    sum = sum * 31 + load_below(in, 4 * (u64)((s64)(s32)(i + k) + bias), LIMIT);
  out[global_index()] = sum;
}

// Shows: an index extended with its sign is taken for one extended with zeros, and the other way round.
KERNEL both_extensions(u32 *out, const u32 *in, u32 start, s64 bias) {
  u32 i = start + global_index();
  u64 by_sign = (u64)((s64)(s32)i + bias), by_zeros = (u64)((s64)i + bias);
  u32 sum = load_below(in, 4 * by_sign, LIMIT);
  sum = sum * 31 + load_below(in, 4 * by_zeros + 4, LIMIT);
  sum = sum * 31 + load_below(in, 4 * by_sign + 8, LIMIT);
  sum = sum * 31 + load_below(in, 4 * by_zeros + 12, LIMIT);
  out[global_index()] = sum;
}

// Shows: a difference that goes below 0 is extended as if it did not.
KERNEL difference_wraps(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index(), sum = 0;
  UNROLL
  for (u32 k = 0; k < 4; k++)
    sum = sum * 31 + load_below(in, 4 * (u64)(u32)(i - 11 * k), LIMIT) + load_below(in, 4 * (u64)(u32)(5 * k - i), LIMIT);
  out[global_index()] = sum;
}

// Shows: bits that a shift of 32 bits drops are kept in the address.
KERNEL shift_drops_bits(u32 *out, const u32 *in, u32 start, u64 bias) {
  u32 i = start + global_index(), sum = 0;
  UNROLL
  for (u32 k = 0; k < 8; k += 2)
    sum = sum * 31 + load_below(in, (u64)(u32)((i + k) << 2) + bias, LIMIT);
  out[global_index()] = sum;
}

// Shows: a product of 32 bits that wraps around is distributed over its sum.
KERNEL product_wraps(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index(), sum = 0;
  UNROLL
  for (u32 k = 0; k < 4; k++)
    sum = sum * 31 + load_below(in, 4 * (u64)(u32)((i + k) * 12 + 4), LIMIT);
  out[global_index()] = sum;
}

// Shows: a right shift is distributed over a sum that wraps around, or over one that has bits below the shift.
KERNEL right_shift_of_sum(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index();
  u32 sum = load_below(in, 4 * (u64)(i >> 2), LIMIT);
  sum = sum * 31 + load_below(in, 4 * (u64)((u32)(i + 4) >> 2), LIMIT);
  sum = sum * 31 + load_below(in, 4 * (u64)((u32)(i + 3) >> 2), LIMIT);
  sum = sum * 31 + load_below(in, 4 * (u64)(u32)((s32)(i + 4) >> 2), LIMIT);
  out[global_index()] = sum;
}

// Shows: a mask is taken for the one of another operation: selected before and after a shift.
KERNEL masks_of_shifted(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index();
  u32 sum = in[(i << 2) & 0x3f0];
  sum = sum * 31 + in[((i & 0x3f) << 2) + 1];
  sum = sum * 31 + in[(i & 0xfc) + 2];
  sum = sum * 31 + in[((i >> 2) & 0x3f) * 4 + 3];
  sum = sum * 31 + in[(i & 0x3f0) + 4];
  out[global_index()] = sum;
}

// Shows: a truncation is overlooked: the index has bits above 32 that do not count.
KERNEL truncated_index(u32 *out, const u32 *in, u64 start) {
  u64 i = start + global_index();
  u32 sum = load_below(in, 4 * i, LIMIT);
  sum = sum * 31 + load_below(in, 4 * (u64)(u32)i + 8, LIMIT);
  sum = sum * 31 + load_below(in, 4 * (u64)(s64)(s32)i + 16, LIMIT);
  sum = sum * 31 + load_below(in, 4 * (u64)(u32)(i + 6), LIMIT);
  out[global_index()] = sum;
}

// Shows: an offset that does not fit in 32 bits with a sign is cut off, at 2^31 - 4, 2^31 and below -2^31.
KERNEL offsets_at_the_edge(u32 *out, const u32 *in, u64 bias) {
  u64 at = bias + 4 * (u64)global_index();
  u32 sum = load_below(in, at, LIMIT);
  sum = sum * 31 + load_below(in, at + 0x7ffffffc, LIMIT);
  sum = sum * 31 + load_below(in, at + 0x80000000, LIMIT);
  sum = sum * 31 + load_below(in, at - 0x80000000, LIMIT);
  sum = sum * 31 + load_below(in, at - 0x80000004, LIMIT);
  sum = sum * 31 + load_below(in, at + 0xfffffffc, LIMIT);
  sum = sum * 31 + load_below(in, at + 0x100000000, LIMIT);
  out[global_index()] = sum;
}

// Shows: indices of 8 and 16 bits are extended in the wrong way or from the wrong bit.
KERNEL narrow_indices(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index();
  const u32 *middle = in + 300;
  u32 sum = middle[(s8)i];
  sum = sum * 31 + middle[(u8)(i + 1)];
  sum = sum * 31 + middle[(s8)(i + 1)];
  sum = sum * 31 + in[(u16)(i * 3) & 1023];
  sum = sum * 31 + middle[(s16)(i << 7) >> 7];
  sum = sum * 31 + middle[(s16)((i + 1) << 7) >> 7];
  out[global_index()] = sum;
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(LIMIT, 1), out = Buffer::zeros(128 * 4);
  const u32 starts[] = {0, 5, 0xffffffe0, 0xffffffc1, 0x7fffffc0, 0x7fffffe3, 0x80000000, 0x40000000 - 40, 0x80000000 - 9, 0x15555540, 0xc0000000 - 33};
  for (u32 start : starts) {
    LAUNCH(unsigned_sum_wraps, 2, 64, 0, out, in, start);
    for (s64 bias : {0ll, 0x80000000ll, -0x7fffffe0ll, 0x20ll})
      LAUNCH(signed_sum_wraps, 2, 64, 0, out, in, start, bias);
    for (s64 bias : {0ll, 0x80000000ll, -0x80000000ll, -0x7fffffe0ll, -0xffffffe0ll, 0x20ll})
      LAUNCH(both_extensions, 2, 64, 0, out, in, start, bias);
    LAUNCH(difference_wraps, 2, 64, 0, out, in, start);
    for (u64 bias : {0ll, -0xffffff00ll})
      LAUNCH(shift_drops_bits, 2, 64, 0, out, in, start, bias);
    LAUNCH(product_wraps, 2, 64, 0, out, in, start);
    LAUNCH(right_shift_of_sum, 2, 64, 0, out, in, start);
    LAUNCH(masks_of_shifted, 2, 64, 0, out, in, start);
    for (u64 high : {0ull, 1ull << 32, 0xffffffffull << 32, 1ull << 63})
      LAUNCH(truncated_index, 2, 64, 0, out, in, high + start);
    LAUNCH(narrow_indices, 2, 64, 0, out, in, start);
  }
  for (s64 bias : {0ll, -0x7ffffffcll, -0x80000000ll, 0x80000000ll, 0x80000004ll, -0xfffffffcll, -0x100000000ll})
    LAUNCH(offsets_at_the_edge, 2, 64, 0, out, in, (u64)bias);
}
#endif
