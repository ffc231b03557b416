// Refuses code of ours that is to go through LLVM's new pass manager.
//
// No pass of ours can run there: its pipelines name the stock passes' classes,
// no registry stands between, and llc shows its PassBuilder to no plugin.  None
// of our code would be called either, and the user would get stock code without
// a word.  The constructor of a target machine is called in any case, when all
// options have been parsed and before the output file is made.
#include "new_pass_manager.h"

#include "compat.h"
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
#include <optional>
#include <string>

using namespace llvm;

namespace ptxpasses {

using TargetMachineCtor = Target::TargetMachineCtorTy;
PTX_PRIVATE(TargetConstructor, Target, TargetMachineCtorFn, TargetMachineCtor);

namespace {

// The targets' own constructors.  Targets register themselves while others may
// make machines of theirs.
std::mutex CtorsLock;
DenseMap<const Target *, TargetMachineCtor> &stockCtors() {
  static DenseMap<const Target *, TargetMachineCtor> Ctors;
  return Ctors;
}

TargetMachineCtor stockCtorOf(const Target &T) {
  std::lock_guard<std::mutex> Guard(CtorsLock);
  return stockCtors().lookup(&T);
}

// Returns the reason why llc takes the new pass manager and a way out; empty if
// it does not.
std::string choiceOfLlc(const TargetMachine &TM, bool IsEnabled) {
  auto *Passes = findOption<cl::opt<std::string>>("passes");
  if (Passes && !Passes->empty())
    return "-passes=" + *Passes + " asks for: say -run-pass= instead";
  if (IsEnabled)
    return "-enable-new-pm asks for: leave that out";
  if (prefersNewPassManager(TM) && !isGiven("enable-new-pm") &&
      !isGiven("run-pass"))
    return "is this LLVM's default: say -enable-new-pm=false";
  return "";
}

// The same for other tools.  A tool with -passes= that is not llc is opt, whose
// passes are on IR.
std::string choiceOfOthers(const TargetMachine &TM) {
  if (findOption<cl::Option>("passes"))
    return "";
  std::optional<bool> Choice = choosesNewPassManager(TM);
  if (Choice.value_or(false))
    return "-force-new-pm-codegen asks for: leave that out";
  if (prefersNewPassManager(TM) && !Choice)
    return "is this LLVM's default: say -force-new-pm-codegen=false";
  return "";
}

void check(const TargetMachine &TM) {
  if (!takesAny(TM))
    return;
  // llc alone has this option.
  auto *Enable = findOption<cl::opt<bool>>("enable-new-pm");
  std::string Choice = Enable ? choiceOfLlc(TM, *Enable) : choiceOfOthers(TM);
  if (!Choice.empty())
    fail("no pass of ours can run in LLVM's new pass manager, which " + Choice +
         ref(ptx_entry_points.way_out()));
  checkPasses(TM);
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
    // Another plugin's constructor may come behind ours, and call it.
    if (!stockCtors().try_emplace(&T, Ctor).second)
      continue;
    TargetRegistry::RegisterTargetMachine(const_cast<Target &>(T), Ours);
  }
}

// A preloaded plugin is there before the targets.  Each registers passes once
// it has its constructor.
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
