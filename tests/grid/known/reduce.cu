// Sums, extremes and votes of a warp, in one instruction, and over blocks by atomics. PTX ISA, "redux.sync", "vote.sync", "match.sync", "red".
#include "known.h"

enum { ADD, MIN, MAX, UMIN, UMAX, AND, OR, XOR, NUM_RESULTS };

// Reduces the elements of each warp to eight results.
KERNEL redux(const u32 *in, u32 *out) {
  u32 i = index_x(), value = in[i];
  u32 results[NUM_RESULTS];
  results[ADD] = __nvvm_redux_sync_add(value, EVERYONE);
  results[MIN] = __nvvm_redux_sync_min(value, EVERYONE);
  results[MAX] = __nvvm_redux_sync_max(value, EVERYONE);
  results[UMIN] = __nvvm_redux_sync_umin(value, EVERYONE);
  results[UMAX] = __nvvm_redux_sync_umax(value, EVERYONE);
  results[AND] = __nvvm_redux_sync_and(value, EVERYONE);
  results[OR] = __nvvm_redux_sync_or(value, EVERYONE);
  results[XOR] = __nvvm_redux_sync_xor(value, EVERYONE);
  if (i % 32 == i / 32 % 32) // another thread of each warp
    for (u32 j = 0; j < NUM_RESULTS; j++)
      out[i / 32 * NUM_RESULTS + j] = results[j];
}

// Reduces all elements: in the warp by shuffles, in the block by shared memory, over blocks by atomics.
KERNEL reduce_all(const u32 *in, u32 *out, u32 count) {
  SHARED u32 sums[32];
  u32 sum = 0, t = thread_x();
  for (u32 i = index_x(); i < count; i += grid_size_x() * block_size_x()) {
    u32 value = in[i];
    sum += value;
    atomic_min(out + UMIN, value);
    atomic_max(out + UMAX, value);
    atomic_and(out + AND, value);
    atomic_or(out + OR, value);
    atomic_xor(out + XOR, value);
  }
  for (u32 by = 16; by > 0; by /= 2)
    sum += shuffle_down(sum, by);
  if (t % 32 == 0)
    sums[t / 32] = sum;
  barrier();
  if (t < 32) {
    sum = t < block_size_x() / 32 ? sums[t] : 0;
    for (u32 mask = 16; mask > 0; mask /= 2)
      sum += shuffle_xor(sum, mask);
    if (t == 0)
      atomic_add(out + ADD, sum);
  }
}

// Writes for each thread: the votes of its warp for odd values, whether all or any are odd.
KERNEL votes(const u32 *in, u32 *out) {
  u32 i = index_x(), value = in[i];
  bool is_odd = value & 1;
  out[3 * i] = ballot(is_odd);
  out[3 * i + 1] = __nvvm_vote_all_sync(EVERYONE, is_odd);
  out[3 * i + 2] = __nvvm_vote_any_sync(EVERYONE, is_odd);
}

// Finds for each thread which ones of its warp have the same value.
KERNEL match(const u32 *in, u32 *out) {
  u32 i = index_x();
  out[i] = __nvvm_match_any_sync_i32(EVERYONE, in[i]);
}

// Finds how many threads of the warp took part in a vote of those with an odd value only.
KERNEL part(const u32 *in, u32 *out) {
  u32 i = index_x(), value = in[i], result = 0;
  u32 odd = ballot(value & 1);
  if (value & 1)
    result = __nvvm_redux_sync_add(value, odd) ^ __nvvm_vote_ballot_sync(odd, value & 2);
  out[i] = result;
}
