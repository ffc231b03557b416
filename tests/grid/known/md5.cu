// MD5, a message for each thread. RFC 1321, section 3. known.py compares with hashlib; the table of sines is its buffer.
#include "known.h"

CONSTANT u8 ROTATIONS[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

KERNEL md5(const u8 *RESTRICT messages, const u32 *RESTRICT offsets, const u32 *RESTRICT sines, u8 *RESTRICT digests, u32 count) {
  u32 id = index_x();
  if (id >= count)
    return;
  u32 first = offsets[id], length = offsets[id + 1] - first, total = (length + 9 + 63) & ~63u;
  u32 a0 = 0x67452301, b0 = 0xefcdab89, c0 = 0x98badcfe, d0 = 0x10325476;
  for (u32 at = 0; at != total; at += 64) {
    u32 words[16];
    UNROLL for (u32 i = 0; i < 16; i++) {
      u32 word = 0;
      for (u32 j = 0; j < 4; j++) {
        u32 place = at + 4 * i + j;
        u32 byte = 0;
        if (place < length)
          byte = messages[first + place];
        else if (place == length)
          byte = 0x80;
        else if (place >= total - 8)
          byte = (u8)((u64)length * 8 >> 8 * (place - (total - 8)));
        word |= byte << 8 * j;
      }
      words[i] = word;
    }
    u32 a = a0, b = b0, c = c0, d = d0;
    for (u32 i = 0; i < 64; i++) {
      u32 f, g;
      switch (i / 16) {
      case 0:
        f = (b & c) | (~b & d), g = i;
        break;
      case 1:
        f = (d & b) | (~d & c), g = 5 * i + 1;
        break;
      case 2:
        f = b ^ c ^ d, g = 3 * i + 5;
        break;
      default:
        f = c ^ (b | ~d), g = 7 * i;
      }
      u32 sum = f + a + sines[i] + words[g % 16];
      a = d, d = c, c = b;
      b += rotate_left(sum, ROTATIONS[i / 16 * 4 + i % 4]);
    }
    a0 += a, b0 += b, c0 += c, d0 += d;
  }
  u32 *digest = (u32 *)(digests + 16 * id);
  digest[0] = a0, digest[1] = b0, digest[2] = c0, digest[3] = d0;
}
