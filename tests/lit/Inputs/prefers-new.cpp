// A pass plugin that makes NVPTX prefer the new pass manager, as a later LLVM
// may: it writes another function into the vtable of its machines.  For
// tests/lit/plugin/p2-default-new-pass-manager.test.
#include "vtable.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Target/TargetMachine.h"

#include <cstdlib>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

static bool prefers(const TargetMachine *) { return true; }

static void makePrefer() {
  Triple T("nvptx64-nvidia-cuda");
  std::string Error;
  const Target *NVPTX = TargetRegistry::lookupTarget(T, Error);
  if (!NVPTX)
    std::abort();
  std::unique_ptr<TargetMachine> TM(NVPTX->createTargetMachine(
      T, "sm_80", "", TargetOptions(), std::nullopt));
  void **VTable = *reinterpret_cast<void ***>(TM.get());
  void **Slot =
      VTable + ptxpasses::slotOf(&TargetMachine::shouldDefaultToNewPM);
  uintptr_t PageSize = sysconf(_SC_PAGESIZE);
  void *Page = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(Slot) &
                                        ~(PageSize - 1));
  if (mprotect(Page, PageSize, PROT_READ | PROT_WRITE))
    std::abort();
  *Slot = reinterpret_cast<void *>(prefers);
}

extern "C" PassPluginLibraryInfo llvmGetPassPluginInfo() {
  makePrefer();
  return {LLVM_PLUGIN_API_VERSION, "prefers-new", "1", nullptr};
}
