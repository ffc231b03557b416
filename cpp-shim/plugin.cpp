// What happens when the plugin is loaded, once host_check.cpp has found that it
// fits: the knobs are registered, the constructors of the replaced passes
// swapped, and the passes that LLVM does not have registered.
//
// A pass object of ours owns an instance of the stock pass and hands it every
// function that Rust does not take (see PtxEntryPoints::takes); it carries the
// stock pass's id, so whoever asks for the pass by id or by name gets ours.
//
// A pass that LLVM does not have is inserted by the one that it runs behind,
// when LLVM adds that to a pipeline.
#include "check.h"
#include "compat.h"
#include "emitter.h"
#include "host_check.h"
#include "loop_reduce.h"
#include "new_pass_manager.h"
#include "operand.h"
#include "options.h"
#include "stock_pass.h"

#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

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

// ---- passes -------------------------------------------------------------

constexpr unsigned MaxPasses = 8;

struct PassEntry {
  // The constructor of the stock pass that it replaces or runs behind.
  PassInfo::NormalCtor_t StockCtor = nullptr;
  char *ID = nullptr;
};
PassEntry Table[MaxPasses];

bool isNVPTX(const TargetMachine &TM) { return TM.getTargetTriple().isNVPTX(); }

// Says that the pass begins with a module, and returns its name: from
// doInitialization on that, as timers have it, says where the pass runs. In the
// banners of -print-after, made before, it is the stock one.
std::string beginModule(Pass &P, unsigned Index, StringRef StockName) {
  auto *MMI = P.getAnalysisIfAvailable<MachineModuleInfoWrapperPass>();
  bool IsNVPTX = MMI && isNVPTX(MMI->getMMI().getTarget());
  ptx_entry_points.begin_module(IsNVPTX);
  bool InRust = MMI && ptx_entry_points.takes(Index, IsNVPTX);
  return (StockName + (InRust ? " (ptxpasses)" : "")).str();
}

// LLVM adds an inserted pass only if it adds the one ahead.  Told to begin at
// an inserted pass it adds none at all, and prints what it was given.
void refuseToBeginAt(PtxStr Argument) {
  for (StringRef Name : {"start-before", "start-after"}) {
    auto *O = findOption<cl::opt<std::string>>(Name);
    if (O && StringRef(*O).split(',').first == ref(Argument))
      report_fatal_error("ptxpasses: -" + Name + "=" + ref(Argument) +
                             ": LLVM cannot begin at a pass that is inserted "
                             "behind another",
                         /*gen_crash_diag=*/false);
  }
}

// A failure ends here.
PtxOutcome runRust(const PtxRun &Run) {
  PtxStr Error = {nullptr, 0};
  PtxOutcome Outcome = ptx_entry_points.run(&Run, &Error);
  if (Outcome == PTX_FAILED)
    report_fatal_error(ref(Error), /*gen_crash_diag=*/false);
  return Outcome;
}

// A pass of ours that is no subclass of one of LLVM's.
class RustPass : public MachineFunctionPass {
  PtxPassState *State = nullptr;        // Rust's buffers
  std::optional<RustPass *> TwoAddress; // see twoAddressState
  std::optional<PtxStr> Next;           // see PtxRun

protected:
  unsigned Index;

  explicit RustPass(unsigned Index)
      : MachineFunctionPass(*Table[Index].ID), Index(Index) {}
  ~RustPass() override { freeState(); }

