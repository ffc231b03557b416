// The positions of a class's virtual functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ptxpasses {

// The slot of a virtual function. A pointer to a virtual member is its offset
// in the vtable plus one (Itanium ABI).
template <class Function> size_t slotOf(Function F) {
  struct {
    uintptr_t Offset;
    ptrdiff_t Adjustment;
  } R;
  static_assert(sizeof R == sizeof F);
  std::memcpy(&R, &F, sizeof R);
  return (R.Offset - 1) / sizeof(void *);
}

// A vtable starts with two words that are not functions.
constexpr size_t VTableHeader = 2;

} // namespace ptxpasses
