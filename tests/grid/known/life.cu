// Conway's Game of Life on a torus: one step over blocks with a rim in shared memory, and many steps in one block. Gardner (1970).
#include "known.h"

// One step; the block is 16 x 8, and the sizes are multiples of it.
KERNEL step(const u8 *in, u8 *out, u32 width, u32 height) {
  SHARED u8 tile[10][18];
  u32 left = block_x() * 16, top = block_y() * 8, x = thread_x(), y = thread_y();
  for (u32 i = y * 16 + x; i < 180; i += 128) {
    u32 row = (top + i / 18 + height - 1) % height, column = (left + i % 18 + width - 1) % width;
    tile[i / 18][i % 18] = in[row * width + column];
  }
  barrier();
  s32 neighbours = -tile[y + 1][x + 1];
  for (s32 dy = -1; dy <= 1; dy++)
    for (s32 dx = -1; dx <= 1; dx++)
      neighbours += tile[(s32)y + 1 + dy][(s32)x + 1 + dx];
  out[(top + y) * width + left + x] = neighbours == 3 || (neighbours == 2 && tile[y + 1][x + 1]);
}

// Many steps on 32 rows of 32 cells: a row is a word, its neighbours come by shuffles. One warp.
KERNEL rows(const u32 *in, u32 *out, u32 steps) {
  u32 t = thread_x(), row = in[32 * block_x() + t];
  for (u32 i = 0; i < steps; i++) {
    u32 above = shuffle(row, (t - 1) & 31), below = shuffle(row, (t + 1) & 31);
    u32 around[8] = {above, rotate_left(above, 1), rotate_right(above, 1), rotate_left(row, 1), rotate_right(row, 1),
                     below, rotate_left(below, 1), rotate_right(below, 1)};
    u32 next = 0;
    for (u32 bit = 0; bit < 32; bit++) {
      u32 sum = 0;
      for (u32 j = 0; j < 8; j++)
        sum += around[j] >> bit & 1;
      next |= (u32)(sum == 3 || (sum == 2 && row >> bit & 1)) << bit;
    }
    row = next;
  }
  out[32 * block_x() + t] = row;
}

// Many steps in one block of 32 x 8 threads, between two halves of dynamic shared memory.
KERNEL halves(const u8 *in, u8 *out, u32 steps) {
  DYNAMIC_SHARED(u8, cells);
  u32 x = thread_x(), y = thread_y();
  for (u32 row = y; row < 32; row += 8)
    cells[row * 32 + x] = in[row * 32 + x];
  u8 *now = cells, *next = cells + 1024;
  for (u32 i = 0; i < steps; i++) {
    barrier();
    for (u32 row = y; row < 32; row += 8) {
      u32 sum = 0;
      for (u32 j = 0; j < 9; j++)
        if (j != 4)
          sum += now[(row + j / 3 + 31) % 32 * 32 + (x + j % 3 + 31) % 32];
      next[row * 32 + x] = sum == 3 || (sum == 2 && now[row * 32 + x]);
    }
    u8 *other = now;
    now = next, next = other;
  }
  barrier();
  for (u32 row = y; row < 32; row += 8)
    out[row * 32 + x] = now[row * 32 + x];
}