  bool takes(const TargetMachine &TM) const {
    return ptx_entry_points.takes(Index, isNVPTX(TM));
  }
  PtxOutcome runInRust(MachineFunction &MF) {
    if (!State)
      State = ptx_entry_points.new_state(Index);
    if (!Next)
      Next = nextPass();
    PtxPass Info = ptx_entry_points.pass(Index);
    auto *AA = getAnalysisIfAvailable<AAResultsWrapperPass>();
    PtxRun Run = {};
    Run.pass = Index;
    Run.state = State;
    Run.mf = wrap(&MF);
    Run.lv = wrap(availableVariables(*this));
    Run.lis = wrap(available<LiveIntervalsPass>(*this));
    Run.aa = wrap(AA ? &AA->getAAResults() : nullptr);
    Run.indexes = wrap(available<SlotIndexesPass>(*this));
    Run.dominators = wrap(available<MachineDominatorsPass>(*this));
    Run.loops = wrap(available<MachineLoopsPass>(*this));
    if (Info.reads_frequencies)
      Run.frequencies = wrap(available<FrequenciesPass>(*this));
    Run.host_pass = wrap(static_cast<Pass *>(this));
    Run.two_address = twoAddressState();
    // skipFunction() also counts the pass for -opt-bisect-limit.
    Run.optimize = !(Info.asks_to_skip && skipFunction(MF.getFunction())) &&
                   optimizes(MF.getTarget());
    Run.next = *Next;
    return runRust(Run);
  }
  void freeState() {
    if (State)
      ptx_entry_points.free_state(State);
    State = nullptr;
  }

private:
  FPPassManager &manager() {
    return static_cast<FPPassManager &>(getResolver()->getPMDataManager());
  }
  // Functions go through the passes of one manager one by one, so the state of
  // the two-address pass ahead is that of this function.  Who has its id was
  // made by its constructor, which is ours.
  const PtxPassState *twoAddressState() {
    if (!TwoAddress) {
      TwoAddress = nullptr;
      FPPassManager &PM = manager();
      unsigned E = PM.getNumContainedPasses();
      for (unsigned I = 0; I != E && PM.getContainedPass(I) != this; ++I)
        if (PM.getContainedPass(I)->getPassID() == &TwoAddressInstructionPassID)
          TwoAddress = static_cast<RustPass *>(PM.getContainedPass(I));
    }
    return *TwoAddress ? (*TwoAddress)->State : nullptr;
  }
  PtxStr nextPass() {
    FPPassManager &PM = manager();
    unsigned I = 0, E = PM.getNumContainedPasses();
    while (I != E && PM.getContainedPass(I) != this)
      ++I;
    for (++I; I < E; ++I) {
      Pass &P = *PM.getContainedPass(I);
      if (usageOf(P, PM).getPreservesAll())
        continue;
      const PassInfo *Info = Pass::lookupPassInfo(P.getPassID());
      return str(Info ? Info->getPassArgument() : StringRef());
    }
    return str(StringRef());
  }
};

class PassProxy : public RustPass {
  std::unique_ptr<MachineFunctionPass> Stock;
  AnalysisResolver *StockResolver = nullptr; // owned by Stock
  std::string Name;

public:
  explicit PassProxy(unsigned Index)
      : RustPass(Index),
        Stock(static_cast<MachineFunctionPass *>(Table[Index].StockCtor())),
        Name(Stock->getPassName().str()) {
    forEachFollower(
        [](unsigned, const PtxPass &P) { refuseToBeginAt(P.argument); });
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
  // LLVM adds this pass to a manager now, and what is inserted behind it next.
  // Without a TargetPassConfig, or if that has left this pass out, nobody adds
  // the inserted pass.
  void preparePassManager(PMStack &PMS) override {
    RustPass::preparePassManager(PMS);
    PMTopLevelManager &Pipeline = *PMS.top()->getTopLevelManager();
    Pass *P = Pipeline.findAnalysisPass(&TargetPassConfig::ID);
    if (!P)
      return;
    auto &Config = *static_cast<TargetPassConfig *>(P);
    bool IsNVPTX = isNVPTX(Config.getTM<TargetMachine>());
    insertFollowers(Config, IsNVPTX);
    if (ptx_entry_points.chooses_loops(IsNVPTX))
      chooseLoopsToReduce(Pipeline);
  }
  bool doInitialization(Module &M) override {
    Name = beginModule(*this, Index, Stock->getPassName());
    // The base caches the properties above.
    return MachineFunctionPass::doInitialization(M) |
           Stock->doInitialization(M);
  }
  // What is kept of functions goes with the module.
  bool doFinalization(Module &M) override {
    freeState();
    return Stock->doFinalization(M);
  }
  void releaseMemory() override { Stock->releaseMemory(); }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!takes(MF.getTarget()))
      return runStock(MF);
    switch (runInRust(MF)) {
    case PTX_UNCHANGED:
      return false;
    case PTX_CHANGED:
      return true;
    default:
      return runStock(MF);
    }
  }

