// What copies some of the elements, or makes two groups of them.
#include "../cub/types.h"

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/unique.h>

template <class T> void selections(T *in, T *out) {
    thrust::copy_if(thrust::device, in, in + n, out, Above{1.5f});
    thrust::remove_if(thrust::device, in, in + n, of<int>, Above{0.f});
    thrust::stable_partition(thrust::device, in, in + n, Above{0.5f});
}

void all() {
    selections(of<float>, of<float>);
    selections(of<Point>, of<Point>);
    thrust::unique(thrust::device, of<int>, of<int> + n);
    thrust::unique_by_key(thrust::device, of<long long>, of<long long> + n, of<double>);
}
