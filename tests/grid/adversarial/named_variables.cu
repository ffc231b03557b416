// Attacks the stages that look for addresses: where the address is the name of a variable, the first register is a value. The values are sums, so that
// a stage that takes one for an address shortens it, or folds its constant into the next operand.
#include "../grid.h"

template <class T> struct Record {
  u32 head;
  T first, second;
};

GLOBAL u32 global_u32;
GLOBAL u64 global_u64[4];
GLOBAL Record<u64> global_records[3];
CONSTANT Record<u64> constant_records[4] = {{1, 20, 300}, {4, 50, 600}, {7, 80, 900}, {10, 110, 1200}};

// A kind of operation with values that are the same sum, and other constants.
#define SUMS(kind, place)                                                                                                              \
  *out++ = kind(place, v + 4);                                                                                                         \
  *out++ = kind(place, v + 8);                                                                                                         \
  *out++ = kind(place, v + 44)

// All kinds of operation on variables with names, by one thread.
#define KERNEL_OF_KINDS(type, signed_type)                                                                                             \
  KERNEL kinds_##type(type *out, type a, type k) {                                                                                     \
    SHARED type one, many[4];                                                                                                          \
    SHARED Record<type> records[3];                                                                                                    \
    one = 21;                                                                                                                          \
    many[3] = a;                                                                                                                       \
    records[1].first = records[2].second = 5;                                                                                          \
    type v = a * k;                                                                                                                    \
    SUMS(atomic_add, &one);                                                                                                            \
    SUMS(atomic_add, &many[3]);                                                                                                        \
    SUMS(atomic_add, &records[1].first);                                                                                               \
    SUMS(atomic_sub, &one);                                                                                                            \
    SUMS(atomic_exchange, &records[2].second);                                                                                         \
    SUMS(atomic_xor, &one);                                                                                                            \
    SUMS(atomic_and, &many[3]);                                                                                                        \
    SUMS(atomic_or, &records[1].first);                                                                                                \
    SUMS(atomic_min, &one);                                                                                                            \
    SUMS(atomic_max, &many[3]);                                                                                                        \
    SUMS(atomic_min, (signed_type *)&one);                                                                                             \
    SUMS(atomic_max, (signed_type *)&records[2].second);                                                                               \
    atomic_add(&many[3], v + 4);                                                                                                       \
    atomic_xor(&one, v + 12);                                                                                                          \
    *out++ = one;                                                                                                                      \
    *out++ = many[3] + 3 * records[1].first + 5 * records[2].second;                                                                   \
  }                                                                                                                                    \
                                                                                                                                       \
  /* Compare-and-swap with a constant after a sum, and with sums in both places; it holds in some cases only. */                       \
  KERNEL swaps_##type(type *out, type a, type k, type first) {                                                                         \
    SHARED type lock, many[4];                                                                                                         \
    type v = a * k;                                                                                                                    \
    lock = many[2] = first;                                                                                                            \
    *out++ = compare_and_swap(&lock, v + 4, 7);                                                                                        \
    *out++ = compare_and_swap(&lock, v + 8, 7);                                                                                        \
    *out++ = compare_and_swap(&lock, v + 12, 9);                                                                                       \
    *out++ = compare_and_swap(&many[2], v + 16, 11);                                                                                   \
    *out++ = compare_and_swap(&many[2], v + 20, 12);                                                                                   \
    *out++ = lock;                                                                                                                     \
    *out++ = many[2];                                                                                                                  \
    lock = many[2] = v + first;                                                                                                        \
    *out++ = compare_and_swap(&lock, 7, v + 24);                                                                                       \
    *out++ = compare_and_swap(&lock, v + 28, v + 32);                                                                                  \
    *out++ = compare_and_swap(&many[2], v + 28, v + 36);                                                                               \
    *out++ = compare_and_swap(&many[2], v + 36, a);                                                                                    \
    *out++ = lock;                                                                                                                     \
    *out++ = many[2];                                                                                                                  \
  }                                                                                                                                    \
                                                                                                                                       \
  /* Values that come from two sides, and go around a loop. */                                                                         \
  KERNEL joined_##type(type *out, const type *in, u32 n, type a) {                                                                     \
    SHARED type one, other[2];                                                                                                         \
    one = 3;                                                                                                                           \
    other[1] = 4;                                                                                                                      \
    type x = a, sum = 0;                                                                                                               \
    NO_UNROLL                                                                                                                          \
    for (u32 i = 0; i < n; i++) {                                                                                                      \
      type y = in[i] & 1 ? in[i] * 3 : x + 5;                                                                                          \
      sum = sum * 31 + atomic_exchange(&one, x + 4);                                                                                   \
      sum = sum * 31 + atomic_add(&other[1], x + 8);                                                                                   \
      sum = sum * 31 + atomic_exchange(&one, y);                                                                                       \
      sum = sum * 31 + compare_and_swap(&other[1], y + 16, x + 16);                                                                    \
      x = y + a;                                                                                                                       \
    }                                                                                                                                  \
    out[0] = sum;                                                                                                                      \
    out[1] = one + 3 * other[1];                                                                                                       \
  }                                                                                                                                    \
                                                                                                                                       \
  /* A slot for each thread, a constant and an index after the name. */                                                                \
  KERNEL slots_##type(type *out, const type *in, type a) {                                                                             \
    SHARED type slots[72];                                                                                                             \
    SHARED Record<type> records[64];                                                                                                   \
    u32 t = thread_x();                                                                                                                \
    slots[t + 3] = t;                                                                                                                  \
    records[t].second = a;                                                                                                             \
    barrier();                                                                                                                         \
    type v = in[t] * a, sum = atomic_add(&slots[t + 3], v + 4);                                                                        \
    sum = sum * 31 + atomic_exchange(&slots[t + 3], v + 8);                                                                            \
    sum = sum * 31 + atomic_max(&records[t].second, v + 4);                                                                            \
    sum = sum * 31 + compare_and_swap(&records[t].second, v + 4, v + 20);                                                              \
    barrier();                                                                                                                         \
    atomic_add(&slots[(t & 7) + 3], v + 12);                                                                                           \
    barrier();                                                                                                                         \
    out[t + 64 * block_x()] = sum + slots[66 - t] * 3 + records[63 - t].second * 5;                                                    \
  }