private:
  // The passes that are inserted behind this one.
  template <class Visit> void forEachFollower(Visit Visitor) {
    StringRef Argument = ref(ptx_entry_points.pass(Index).argument);
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I) {
      PtxPass P = ptx_entry_points.pass(I);
      if (ref(P.behind) == Argument)
        Visitor(I, P);
    }
  }
  void insertFollowers(TargetPassConfig &Config, bool IsNVPTX) {
    forEachFollower([&](unsigned I, const PtxPass &) {
      if (ptx_entry_points.takes(I, IsNVPTX))
        Config.insertPass(getPassID(), Table[I].ID);
    });
  }
  // The stock pass sees the analyses that the pass manager made for us.
  bool runStock(MachineFunction &MF) {
    if (!StockResolver) {
      StockResolver = new AnalysisResolver(getResolver()->getPMDataManager());
      Stock->setResolver(StockResolver);
    }
    handOnAnalyses(*this, *StockResolver);
    return StockPassAccess::run(*Stock, MF);
  }
};

// A pass that LLVM does not have.  It needs and keeps the analyses of the pass
// that it runs behind.
class AddedPass : public RustPass {
  std::unique_ptr<Pass> Ahead;
  std::string Name;

public:
  explicit AddedPass(unsigned Index)
      : RustPass(Index), Ahead(Table[Index].StockCtor()),
        Name((ref(ptx_entry_points.pass(Index).argument) + " (ptxpasses)")
                 .str()) {}

  StringRef getPassName() const override { return Name; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    const Pass &P = *Ahead;
    P.getAnalysisUsage(AU);
    AU.addRequired<SlotIndexesPass>();
    AU.addRequired<MachineDominatorsPass>();
    if (ptx_entry_points.pass(Index).reads_frequencies) {
      AU.addRequired<FrequenciesPass>();
      AU.addPreserved<FrequenciesPass>();
    }
  }
  bool doFinalization(Module &) override {
    freeState();
    return false;
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    return takes(MF.getTarget()) && runInRust(MF) == PTX_CHANGED;
  }
};

// Others downcast an analysis pass, so ours is a subclass of the stock one;
// Rust fills the object that the stock pass would have filled.
template <class Base, unsigned Index> class AnalysisProxy : public Base {
  PtxPassState *State = nullptr;
  std::string Name = Base::getPassName().str();
  std::optional<std::vector<PtxStr>> Readers; // see PtxRun

public:
  ~AnalysisProxy() override {
    if (State)
      ptx_entry_points.free_state(State);
  }

  StringRef getPassName() const override { return Name; }
  bool doInitialization(Module &M) override {
    Name = beginModule(*this, Index, Base::getPassName());
    return Base::doInitialization(M);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!ptx_entry_points.takes(Index, isNVPTX(MF.getTarget())))
      return Base::runOnMachineFunction(MF);
    if (!State)
      State = ptx_entry_points.new_state(Index);
    PtxRun Run = {};
    Run.pass = Index;
    Run.state = State;
    Run.mf = wrap(&MF);
    if constexpr (std::is_same_v<Base, LiveIntervalsPass>)
      Run.lis = wrap(&resultOf(*this));
    else
      Run.lv = wrap(&resultOf(*this));
    Run.indexes = wrap(available<SlotIndexesPass>(*this));
    Run.dominators = wrap(available<MachineDominatorsPass>(*this));
    Run.host_pass = wrap(static_cast<Pass *>(this));
    Run.optimize = true;
    if (!Readers)
      Readers = readers();
    Run.readers = Readers->data();
    Run.num_readers = Readers->size();
    unsigned NumRegs = MF.getRegInfo().getNumVirtRegs();
    if (runRust(Run) == PTX_DELEGATE) {
      Base::releaseMemory();
      return Base::runOnMachineFunction(MF);
    }
    if (ptx_entry_points.print_analyses())
      errs() << text(MF);
    if (ptx_entry_points.check_analyses())
      compareWithStock(MF, NumRegs);
    return false;
  }

