// Histograms of one channel and of several.
#include "types.h"

#include <cub/device/device_histogram.cuh>

void *t;
size_t b;

template <class T, class L> void even(const T *in, int *counts, L low, L high) {
    cub::DeviceHistogram::HistogramEven(t, b, in, counts, 257, low, high, n);
}
template <class T, class L> void range(const T *in, int *counts, const L *levels) {
    cub::DeviceHistogram::HistogramRange(t, b, in, counts, 257, levels, n);
}
template <class T, class L> void channels(const T *in) {
    cub::DeviceHistogram::MultiHistogramEven<4, 3>(t, b, in, ::cuda::std::array<int *, 3>{}, ::cuda::std::array<int, 3>{},
                                                   ::cuda::std::array<L, 3>{}, ::cuda::std::array<L, 3>{}, n);
    cub::DeviceHistogram::MultiHistogramRange<4, 3>(t, b, in, ::cuda::std::array<int *, 3>{}, ::cuda::std::array<int, 3>{},
                                                    ::cuda::std::array<const L *, 3>{}, n);
}

void all() {
    even(of<unsigned char>, of<int>, 0, 256);
    even(of<float>, of<int>, 0.f, 1.f);
    even(of<double>, of<int>, 0., 1.);
    range(of<unsigned char>, of<int>, of<int>);
    range(of<float>, of<int>, of<float>);
    range(of<double>, of<int>, of<double>);
    channels<unsigned char, int>(of<unsigned char>);
    channels<float, float>(of<float>);
}
