// The passes of the plugin in LLVM's pipelines.
//
// Each pass names a pass of LLVM, its anchor. It replaces the anchor, or runs
// right before it, or right after it.
//
// Replacing: our constructor takes the anchor's place in the registry. Our
// object owns an instance of the stock pass and gives it every function that
// Rust does not take (see PtxEntryPoints::takes). It has the stock pass's id,
// so a request for the pass by id or by name gets ours.
//
// This works for all passes that LLVM constructs by id. If LLVM constructs an
// anchor in another way, the complete pipeline is refused, unless our pass runs
// after the anchor.
//
// Before: such an object adds the pass when LLVM adds the anchor to a pipeline,
// before LLVM has scheduled the analyses that the anchor requires.
//
// After: through the public callback, where LLVM has it. Otherwise such an
// object makes LLVM insert the pass.
#include "passes.h"

#include "check.h"
#include "emitter.h"
#include "head.h"
#include "host_check.h"
#include "ir_stages.h"
#include "loop_reduce.h"
#include "options.h"
#include "rust_side.h"
#include "stock_pass.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"

#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace llvm;
using namespace ptxpasses;

namespace {

constexpr unsigned MaxPasses = 16;

// A pass of LLVM at which some of ours run.
struct Anchor {
  std::string Argument;
  // Unknown until LLVM has registered the pass: a target's passes come late.
  PassInfo::NormalCtor_t StockCtor = nullptr;
  char *ID = nullptr;
  bool IsAnalysis = false;
  bool IsFirst = false; // see FirstPass
  std::optional<unsigned> Replacement;
  std::vector<unsigned> Before, After;
};

// Made on first use, which is in a static constructor.
struct AnchorTable {
  Anchor List[MaxPasses + 1]; // and the first pass
  unsigned Size = 0;
};
AnchorTable &anchors() {
  static AnchorTable Table;
  return Table;
}
MutableArrayRef<Anchor> allAnchors() {
  return {anchors().List, anchors().Size};
}

// These addresses identify the passes that LLVM does not have.
char IDs[MaxPasses];

unsigned numPasses() { return ptx_entry_points.num_passes(); }
PtxPass passAt(unsigned Index) { return ptx_entry_points.pass(Index); }
bool isAdded(const PtxPass &P) {
  return P.place == PTX_PLACE_BEFORE || P.place == PTX_PLACE_AFTER;
}

// ---- pass objects -------------------------------------------------------

// Tells Rust that the pass begins with a module, and returns its name. From
// doInitialization on the name, as timers show it, tells where the pass runs.
// The banners of -print-after are made earlier and show the stock name.
std::string beginModule(Pass &P, unsigned Index, StringRef StockName) {
  auto *MMI = P.getAnalysisIfAvailable<MachineModuleInfoWrapperPass>();
  if (!MMI)
    return StockName.str();
  const TargetMachine &TM = MMI->getMMI().getTarget();
  ptx_entry_points.begin_module(archOf(TM));
  if (!takes(Index, TM))
    return StockName.str();
  return (StockName + " (" + ptx_entry_points.name() + ")").str();
}

void require(AnalysisUsage &AU, uint32_t Analyses) {
  forEachAnalysis(Analyses, [&](auto Tag) {
    AU.addRequired<typename decltype(Tag)::Type>();
  });
  if (Analyses & PTX_ANALYSIS_ALIASES)
    AU.addRequired<AAResultsWrapperPass>();
}

void preserve(AnalysisUsage &AU, uint32_t Analyses) {
  if (Analyses & PTX_ANALYSIS_ALL)
    AU.setPreservesAll();
  if (Analyses & PTX_ANALYSIS_CFG)
    AU.setPreservesCFG();
  if (Analyses & PTX_ANALYSIS_VARIABLES)
    AU.addPreservedID(LiveVariablesID);
  forEachAnalysis(Analyses, [&](auto Tag) {
    AU.addPreserved<typename decltype(Tag)::Type>();
  });
}

// A pass that LLVM does not have.
class AddedPass : public MachineFunctionPass {
  RustSide Ours;
  std::string Name;

public:
  explicit AddedPass(unsigned Index)
      : MachineFunctionPass(IDs[Index]), Ours(*this, Index),
        Name(
            (ref(passAt(Index).argument) + " (" + ptx_entry_points.name() + ")")
                .str()) {}

