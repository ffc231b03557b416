// Prefix sums and scans.
#include "types.h"

#include <cub/device/device_scan.cuh>

void *t;
size_t b;

template <class T> void sums(const T *in, T *out) { cub::DeviceScan::InclusiveSum(t, b, in, out, n); }

void all() {
    sums(of<signed char>, of<signed char>);
    sums(of<short>, of<short>);
    sums(of<int>, of<int>);
    sums(of<float>, of<float>);
    sums(of<double>, of<double>);
    sums(of<long long>, of<long long>);
    sums(of<Point>, of<Point>);
    cub::DeviceScan::ExclusiveScan(t, b, of<int>, of<int>, Maximum{}, 0, n);
    cub::DeviceScan::ExclusiveScan(t, b, of<double>, of<double>, Maximum{}, 0.0, n);
}
