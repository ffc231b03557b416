// What happens when the plugin is loaded, once host_check.cpp has found that it
// fits: the knobs are registered and the constructors of the replaced passes
// swapped.
//
// A pass object of ours owns an instance of the stock pass and hands it every
// function that Rust does not take (see PtxEntryPoints::takes); it carries the
// stock pass's id, so whoever asks for the pass by id or by name gets ours.
#include "compat.h"
#include "host_check.h"

#include "llvm/InitializePasses.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"

#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <unistd.h>

using namespace llvm;
using namespace ptxpasses;

namespace {

// ---- knobs --------------------------------------------------------------

// A knob's value goes to Rust as text, which says what is wrong with it.
struct KnobParser : cl::parser<std::string> {
  unsigned Index = 0;
  using cl::parser<std::string>::parser;

  // A flag stands alone or has a value: `-ptx-stats`, `-ptx-stats=false`.
  enum cl::ValueExpected getValueExpectedFlagDefault() const {
    return ptx_entry_points.knob(Index).value_name.len ? cl::ValueRequired
                                                       : cl::ValueOptional;
  }
  StringRef getValueName() const override {
    return ref(ptx_entry_points.knob(Index).value_name);
  }
  bool parse(cl::Option &O, StringRef, StringRef Arg, std::string &Value) {
    Value = Arg.str();
    PtxStr Error = ptx_entry_points.set_knob(Index, str(Arg));
    return Error.len && O.error(ref(Error));
  }
};

class Knob : public cl::opt<std::string, false, KnobParser> {
public:
  Knob(unsigned Index, const PtxKnob &K)
      : opt(ref(K.name), cl::desc(ref(K.help)),
            K.hidden ? cl::Hidden : cl::NotHidden) {
    getParser().Index = Index;
    setValueExpectedFlag(getParser().getValueExpectedFlagDefault());
  }
};

// ---- replaced passes ----------------------------------------------------

constexpr unsigned MaxPasses = 8;

struct Replaced {
  PassInfo::NormalCtor_t StockCtor = nullptr;
  char *ID = nullptr;
};
Replaced Table[MaxPasses];

bool isNVPTX(const TargetMachine &TM) { return TM.getTargetTriple().isNVPTX(); }

// A protected virtual of MachineFunctionPass, named through a derived class so
// that it can be called on another object.
struct StockPassAccess : MachineFunctionPass {
  static MachineFunctionProperties required(const MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getRequiredProperties)();
  }
  static MachineFunctionProperties set(const MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getSetProperties)();
  }
  static MachineFunctionProperties cleared(const MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getClearedProperties)();
  }
  static bool run(MachineFunctionPass &P, MachineFunction &MF) {
    return (P.*&StockPassAccess::runOnMachineFunction)(MF);
  }
};

template <class AnalysisPass> auto *available(Pass &P) {
  auto *A = P.getAnalysisIfAvailable<AnalysisPass>();
  return A ? &resultOf(*A) : nullptr;
}

class PassProxy : public MachineFunctionPass {
  unsigned Index;
  std::unique_ptr<MachineFunctionPass> Stock;
  AnalysisResolver *StockResolver = nullptr; // owned by Stock
  PtxPassState *State = nullptr;             // Rust's buffers
  std::string Name;

public:
  explicit PassProxy(unsigned Index)
      : MachineFunctionPass(*Table[Index].ID), Index(Index),
        Stock(static_cast<MachineFunctionPass *>(Table[Index].StockCtor())),
        Name(Stock->getPassName().str()) {}
  ~PassProxy() override {
    if (State)
      ptx_entry_points.free_state(State);
  }

  StringRef getPassName() const override { return Name; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    static_cast<const Pass &>(*Stock).getAnalysisUsage(AU);
  }
  MachineFunctionProperties getRequiredProperties() const override {
    return StockPassAccess::required(*Stock);
  }
  MachineFunctionProperties getSetProperties() const override {
    return StockPassAccess::set(*Stock);
  }
  MachineFunctionProperties getClearedProperties() const override {
    return StockPassAccess::cleared(*Stock);
  }
  bool doInitialization(Module &M) override {
    // From here on the name, as timers have it, says where the pass runs. In
    // the banners of -print-after, made before, it is the stock one.
    auto *MMI = getAnalysisIfAvailable<MachineModuleInfoWrapperPass>();
    if (MMI &&
        ptx_entry_points.takes(Index, isNVPTX(MMI->getMMI().getTarget())))
      Name = (Stock->getPassName() + " (ptxpasses)").str();
    // The base caches the properties above.
    return MachineFunctionPass::doInitialization(M) |
           Stock->doInitialization(M);
  }
  bool doFinalization(Module &M) override { return Stock->doFinalization(M); }
  void releaseMemory() override { Stock->releaseMemory(); }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!ptx_entry_points.takes(Index, isNVPTX(MF.getTarget())))
      return runStock(MF);
    if (!State)
      State = ptx_entry_points.new_state(Index);
    auto *AA = getAnalysisIfAvailable<AAResultsWrapperPass>();
    PtxRun Run = {Index, State, wrap(&MF),
                  wrap(available<LiveVariablesPass>(*this)),
                  wrap(available<LiveIntervalsPass>(*this)),
                  wrap(AA ? &AA->getAAResults() : nullptr),
                  // skipFunction() also counts the pass for -opt-bisect-limit.
                  !skipFunction(MF.getFunction()) && optimizes(MF.getTarget())};
    PtxStr Error = {nullptr, 0};
    switch (ptx_entry_points.run(&Run, &Error)) {
    case PTX_UNCHANGED:
      return false;
    case PTX_CHANGED:
      return true;
    case PTX_FAILED:
      break;
    }
    report_fatal_error(ref(Error), /*gen_crash_diag=*/false);
  }