  StringRef getPassName() const override { return Name; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    PtxPass P = passAt(Ours.index());
    require(AU, P.needs);
    preserve(AU, P.keeps);
    MachineFunctionPass::getAnalysisUsage(AU);
  }
  bool doFinalization(Module &) override {
    Ours.freeState();
    return false;
  }
  bool runOnMachineFunction(MachineFunction &MF) override {
    return takes(Ours.index(), MF.getTarget()) && Ours.run(MF) == PTX_CHANGED;
  }
};

// A pipeline with objects of ours. Another plugin's objects may
// wrap them, so they cannot be found in the pipeline itself.
struct KnownPipeline {
  unsigned NumProxies = 0;
  SmallPtrSet<const Anchor *, 8> Anchors;
  // The passes that LLVM was told to insert. An anchor may occur several times.
  uint32_t Inserted = 0;
  // Whether the head was written for the current module.
  bool HasHead = false;
};
std::mutex PipelinesLock;
DenseMap<const PMTopLevelManager *, KnownPipeline> &pipelines() {
  static DenseMap<const PMTopLevelManager *, KnownPipeline> Known;
  return Known;
}

// Replaces a pass of LLVM.
class PassProxy : public StandIn {
  const Anchor &At;
  std::optional<RustSide> Ours; // in its place, if there is one
  std::string Name;
  PMTopLevelManager *Pipeline = nullptr;

public:
  explicit PassProxy(const Anchor &At)
      : StandIn(*At.ID, At.StockCtor()), At(At), Name(stockName().str()) {
    if (At.Replacement)
      Ours.emplace(*this, *At.Replacement);
  }

  ~PassProxy() override {
    std::lock_guard<std::mutex> Guard(PipelinesLock);
    if (Pipeline && --pipelines()[Pipeline].NumProxies == 0)
      pipelines().erase(Pipeline);
  }

  StringRef getPassName() const override { return Name; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    if (At.Replacement)
      require(AU, passAt(*At.Replacement).needs);
    StandIn::getAnalysisUsage(AU);
  }
  // LLVM is about to add this pass to a pipeline. LLVM adds other passes only
  // if there is a TargetPassConfig. Without one the user asked for this pass
  // alone.
  void preparePassManager(PMStack &PMS) override {
    StandIn::preparePassManager(PMS);
    Pipeline = PMS.top()->getTopLevelManager();
    noteInPipeline();
    Pass *P = Pipeline->findAnalysisPass(&TargetPassConfig::ID);
    if (!P)
      return;
    auto &Config = *static_cast<TargetPassConfig *>(P);
    const auto &TM = Config.getTM<TargetMachine>();
    if (!isGiven("run-pass"))
      addOthers(Config, TM);
    if (Ours && ptx_entry_points.chooses_loops(archOf(TM)))
      chooseLoopsToReduce(*Pipeline);
    if (Ours && !isGiven("run-pass"))
      addIrStages(*Pipeline, TM);
  }
  bool doInitialization(Module &M) override {
    if (Ours)
      Name = beginModule(*this, Ours->index(), stockName());
    auto *MMI = getAnalysisIfAvailable<MachineModuleInfoWrapperPass>();
    if (Pipeline && MMI && !isGiven("run-pass"))
      checkPipeline(MMI->getMMI().getTarget());
    if (Pipeline && !setHasHead(true))
      findFunctionPass([](Pass &P) { return writeHead(P); });
    return StandIn::doInitialization(M);
  }
  // Functions are forgotten with their module.
  bool doFinalization(Module &M) override {
    if (Ours)
      Ours->freeState();
    if (Pipeline)
      setHasHead(false);
    return StandIn::doFinalization(M);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!Ours || !takes(Ours->index(), MF.getTarget()))
      return runStock(MF);
    switch (Ours->run(MF)) {
    case PTX_UNCHANGED:
      return false;
    case PTX_CHANGED:
      return true;
    default:
      return runStock(MF);
    }
  }

private:
  void noteInPipeline() {
    std::lock_guard<std::mutex> Guard(PipelinesLock);
    KnownPipeline &Known = pipelines()[Pipeline];
    ++Known.NumProxies;
    Known.Anchors.insert(&At);
  }
  bool isInPipeline(const Anchor &A) {
    std::lock_guard<std::mutex> Guard(PipelinesLock);
    return pipelines()[Pipeline].Anchors.contains(&A);
  }
  bool setHasHead(bool HasHead) {
    std::lock_guard<std::mutex> Guard(PipelinesLock);
    return std::exchange(pipelines()[Pipeline].HasHead, HasHead);
  }
  void addOthers([[maybe_unused]] TargetPassConfig &Config,
                 const TargetMachine &TM) {
    for (unsigned I : At.Before)
      if (takes(I, TM))
        Pipeline->schedulePass(new AddedPass(I));
#if !PTX_HAS_PASS_CONFIG_CALLBACK
    std::lock_guard<std::mutex> Guard(PipelinesLock);
    uint32_t &Inserted = pipelines()[Pipeline].Inserted;
    for (const Anchor &A : allAnchors())
      for (unsigned I : A.After)
        if (A.ID && takes(I, TM) && !(Inserted >> I & 1)) {
          Config.insertPass(A.ID, &IDs[I]);
          Inserted |= 1u << I;
        }
#endif
  }
  // Called when the pipeline is complete. If LLVM constructed an anchor without
  // the registry, none of our passes runs before it or replaces it.
  void checkPipeline(const TargetMachine &TM) {
    findFunctionPass([&](Pass &P) {
      for (const Anchor &A : allAnchors())
        if (P.getPassID() == A.ID && !A.IsAnalysis && !isInPipeline(A))
          refuseMissed(A, TM);
      return false;
    });
  }
  // Walks the pipeline until the predicate accepts a pass.
  template <class Predicate> void findFunctionPass(Predicate IsIt) {
    for (PMDataManager *Manager : managersOf(*Pipeline)) {
      if (Manager->getPassManagerType() != PMT_FunctionPassManager)
        continue;
      auto &PM = static_cast<FPPassManager &>(*Manager);
      for (unsigned I = 0, E = PM.getNumContainedPasses(); I != E; ++I)
        if (IsIt(*PM.getContainedPass(I)))
          return;
    }
  }
  static void refuseMissed(const Anchor &A, const TargetMachine &TM) {
    std::vector<unsigned> Missed = A.Before;
    if (A.Replacement)
      Missed.push_back(*A.Replacement);
    for (unsigned I : Missed)
      if (takes(I, TM))
        fail("pass '" + ref(passAt(I).argument) + "' is to run at '" +
             A.Argument +
             "', which this pipeline constructs by itself: name another pass, "
             "or run after this one");
  }
};

