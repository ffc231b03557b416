// Computes what the kernels of ir_loops.ll give.
#include "../grid.h"

KERNEL two_entries(u32 *out, const u32 *in, u32 n, u32 step) {
  u32 t = thread_x(), v = in[t], i = 0, s = v, j = 5, r = t;
  bool is_at_a = v & 1;
  for (;;) {
    if (is_at_a) {
      r = s * 31 + in[i & 255];
      j = i + step;
    }
    r = r * 29 ^ in[(j + t) & 255];
    if (j + 1 >= n)
      break;
    i = j + 1, s = r, is_at_a = true;
  }
  out[t] = 7 * j + r;
}
KERNEL two_latches(u32 *out, const u32 *in, u32 n, u32 d) {
  u32 i = 0, k = 0, s = thread_x();
  for (;;) {
    s = s * 31 + in[(i + d) & 255];
    k++;
    if (s & 4) {
      if (i + 2 >= n) {
        s += i * 11;
        break;
      }
      i += 2;
    } else {
      i++;
      if (k >= n) {
        s += i * 7;
        break;
      }
    }
  }
  out[thread_x()] = s;
}
KERNEL predicates_around(u32 *out, const u32 *in, u32 n) {
  u32 v = in[thread_x()], s = v, i = 0;
  bool a = v & 1, b = v & 2, c = v >> 31, last;
  do {
    u32 x = a ? 3 : i, y = b ? s : 5;
    s = (y * 31 + x + (a && c)) ^ (c ? ~0u : 0);
    last = a;
    a = b, b = c, c = !last;
  } while (++i < n);
  out[thread_x()] = s + (last ? 1 : 2);
}
KERNEL stepped_in_two_places(u32 *out, const u32 *in, u32 n, u32 step) {
  u32 a = 0, k = 0, s = thread_x(), x, y;
  for (;;) {
    s = s * 31 + in[(a + step) & 255];
    k++;
    if ((s & 56) == 16) {
      x = a, y = a + step;
      break;
    }
    if (k >= n) {
      x = a + step, y = a;
      break;
    }
    a += step;
  }
  out[thread_x()] = 3 * x + 5 * y + s;
}
KERNEL edges_of_a_switch(u32 *out, const u32 *in, u32 n) {
  u32 s = in[thread_x()], u = 9, i = 0;
  do {
    u32 w;
    switch (s & 7) {
    case 0:
    case 1:
      w = u;
      break;
    case 2:
    case 5:
      w = i + u;
      break;
    case 6:
      w = i < 3 ? s : 17 * 5;
      break;
    default:
      w = u * 5;
    }
    s = s * 31 + w;
    s ^= s >> 3;
    u = w;
  } while (++i < n);
  out[thread_x()] = s + u;
}

LAUNCHES {
  Buffer in = Buffer::random(1024, 22), out = Buffer::zeros(128);
  for (u32 n : {0, 1, 2, 7, 50}) {
    for (u32 step : {0u, 1u, 3u}) {
      LAUNCH(two_entries, 1, 32, 0, out, in, n, step);
      LAUNCH(two_latches, 1, 32, 0, out, in, n, step);
      LAUNCH(stepped_in_two_places, 1, 32, 0, out, in, n, step);
    }
    LAUNCH(stepped_in_two_places, 1, 32, 0, out, in, n, 0x80000001u);
    LAUNCH(predicates_around, 1, 32, 0, out, in, n);
    LAUNCH(edges_of_a_switch, 1, 32, 0, out, in, n);
  }
}
