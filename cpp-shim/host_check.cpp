// Finds out whether this build fits the host, before any part of LLVM is
// touched. The loader has already checked most of this. The check here is for a
// build that is loaded by its own name.
//
// build.rs makes the shim's references to LLVM weak. Otherwise the dynamic
// linker would reject the file in a host of another version before any code of
// ours runs, and llc ignores such a plugin. So this file looks for missing
// symbols. It uses no LLVM type.
#include "host_check.h"
#include "elf_object.h"
#include "host.h"
#include "ptxpasses.h"

#include "llvm/Config/abi-breaking.h"
#include "llvm/Config/llvm-config.h"

#include <cstdint>
#include <cstring>
#include <string>

static std::string &declined() {
  static std::string Text;
  return Text;
}

void ptxpasses::decline(const char *What, const char *Which) {
  if (!declined().empty())
    return;
  declined() = std::string(What) + Which;
  ptx_host_refuse(ptx_entry_points.name(), declined().c_str());
}

void ptxpasses::refuse(const char *What, const char *Which) {
  decline(What, Which);
  _exit(1);
}

const char *ptxpasses::refusal() {
  return declined().empty() ? nullptr : declined().c_str();
}

namespace {

void checkVersion() {
  using GetVersion = void (*)(unsigned *, unsigned *, unsigned *);
  auto *Get =
      reinterpret_cast<GetVersion>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!Get)
    return ptxpasses::decline(
        "cannot tell the host's LLVM version",
        " (it exports no LLVMGetVersion: LLVM 16 or older, or linked "
        "statically)");
  unsigned Major = 0, Minor = 0, Patch = 0;
  Get(&Major, &Minor, &Patch);
  if (Major != LLVM_VERSION_MAJOR) {
    char Which[64];
    std::snprintf(Which, sizeof Which, "%u.%u.%u, this build is for LLVM %d",
                  Major, Minor, Patch, LLVM_VERSION_MAJOR);
    ptxpasses::decline("the host is LLVM ", Which);
  }
}

void checkAssertions() {
  bool HostAsserts = ptx_host_has_assertions();
  if (HostAsserts != bool(LLVM_ENABLE_ABI_BREAKING_CHECKS))
    ptxpasses::decline(HostAsserts ? "this LLVM was built with assertions"
                                   : "this LLVM was built without assertions",
                       HostAsserts ? ", this build is for one without"
                                   : ", this build is for one with them");
}

void checkSymbols() {
  auto Self = ptxpasses::ElfObject::at(reinterpret_cast<void *>(&checkSymbols));
  if (!Self)
    return ptxpasses::decline("cannot read the plugin's own symbols", "");
  Self.forEachMissing([](const char *Name) {
    if (std::strncmp(Name, "_Z", 2) == 0 && std::strstr(Name, "4llvm"))
      ptxpasses::decline("the host's LLVM does not export ", Name);
  });
}

// Priority 101 is the first that a program may use: it runs before every static
// constructor that touches LLVM.
__attribute__((constructor(101))) void checkHost() {
  checkVersion();
  if (!ptxpasses::refusal())
    checkAssertions();
  if (!ptxpasses::refusal())
    checkSymbols();
}

} // namespace
