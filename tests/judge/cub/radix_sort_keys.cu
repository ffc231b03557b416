// Radix sorts of keys of 1 to 8 bytes.
#include "types.h"

#include <cub/device/device_radix_sort.cuh>

void *t;
size_t b;

template <class K> void sort(const K *in, K *out) { cub::DeviceRadixSort::SortKeys(t, b, in, out, n); }

void all() {
    sort(of<unsigned char>, of<unsigned char>);
    sort(of<short>, of<short>);
    sort(of<unsigned>, of<unsigned>);
    sort(of<double>, of<double>);
    cub::DeviceRadixSort::SortKeysDescending(t, b, of<float>, of<float>, n);
}
