// C += A * B in half precision on the tensor cores: each warp keeps a 32 x 32
// tile of C in 32 registers, and each step over K is one inline assembly with
// all of them as "+f" operands, as Triton and CUTLASS write it.
#include "device.h"

// One lane's part of a 16 x 16 tile of A, 8 halves in 4 registers, and of a
// 16 x 8 tile of B.
struct FragmentA {
  unsigned r[4];
};
struct FragmentB {
  unsigned r[2];
};

// Two columns of 4 tiles: 8 products of 16 x 8 x 16.
static __device__ inline void multiply(float (&c)[32], const FragmentA (&a)[2],
                                       const FragmentB (&b)[4]) {
#define MMA(c0, c1, c2, c3, a0, a1, a2, a3, b0, b1)                            \
  "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "                         \
  "{%" #c0 ",%" #c1 ",%" #c2 ",%" #c3 "}, {%" #a0 ",%" #a1 ",%" #a2 ",%" #a3   \
  "}, {%" #b0 ",%" #b1 "}, {%" #c0 ",%" #c1 ",%" #c2 ",%" #c3 "};\n\t"
  // clang-format off
  asm volatile(
      MMA(0, 1, 2, 3, 32, 33, 34, 35, 40, 41)
      MMA(4, 5, 6, 7, 32, 33, 34, 35, 42, 43)
      MMA(8, 9, 10, 11, 32, 33, 34, 35, 44, 45)
      MMA(12, 13, 14, 15, 32, 33, 34, 35, 46, 47)
      MMA(16, 17, 18, 19, 36, 37, 38, 39, 40, 41)
      MMA(20, 21, 22, 23, 36, 37, 38, 39, 42, 43)
      MMA(24, 25, 26, 27, 36, 37, 38, 39, 44, 45)
      MMA(28, 29, 30, 31, 36, 37, 38, 39, 46, 47)
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]),
        "+f"(c[6]), "+f"(c[7]), "+f"(c[8]), "+f"(c[9]), "+f"(c[10]),
        "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
        "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]),
        "+f"(c[21]), "+f"(c[22]), "+f"(c[23]), "+f"(c[24]), "+f"(c[25]),
        "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]),
        "+f"(c[31])
      : "r"(a[0].r[0]), "r"(a[0].r[1]), "r"(a[0].r[2]), "r"(a[0].r[3]),
        "r"(a[1].r[0]), "r"(a[1].r[1]), "r"(a[1].r[2]), "r"(a[1].r[3]),
        "r"(b[0].r[0]), "r"(b[0].r[1]), "r"(b[1].r[0]), "r"(b[1].r[1]),
        "r"(b[2].r[0]), "r"(b[2].r[1]), "r"(b[3].r[0]), "r"(b[3].r[1]));
  // clang-format on
#undef MMA
}

// A and B are stored as fragments already: tile after tile, lane after lane.
extern "C" __global__ void matmul_mma(const FragmentA *a, const FragmentB *b,
                                      float *c, int k_tiles) {
  int lane = thread_index() % 32, tile = block_index();
  float sum[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    sum[i] = c[(tile * 32 + i) * 32 + lane];
  for (int k = 0; k < k_tiles; ++k) {
    FragmentA fa[2];
    FragmentB fb[4];
#pragma unroll
    for (int i = 0; i < 2; ++i)
      fa[i] = a[((tile * k_tiles + k) * 2 + i) * 32 + lane];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      fb[i] = b[((tile * k_tiles + k) * 4 + i) * 32 + lane];
    multiply(sum, fa, fb);
  }
#pragma unroll
  for (int i = 0; i < 32; ++i)
    c[(tile * 32 + i) * 32 + lane] = sum[i];
}
