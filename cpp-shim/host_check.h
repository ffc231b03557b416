// Refusing to load.
#pragma once

namespace ptxpasses {

// Says why in one line and ends the process with status 1: llc would only warn
// of a plugin that does not load, and go on with stock code.
[[noreturn]] void refuse(const char *What, const char *Which);

} // namespace ptxpasses