private:
  std::vector<PtxStr> readers() {
    std::vector<PtxStr> Passes;
    size_t NumReaders = 0;
    // Functions are run through one manager's passes, and what is computed in
    // it is of no use to another's.
    auto &PM =
        static_cast<FPPassManager &>(this->getResolver()->getPMDataManager());
    unsigned I = 0, E = PM.getNumContainedPasses();
    while (I != E && PM.getContainedPass(I) != this)
      ++I;
    for (++I; I < E && PM.getContainedPass(I)->getPassID() != &Base::ID; ++I) {
      Pass &P = *PM.getContainedPass(I);
      const PassInfo *Info = Pass::lookupPassInfo(P.getPassID());
      const AnalysisUsage &AU = usageOf(P, PM);
      bool Declared = is_contained(AU.getRequiredSet(), &Base::ID) ||
                      is_contained(AU.getRequiredTransitiveSet(), &Base::ID) ||
                      is_contained(AU.getUsedSet(), &Base::ID);
      if (Declared || !Info || !Info->isAnalysis())
        Passes.push_back(str(Info ? Info->getPassArgument() : StringRef()));
      if (Declared)
        NumReaders = Passes.size();
    }
    Passes.resize(NumReaders);
    return Passes;
  }
  std::string text(const MachineFunction &MF) {
    std::string Text;
    raw_string_ostream OS(Text);
    print(OS, resultOf(*this), MF);
    return OS.str();
  }
  // The stock pass takes the place of ours, so a function is checked against it
  // once and goes on with what it says.
  //
  // LiveIntervals may split a register whose values never meet.  The values of
  // the new registers keep the order of the old one's chain of defs; computed
  // anew they have that of their own, which is reversed.  So these registers,
  // from NumRegs on, are left out.
  void compareWithStock(MachineFunction &MF, unsigned NumRegs) {
    std::string Ours = text(MF);
    Base::releaseMemory();
    Base::runOnMachineFunction(MF);
    std::string Difference = firstDifference(Ours, text(MF), NumRegs);
    if (!Difference.empty())
      report_fatal_error(Twine("ptxpasses: ") + Base::getPassName() +
                             " differs from stock in function '" +
                             MF.getName() + "'\n" + Difference,
                         /*gen_crash_diag=*/false);
  }
};

template <template <unsigned> class Make, unsigned... I>
PassInfo::NormalCtor_t ctorOf(unsigned Index,
                              std::integer_sequence<unsigned, I...>) {
  static constexpr PassInfo::NormalCtor_t Ctors[] = {&Make<I>::make...};
  return Ctors[Index];
}
template <unsigned Index> struct MakeProxy {
  static Pass *make() { return new PassProxy(Index); }
};
template <unsigned Index> struct MakeAdded {
  static Pass *make() { return new AddedPass(Index); }
};
#if PTX_HAS_VARIABLES
template <unsigned Index> struct MakeLiveVariables {
  static Pass *make() { return new AnalysisProxy<LiveVariablesPass, Index>(); }
};
#endif
template <unsigned Index> struct MakeLiveIntervals {
  static Pass *make() { return new AnalysisProxy<LiveIntervalsPass, Index>(); }
};

PassInfo::NormalCtor_t replacement(unsigned Index, const PtxPass &P,
                                   const void *ID) {
  constexpr std::make_integer_sequence<unsigned, MaxPasses> All;
  if (!P.is_analysis)
    return ctorOf<MakeProxy>(Index, All);
#if PTX_HAS_VARIABLES
  if (ID == &LiveVariablesPass::ID)
    return ctorOf<MakeLiveVariables>(Index, All);
#endif
  if (ID == &LiveIntervalsPass::ID)
    return ctorOf<MakeLiveIntervals>(Index, All);
  refuse("no analysis of this name is replaced: ",
         ref(P.argument).str().c_str());
}

const PassInfo &stockPass(PassRegistry &Registry, PtxStr Argument) {
  std::string Name = ref(Argument).str();
  const PassInfo *Info = Registry.getPassInfo(StringRef(Name));
  if (!Info || !Info->getNormalCtor())
    refuse("the host has no pass ", Name.c_str());
  return *Info;
}

