// Attacks cssa, phi-elim, two-address, the coalescers and the emitter: registers that are one only as long as their values are.
#include "../grid.h"

// Shows: the swap problem. Copies of a cycle are made one after the other.
KERNEL swaps(u32 *out, const u32 *in, u32 n) {
  u32 a = in[thread_x()], b = in[thread_x() + 32], sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    sum = sum * 31 + a;
    u32 old = a;
    a = b;
    b = old;
  }
  out[thread_x()] = sum + a * 3 + b;
}

// Shows: a cycle of three and one of two in the same copies, and one value that two of them take.
KERNEL rotations(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), a = in[t], b = in[t + 32], c = in[t + 64], d = in[t + 96], e = in[t + 128], f = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 old = a;
    f = a;
    a = b;
    b = c;
    c = old;
    old = d;
    d = e;
    e = (in[(a + i) & 255] & 1) ? old : f;
  }
  out[t] = a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f;
}

// Shows: the lost copy. A value of the last iteration but one is read after the loop.
KERNEL lost_copy(u32 *out, const u32 *in, u32 n) {
  u32 x = thread_x(), last = 1, before = 2, i = 0;
  NO_UNROLL
  do {
    before = last;
    last = x;
    x = x * 5 + in[x & 255];
    i++;
  } while (i < n);
  out[thread_x()] = x + 3 * last + 7 * before + i;
}

// Shows: PHIs of constants, some equal, are one register though one of them is changed.
KERNEL constants_of_phis(u32 *out, const u32 *in, u32 n) {
  u32 a = 7, b = 7, c = 0, x = thread_x();
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 w = in[x & 255];
    if (w & 1) {
      a = 7;
      b = 9;
    } else if (w & 2) {
      a = b;
      b = 7;
    } else {
      c = a;
    }
    x = x * 31 + a + 3 * b + 5 * c + w;
  }
  out[thread_x()] = x;
}

// Shows: a move is dropped as redundant though the register has the value on one of several ways only.
KERNEL values_on_some_ways(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), a = in[t], b = in[t + 32], r = a, s = b;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 w = in[(r + i) & 255];
    if (w & 1)
      r = a;
    if (w & 2)
      s = a;
    else if (w & 4)
      s = r;
    if (w & 8)
      r = b;
    if (w & 16)
      a = s ^ i;
    if (w & 32)
      b = r + 1;
  }
  out[4 * t] = a;
  out[4 * t + 1] = b;
  out[4 * t + 2] = r;
  out[4 * t + 3] = s;
}

// Shows: the bits of a float and of an integer are one register of the wrong kind.
KERNEL bits_of_floats(u32 *out, const float *in, u32 n) {
  float f = in[thread_x()];
  u32 bits = 0, sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    __builtin_memcpy(&bits, &f, 4);
    sum = sum * 31 + bits;
    bits ^= (sum & 3) << 20;
    if (sum & 4)
      __builtin_memcpy(&f, &bits, 4);
    else
      f = f * 0.5f + 1.25f;
    if (f > 1e6f || f != f)
      f = -1.0f;
  }
  __builtin_memcpy(&bits, &f, 4);
  out[thread_x()] = sum ^ bits;
}

// Shows: halves of a wide value are packed in the wrong order, or one of another iteration (wide-phis).
KERNEL halves_of_words(u64 *out, const u64 *in, u32 n) {
  u64 v = in[thread_x()], w = in[thread_x() + 32];
  u32 low = (u32)v, high = (u32)(v >> 32);
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u64 whole = (u64)high << 32 | low;
    if (whole & 16)
      whole += w;
    u32 l = (u32)whole, h = (u32)(whole >> 32);
    low = i & 1 ? h : l;
    high = i & 2 ? h : l;
    w = w * 3 + whole;
  }
  out[thread_x()] = ((u64)low << 32 | high) ^ w;
}

typedef half half2 __attribute__((vector_size(4)));

// Shows: parts of two vectors of halves are taken for those of one (wide-phis).
KERNEL vectors_of_halves(half2 *out, const half2 *in, u32 n) {
  u32 t = thread_x();
  half2 a = in[t], b = in[t + 32], c = in[t + 64];
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    half2 next = in[(t + i) & 127];
    half2 mixed = {a[0], b[1]}, turned = {c[1], c[0]};
    a = b;
    b = i & 1 ? mixed : c;
    c = turned;
    if (i & 2)
      c[1] = next[0];
  }
  out[3 * t] = a;
  out[3 * t + 1] = b;
  out[3 * t + 2] = c;
}

// Shows: a vector of 16 bytes that goes around a loop gets its parts from another one (wide-phis, emitter).
struct alignas(16) Four {
  u32 x, y, z, w;
};
KERNEL vectors_of_words(Four *out, const Four *in, u32 n) {
  u32 t = thread_x();
  Four a = in[t], b = in[t + 32];
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    Four next = in[(t + i) & 63];
    a = Four{b.y, next.x, a.z + b.w, a.y};
    b = i & 1 ? Four{next.w, b.x, b.z, a.x} : next;
  }
  out[2 * t] = a;
  out[2 * t + 1] = b;
}

