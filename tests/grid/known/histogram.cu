// Counts bytes: by atomics in shared memory, which the blocks then add in global memory; and by atomics in global memory alone.
#include "known.h"

KERNEL by_shared(const u8 *in, u32 *counts, u32 size) {
  SHARED u32 bins[256];
  for (u32 i = thread_x(); i < 256; i += block_size_x())
    bins[i] = 0;
  barrier();
  for (u32 i = index_x(); i < size; i += grid_size_x() * block_size_x())
    atomic_add(bins + in[i], 1);
  barrier();
  for (u32 i = thread_x(); i < 256; i += block_size_x())
    if (bins[i])
      atomic_add(counts + i, bins[i]);
}

KERNEL by_global(const u8 *in, u32 *counts, u32 size) {
  for (u32 i = index_x(); i < size; i += grid_size_x() * block_size_x())
    atomic_add(counts + in[i], 1);
}

// Adds by compare-and-swap, in 64 bits: the sum of all bytes and how many there are.
KERNEL by_swaps(const u8 *in, s64 *sum, u32 size) {
  for (u32 i = index_x(); i < size; i += grid_size_x() * block_size_x()) {
    s64 old = *(volatile s64 *)sum, seen;
    for (;; old = seen) {
      seen = __nvvm_atom_cas_gen_ll(sum, old, old + (1ll << 32) + in[i]);
      if (seen == old)
        break;
    }
  }
}

// Gives each element a number of its own: the set of numbers is known, not which element has which.
KERNEL tickets(u32 *next, u32 *taken) { taken[atomic_add(next, 1)] += 1; }
