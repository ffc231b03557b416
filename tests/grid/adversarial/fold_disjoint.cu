// Attacks fold-addresses: `or` and `xor` that are sums only if no bit is set on both sides, and how that is known.
// A launch with more threads than a kernel declares has no result, so none is here.
#include "../grid.h"

// Shows: an `or` is a sum though bits are set on both sides.
KERNEL or_with_common_bits(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index(), sum = 0;
  for (u32 k = 0; k < 4; k++)
    sum = sum * 31 + in[i | k] + 7 * in[(i << 1) | k];
  out[global_index()] = sum;
}

// Shows: an `xor` is a sum though bits are set on both sides.
KERNEL xor_with_common_bits(u32 *out, const u32 *in, u32 start) {
  u32 i = start + global_index(), sum = 0;
  UNROLL
  for (u32 k = 0; k < 4; k++)
    sum = sum * 31 + in[i ^ k] + 7 * in[(i << 1) ^ k];
  out[global_index()] = sum;
}

// Shows: a counter is taken for a multiple of its step, though it does not begin with one.
KERNEL counter_begins_odd(u32 *out, const u32 *in, u32 start, u32 n) {
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = start; i < n; i += 4)
    sum = sum * 31 + in[i] + 3 * in[i | 1] + 5 * in[i | 2] + 7 * in[i | 3];
  out[global_index()] = sum + global_index();
}

// Shows: of a counter with step 6 more than its lowest bit is taken for clear.
KERNEL counter_by_six(u32 *out, const u32 *in, u32 n) {
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i += 6)
    sum = sum * 31 + in[i] + 3 * in[i | 1] + 5 * in[i | 2] + 7 * in[i | 3] + 11 * in[i | 4];
  out[global_index()] = sum + global_index();
}

// Shows: two steps, of 4 and of 2, are taken for one of 4.
KERNEL counter_with_two_steps(u32 *out, const u32 *in, u32 n) {
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i += (in[i] & 1) ? 4 : 2)
    sum = sum * 31 + in[i] + 3 * in[i | 1] + 5 * in[i | 2] + 7 * in[i | 3];
  out[global_index()] = sum + global_index();
}

// Shows: a counter that goes down through 0 is taken for one that keeps its top bits clear.
KERNEL counter_through_zero(u32 *out, const u32 *in, u32 n) {
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = n; i != 0xfffffff8; i -= 4)
    sum = sum * 31 + load_below(in, 4 * (u64)i, 1024) + load_below(in, 4 * (u64)(u32)(i + 4), 1024) + load_below(in, 4 * (u64)(u32)(i + 8), 1024);
  out[global_index()] = sum + global_index();
}

// Shows: a thread index is taken for less than the block that the kernel declares has threads: here the bit is in it.
BOUNDED_KERNEL(128) bound_has_the_bit(u32 *out, const u32 *in) {
  u32 t = thread_x();
  u32 sum = in[t] + 3 * in[t | 64] + 5 * in[t | 32] + 7 * in[t | 128] + 11 * in[t ^ 64];
  out[t] = sum;
}

// Shows: a bound that is not a power of 2 is rounded down.
BOUNDED_KERNEL(96) bound_is_not_a_power(u32 *out, const u32 *in) {
  u32 t = thread_x();
  u32 sum = in[t] + 3 * in[t | 64] + 5 * in[t | 32] + 7 * in[t | 96] + 11 * in[t + 64];
  out[t] = sum;
}

// Shows: without a bound a thread index is taken for one of fewer bits than 1023 has.
KERNEL no_bound(u32 *out, const u32 *in) {
  u32 t = thread_x();
  u32 sum = in[t] + 3 * in[t | 512] + 5 * in[t | 256] + 7 * in[t | 1024];
  out[t] = sum;
}

// Shows: the bound of the threads of a block, all dimensions together, is taken for that of the number of the block, or of y for x.
BOUNDED_KERNEL(64) bound_of_two_dimensions(u32 *out, const u32 *in) {
  u32 x = thread_x(), y = thread_y(), b = block_x();
  u32 at = (b * block_size_y() + y) * block_size_x() + x;
  out[at] = in[x | 64] + 3 * in[y | 64] + 5 * in[b | 64] + 7 * in[x | 8] + 11 * in[y | 8] + 13 * in[(x << 3) | y] + 17 * in[b | 16];
}

// Shows: sums of a loop counter and thread bits that overlap share one sum.
KERNEL shared_sums(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), a = t | 256, b = t | 512, c = t | 128;
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i += 1024)
    sum = sum * 31 + in[(i | a) & 4095] + 3 * in[(i | b) & 4095] + 5 * in[(i | c) & 4095];
  out[t] = sum;
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(16384, 2), out = Buffer::zeros(1024 * 4);
  for (u32 start : {0, 1, 2, 3, 6, 29, 64, 511, 1020}) {
    LAUNCH(or_with_common_bits, 2, 64, 0, out, in, start);
    LAUNCH(xor_with_common_bits, 2, 64, 0, out, in, start);
    for (u32 n : {0, 1, 2, 3, 7, 64})
      LAUNCH(counter_begins_odd, 1, 32, 0, out, in, start, n);
  }
  for (u32 n : {0, 1, 6, 7, 12, 100}) {
    LAUNCH(counter_by_six, 1, 32, 0, out, in, n);
    LAUNCH(counter_with_two_steps, 1, 32, 0, out, in, n);
  }
  for (u32 n : {0, 4, 8, 64})
    LAUNCH(counter_through_zero, 1, 32, 0, out, in, n);
  for (u32 threads : {32, 64, 96, 128})
    LAUNCH(bound_has_the_bit, 1, threads, 0, out, in);
  for (u32 threads : {1, 64, 96})
    LAUNCH(bound_is_not_a_power, 1, threads, 0, out, in);
  for (u32 threads : {64, 512, 1024})
    LAUNCH(no_bound, 1, threads, 0, out, in);
  LAUNCH(bound_of_two_dimensions, 16, Dim(8, 8), 0, out, in);
  LAUNCH(bound_of_two_dimensions, 16, Dim(64, 1), 0, out, in);
  LAUNCH(bound_of_two_dimensions, 16, Dim(1, 64), 0, out, in);
  for (u32 n : {0, 1, 1024, 4096})
    LAUNCH(shared_sums, 1, 1024, 0, out, in, n);
}
#endif
