// Handles LLVM's new pass manager when a target machine is made: all options
// have been parsed then, and the output file does not exist yet.
//
// A pipeline of the new pass manager names the stock passes' classes without a
// registry, and llc gives its PassBuilder to no plugin. So where LLVM chooses
// between two pipelines we keep the legacy one (legacy_pipeline.h), or with
// -ptx-new-pm insert our passes into the new one. If none of our code would
// run, the user would silently get stock code. So that is an error, unless the
// user asked for stock code.
#include "new_pass_manager.h"

#include "compat.h"
#include "legacy_pipeline.h"
#include "options.h"
#include "passes.h"
#include "private_member.h"
#include "rust_side.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>
#include <string>

using namespace llvm;

namespace ptxpasses {

using TargetMachineCtor = Target::TargetMachineCtorTy;
PTX_PRIVATE(TargetConstructor, Target, TargetMachineCtorFn, TargetMachineCtor);

namespace {

// The targets' own constructors. The lock is there because targets may register
// themselves while other threads make target machines.
std::mutex CtorsLock;
DenseMap<const Target *, TargetMachineCtor> &stockCtors() {
  static DenseMap<const Target *, TargetMachineCtor> Ctors;
  return Ctors;
}

TargetMachineCtor stockCtorOf(const Target &T) {
  std::lock_guard<std::mutex> Guard(CtorsLock);
  return stockCtors().lookup(&T);
}

// Returns llc's option that asks for a pipeline without our passes, and an
// alternative; empty if no option does. opt has -passes= too, for passes on IR.
std::string withoutOurs() {
  auto *Enable = findOption<cl::opt<bool>>("enable-new-pm");
  if (!Enable)
    return "";
  auto *Passes = findOption<cl::opt<std::string>>("passes");
  if (Passes && !Passes->empty())
    return "-passes=" + *Passes + " asks for: say -run-pass= instead";
  if (!PTX_HAS_NEW_PIPELINE && *Enable)
    return "-enable-new-pm asks for: leave that out";
  return "";
}

void check(TargetMachine &TM) {
  if (!takesAny(TM))
    return;
  std::string Asked = withoutOurs();
  if (Asked.empty()) {
    checkPasses(TM);
    keepLegacyPipeline(TM);
  } else if (ptx_entry_points.wants_stock()) {
    StringRef Option = StringRef(Asked).split(" asks for:").first;
    ptx_entry_points.note_pipeline(str(
        (Option + " in the new pass manager: LLVM's own passes alone").str()));
  } else {
    fail("no pass of ours can run in LLVM's new pass manager, which " + Asked +
         ref(ptx_entry_points.way_out()));
  }
}

template <class> struct Checked;
template <class... Args>
struct Checked<TargetMachine *(*)(const Target &, Args...)> {
  static TargetMachine *make(const Target &T, Args... A) {
    TargetMachine *TM = stockCtorOf(T)(T, A...);
    check(*TM);
    return TM;
  }
};

void replaceConstructors() {
  for (const Target &T : TargetRegistry::targets()) {
    TargetMachineCtor Ctor = T.*pointerTo(TargetConstructor()),
                      Ours = Checked<TargetMachineCtor>::make;
    if (!Ctor || Ctor == Ours)
      continue;
    std::lock_guard<std::mutex> Guard(CtorsLock);
    // Another plugin may have replaced our constructor by one that calls it.
    if (!stockCtors().try_emplace(&T, Ctor).second)
      continue;
    TargetRegistry::RegisterTargetMachine(const_cast<Target &>(T), Ours);
  }
}

// A preloaded plugin is loaded before the targets register. Each target
// registers passes once it has its constructor.
struct Listener : PassRegistrationListener {
  void passRegistered(const PassInfo *Info) override {
    ptxpasses::passRegistered(*Info);
    replaceConstructors();
  }
};

} // namespace
} // namespace ptxpasses

void ptxpasses::watchRegistry() {
  static Listener TheListener;
  replaceConstructors();
  PassRegistry::getPassRegistry()->addRegistrationListener(&TheListener);
}
