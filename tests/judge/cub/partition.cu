// Partitions in two and in three.
#include "types.h"

#include <cub/device/device_partition.cuh>

void *t;
size_t b;

template <class T> void in_two(const T *in, T *out, int *number) {
    cub::DevicePartition::If(t, b, in, out, number, n, Above{1.5f});
    cub::DevicePartition::Flagged(t, b, in, of<bool>, out, number, n);
}
template <class T> void in_three(const T *in, T *first, T *second, T *rest, int *numbers) {
    cub::DevicePartition::If(t, b, in, first, second, rest, numbers, n, Above{1.5f}, Above{0.5f});
}

void all() {
    in_two(of<int>, of<int>, of<int>);
    in_two(of<double>, of<double>, of<int>);
    in_three(of<float>, of<float>, of<float>, of<float>, of<int>);
    in_three(of<long long>, of<long long>, of<long long>, of<long long>, of<int>);
    in_three(of<unsigned char>, of<unsigned char>, of<unsigned char>, of<unsigned char>, of<int>);
}
