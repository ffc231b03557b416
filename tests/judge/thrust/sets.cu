// Operations on sorted sets, merges and searches.
#include "../cub/types.h"

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>

template <class T> void sets(T *a, T *b, T *to) {
    thrust::set_union(thrust::device, a, a + n, b, b + n, to);
    thrust::set_intersection(thrust::device, a, a + n, b, b + n, to);
    thrust::set_difference(thrust::device, a, a + n, b, b + n, to);
    thrust::merge(thrust::device, a, a + n, b, b + n, to);
    thrust::lower_bound(thrust::device, a, a + n, b, b + n, of<int>);
}

void all() {
    sets(of<int>, of<int>, of<int>);
    sets(of<double>, of<double>, of<double>);
    thrust::set_symmetric_difference_by_key(thrust::device, of<int>, of<int> + n, of<int>, of<int> + n, of<float>, of<float>, of<int>, of<float>);
}
