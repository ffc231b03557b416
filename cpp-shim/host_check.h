// Refusing to load.
#pragma once

namespace ptxpasses {

// Prints the reason in one line and ends the process with status 1. LLVM is
// already partly changed, so not even a host that asks for refusals can
// continue.
[[noreturn]] void refuse(const char *What, const char *Which);

// The same, before any part of LLVM is touched: returns to a host that will ask
// (see host.h). Later constructors must look at refusal() first.
void decline(const char *What, const char *Which);

// Returns the text of the first refusal, or null if there was none.
const char *refusal();

} // namespace ptxpasses