private:
  // The stock pass sees the analyses that the pass manager made for us.
  bool runStock(MachineFunction &MF) {
    if (!StockResolver) {
      StockResolver = new AnalysisResolver(getResolver()->getPMDataManager());
      Stock->setResolver(StockResolver);
    }
    StockResolver->clearAnalysisImpls();
    AnalysisUsage AU;
    getAnalysisUsage(AU);
    for (AnalysisID ID : AU.getRequiredSet())
      if (Pass *P = getResolver()->findImplPass(ID))
        StockResolver->addAnalysisImplsPair(ID, P);
    return StockPassAccess::run(*Stock, MF);
  }
};

template <unsigned Index> Pass *makeProxy() { return new PassProxy(Index); }

// Others downcast an analysis pass, so ours is a subclass of the stock one.
// Neither analysis is computed in Rust yet: every function is the base's.
template <class Base> class AnalysisProxy : public Base {};

template <class Base> Pass *makeAnalysis() { return new AnalysisProxy<Base>(); }

template <unsigned... I>
PassInfo::NormalCtor_t proxyCtor(unsigned Index,
                                 std::integer_sequence<unsigned, I...>) {
  static constexpr PassInfo::NormalCtor_t Ctors[] = {&makeProxy<I>...};
  return Ctors[Index];
}

PassInfo::NormalCtor_t replacement(unsigned Index, const PtxPass &P) {
  if (!P.is_analysis)
    return proxyCtor(Index, std::make_integer_sequence<unsigned, MaxPasses>());
  StringRef Name = ref(P.stock_argument);
  if (Name == "livevars")
    return &makeAnalysis<LiveVariablesPass>;
  if (Name == "liveintervals")
    return &makeAnalysis<LiveIntervalsPass>;
  refuse("no analysis of this name is replaced: ", Name.str().c_str());
}

void replacePass(PassRegistry &Registry, unsigned Index) {
  PtxPass P = ptx_entry_points.pass(Index);
  std::string Name = ref(P.stock_argument).str();
  const PassInfo *Info = Registry.getPassInfo(StringRef(Name));
  if (!Info || !Info->getNormalCtor() || Index >= MaxPasses)
    refuse("the host has no pass ", Name.c_str());
  Table[Index].StockCtor = Info->getNormalCtor();
  // PassInfo keeps the id as const; a pass is constructed from a mutable one.
  Table[Index].ID =
      const_cast<char *>(static_cast<const char *>(Info->getTypeInfo()));
  const_cast<PassInfo *>(Info)->setNormalCtor(replacement(Index, P));
}

struct Plugin {
  std::deque<Knob> Knobs; // cl::opt neither moves nor copies

  Plugin() {
    for (unsigned I = 0, E = ptx_entry_points.num_knobs(); I != E; ++I)
      Knobs.emplace_back(I, ptx_entry_points.knob(I));
    PassRegistry &Registry = *PassRegistry::getPassRegistry();
    // clang loads plugins before anything has registered these passes.
    initializeCodeGen(Registry);
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I)
      replacePass(Registry, I);
  }
  ~Plugin() {
    if (ptx_entry_points.finish())
      return;
    std::fflush(nullptr);
    _exit(1);
  }
} ThePlugin;

template <class Opt> const Opt *findOption(PtxStr Name) {
  auto &Options = cl::getRegisteredOptions();
  auto It = Options.find(ref(Name));
  return It == Options.end() ? nullptr : static_cast<Opt *>(It->second);
}

} // namespace

// How the loader knows, before it loads a file, which LLVM it was built for.
extern "C" {
__attribute__((section(".note.ptxpasses"), used,
               aligned(4))) extern const struct {
  uint32_t NameSize, DescSize, Type;
  char Name[12];
  uint32_t Major;
} ptx_build_note = {10, 4, 1, "ptxpasses", LLVM_VERSION_MAJOR};

bool ptx_llvm_option_bool(PtxStr Name, bool *Value) {
  auto *O = findOption<cl::opt<bool>>(Name);
  if (O)
    *Value = *O;
  return O;
}

bool ptx_llvm_option_unsigned(PtxStr Name, uint32_t *Value) {
  auto *O = findOption<cl::opt<unsigned>>(Name);
  if (O)
    *Value = *O;
  return O;
}
} // extern "C"