// Shows: the operand of assembly that is read and written takes the register of a value that is read later (two-address).
KERNEL tied_operands(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), a = in[t], b = in[t + 32], sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 c = opaque(a), d = opaque(c + b);
    c += 5;
    u32 e = opaque(a);
    sum = sum * 31 + a + 3 * c + 5 * d + 7 * e;
    a = opaque(d);
    b = i & 1 ? d : e;
  }
  out[t] = sum + a + b;
}

// Shows: a tied operand of assembly with two results: each result shares with its own operand only (cssa).
DEVICE void exchange_and_add(u32 &a, u32 &b) {
#ifdef NATIVE
  u32 old = a;
  a = b + 1;
  b = old;
#else
  asm volatile("{ .reg .u32 t; mov.u32 t, %0; add.u32 %0, %1, 1; mov.u32 %1, t; }" : "+r"(a), "+r"(b));
#endif
}
KERNEL two_tied_operands(u32 *out, const u32 *in, u32 n) {
  u32 t = thread_x(), a = in[t], b = in[t + 32], c = a, d = b;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 x = a, y = b;
    exchange_and_add(a, b);
    if (a & 1)
      exchange_and_add(b, c);
    else
      exchange_and_add(x, d);
    exchange_and_add(y, y);
    c ^= x + y;
  }
  out[4 * t] = a;
  out[4 * t + 1] = b;
  out[4 * t + 2] = c;
  out[4 * t + 3] = d;
}

// Shows: values of 8 and 16 bits keep bits above, or lose their sign, around a loop.
KERNEL narrow_values(u32 *out, const u8 *in, u32 n) {
  s8 a = (s8)in[thread_x()];
  u8 b = in[thread_x() + 32];
  s16 c = a;
  u16 d = (u16)(b * 257);
  u32 sum = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    a = (s8)(a * 3 + in[i & 63]);
    b = (u8)(b - a);
    c = (s16)(c + a * b);
    d = (u16)(d << (i & 7) ^ c);
    sum = sum * 31 + (u32)(a >> 2) + (b >> 3) + (u32)(c >> 5) + (d >> 7) + (a < 0) + 2 * (b > 200) + 4 * (c < a) + 8 * (d == (u16)c);
  }
  out[thread_x()] = sum;
}

// Shows: a structure by value is read at the wrong offset, or as narrow as another field.
struct Fields {
  u8 a, gap0;
  s16 b;
  u32 c;
  s8 d;
  u8 gap1[7];
  u64 e;
  u16 f[3], gap2;
  float g;
  u32 gap3;
};
KERNEL structure_by_value(u64 *out, Fields fields, u32 which) {
  u32 t = thread_x();
  u64 sum = fields.a + 3 * (u64)fields.b + 5 * fields.c + 7 * (u64)fields.d + 11 * fields.e + 13 * (u64)fields.g;
  out[t] = sum + fields.f[(which + t) % 3];
}

// Shows: a function that is called gets or gives another register than the caller means.
CALLED u32 called(u32 a, u64 b, u8 c, s16 d) { return (a ^ (u32)(b >> 7)) * 3 + c + (u32)d; }
KERNEL calls(u32 *out, const u32 *in, u32 n) {
  u32 a = in[thread_x()], b = in[thread_x() + 32];
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 old = a;
    a = called(b, (u64)a << 20 | i, (u8)a, (s16)b);
    b = old;
  }
  out[thread_x()] = a + 3 * b;
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(2048, 11), out = Buffer::zeros(1024);
  std::vector<float> floats;
  for (int i = 0; i < 32; i++)
    floats.push_back((float)(i * i - 100) * 0.75f);
  Fields fields;
  std::memset(&fields, 0, sizeof fields);
  fields.a = 200, fields.b = -3, fields.c = 0xfedcba98, fields.d = -100, fields.e = 0x123456789abcdef, fields.g = 1e9f;
  fields.f[0] = 65535, fields.f[1] = 1, fields.f[2] = 32768;
  std::vector<half> halves;
  for (int i = 0; i < 256; i++)
    halves.push_back((half)(i - 128));
  for (u32 n : {0, 1, 2, 3, 4, 29}) {
    LAUNCH(swaps, 1, 32, 0, out, in, n);
    LAUNCH(rotations, 1, 32, 0, out, in, n);
    LAUNCH(lost_copy, 1, 32, 0, out, in, n);
    LAUNCH(constants_of_phis, 1, 32, 0, out, in, n);
    LAUNCH(values_on_some_ways, 1, 32, 0, out, in, n);
    LAUNCH(bits_of_floats, 1, 32, 0, out, Buffer::of(floats), n);
    LAUNCH(halves_of_words, 1, 32, 0, out, in, n);
    LAUNCH(vectors_of_halves, 1, 32, 0, out, Buffer::of(halves), n);
    LAUNCH(vectors_of_words, 1, 32, 0, out, in, n);
    LAUNCH(tied_operands, 1, 32, 0, out, in, n);
    LAUNCH(two_tied_operands, 1, 32, 0, out, in, n);
    LAUNCH(narrow_values, 1, 32, 0, out, in, n);
    LAUNCH(structure_by_value, 1, 32, 0, out, fields, n);
    LAUNCH(calls, 1, 32, 0, out, in, n);
  }
}
#endif
