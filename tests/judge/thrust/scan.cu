// Scans, differences of neighbours, and what is done element by element.
#include "../cub/types.h"

#include <thrust/adjacent_difference.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/transform_scan.h>

struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

void all() {
    thrust::inclusive_scan(thrust::device, of<float>, of<float> + n, of<float>, thrust::maximum<float>{});
    thrust::transform_exclusive_scan(thrust::device, of<int>, of<int> + n, of<long long>, Square{}, 0LL, thrust::plus<long long>{});
    thrust::inclusive_scan_by_key(thrust::device, of<int>, of<int> + n, of<double>, of<double>);
    thrust::adjacent_difference(thrust::device, of<int>, of<int> + n, of<int>);
    thrust::transform(thrust::device, of<float>, of<float> + n, of<float>, of<float>, Saxpy{2.f});
    thrust::tabulate(thrust::device, of<float>, of<float> + n, Square{});
    thrust::gather(thrust::device, of<int>, of<int> + n, of<Point>, of<Point>);
    thrust::scatter(thrust::device, of<double>, of<double> + n, of<int>, of<double>);
}
