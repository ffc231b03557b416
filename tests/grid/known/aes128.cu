// AES-128, a block of 16 bytes for each thread, with its own key; forth and back. FIPS 197, sections 5.1 to 5.3.
// The S-box and its inverse are computed into shared memory. known.py has the vectors of FIPS 197 and NIST SP 800-38A.
#include "known.h"

SHARED u8 sbox[256], inverse[256];

DEVICE u32 times_x(u32 a) { return (a << 1 ^ (a & 0x80 ? 0x1b : 0)) & 0xff; }

// Multiplies in GF(256).
CALLED u32 times(u32 a, u32 b) {
  u32 product = 0;
  for (; b; b >>= 1, a = times_x(a))
    product ^= b & 1 ? a : 0;
  return product;
}

// Fills both tables; the block has 64 threads.
DEVICE void make_tables() {
  for (u32 x = thread_x(); x < 256; x += block_size_x()) {
    u32 power = 1;
    for (u32 i = 0; i < 254; i++) // x^254 is 1/x, and 0 for 0
      power = times(power, x);
    u32 s = power ^ 0x63;
    for (u32 i = 1; i < 5; i++)
      s ^= (power << i | power >> (8 - i)) & 0xff;
    sbox[x] = s;
    inverse[s] = x;
  }
  barrier();
}

// Makes the keys of all rounds.
DEVICE void expand(const u8 *key, u8 (&keys)[176]) {
  u32 constant = 1;
  for (u32 i = 0; i < 16; i++)
    keys[i] = key[i];
  for (u32 i = 16; i < 176; i += 4) {
    u8 t[4] = {keys[i - 4], keys[i - 3], keys[i - 2], keys[i - 1]};
    if (i % 16 == 0) {
      u8 first = t[0];
      t[0] = sbox[t[1]] ^ constant, t[1] = sbox[t[2]], t[2] = sbox[t[3]], t[3] = sbox[first];
      constant = times_x(constant);
    }
    for (u32 j = 0; j < 4; j++)
      keys[i + j] = keys[i - 16 + j] ^ t[j];
  }
}

KERNEL encrypt(const u8 *all_keys, const u8 *plain, u8 *cipher, u32 count) {
  make_tables();
  u32 id = index_x();
  if (id >= count)
    return;
  u8 keys[176], state[16];
  expand(all_keys + 16 * id, keys);
  for (u32 i = 0; i < 16; i++)
    state[i] = plain[16 * id + i] ^ keys[i];
  for (u32 round = 1; round <= 10; round++) {
    u8 moved[16];
    for (u32 i = 0; i < 16; i++)
      moved[i] = sbox[state[(i + 4 * (i % 4)) % 16]];
    for (u32 i = 0; i < 16; i++) {
      const u8 *column = moved + i / 4 * 4;
      u32 a = column[i % 4], b = column[(i + 1) % 4], c = column[(i + 2) % 4], d = column[(i + 3) % 4];
      state[i] = (round < 10 ? times_x(a) ^ times_x(b) ^ b ^ c ^ d : a) ^ keys[16 * round + i];
    }
  }
  for (u32 i = 0; i < 16; i++)
    cipher[16 * id + i] = state[i];
}

KERNEL decrypt(const u8 *all_keys, const u8 *cipher, u8 *plain, u32 count) {
  make_tables();
  u32 id = index_x();
  if (id >= count)
    return;
  u8 keys[176], state[16];
  expand(all_keys + 16 * id, keys);
  for (u32 i = 0; i < 16; i++)
    state[i] = cipher[16 * id + i] ^ keys[160 + i];
  for (u32 round = 10; round-- > 0;) {
    u8 moved[16];
    for (u32 i = 0; i < 16; i++)
      moved[i] = inverse[state[(i + 12 * (i % 4)) % 16]] ^ keys[16 * round + i];
    for (u32 i = 0; i < 16; i++) {
      const u8 *column = moved + i / 4 * 4;
      u32 a = column[i % 4], b = column[(i + 1) % 4], c = column[(i + 2) % 4], d = column[(i + 3) % 4];
      state[i] = round ? times(a, 14) ^ times(b, 11) ^ times(c, 13) ^ times(d, 9) : a;
    }
  }
  for (u32 i = 0; i < 16; i++)
    plain[16 * id + i] = state[i];
}
