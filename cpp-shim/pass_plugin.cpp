// The plugin as one of LLVM's pass plugins: clang -fpass-plugin=, opt and llc
// --load-pass-plugin=, rustc -Zllvm-plugins=.
//
// The legacy code generator takes its passes from the registry, where they have
// been replaced when the file was loaded.
#include "compat.h"
#include "host_check.h"

#include <new>

using namespace llvm;

namespace {

// Nothing of ours runs among the passes on IR. LLVM up to 21 wants a callback
// all the same.
void registerCallbacks(PassBuilder &) {}

} // namespace

extern "C" {

const char *ptx_refusal() { return ptxpasses::refusal(); }

// The members that LLVM 22 added begin as null. Where we have refused to load,
// a version of the interface that does not exist makes LLVM report an error.
void *ptx_pass_plugin_info(void *Result, const char *Version) {
  auto *Info = new (Result) PassPluginLibraryInfo();
  Info->APIVersion = ptxpasses::refusal() ? 0 : LLVM_PLUGIN_API_VERSION;
  Info->PluginName = ptx_entry_points.name();
  Info->PluginVersion = Version;
  Info->RegisterPassBuilderCallbacks = registerCallbacks;
  return Info;
}

} // extern "C"
