// Selections by flags, by conditions, and of the first of equal ones.
#include "types.h"

#include <cub/device/device_select.cuh>

void *t;
size_t b;

template <class T> void of_type(const T *in, T *out, int *number) {
    cub::DeviceSelect::If(t, b, in, out, number, n, Above{1.5f});
    cub::DeviceSelect::Flagged(t, b, in, of<bool>, out, number, n);
}

void all() {
    of_type(of<unsigned char>, of<unsigned char>, of<int>);
    of_type(of<float>, of<float>, of<int>);
    of_type(of<double>, of<double>, of<int>);
    of_type(of<Point>, of<Point>, of<int>);
    cub::DeviceSelect::Unique(t, b, of<int>, of<int>, of<int>, n);
    cub::DeviceSelect::Unique(t, b, of<Span>, of<Span>, of<int>, n);
    cub::DeviceSelect::UniqueByKey(t, b, of<int>, of<float>, of<int>, of<float>, of<int>, n);
    cub::DeviceSelect::UniqueByKey(t, b, of<long long>, of<Point>, of<long long>, of<Point>, of<int>, n);
}
