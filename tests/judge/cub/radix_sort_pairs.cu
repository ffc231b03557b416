// Radix sorts of keys with values.
#include "types.h"

#include <cub/device/device_radix_sort.cuh>

void *t;
size_t b;

template <class K, class V> void sort(const K *keys, K *sorted, const V *values, V *with) {
    cub::DeviceRadixSort::SortPairs(t, b, keys, sorted, values, with, n);
}

void all() {
    sort(of<unsigned>, of<unsigned>, of<unsigned>, of<unsigned>);
    sort(of<unsigned long long>, of<unsigned long long>, of<int>, of<int>);
    sort(of<unsigned short>, of<unsigned short>, of<Point>, of<Point>);
    cub::DeviceRadixSort::SortPairsDescending(t, b, of<float>, of<float>, of<long long>, of<long long>, n);
}