KERNEL_OF_KINDS(u32, s32)
KERNEL_OF_KINDS(u64, s64)

// Kinds that have 32 bits only.
KERNEL counted(u32 *out, u32 a, u32 k) {
  SHARED u32 one, many[4];
  one = 3;
  many[2] = a;
  u32 v = a * k;
  SUMS(atomic_increment, &one);
  SUMS(atomic_decrement, &one);
  SUMS(atomic_increment, &many[2]);
  SUMS(atomic_decrement, &many[2]);
  *out++ = one + 3 * many[2];
}

// Sums of floating point: a value of 64 bits is not an address, nor is its low half.
KERNEL floating(double *out, const double *in, float a, double b, u32 n) {
  SHARED float narrow, narrows[4];
  SHARED double wide;
  SHARED Record<double> records[3];
  narrow = narrows[1] = 1;
  wide = records[2].first = 2;
  double x = b;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    x = in[i] < 0 ? x + 1 : in[i];
    *out++ = atomic_add(&wide, x);
    *out++ = atomic_add(&wide, x + 4);
    *out++ = atomic_add(&records[2].first, x * b);
    *out++ = atomic_add(&narrow, a);
    *out++ = atomic_add(&narrows[1], a + 8);
  }
  atomic_add(&wide, b);
  atomic_add(&narrow, a * 3);
  *out++ = wide;
  *out++ = records[2].first;
  *out++ = narrow;
  *out++ = narrows[1];
}