// Other passes downcast an analysis pass, so ours is a subclass of the stock
// one. Rust fills the object that the stock pass would have filled.
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
    if (!takes(Index, MF.getTarget()))
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
    HostPass Self(*this);
    Run.host_pass = wrap(&Self);
    Run.optimize = true;
    if (!Readers)
      Readers = readers();
    Run.readers = Readers->data();
    Run.num_readers = Readers->size();
    unsigned NumRegs = MF.getRegInfo().getNumVirtRegs();
    if (runInRust(Run) == PTX_DELEGATE) {
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
    // Functions go through one manager's passes, and an analysis computed there
    // is of no use to another manager's.
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
  // The stock pass replaces our result. So a function is checked against it
  // once, and continues with it.
  //
  // LiveIntervals may split a register whose values never meet. The values of
  // the new registers keep the order of the old register's chain of defs. If
  // recomputed, they follow their own chain, which is reversed. So these
  // registers, from NumRegs on, are left out.
  void compareWithStock(MachineFunction &MF, unsigned NumRegs) {
    std::string Ours = text(MF);
    Base::releaseMemory();
    Base::runOnMachineFunction(MF);
    std::string Difference = firstDifference(Ours, text(MF), NumRegs);
    if (!Difference.empty())
      fail(Base::getPassName() + " differs from stock in function '" +
           MF.getName() + "'\n" + Difference);
  }
};

// ---- constructors -------------------------------------------------------

template <template <unsigned> class Make, unsigned... I>
PassInfo::NormalCtor_t ctorOf(unsigned Index,
                              std::integer_sequence<unsigned, I...>) {
  static constexpr PassInfo::NormalCtor_t Ctors[] = {&Make<I>::make...};
  return Ctors[Index];
}
constexpr std::make_integer_sequence<unsigned, MaxPasses> AllPasses;
constexpr std::make_integer_sequence<unsigned, MaxPasses + 1> AllAnchors;

// By anchor.
template <unsigned Index> struct MakeProxy {
  static Pass *make() { return new PassProxy(anchors().List[Index]); }
};
// By pass.
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

