// Merge sorts and merges, by orders of users.
#include "types.h"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>

void *t;
size_t b;

template <class K, class V> void pairs(K *keys, V *values) { cub::DeviceMergeSort::SortPairs(t, b, keys, values, n, Less{}); }

void all() {
    pairs(of<int>, of<int>);
    pairs(of<long long>, of<double>);
    pairs(of<short>, of<Point>);
    cub::DeviceMergeSort::StableSortKeys(t, b, of<float>, n, Less{});
    cub::DeviceMergeSort::SortKeysCopy(t, b, of<double>, of<double>, n, Less{});
    cub::DeviceMergeSort::SortKeys(t, b, of<Span>, n, ByWeight{});
    cub::DeviceMerge::MergeKeys(t, b, of<int>, n, of<int>, n, of<int>, Less{});
    cub::DeviceMerge::MergePairs(t, b, of<long long>, of<float>, n, of<long long>, of<float>, n, of<long long>, of<float>, Less{});
}
