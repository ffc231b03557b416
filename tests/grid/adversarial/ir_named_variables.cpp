// Computes what the kernels of ir_named_variables.ll give.
#include "../grid.h"

KERNEL compared(u32 *out, u32 a, u32 k, u32 first) {
  u32 m = a * k, lock = first;
  out[0] = compare_and_swap(&lock, m + 4, 7);
  out[1] = compare_and_swap(&lock, m + 8, 7);
  out[2] = compare_and_swap(&lock, m + 16, 9);
  out[3] = lock;
}
KERNEL compared_wide(u64 *out, u64 a, u64 k, u64 first) {
  u64 m = a * k, lock = first;
  out[0] = compare_and_swap(&lock, m + 4, 7);
  out[1] = compare_and_swap(&lock, m + 8, 7);
  out[2] = compare_and_swap(&lock, m + 16, 9);
  out[3] = lock;
}
KERNEL orders(u32 *out, u32 a, u32 k) {
  u32 m = a * k, lock = m + 8;
  out[0] = compare_and_swap(&lock, m + 8, m + 16);
  out[1] = 1;
  out[2] = atomic_exchange(&lock, m + 4);
  out[3] = atomic_add(&lock, m + 8);
  out[4] = lock;
}
KERNEL wide_values(u64 *out, u64 a, u64 k) {
  u64 m = a * k, lock = m + 4, place = a, inside = k, ticket = 5;
  out[0] = compare_and_swap(&lock, m + 4, 7);
  out[1] = compare_and_swap(&lock, m + 8, 7);
  out[2] = compare_and_swap(&lock, 7, m + 8);
  out[3] = atomic_add(&place, m + 4);
  out[4] = atomic_exchange(&inside, m + 8);
  out[5] = atomic_max(&place, m + 8);
  out[6] = atomic_add(&ticket, m + 4);
  out[7] = atomic_exchange(&ticket, m + 8);
  out[8] = atomic_xor(&inside, m + 4);
  atomic_sub(&place, m + 4);
  out[9] = place;
  out[10] = lock;
}
KERNEL joined_doubles(double *out, const double *in, float f, u32 n) {
  double sum = 1, field = 2, x = 4, total = 0;
  float second = 3, g = f;
  u32 i = 0;
  do {
    double x2 = in[i] < 0 ? in[i] + 1 : in[i];
    total += atomic_add(&sum, x2);
    total += atomic_add(&field, x);
    float t = atomic_add(&second, g);
    total += atomic_exchange(&second, t);
    atomic_add(&sum, x);
    x = x2;
    g += 0.5f;
  } while (++i < n);
  out[0] = total + sum;
}
KERNEL copied(u32 *out, const u32 *in, s32 i, u32 size) {
  u32 buffer[16] = {};
  std::memcpy(buffer, in + i, 32);
  std::memcpy(buffer + 8, in + i + 8, 8);
  buffer[10] = in[i + 11];
  buffer[11] = in[i];
  std::memcpy(buffer + 12, in + i + 12, size + 4);
  out[thread_x()] = buffer[thread_x() & 15] * 3 + buffer[0];
}
KERNEL matrices(u32 *out, const u32 *in) {
  u32 t = thread_x(), tile[64];
  for (u32 i = 0; i < 32; i++) {
    tile[i] = in[i];
    tile[i + 32] = in[i] + 4;
  }
  // Lane t has two elements of row t / 4, or of the column if the matrix is transposed.
  auto element = [](const u32 *row, u32 column) { return row[column / 2] >> (16 * (column % 2)) & 0xffff; };
  out[t] = tile[t % 4];
  out[t + 32] = element(tile + 20, t / 4) * 0x10001;
  out[t + 64] = tile[4 * (t / 4) + t % 4];
  out[t + 96] = tile[4 * ((24 + t / 4) & 15) + t % 4];
}
KERNEL addresses_as_values(u32 *out, const u32 *in, s32 i) {
  out[0] = in[i];
  out[1] = in[i + 1];
  out[2] = 5678;
  out[3] = 1234;
  out[4] = 5678;
}
KERNEL of_dynamic_memory(u32 *out, u32 a, u32 k) {
  u32 m = a * k, word = 1;
  u64 wide = 2, w1 = m * 4294967299ull;
  out[0] = atomic_add(&word, m + 4);
  out[1] = atomic_exchange(&word, m + 12);
  out[2] = compare_and_swap(&word, m + 12, 7);
  out[3] = word;
  ((u64 *)out)[2] = atomic_add(&wide, w1 + 4);
  ((u64 *)out)[3] = atomic_exchange(&wide, w1);
}

LAUNCHES {
  Buffer in = Buffer::random(1024, 41), out = Buffer::zeros(512);
  for (u32 a : {0u, 5u, 0x7ffffffdu})
    for (u32 k : {1u, 0x80000001u}) {
      u64 wide_a = (u64)a << 31 | a, wide_k = (u64)k << 2 | 1;
      for (u32 more : {4, 8, 16, 7}) {
        LAUNCH(compared, 1, 1, 0, out, a, k, a * k + more);
        LAUNCH(compared_wide, 1, 1, 0, out, wide_a, wide_k, wide_a * wide_k + more);
      }
      LAUNCH(orders, 1, 1, 0, out, a, k);
      LAUNCH(wide_values, 1, 1, 0, out, wide_a, wide_k);
      LAUNCH(of_dynamic_memory, 1, 1, 64, out, a, k);
    }
  Buffer numbers = Buffer::of<double>({1.5, -2, 3e10, -1, -4, 0.125});
  for (u32 n : {1, 2, 6})
    LAUNCH(joined_doubles, 1, 1, 0, out, numbers, n * 0.5f + 1, n);
  for (s32 i : {0, 4, 40})
    for (u32 size : {0, 4, 12})
      LAUNCH(copied, 1, 32, 0, out, in, i, size);
  LAUNCH(matrices, 1, 32, 0, out, in);
  for (s32 i : {0, 7, 50})
    LAUNCH(addresses_as_values, 1, 1, 0, out, in, i);
}
