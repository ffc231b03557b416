// Includes headers that the sources of the corpus use and do not name: nvcc brings some by itself, others come with the headers of libraries.
#pragma once
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <math_constants.h>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <vector>

#ifdef __CUDA__
// clang's headers have min and max of equal types only; nvcc takes mixed ones.
template <class A, class B>
using ArithmeticPair = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value,
                                               typename std::common_type<A, B>::type>::type;

template <class A, class B> __host__ __device__ constexpr ArithmeticPair<A, B> max(A a, B b) {
  typedef ArithmeticPair<A, B> C;
  return C(a) < C(b) ? C(b) : C(a);
}

template <class A, class B> __host__ __device__ constexpr ArithmeticPair<A, B> min(A a, B b) {
  typedef ArithmeticPair<A, B> C;
  return C(b) < C(a) ? C(b) : C(a);
}

// Functions of nvcc that LLVM 17's clang does not know.
static __device__ __forceinline__ unsigned __nv_bswap32(unsigned x) { return __byte_perm(x, 0, 0x0123); }

#if __clang_major__ < 20 // later ones have it
extern "C" inline __device__ unsigned short __usAtomicCAS(unsigned short *p, unsigned short compare, unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0,[%1],%2,%3;" : "=h"(old) : "l"(p), "h"(compare), "h"(value) : "memory");
  return old;
}
#endif
#endif