// Variables in global memory.
KERNEL of_global_memory(u64 *out, u64 a, u64 k) {
  u64 v = a * k;
  global_u32 = 6;
  global_u64[2] = global_records[1].second = 9;
  SUMS(atomic_add, &global_u64[2]);
  SUMS(atomic_exchange, &global_records[1].second);
  SUMS(atomic_max, &global_u64[2]);
  SUMS(atomic_add, &global_u32);
  *out++ = compare_and_swap(&global_u64[2], v + 44, 7);
  *out++ = compare_and_swap(&global_u64[2], 7, v + 8);
  *out++ = compare_and_swap(&global_u32, (u32)v + 4, 7);
  *out++ = compare_and_swap(&global_u32, (u32)v + 8, 7);
  *out++ = global_u64[2] + 3 * global_records[1].second + 5 * global_u32;
}

// Memory whose size the launch says: the name is that of an array of no size.
KERNEL of_dynamic_memory(u32 *out, const u32 *in, u32 a) {
  DYNAMIC_SHARED(u32, words);
  u32 t = thread_x(), v = in[t] * a;
  for (u32 i = t; i < 256; i += block_size_x())
    words[i] = i;
  barrier();
  if (t == 0) {
    SUMS(atomic_add, &words[0]);
    SUMS(atomic_exchange, &words[128]);
    *out++ = compare_and_swap(words, v + 4, 7);
    *out++ = compare_and_swap(words, v + 8, 7);
    u64 *wide = (u64 *)words;
    *out++ = (u32)atomic_add(&wide[70], (u64)v * 5 + 4);
    *out++ = (u32)(atomic_exchange(&wide[70], (u64)v * 5 + 8) >> 32);
    out -= 10;
  }
  atomic_add(&words[1], v + 12);
  atomic_xor(&words[2], v + 16);
  atomic_max(&words[t + 4], v + 4);
  barrier();
  out[16 + t] = words[t + 1] + 3 * words[t + 4] + 5 * words[140 + (t & 3)];
}

// Values that are addresses: the heads of lists, as pointers and as addresses of 32 bits.
KERNEL lists(u32 *out, const u32 *in, u32 n) {
  struct Node {
    u32 value;
    u32 next_short;
    Node *next;
  };
  SHARED Node nodes[16];
  SHARED u64 head;
  SHARED u32 head_short, last_short[2];
  head = 0;
  head_short = last_short[1] = 0;
  NO_UNROLL
  for (u32 i = 0; i < n; i++) {
    u32 at = in[i] % 4 + 4 * (i & 3);
    Node *node = &nodes[at], *other = &nodes[at ^ 1];
    if (i >= 4)
      break;
    node->value = in[i];
    other->value = in[i] * 3;
    node->next = (Node *)atomic_exchange(&head, (u64)node);
    other->next = (Node *)atomic_exchange(&head, (u64)other);
    node->next_short = atomic_exchange(&head_short, shared_address(node));
    other->next_short = atomic_exchange(&head_short, shared_address(node) + 16 * (at ^ 1) - 16 * at);
    compare_and_swap(&last_short[1], 0, shared_address(other));
  }
  u32 sum = 0;
  NO_UNROLL
  for (const Node *node = (const Node *)head; node; node = node->next)
    sum = sum * 31 + node->value;
  NO_UNROLL
  for (u32 node = head_short; node; node = load_shared(node + 4))
    sum = sum * 31 + load_shared(node);
  out[0] = sum;
  out[1] = last_short[1] ? load_shared(last_short[1]) : 5;
}

// Copies into variables with names; the source is a sum of 64 bits.
KERNEL copies(u32 *out, const u32 *in, s32 i) {
  SHARED __attribute__((aligned(16))) u32 one[8];
  SHARED __attribute__((aligned(16))) u32 many[64];
  u32 t = thread_x();
  many[t] = many[t + 32] = 0;
  if (t < 8)
    one[t] = t;
  barrier();
  copy_async<4>(&many[t], in + t + i);
  copy_async<4>(&many[t + 32], in + t + i + 32);
  if (t == 0) {
    copy_async<16>(&one[0], in + 4 * (s64)i);
    copy_async<8>(&one[4], in + 4 * (s64)i + 4);
    copy_async<4>(&one[7], in + 4 * (s64)i + 9);
  }
  wait_for_copies();
  barrier();
  out[t] = many[31 - t] + 3 * many[63 - t] + 5 * one[t & 7];
}

