// Refusing to load.
#pragma once

namespace ptxpasses {

// Says why in one line and ends the process with status 1: LLVM has been
// changed in part, so not even a host that asks for refusals can go on.
[[noreturn]] void refuse(const char *What, const char *Which);

// The same while nothing of LLVM has been touched: returns to a host that will
// ask (see host.h). What is constructed later must look at refusal() first.
void decline(const char *What, const char *Which);

// Returns the text of the first refusal, or null if there was none.
const char *refusal();

} // namespace ptxpasses