PassInfo::NormalCtor_t replacementOfAnalysis(unsigned Index, const Anchor &A) {
#if PTX_HAS_VARIABLES
  if (A.ID == &LiveVariablesPass::ID)
    return ctorOf<MakeLiveVariables>(Index, AllPasses);
#endif
  if (A.ID == &LiveIntervalsPass::ID)
    return ctorOf<MakeLiveIntervals>(Index, AllPasses);
  refuse("no analysis of this name is replaced: ", A.Argument.c_str());
}

// ---- installing ---------------------------------------------------------

// Passes whose results other passes read although LLVM does not list them as
// analyses: an object of another class cannot replace them. One was renamed in
// LLVM 24, as was the rewriter below.
constexpr StringLiteral ReadByOthers[] = {
    "livevars",           "liveintervals",
    "virtregmap",         "livedebugvars",
    "livestacks",         "liveregmatrix",
    "slotindexes",        "slot-indexes",
    "edge-bundles",       "machinedomtree",
    "machine-loops",      "spill-code-placement",
    "machine-block-freq", "lazy-machine-block-freq",
    "stack-protector"};

// Whether it would run between a register allocator and the rewriter. Those
// pass on data that no other pass preserves.
bool isWithinAllocation(PtxPlace Place, StringRef Argument) {
  constexpr StringLiteral Allocators[] = {"greedy", "regallocbasic",
                                          "regallocpbqp"};
  return Place == PTX_PLACE_BEFORE
             ? Argument == "virtregrewriter" || Argument == "virt-reg-rewriter"
             : Place == PTX_PLACE_AFTER && is_contained(Allocators, Argument);
}

// Whether it runs on machine functions. LLVM shows that in no other way.
bool isMachineFunctionPass(const Pass &P) {
  AnalysisUsage AU;
  P.getAnalysisUsage(AU);
  return is_contained(AU.getRequiredSet(), &MachineModuleInfoWrapperPass::ID);
}

// The first pass of every pipeline that is constructed through the registry, if
// the pipeline selects instructions.
constexpr StringLiteral FirstPass = "finalize-isel";

// Whether our passes get to the anchor through an object that replaces it.
bool needsObject(const Anchor &A) {
  bool Inserts = !PTX_HAS_PASS_CONFIG_CALLBACK && !A.After.empty();
  return A.Replacement || !A.Before.empty() || Inserts;
}

void take(Anchor &A, const PassInfo &Info) {
  A.StockCtor = Info.getNormalCtor();
  // PassInfo keeps the id as const; a pass is constructed from a mutable one.
  A.ID = const_cast<char *>(static_cast<const char *>(Info.getTypeInfo()));
  A.IsAnalysis = Info.isAnalysis() || is_contained(ReadByOthers, A.Argument);
  if (A.IsAnalysis && !(A.Replacement && passAt(*A.Replacement).is_analysis))
    return; // checkPasses ends the process
  if (needsObject(A) || A.IsFirst)
    const_cast<PassInfo &>(Info).setNormalCtor(
        A.IsAnalysis ? replacementOfAnalysis(*A.Replacement, A)
                     : ctorOf<MakeProxy>(&A - anchors().List, AllAnchors));
}

Anchor &anchorNamed(PtxStr Argument) {
  for (Anchor &A : allAnchors())
    if (A.Argument == ref(Argument))
      return A;
  Anchor &A = anchors().List[anchors().Size++];
  A.Argument = ref(Argument).str();
  return A;
}

void installPass(PassRegistry &Registry, unsigned Index) {
  PtxPass P = passAt(Index);
  if (P.place == PTX_PLACE_EMITTER)
    return installEmitter(Index);
  Anchor &A = anchorNamed(P.anchor);
  if (P.place == PTX_PLACE_INSTEAD) {
    if (A.Replacement)
      refuse("two passes are to run in place of ", A.Argument.c_str());
    A.Replacement = Index;
    return;
  }
  (P.place == PTX_PLACE_BEFORE ? A.Before : A.After).push_back(Index);
  std::string Argument = ref(P.argument).str();
  if (Registry.getPassInfo(StringRef(Argument)))
    refuse("there is a pass of this name already: ", Argument.c_str());
  Registry.registerPass(*new PassInfo(ref(P.title), ref(P.argument),
                                      &IDs[Index],
                                      ctorOf<MakeAdded>(Index, AllPasses),
                                      /*isCFGOnly=*/false,
                                      /*is_analysis=*/false),
                        /*ShouldFree=*/true);
}

