// Scans of runs of equal keys.
#include "types.h"

#include <cub/device/device_scan.cuh>

void *t;
size_t b;

template <class K, class V> void scans(const K *keys, const V *in, V *out) {
    cub::DeviceScan::InclusiveSumByKey(t, b, keys, in, out, n);
    cub::DeviceScan::ExclusiveScanByKey(t, b, keys, in, out, Maximum{}, V{}, n);
}

void all() {
    scans(of<int>, of<float>, of<float>);
    scans(of<int>, of<double>, of<double>);
    scans(of<long long>, of<int>, of<int>);
    scans(of<unsigned char>, of<long long>, of<long long>);
}