// Loads and stores of named variables in all memories, with a constant and with an index after the name.
KERNEL named_loads_and_stores(u64 *out, const u64 *in, u32 i) {
  SHARED u64 one;
  SHARED Record<u64> records[4];
  u64 own[6];
  u32 t = thread_x();
  u64 v = in[t] * 3;
  for (u32 j = 0; j < 6; j++)
    own[j] = v + j;
  if (t == 0) {
    one = v + 4;
    records[1].first = v + 8;
    records[2].second = v + 12;
    records[i & 3].head = (u32)v + 4;
    global_u64[1] = v + 4;
    global_records[2].first = v + 8;
    global_u64[i & 1] = v + 16;
  }
  own[i % 6] = v + 40;
  barrier();
  u64 sum = one + 3 * records[1].first + 5 * records[2].second + 7 * records[i & 3].head;
  sum = sum * 31 + global_u64[1] + 3 * global_records[2].first + 5 * global_u64[i & 1];
  sum = sum * 31 + constant_records[i & 3].first + 3 * constant_records[(t + i) & 3].second + 5 * constant_records[2].head;
  sum = sum * 31 + own[2] + 3 * own[(i + t) % 6];
  out[t] = sum;
}

#ifdef NATIVE
LAUNCHES {
  Buffer in = Buffer::random(2048, 31), out = Buffer::zeros(2048);
  for (u32 a : {0u, 5u, 0x7ffffffdu})
    for (u32 k : {1u, 0x80000001u}) {
      u64 wide_a = (u64)a << 30 | a, wide_k = (u64)k << 3 | 1;
      LAUNCH(kinds_u32, 1, 1, 0, out, a, k);
      LAUNCH(kinds_u64, 1, 1, 0, out, wide_a, wide_k);
      for (u32 more : {4, 8, 12, 16, 20, 28}) {
        LAUNCH(swaps_u32, 1, 1, 0, out, a, k, a * k + more);
        LAUNCH(swaps_u64, 1, 1, 0, out, wide_a, wide_k, wide_a * wide_k + more);
        LAUNCH(swaps_u32, 1, 1, 0, out, a, k, more);
        LAUNCH(swaps_u64, 1, 1, 0, out, wide_a, wide_k, more);
      }
      LAUNCH(of_global_memory, 1, 1, 0, out, wide_a, wide_k);
      LAUNCH(counted, 1, 1, 0, out, a, k);
    }
  for (u32 n : {0, 1, 2, 9}) {
    LAUNCH(joined_u32, 1, 1, 0, out, in, n, n * 0x40000001u + 1);
    LAUNCH(joined_u64, 1, 1, 0, out, in, n, n * 0x4000000000000001ull + 1);
    LAUNCH(lists, 1, 1, 0, out, in, n);
    LAUNCH(named_loads_and_stores, 1, 32, 0, out, in, n);
  }
  Buffer numbers = Buffer::of<double>({1.5, -2, 3e10, -1, -4, 0.125});
  for (u32 n : {0, 1, 6})
    LAUNCH(floating, 1, 1, 0, out, numbers, n * 0.5f + 1, n * 1e9 + 3, n);
  for (u32 a : {1u, 3u, 0x80000001u}) {
    LAUNCH(slots_u32, 2, 64, 0, out, in, a);
    LAUNCH(slots_u64, 2, 64, 0, out, in, a | (u64)a << 32);
    LAUNCH(of_dynamic_memory, 1, 64, 2048, out, in, a);
  }
  for (s32 i : {0, 3, 40})
    LAUNCH(copies, 1, 32, 0, out, in, i);
}
#endif