void replacePass(PassRegistry &Registry, unsigned Index, const PtxPass &P) {
  const PassInfo &Info = stockPass(Registry, P.argument);
  Table[Index].StockCtor = Info.getNormalCtor();
  // PassInfo keeps the id as const; a pass is constructed from a mutable one.
  Table[Index].ID =
      const_cast<char *>(static_cast<const char *>(Info.getTypeInfo()));
  const_cast<PassInfo &>(Info).setNormalCtor(
      replacement(Index, P, Info.getTypeInfo()));
}

// The pass that it runs behind has been replaced.
void addPass(PassRegistry &Registry, unsigned Index, const PtxPass &P) {
  static char IDs[MaxPasses];
  const void *Ahead = stockPass(Registry, P.behind).getTypeInfo();
  auto *Entry =
      find_if(Table, [Ahead](const PassEntry &E) { return E.ID == Ahead; });
  Table[Index] = {Entry->StockCtor, &IDs[Index]};
  constexpr std::make_integer_sequence<unsigned, MaxPasses> All;
  Registry.registerPass(*new PassInfo(ref(P.argument), ref(P.argument),
                                      Table[Index].ID,
                                      ctorOf<MakeAdded>(Index, All),
                                      /*isCFGOnly=*/false,
                                      /*is_analysis=*/false),
                        /*ShouldFree=*/true);
}

void installPass(PassRegistry &Registry, unsigned Index) {
  PtxPass P = ptx_entry_points.pass(Index);
  if (Index >= MaxPasses)
    refuse("there are too many passes", "");
  if (P.is_emitter)
    installEmitter(Index);
  else if (P.behind.len)
    addPass(Registry, Index, P);
  else
    replacePass(Registry, Index, P);
}

struct Plugin {
  std::deque<Knob> Knobs; // cl::opt neither moves nor copies

  Plugin() {
    if (!refusal() && !operandLayoutIsKnown())
      decline("this LLVM has its machine operands laid out otherwise", "");
    if (!refusal())
      readEnvironment();
    if (refusal())
      return;
    for (unsigned I = 0, E = ptx_entry_points.num_knobs(); I != E; ++I)
      Knobs.emplace_back(I, ptx_entry_points.knob(I));
    PassRegistry &Registry = *PassRegistry::getPassRegistry();
    // clang loads plugins before anything has registered these passes.
    initializeCodeGen(Registry);
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I)
      installPass(Registry, I);
    refuseNewPassManager();
  }
  ~Plugin() {
    if (refusal() || ptx_entry_points.finish())
      return;
    std::fflush(nullptr);
    _exit(1);
  }

private:
  // Before the knobs are registered: what the command line says of one comes
  // later, and so wins.
  static void readEnvironment() {
    const char *Arguments = std::getenv("PTXPASSES_ARGS");
    PtxStr Error = ptx_entry_points.set_knobs(str(Arguments ? Arguments : ""));
    if (Error.len)
      decline("PTXPASSES_ARGS: ", ref(Error).str().c_str());
  }
} ThePlugin;

} // namespace

// How the loader knows, before it loads a file, which LLVM it was built for.
extern "C" {
__attribute__((section(".note.ptxpasses"), used,
               aligned(4))) extern const struct {
  uint32_t NameSize, DescSize, Type;
  char Name[12];
  uint32_t Major, Asserts;
} ptx_build_note = {
    10, 8, 1, "ptxpasses", LLVM_VERSION_MAJOR, LLVM_ENABLE_ABI_BREAKING_CHECKS};

bool ptx_llvm_option_bool(PtxStr Name, bool *Value) {
  auto *O = findOption<cl::opt<bool>>(ref(Name));
  if (O)
    *Value = *O;
  return O;
}

bool ptx_llvm_option_given(PtxStr Name) { return isGiven(ref(Name)); }

bool ptx_llvm_option_bool_or_default(PtxStr Name, bool *Value) {
  auto *O = findOption<cl::opt<cl::boolOrDefault>>(ref(Name));
  if (!O || *O == cl::boolOrDefault::BOU_UNSET)
    return false;
  *Value = *O == cl::boolOrDefault::BOU_TRUE;
  return true;
}

bool ptx_llvm_option_unsigned(PtxStr Name, uint32_t *Value) {
  auto *O = findOption<cl::opt<unsigned>>(ref(Name));
  if (O)
    *Value = *O;
  return O;
}
} // extern "C"
