// Stands in for torch/extension.h and its like: the tensors are PyTorch's own headers, but what registers operators, and automatic differentiation,
// does nothing. That is host code, of which no IR is made here, and takes most of the time that PyTorch's headers take to compile.
#pragma once
#include "aten_common.h"
#include "pybind11.h"

namespace torch {
using namespace at;
using c10::Device;
using c10::DeviceType;
using c10::nullopt;
using c10::optional;
using c10::ScalarType;
using Dtype = at::ScalarType;
struct NoGradGuard {};
namespace indexing = at::indexing;

namespace autograd {
using variable_list = std::vector<at::Tensor>;
using tensor_list = variable_list;
using Variable = at::Tensor;
struct AutogradContext {
  std::unordered_map<std::string, c10::IValue> saved_data;
  template <class... A> void save_for_backward(A &&...) {}
  variable_list get_saved_variables() { return {}; }
  template <class... A> void mark_non_differentiable(A &&...) {}
  template <class... A> void mark_dirty(A &&...) {}
  template <class... A> void set_materialize_grads(A &&...) {}
  bool needs_input_grad(size_t) { return true; }
};
template <class T> struct Function {
  template <class... A> static auto apply(A &&...a) {
    AutogradContext context;
    return T::forward(&context, std::forward<A>(a)...);
  }
};
} // namespace autograd

constexpr auto kUInt8 = at::kByte;
constexpr auto kInt8 = at::kChar;
constexpr auto kInt16 = at::kShort;
constexpr auto kInt32 = at::kInt;
constexpr auto kInt64 = at::kLong;
constexpr auto kFloat16 = at::kHalf;
constexpr auto kFloat32 = at::kFloat;
constexpr auto kFloat64 = at::kDouble;
constexpr auto kU8 = kUInt8;
constexpr auto kI32 = kInt32;
constexpr auto kF32 = kFloat32;
constexpr auto kF64 = kFloat64;

namespace cuda {
inline void synchronize(int64_t = -1) {}
inline bool is_available() { return true; }
inline size_t device_count() { return 1; }
} // namespace cuda

struct Library {
  template <class... A> Library &def(A &&...) { return *this; }
  template <class... A> Library &impl(A &&...) { return *this; }
  template <class... A> Library &set_python_module(A &&...) { return *this; }
  template <class... A> Library &impl_abstract_pystub(A &&...) { return *this; }
  struct Class {
    template <class... A> Class &def(A &&...) { return *this; }
    template <class... A> Class &def_pickle(A &&...) { return *this; }
  };
  template <class T> Class class_(const char *) { return {}; }
};
template <class... A> int init(A &&...) { return 0; }
template <class... A> int dispatch(A &&...) { return 0; }
} // namespace torch

#define TORCH_FN(x) x
#define TORCH_LIBRARY(n, m) static inline void corpus_library_##n(torch::Library &m)
#define TORCH_LIBRARY_FRAGMENT(n, m) static inline void corpus_fragment_##n(torch::Library &m)
#define TORCH_LIBRARY_IMPL(n, k, m) static inline void corpus_library_##n##_##k(torch::Library &m)
#define TORCH_LIBRARY_EXPAND(n, m) static inline void corpus_library_expanded(torch::Library &m)
