// Arithmetic at its corners in all four roundings: zeros, denormals, infinities, NaN, ties. IEEE 754-2019; PTX ISA, "Floating Point
// Instructions". known.py computes with fractions and rounds once. All NaN that are computed are PTX's own.
#include "known.h"

#define EACH_ROUNDING(F) F(rn) F(rz) F(rm) F(rp)

// For three inputs and each rounding: sum, product, fused product and sum, quotient, root.
#define ALL(type, suffix, mode)                                                                                                                \
  *to++ = __nvvm_add_##mode##_##suffix(a, b);                                                                                                   \
  *to++ = __nvvm_mul_##mode##_##suffix(a, b);                                                                                                   \
  *to++ = __nvvm_fma_##mode##_##suffix(a, b, c);                                                                                                \
  *to++ = __nvvm_div_##mode##_##suffix(a, b);                                                                                                   \
  *to++ = __nvvm_sqrt_##mode##_##suffix(a);

KERNEL corners_f32(const float *in, float *out, u32 count) {
  u32 i = index_x();
  if (i >= count)
    return;
  float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], *to = out + 20 * i;
#define F32(mode) ALL(float, f, mode)
  EACH_ROUNDING(F32)
}

KERNEL corners_f64(const double *in, double *out, u32 count) {
  u32 i = index_x();
  if (i >= count)
    return;
  double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2], *to = out + 20 * i;
#define F64(mode) ALL(double, d, mode)
  EACH_ROUNDING(F64)
}

// The same with denormals flushed to zeros, where PTX has it for f32 (rounding to the nearest).
KERNEL flushed_f32(const float *in, float *out, u32 count) {
  u32 i = index_x();
  if (i >= count)
    return;
  float a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
  out[5 * i] = __nvvm_add_rn_ftz_f(a, b);
  out[5 * i + 1] = __nvvm_mul_rn_ftz_f(a, b);
  out[5 * i + 2] = __nvvm_fma_rn_ftz_f(a, b, c);
  out[5 * i + 3] = __nvvm_div_rn_ftz_f(a, b);
  out[5 * i + 4] = __nvvm_sqrt_rn_ftz_f(a);
}

// Comparisons as bits: less, equal, greater, not ordered, and each or not ordered; the smaller and the larger one.
KERNEL compare_f32(const float *in, u32 *out, float *extremes, u32 count) {
  u32 i = index_x();
  if (i >= count)
    return;
  float a = in[3 * i], b = in[3 * i + 1];
  out[i] = (a < b) | (a == b) << 1 | (a > b) << 2 | (a != b) << 3 | !(a < b) << 4 | !(a >= b) << 5 | (a <= b) << 6 | (a != a) << 7;
  extremes[2 * i] = __nvvm_fmin_f(a, b), extremes[2 * i + 1] = __nvvm_fmax_f(a, b);
}

// Conversions between f32, f64 and integers; those to integers saturate, and NaN gives 0.
KERNEL convert(const float *singles, const double *doubles, const s64 *integers, float *to_single, double *to_double, s32 *to_s32, u32 count) {
  u32 i = index_x();
  if (i >= count)
    return;
  float single = singles[i];
  double wide = doubles[i];
  s64 integer = integers[i];
  float *s = to_single + 8 * i;
  s[0] = __nvvm_d2f_rn(wide), s[1] = __nvvm_d2f_rz(wide), s[2] = __nvvm_d2f_rm(wide), s[3] = __nvvm_d2f_rp(wide);
  // clang 17 makes of __nvvm_ll2f_rz a conversion that rounds to the nearest.
  asm("cvt.rz.f32.s64 %0, %1;" : "=f"(s[5]) : "l"(integer));
  s[4] = __nvvm_ll2f_rn(integer), s[6] = __nvvm_ll2f_rm(integer), s[7] = __nvvm_ll2f_rp(integer);
  to_double[2 * i] = single, to_double[2 * i + 1] = __nvvm_ll2d_rn(integer);
  s32 *n = to_s32 + 8 * i;
  n[0] = __nvvm_f2i_rn(single), n[1] = __nvvm_f2i_rz(single), n[2] = __nvvm_f2i_rm(single), n[3] = __nvvm_f2i_rp(single);
  n[4] = __nvvm_d2i_rn(wide), n[5] = __nvvm_d2i_rz(wide), n[6] = __nvvm_d2i_rm(wide), n[7] = __nvvm_d2i_rp(wide);
}
