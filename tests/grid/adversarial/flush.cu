// Attacks flush: operands of approximations that are subnormal where a range that is wrong says that they are not.
//
// No host computes what an approximation is to the last bit. So each kernel compares it with that of the same operand after it went through
// memory, where no range is known: 1 for each that is the same.
#include "../grid.h"

DEVICE float hidden(float value, float *place) {
  volatile float *there = place;
  *there = value;
  float same = *there;
  // The bits of NaN are not those of the host.
  *there = 0;
  return same;
}

DEVICE u32 bits(float value) { return *(u32 *)&value; }

#define SAME(function, value) (bits(function(value)) == bits(function(hidden(value, &place[thread_x()]))))

// Shows: a product counts as a square.
KERNEL products(u32 *out, const float *in, float *place) {
  float x = in[thread_x()], y = in[thread_x() + 64];
  out[thread_x()] = SAME(root_inverse, x * y + 0x1p-126f);
}

// Shows: a bound that is positive counts as a normal one; a subnormal constant.
KERNEL small_constants(u32 *out, const float *in, float *place) {
  float x = in[thread_x()];
  out[thread_x()] = SAME(root, x * x + 0x1p-130f);
}

// Shows: a difference counts as a sum.
KERNEL differences(u32 *out, const float *in, float *place) {
  float x = in[thread_x()], y = in[thread_x() + 64];
  out[thread_x()] = SAME(logarithm, (x * x + 0x1p-126f) - y * y);
}

// Shows: the greater of two is at least the bound of one that may be NaN.
KERNEL greater(u32 *out, const float *in, float *place) {
  float x = in[thread_x()], y = in[thread_x() + 64];
  out[thread_x()] = SAME(root_inverse, __builtin_fmaxf(x * x + 1.0f, y));
}

// Shows: an instruction counts as one that flushes.
KERNEL sums(u32 *out, const float *in, float *place) {
  float x = in[thread_x()], y = in[thread_x() + 64];
  out[thread_x()] = SAME(root, x + y);
}

// What may flush: distances, integers, parts of integers.
KERNEL normal(u32 *out, const float *in, float *place) {
  float x = in[thread_x()], y = in[thread_x() + 64];
  u32 same = SAME(root_inverse, x * x + y * y + 0x1p-126f);
  same += 2 * SAME(root, (float)bits(x) * 0x1p-32f);
  same += 4 * SAME(logarithm, __builtin_fminf(__builtin_fabsf(x), 1.0f) + 0x1p-100f);
  out[thread_x()] = same;
}

#ifdef NATIVE
LAUNCHES {
  Buffer out = Buffer::zeros(256), place = Buffer::zeros(256);
  const float values[8] = {0.0f, 0x1p-149f, -0x1p-127f, 0x1.8p-63f, -0x1.8p-64f, 1.0f, __builtin_nanf(""), -0x1p-126f};
  std::vector<float> pairs;
  for (int second = 0; second < 2; second++)
    for (int i = 0; i < 64; i++)
      pairs.push_back(values[second ? i / 8 : i % 8]);
  Buffer in = Buffer::of(pairs);
  LAUNCH(products, 1, 64, 0, out, in, place);
  LAUNCH(small_constants, 1, 64, 0, out, in, place);
  LAUNCH(differences, 1, 64, 0, out, in, place);
  LAUNCH(greater, 1, 64, 0, out, in, place);
  LAUNCH(sums, 1, 64, 0, out, in, place);
  LAUNCH(normal, 1, 64, 0, out, in, place);
}
#endif
