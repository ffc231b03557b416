// What is done element by element: differences of neighbours, transforms, loops, copies of many ranges.
#include "types.h"

#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_copy.cuh>
#include <cub/device/device_for.cuh>
#include <cub/device/device_memcpy.cuh>
#include <cub/device/device_transform.cuh>

#include <cuda/std/tuple>

void *t;
size_t b;

struct Twice {
    float *to;
    __device__ void operator()(int i) const { to[i] = 2 * to[i] + i; }
};
struct Multiply {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a * b + a; }
};
struct Difference {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a - b; }
};

template <class T> void differences(const T *in, T *out) {
    cub::DeviceAdjacentDifference::SubtractLeftCopy(t, b, in, out, n, Difference{});
    cub::DeviceAdjacentDifference::SubtractRight(t, b, out, n, Difference{});
}

void all() {
    differences(of<short>, of<short>);
    differences(of<float>, of<float>);
    differences(of<double>, of<double>);
    cub::DeviceTransform::Transform(of<float>, of<float>, n, Square{});
    cub::DeviceTransform::Transform(::cuda::std::tuple{of<float>, of<float>}, of<float>, n, Multiply{});
    cub::DeviceTransform::Transform(::cuda::std::tuple{of<double>, of<double>}, of<double>, n, Multiply{});
    cub::DeviceTransform::Transform(of<unsigned char>, of<int>, n, Square{});
    cub::DeviceFor::Bulk(t, b, n, Twice{of<float>});
    cub::DeviceMemcpy::Batched(t, b, of<void *>, of<void *>, of<int>, n);
    cub::DeviceCopy::Batched(t, b, of<Point *>, of<Point *>, of<int>, n);
}
