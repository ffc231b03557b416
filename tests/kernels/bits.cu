// Integers: random numbers, a hash, a checksum, a cipher.
#include "../../examples/device.h"

static __device__ unsigned high_product(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long)a * b) >> 32);
}

// Ten rounds of Philox 4x32: four random numbers of a counter and a key.
extern "C" __global__ void philox(unsigned *out, unsigned seed, int n) {
  for (int i = global_index(); i < n; i += global_count()) {
    unsigned c0 = i, c1 = 0, c2 = seed, c3 = 0, k0 = seed ^ 0x9E3779B9u,
             k1 = seed + 0xBB67AE85u;
    for (int round = 0; round < 10; round++) {
      unsigned h0 = high_product(c0, 0xD2511F53u), l0 = c0 * 0xD2511F53u;
      unsigned h1 = high_product(c2, 0xCD9E8D57u), l1 = c2 * 0xCD9E8D57u;
      c0 = h1 ^ c1 ^ k0;
      c1 = l1;
      c2 = h0 ^ c3 ^ k1;
      c3 = l0;
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    out[4 * i] = c0;
    out[4 * i + 1] = c1;
    out[4 * i + 2] = c2;
    out[4 * i + 3] = c3;
  }
}

// xorshift with five words of state, which move up by one each step.
extern "C" __global__ void xorshift(unsigned *state, unsigned *out, int steps) {
  unsigned *mine = state + 5 * global_index();
  unsigned a = mine[0], b = mine[1], c = mine[2], d = mine[3], e = mine[4],
           sum = 0;
  for (int i = 0; i < steps; i++) {
    unsigned t = a ^ (a >> 2);
    a = b;
    b = c;
    c = d;
    d = e;
    e = (e ^ (e << 4)) ^ (t ^ (t << 1));
    sum += e;
  }
  mine[0] = a;
  mine[1] = b;
  mine[2] = c;
  mine[3] = d;
  mine[4] = e;
  out[global_index()] = sum;
}

// FNV-1a of a text for each thread.
extern "C" __global__ void fnv(const unsigned char *text, const int *starts,
                               unsigned long *hashes, int n) {
  for (int i = global_index(); i < n; i += global_count()) {
    unsigned long hash = 14695981039346656037ul;
    for (int at = starts[i]; at < starts[i + 1]; at++)
      hash = (hash ^ text[at]) * 1099511628211ul;
    hashes[i] = hash;
  }
}

// The cipher XTEA, 32 rounds, a block of 64 bits for each thread.
extern "C" __global__ void xtea(unsigned *data, const unsigned *key, int n) {
  unsigned keys[4] = {key[0], key[1], key[2], key[3]};
  for (int i = global_index(); i < n; i += global_count()) {
    unsigned a = data[2 * i], b = data[2 * i + 1], sum = 0;
    for (int round = 0; round < 32; round++) {
      a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + keys[sum & 3]);
      sum += 0x9E3779B9u;
      b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + keys[sum >> 11 & 3]);
    }
    data[2 * i] = a;
    data[2 * i + 1] = b;
  }
}
