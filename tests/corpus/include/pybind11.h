// Stands in for pybind11's headers: takes what sources say to Python, and does nothing. It is host code, of which no IR is made here.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace pybind11 {
struct arg {
  template <class... A> arg(A &&...) {}
  template <class T> arg &operator=(T &&) { return *this; }
  arg &none(bool = true) { return *this; }
  arg &noconvert() { return *this; }
};
enum class return_value_policy { automatic, reference, copy, move, take_ownership, reference_internal, automatic_reference };
struct gil_scoped_release {};
struct gil_scoped_acquire {};
struct kw_only {};
struct module_local {
  module_local(bool = true) {}
};
template <class... A> struct call_guard {};
template <int a, int b> struct keep_alive {};

struct module_ {
  template <class... A> module_ &def(A &&...) { return *this; }
  template <class... A> module_ &attr(A &&...) { return *this; }
  template <class... A> module_ def_submodule(A &&...) { return *this; }
  template <class T> module_ &operator=(T &&) { return *this; }
  std::string &doc() {
    static std::string text;
    return text;
  }
};
using module = module_;

template <class... A> struct init_t {};
template <class... A> init_t<A...> init() { return {}; }
template <class F> int init(F &&) { return 0; }

template <class T0, class... T> struct class_ {
  template <class... A> class_(A &&...) {}
  template <class... A> class_ &def(A &&...) { return *this; }
  template <class... A> class_ &def_static(A &&...) { return *this; }
  template <class... A> class_ &def_property(A &&...) { return *this; }
  template <class... A> class_ &def_property_readonly(A &&...) { return *this; }
  template <class... A> class_ &def_readwrite(A &&...) { return *this; }
  template <class... A> class_ &def_readonly(A &&...) { return *this; }
};

template <class T> struct enum_ {
  template <class... A> enum_(A &&...) {}
  template <class... A> enum_ &value(A &&...) { return *this; }
  enum_ &export_values() { return *this; }
};

namespace literals {
inline arg operator""_a(const char *, size_t) { return {}; }
} // namespace literals
using namespace literals;
} // namespace pybind11
namespace py = pybind11;

#define PYBIND11_MODULE(name, m) static inline void corpus_module_##name(pybind11::module_ &m)
