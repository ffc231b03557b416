// Where a class has its virtual functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ptxpasses {

// Slot of a virtual function: a pointer to member is one more than its offset
// in the vtable (Itanium ABI).
template <class Function> size_t slotOf(Function F) {
  struct {
    uintptr_t Offset;
    ptrdiff_t Adjustment;
  } R;
  static_assert(sizeof R == sizeof F);
  std::memcpy(&R, &F, sizeof R);
  return (R.Offset - 1) / sizeof(void *);
}

// A vtable starts with two words that are no functions.
constexpr size_t VTableHeader = 2;

} // namespace ptxpasses
