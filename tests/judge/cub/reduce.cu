// Sums, extremes and their places of types of 1 to 16 bytes.
#include "types.h"

#include <cub/device/device_reduce.cuh>

void *t;
size_t b;

template <class T> void sum(const T *in, T *out) { cub::DeviceReduce::Sum(t, b, in, out, n); }
template <class T> void extremes(const T *in, T *out, cub::KeyValuePair<int, T> *pair) {
    cub::DeviceReduce::Max(t, b, in, out, n);
    cub::DeviceReduce::ArgMin(t, b, in, pair, n);
}

void all() {
    sum(of<signed char>, of<signed char>);
    sum(of<int>, of<int>);
    sum(of<float>, of<float>);
    sum(of<double>, of<double>);
    sum(of<long long>, of<long long>);
    sum(of<Point>, of<Point>);
    extremes(of<float>, of<float>, of<cub::KeyValuePair<int, float>>);
    extremes(of<long long>, of<long long>, of<cub::KeyValuePair<int, long long>>);
    cub::DeviceReduce::TransformReduce(t, b, of<float>, of<double>, n, ::cuda::std::plus<>{}, Square{}, 0.0);
}
