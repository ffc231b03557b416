// Products of matrices of f16 by the tensor cores, sums in f32. PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions".
// known.py multiplies small integers, whose sums are exact in any order.
#include "known.h"

// c (16 x 16) += a (16 x inner, by rows) * b (inner x 16, by columns) with mma.m16n8k16; a block for each product, one warp.
KERNEL mma_f16(const u32 *a, const u32 *b, float *c, u32 inner) {
  u32 lane = thread_x(), group = lane / 4, in_group = lane % 4, pairs = inner / 2;
  a += block_x() * 16 * pairs, b += block_x() * 16 * pairs, c += block_x() * 256;
  for (u32 right = 0; right < 16; right += 8) {
    float d0 = c[group * 16 + right + 2 * in_group], d1 = c[group * 16 + right + 2 * in_group + 1];
    float d2 = c[(group + 8) * 16 + right + 2 * in_group], d3 = c[(group + 8) * 16 + right + 2 * in_group + 1];
    for (u32 first = 0; first < pairs; first += 8) {
      u32 a0 = a[group * pairs + first + in_group], a1 = a[(group + 8) * pairs + first + in_group];
      u32 a2 = a[group * pairs + first + in_group + 4], a3 = a[(group + 8) * pairs + first + in_group + 4];
      u32 b0 = b[(right + group) * pairs + first + in_group], b1 = b[(right + group) * pairs + first + in_group + 4];
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
                   : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
    c[group * 16 + right + 2 * in_group] = d0, c[group * 16 + right + 2 * in_group + 1] = d1;
    c[(group + 8) * 16 + right + 2 * in_group] = d2, c[(group + 8) * 16 + right + 2 * in_group + 1] = d3;
  }
}

// The same product with wmma.m16n16k16: each block has one warp, and a product.
KERNEL wmma_f16(const int *a, const int *b, float *c, u32 inner) {
  u32 words = inner / 2;
  a += block_x() * 16 * words, b += block_x() * 16 * words, c += block_x() * 256;
  int left[8], right[8];
  float sums[8];
  __hmma_m16n16k16_ld_c_f32(sums, c, 16, 0);
  for (u32 first = 0; first < words; first += 8) {
    __hmma_m16n16k16_ld_a(left, a + first, inner, 0);
    __hmma_m16n16k16_ld_b(right, b + first, inner, 1);
    __hmma_m16n16k16_mma_f32f32(sums, left, right, sums, 1, 0);
  }
  __hmma_m16n16k16_st_c_f32(c, sums, 16, 0);
}
