// CRC-32 of the messages, one for each thread; the table is made in shared memory. RFC 1952, section 8. known.py compares with zlib.
#include "known.h"

SHARED u32 table[256];

KERNEL crc32(const u8 *messages, const u32 *offsets, u32 *sums, u32 count) {
  for (u32 i = thread_x(); i < 256; i += block_size_x()) {
    u32 sum = i;
    for (u32 bit = 0; bit < 8; bit++)
      sum = sum & 1 ? 0xedb88320 ^ sum >> 1 : sum >> 1;
    table[i] = sum;
  }
  barrier();
  u32 id = index_x();
  if (id >= count)
    return;
  u32 sum = ~0u;
  for (const u8 *p = messages + offsets[id], *end = messages + offsets[id + 1]; p != end; p++)
    sum = table[(sum ^ *p) & 255] ^ sum >> 8;
  sums[id] = ~sum;
}
