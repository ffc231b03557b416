// Sorts of segments, by merging and by radix.
#include "types.h"

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

void *t;
size_t b;

template <class K, class V> void pairs(const K *keys, K *sorted, const V *values, V *with, const int *at) {
    cub::DeviceSegmentedSort::SortPairs(t, b, keys, sorted, values, with, n, n, at, at + 1);
    cub::DeviceSegmentedRadixSort::SortPairs(t, b, keys, sorted, values, with, n, n, at, at + 1);
}
template <class K> void keys(const K *in, K *out, const int *at) {
    cub::DeviceSegmentedSort::StableSortKeys(t, b, in, out, n, n, at, at + 1);
    cub::DeviceSegmentedRadixSort::SortKeysDescending(t, b, in, out, n, n, at, at + 1);
}

void all() {
    pairs(of<int>, of<int>, of<float>, of<float>, of<int>);
    keys(of<long long>, of<long long>, of<int>);
}
