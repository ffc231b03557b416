// Reductions of segments, and of runs of equal keys.
#include "types.h"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

void *t;
size_t b;

template <class T> void segments(const T *in, T *out, const int *at) {
    cub::DeviceSegmentedReduce::Sum(t, b, in, out, n, at, at + 1);
    cub::DeviceSegmentedReduce::Min(t, b, in, out, n, at, at + 1);
}
template <class K, class V> void by_key(const K *keys, K *unique, const V *values, V *sums, int *runs) {
    cub::DeviceReduce::ReduceByKey(t, b, keys, unique, values, sums, runs, Maximum{}, n);
}

void all() {
    segments(of<int>, of<int>, of<int>);
    segments(of<float>, of<float>, of<int>);
    segments(of<double>, of<double>, of<int>);
    cub::DeviceSegmentedReduce::ArgMax(t, b, of<float>, of<cub::KeyValuePair<int, float>>, n, of<int>, of<int>);
    by_key(of<int>, of<int>, of<float>, of<float>, of<int>);
    by_key(of<long long>, of<long long>, of<double>, of<double>, of<int>);
    by_key(of<unsigned char>, of<unsigned char>, of<int>, of<int>, of<int>);
}
