// A hash in the manner of SHA-256 and ChaCha: eight words that change places in
// every round, so that the loop's PHIs form one long cycle of copies.
#include "device.h"

static uint rotate_left(uint x, uint n) { return x << n | x >> (32 - n); }
static uint mix(uint a, uint b, uint c) { return (a & b) ^ (~a & c); }

kernel void rotate_hash(global const uint *message, global uint *digest,
                        int words) {
  size_t id = global_index();
  uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
  uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
#pragma unroll 1
  for (int i = 0; i < words; ++i) {
    uint w = message[id * words + i];
    uint t = h + mix(e, f, g) + rotate_left(e, 26) + w;
    uint s = mix(a, b, c) + rotate_left(a, 30);
    h = g;
    g = f;
    f = e;
    e = d + t;
    d = c;
    c = b;
    b = a;
    a = t + s;
  }
  digest[id * 4 + 0] = a ^ e;
  digest[id * 4 + 1] = b ^ f;
  digest[id * 4 + 2] = c ^ g;
  digest[id * 4 + 3] = d ^ h;
}
