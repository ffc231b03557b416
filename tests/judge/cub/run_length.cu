// Encoding by run length, and runs of more than one.
#include "types.h"

#include <cub/device/device_run_length_encode.cuh>

void *t;
size_t b;

template <class T> void runs(const T *in, T *unique, int *offsets, int *lengths, int *number) {
    cub::DeviceRunLengthEncode::Encode(t, b, in, unique, lengths, number, n);
    cub::DeviceRunLengthEncode::NonTrivialRuns(t, b, in, offsets, lengths, number, n);
}

void all() {
    runs(of<unsigned char>, of<unsigned char>, of<int>, of<int>, of<int>);
    runs(of<int>, of<int>, of<int>, of<int>, of<int>);
    runs(of<double>, of<double>, of<int>, of<int>, of<int>);
    runs(of<Span>, of<Span>, of<int>, of<int>, of<int>);
}
