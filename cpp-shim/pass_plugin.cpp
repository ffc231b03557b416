// The plugin as one of LLVM's pass plugins: clang -fpass-plugin=, opt and llc
// --load-pass-plugin=, rustc -Zllvm-plugins=.
//
// The legacy code generator takes its passes from the registry, where they were
// replaced when the file was loaded.
#include "compat.h"
#include "host_check.h"

#include <new>

using namespace llvm;

namespace {

// None of our code runs among the passes on IR, but LLVM up to 21 requires a
// callback.
void registerCallbacks(PassBuilder &) {}

} // namespace

extern "C" {

const char *ptx_refusal() { return ptxpasses::refusal(); }

// The members that LLVM 22 added start as null. If we have refused to load, a
// nonexistent version of the interface makes LLVM report an error.
void *ptx_pass_plugin_info(void *Result, const char *Version) {
  auto *Info = new (Result) PassPluginLibraryInfo();
  Info->APIVersion = ptxpasses::refusal() ? 0 : LLVM_PLUGIN_API_VERSION;
  Info->PluginName = ptx_entry_points.name();
  Info->PluginVersion = Version;
  Info->RegisterPassBuilderCallbacks = registerCallbacks;
  return Info;
}

} // extern "C"
