// y = a * x + y over a grid-stride loop, and the same as a polynomial of the
// old value: loop-carried integers (index, pointers) and floats.
#include "device.h"

kernel void saxpy(int n, float a, global const float *x, global float *y) {
  for (int i = global_index(); i < n; i += global_count())
    y[i] = a * x[i] + y[i];
}

kernel void horner(int n, int degree, constant float *coefficients,
                   global float *y) {
  for (int i = global_index(); i < n; i += global_count()) {
    float x = y[i], sum = 0;
    for (int k = degree; k >= 0; --k)
      sum = sum * x + coefficients[k];
    y[i] = sum;
  }
}
