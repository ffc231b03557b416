// Defines the function that libstdc++'s headers call and that an older
// libstdc++.so.6 lacks. The plugin uses its host's libstdc++, so it must not
// need more than old systems have; scripts/wheel checks that.
#include <memory>

// Called since GCC 11 (GLIBCXX_3.4.29) for an impossible container size. Under
// its own name it would have the visibility that libstdc++ declares.
extern "C" [[noreturn]] __attribute__((visibility("hidden"))) void
ptx_throw_bad_array_new_length() __asm__("_ZSt28__throw_bad_array_new_lengthv");

// Older headers call this one; std::bad_array_new_length is a std::bad_alloc.
void ptx_throw_bad_array_new_length() { std::__throw_bad_alloc(); }
