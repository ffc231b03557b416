// Attacks fold-addresses where it may fold: what is proved of one address must not be taken for its neighbour.
#include "../grid.h"

// Shows: the offset is added with the wrong sign, or twice, or in elements for bytes.
KERNEL masked_sums(u32 *out, const u32 *in, u32 start) {
  u32 i = (start + global_index()) & 63, sum = 0;
  UNROLL
  for (u32 k = 0; k < 16; k += 3)
    sum = sum * 31 + in[i + k + 1] + 3 * in[(i * 4) | (k & 3)] + 5 * in[(i << 2) + 17 - k] + 7 * in[300 + k - i];
  out[global_index()] = sum;
}

// Shows: the address of a load after an aliasing store is that of the load before, and the load as well.
KERNEL stores_between_loads(u32 *data, u32 start, u32 distance) {
  u32 i = (start + thread_x()) & 31;
  u32 *p = data + (thread_x() << 7), *q = p + distance, sum = 0;
  UNROLL
  for (u32 k = 0; k < 4; k++) {
    sum = sum * 31 + p[i << 1 | (k & 1)];
    q[i << 1 | (~k & 1)] = sum ^ k;
    sum = sum * 31 + p[i << 1 | (k & 1)];
  }
  p[0] = sum;
}

// Shows: addresses of different widths of elements get the offset of another width.
KERNEL widths_of_elements(u32 *out, const u8 *in, u32 start) {
  u32 i = (start + global_index()) & 31;
  const u16 *in16 = (const u16 *)in;
  const u32 *in32 = (const u32 *)in;
  const u64 *in64 = (const u64 *)in;
  u32 sum = in[i << 3] + in[i << 3 | 1] + 3 * in16[i << 2 | 1] + 5 * in16[i << 2 | 3] + 7 * in32[i << 1] + 11 * in32[i << 1 | 1];
  u64 wide = in64[i] + 13 * in64[i + 1];
  out[global_index()] = sum + (u32)wide + (u32)(wide >> 32);
}

// Shows: an address of another branch is used where only the own one is computed.
KERNEL addresses_in_branches(u32 *out, const u32 *in, u32 start) {
  u32 i = (start + global_index()) & 63, sum = 0;
  if (in[global_index()] & 1) {
    sum = in[i << 2] + 3 * in[i << 2 | 1];
  } else if (in[global_index()] & 2) {
    sum = 5 * in[i << 2 | 2] + 7 * in[i << 2 | 3];
  } else {
    sum = 11 * in[(i << 2) + 5];
  }
  if (in[global_index()] & 4)
    sum = sum * 31 + in[i << 2 | 2];
  out[global_index()] = sum;
}

// Shows: addresses in shared memory for assembly, of 32 bits, get an offset of the wrong sign or one that does not wrap.
KERNEL shared_addresses_in_assembly(u32 *out, const u32 *in) {
  SHARED u32 tile[256];
  u32 t = thread_x(), sum = 0;
  for (u32 k = t; k < 256; k += block_size_x())
    tile[k] = in[k];
  barrier();
  u32 base = shared_address(tile);
  UNROLL
  for (u32 k = 0; k < 4; k++) {
    sum = sum * 31 + load_shared(base + 4 * ((t << 1 & 62) | (k & 1)));
    sum = sum * 31 + load_shared(base + 1020 - 4 * ((t & 63) + 16 * k));
    sum = sum * 31 + load_shared(base + (((t ^ 21) & 63) << 4) + 4 * k);
  }
  barrier();
  store_shared(base + 4 * (t ^ 5), sum);
  store_shared(base + 4 * (t ^ 5) + 4 * 128, ~sum);
  barrier();
  out[t] = load_shared(base + 4 * t) + 3 * load_shared(base + 4 * t + 512);
}

// Shows: an index of a loop in which it wraps around is one of a loop in which it does not.
KERNEL counter_of_bytes(u32 *out, const u32 *in, u32 n, u32 step) {
  u32 sum = 0;
  u8 i = (u8)thread_x();
  NO_UNROLL
  for (u32 k = 0; k < n; k++) {
    sum = sum * 31 + in[i] + 3 * in[i + 1] + 5 * in[(u8)(i + 1)] + 7 * in[i | 1];
    i = (u8)(i + step);
  }
  out[global_index()] = sum;
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(4096, 5), out = Buffer::zeros(512);
  for (u32 start : {0, 1, 17, 63}) {
    LAUNCH(masked_sums, 2, 64, 0, out, in, start);
    LAUNCH(widths_of_elements, 2, 64, 0, out, in, start);
    LAUNCH(addresses_in_branches, 2, 64, 0, out, in, start);
    for (u32 distance : {0, 1, 2, 5})
      LAUNCH(stores_between_loads, 1, 32, 0, Buffer::random(16384, 6), start, distance);
  }
  LAUNCH(shared_addresses_in_assembly, 1, 128, 0, out, in);
  for (u32 n : {0, 1, 2, 300})
    for (u32 step : {0, 1, 2, 255})
      LAUNCH(counter_of_bytes, 1, 64, 0, out, in, n, step);
}
#endif