#if PTX_HAS_PASS_CONFIG_CALLBACK
void insertPasses(TargetMachine &TM, PassManagerBase &,
                  TargetPassConfig *Config) {
  for (const Anchor &A : allAnchors())
    for (unsigned I : A.After)
      if (takes(I, TM))
        Config->insertPass(A.ID, &IDs[I]);
}
#endif

// LLVM adds an inserted pass only if it adds the pass before it. If told to
// begin at an inserted pass, it adds none at all, and prints its input.
void refuseToBeginAt(StringRef Argument, const TargetMachine &TM) {
  for (StringRef Name : {"start-before", "start-after"}) {
    auto *O = findOption<cl::opt<std::string>>(Name);
    std::string Given =
        O ? O->getValue() : libraryOption(TM, Name).value_or("");
    if (StringRef(Given).split(',').first == Argument)
      fail("-" + Name + "=" + Argument +
           ": LLVM cannot begin at a pass that is inserted after another");
  }
}

void checkAnchor(const Anchor &A, StringRef Ours) {
  if (!A.ID)
    fail("pass '" + Ours + "' is to run at '" + A.Argument +
         "', and LLVM has registered no such pass by now (llc "
         "-print-after-all shows those that run; some targets register theirs "
         "only when they construct them)");
  if (A.IsAnalysis && !(A.Replacement && passAt(*A.Replacement).is_analysis))
    fail("pass '" + Ours + "' is to run at '" + A.Argument +
         "', which is an analysis: name a pass before it or after it");
  if (!isMachineFunctionPass(*std::unique_ptr<Pass>(A.StockCtor())))
    fail("pass '" + Ours + "' is to run at '" + A.Argument +
         "', which does not run on machine functions");
}

// Rust looks up the opcodes that a pass names.
void checkOpcodes(unsigned Index, const PtxPass &P, const TargetMachine &TM) {
  auto *Info = const_cast<MCInstrInfo *>(TM.getMCInstrInfo());
  PtxStr Lacks =
      Info ? ptx_entry_points.lacks(Index, wrap(Info)) : PtxStr{nullptr, 0};
  if (Lacks.len)
    fail("pass '" + ref(P.argument) + "' " + ref(Lacks));
}

} // namespace

bool ptxpasses::takesAny(const TargetMachine &TM) {
  for (unsigned I = 0, E = numPasses(); I != E; ++I)
    if (takes(I, TM))
      return true;
  return false;
}

void ptxpasses::checkPasses(const TargetMachine &TM) {
  for (unsigned I = 0, E = numPasses(); I != E; ++I) {
    PtxPass P = passAt(I);
    if (P.place == PTX_PLACE_EMITTER || !takes(I, TM))
      continue;
    if (isWithinAllocation(P.place, ref(P.anchor)))
      fail("pass '" + ref(P.argument) +
           "' is to run between a register allocator and virtregrewriter, "
           "where none can");
    checkAnchor(anchorNamed(P.anchor), ref(P.argument));
    if (isAdded(P))
      refuseToBeginAt(ref(P.argument), TM);
    checkOpcodes(I, P, TM);
  }
}

void ptxpasses::passRegistered(const PassInfo &Info) {
  for (Anchor &A : allAnchors())
    if (!A.ID && !A.Argument.empty() && Info.getPassArgument() == A.Argument &&
        Info.getNormalCtor())
      take(A, Info);
}

void ptxpasses::installPasses() {
  PassRegistry &Registry = *PassRegistry::getPassRegistry();
  // clang loads plugins before these passes are registered.
  initializeCodeGen(Registry);
  if (numPasses() > MaxPasses)
    refuse("there are too many passes: at most ",
           std::to_string(MaxPasses).c_str());
  for (unsigned I = 0, E = numPasses(); I != E; ++I)
    installPass(Registry, I);
  // Its object checks complete pipelines, and makes LLVM insert passes.
  if (any_of(allAnchors(), needsObject))
    anchorNamed(str(FirstPass)).IsFirst = true;
  for (const Anchor &A : allAnchors())
    if (const PassInfo *Info = Registry.getPassInfo(StringRef(A.Argument)))
      passRegistered(*Info);
#if PTX_HAS_PASS_CONFIG_CALLBACK
  static RegisterTargetPassConfigCallback TheCallback(insertPasses);
#endif
}
