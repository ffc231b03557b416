// Reductions, products and extremes.
#include "../cub/types.h"

#include <thrust/count.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

float products;
double squares;
long counted;
float *extreme;

void all() {
    products = thrust::inner_product(thrust::device, of<float>, of<float> + n, of<float>, 0.f);
    squares = thrust::transform_reduce(thrust::device, of<double>, of<double> + n, Square{}, 0., thrust::plus<double>{});
    counted = thrust::count_if(thrust::device, of<Point>, of<Point> + n, Above{1.5f});
    extreme = thrust::minmax_element(thrust::device, of<float>, of<float> + n).first;
    thrust::reduce_by_key(thrust::device, of<int>, of<int> + n, of<double>, of<int>, of<double>);
    thrust::reduce_by_key(thrust::device, of<long long>, of<long long> + n, of<int>, of<long long>, of<int>);
}
