// LLVM's options, by name.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

namespace ptxpasses {

// The option, or null if the host has none of this name.
template <class Opt> const Opt *findOption(llvm::StringRef Name) {
  auto &Options = llvm::cl::getRegisteredOptions();
  auto It = Options.find(Name);
  return It == Options.end() ? nullptr : static_cast<Opt *>(It->second);
}

// Whether the command line gives the option.
inline bool isGiven(llvm::StringRef Name) {
  auto *O = findOption<llvm::cl::Option>(Name);
  return O && O->getNumOccurrences();
}

} // namespace ptxpasses
