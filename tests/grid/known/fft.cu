// The Fourier transform of 512 complex numbers in a block, in shared memory. Cooley and Tukey (1965), decimation in time.
// The twiddle factors are a table of the host's; known.py compares with the sum that defines the transform, in double precision.
#include "known.h"

struct Complex {
  float re, im;
};

SHARED Complex data[512];

// Transforms 512 numbers for each block of 256 threads.
KERNEL fft(const Complex *in, const Complex *twiddles, Complex *out) {
  u32 t = thread_x();
  const Complex *from = in + block_x() * 512;
  for (u32 i = t; i < 512; i += 256)
    data[__builtin_bitreverse32(i) >> 23] = from[i];
  for (u32 half = 1; half < 512; half *= 2) {
    barrier();
    u32 j = t & (half - 1), low = 2 * t - j, high = low + half;
    Complex w = twiddles[j * (256 / half)], a = data[low], b = data[high];
    float re = b.re * w.re - b.im * w.im, im = b.re * w.im + b.im * w.re;
    data[low] = {a.re + re, a.im + im};
    data[high] = {a.re - re, a.im - im};
  }
  barrier();
  for (u32 i = t; i < 512; i += 256)
    out[block_x() * 512 + i] = data[i];
}
