// Sorts that Thrust gives to radix and to merge sorts.
#include "../cub/types.h"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

void all() {
    thrust::sort(thrust::device, of<unsigned long long>, of<unsigned long long> + n);
    thrust::stable_sort_by_key(thrust::device, of<float>, of<float> + n, of<int>, Less{});
    thrust::stable_sort(thrust::device, of<Span>, of<Span> + n, ByWeight{});
}
