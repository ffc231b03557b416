// Inserts our passes into a pipeline of LLVM's new pass manager.
//
// Such a pipeline is a list of entries. An entry is an object with a name and
// virtual functions; its class is a template of the stock pass's class. A pass
// on functions is in an adaptor's list. A pass on machine functions is in the
// list of another adaptor within that one. LLVM has no function that looks into
// these lists, nor an extension point at each pass. So the stock pipeline is
// made first. Then we walk the lists, which are private members, and change
// them. An entry of ours goes before or after its anchor's entry, or replaces
// and owns it.
//
// An entry that replaces a stock one has its name, so that -print-after,
// -stop-after, -opt-bisect-limit and the verifier find it. It preserves the
// analyses that the stock pass does; the stock class has no function for that,
// so Usage lists them.
//
// LLVM's LiveIntervals stays: an analysis is known by a key, and the host has
// registered the stock one. LoopStrengthReduce stays too, with all loops.
#include "new_pipeline.h"

#include "compat.h"

#if PTX_HAS_NEW_PIPELINE
#include "emitter.h"
#include "ir_stages.h"
#include "private_member.h"
#include "rust_side.h"

#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/AsmPrinterAnalysis.h"
#include "llvm/CodeGen/MachinePassManager.h"
#include "llvm/CodeGen/PHIElimination.h"
#include "llvm/CodeGen/RegisterCoalescerPass.h"
#include "llvm/CodeGen/TwoAddressInstructionPass.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Timer.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace llvm;

namespace ptxpasses {

// ---- LLVM's lists -------------------------------------------------------

template <class Unit>
using Concept = detail::PassConcept<Unit, AnalysisManager<Unit>>;
template <class Unit>
using EntryList = std::vector<typename Concept<Unit>::unique_ptr>;
template <class Unit, class Pass>
using Model = detail::PassModel<Unit, Pass, AnalysisManager<Unit>>;

using FunctionsEntry = Model<Module, ModuleToFunctionPassAdaptor>;
using FunctionsManager = Model<Function, FunctionPassManager>;
using MachineEntry = Model<Function, FunctionToMachineFunctionPassAdaptor>;
using MachineManager = Model<MachineFunction, MachineFunctionPassManager>;
PTX_PRIVATE(AdaptorToFunctions, FunctionsEntry, Pass,
            ModuleToFunctionPassAdaptor);
PTX_PRIVATE(PassOnFunctions, ModuleToFunctionPassAdaptor, Pass,
            Concept<Function>::unique_ptr);
PTX_PRIVATE(ManagerOfFunctions, FunctionsManager, Pass, FunctionPassManager);
PTX_PRIVATE(AdaptorToMachineCode, MachineEntry, Pass,
            FunctionToMachineFunctionPassAdaptor);
PTX_PRIVATE(PassOnMachineCode, FunctionToMachineFunctionPassAdaptor, Pass,
            Concept<MachineFunction>::unique_ptr);
PTX_PRIVATE(ManagerOfMachineCode, MachineManager, Pass,
            MachineFunctionPassManager);

namespace {

// The list of a pass manager, which is a protected member.
template <class Unit> struct ListAccess : PassManager<Unit> {
  static EntryList<Unit> &of(PassManager<Unit> &Manager) {
    return Manager.*&ListAccess::Passes;
  }
};

template <class Unit> bool isManager(const Concept<Unit> &Entry) {
  return Entry.name().starts_with("PassManager<");
}

// Returns the list in an adaptor's entry. Null if the entry is of another kind,
// or has one pass and no list.
EntryList<Function> *functionsOf(Concept<Module> &Entry) {
  if (Entry.name() != ModuleToFunctionPassAdaptor::name())
    return nullptr;
  auto &Adaptor =
      static_cast<FunctionsEntry &>(Entry).*pointerTo(AdaptorToFunctions());
  Concept<Function> &Pass = *(Adaptor.*pointerTo(PassOnFunctions()));
  if (!isManager(Pass))
    return nullptr;
  return &ListAccess<Function>::of(static_cast<FunctionsManager &>(Pass).*
                                   pointerTo(ManagerOfFunctions()));
}
EntryList<MachineFunction> *machineCodeOf(Concept<Function> &Entry) {
  if (Entry.name() != FunctionToMachineFunctionPassAdaptor::name())
    return nullptr;
  auto &Adaptor =
      static_cast<MachineEntry &>(Entry).*pointerTo(AdaptorToMachineCode());
  Concept<MachineFunction> &Pass = *(Adaptor.*pointerTo(PassOnMachineCode()));
  if (!isManager(Pass))
    return nullptr;
  return &ListAccess<MachineFunction>::of(static_cast<MachineManager &>(Pass).*
                                          pointerTo(ManagerOfMachineCode()));
}

// ---- our entries --------------------------------------------------------

// An entry that calls a function. Its name must live as long as the entry.
template <class Unit> class Entry final : public Concept<Unit> {
public:
  using Body =
      std::function<PreservedAnalyses(Unit &, AnalysisManager<Unit> &)>;

private:
  Body Call;

  Entry(StringRef Name, bool IsRequired, Body Call)
      : Concept<Unit>(Name, IsRequired, destroy, run, print),
        Call(std::move(Call)) {}
  static void destroy(Concept<Unit> &Self) {
    delete static_cast<Entry *>(&Self);
  }
  static PreservedAnalyses run(Concept<Unit> &Self, Unit &On,
                               AnalysisManager<Unit> &Analyses) {
    return static_cast<Entry &>(Self).Call(On, Analyses);
  }
  static void print(Concept<Unit> &Self, raw_ostream &OS,
                    function_ref<StringRef(StringRef)> PassNameOf) {
    StringRef Known = PassNameOf(Self.name());
    OS << (Known.empty() ? Self.name() : Known);
  }

public:
  static typename Concept<Unit>::unique_ptr make(StringRef Name,
                                                 bool IsRequired, Body Call) {
    return typename Concept<Unit>::unique_ptr(
        new Entry(Name, IsRequired, std::move(Call)));
  }
};

template <class Tag>
using AnalysisOf = typename NewAnalysis<typename Tag::Type>::Type;

void computeNeeded(uint32_t Needs, MachineFunction &MF,
                   MachineFunctionAnalysisManager &Analyses) {
  forEachAnalysis(Needs, [&](auto Tag) {
    Analyses.getResult<AnalysisOf<decltype(Tag)>>(MF);
  });
  if (Needs & PTX_ANALYSIS_ALIASES)
    Analyses.getResult<FunctionAnalysisManagerMachineFunctionProxy>(MF)
        .getManager()
        .getResult<AAManager>(MF.getFunction());
}

PreservedAnalyses kept(uint32_t Keeps) {
  if (Keeps & PTX_ANALYSIS_ALL)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept = getMachineFunctionPassPreservedAnalyses();
  if (Keeps & PTX_ANALYSIS_CFG)
    Kept.preserveSet<CFGAnalyses>();
  forEachAnalysis(
      Keeps, [&](auto Tag) { Kept.preserve<AnalysisOf<decltype(Tag)>>(); });
  return Kept;
}

// A pass of ours in one pipeline: its buffers in Rust, and its neighbours.
struct Placed {
  unsigned Index;
  PtxPassState *State = nullptr;
  std::string Next;                   // see PtxRun
  std::shared_ptr<Placed> TwoAddress; // the one before it, if any

  explicit Placed(unsigned Index) : Index(Index) {}
  ~Placed() { freeState(); }
  Placed(const Placed &) = delete;
  Placed &operator=(const Placed &) = delete;

  void freeState() {
    if (State)
      ptx_entry_points.free_state(std::exchange(State, nullptr));
  }

  // Asked: the analyses that the replaced stock pass asks for.
  PtxOutcome run(MachineFunction &MF, MachineFunctionAnalysisManager &Analyses,
                 uint32_t Asked, bool Skips) {
    if (!State)
      State = ptx_entry_points.new_state(Index);
    PtxPass Info = ptx_entry_points.pass(Index);
    const bool HasIntervals =
        Analyses.getCachedResult<LiveIntervalsAnalysis>(MF);
    computeNeeded(Info.needs | Asked, MF, Analyses);
    HostPass Self(MF, Analyses);
    PtxRun Run = runOn(MF, Self, Index, State);
    // SlotIndexes alone may exist, because LLVM keeps an analysis until a pass
    // changes the function. Our passes update it only together with the
    // intervals.
    if (!Run.lis && !(Info.needs & PTX_ANALYSIS_SLOT_INDEXES))
      Run.indexes = nullptr;
    Run.two_address = TwoAddress ? TwoAddress->State : nullptr;
    Run.optimize = !(Info.asks_to_skip && Skips) && optimizes(MF.getTarget());
    Run.intervals_are_new = Run.lis && !HasIntervals;
    Run.next = str(Next);
    // In addition to the entry's own timer, which is out of reach and has the
    // entry's name.
    std::string Name =
        (ref(Info.argument) + " (" + ptx_entry_points.name() + ")").str();
    NamedRegionTimer Timer(
        ref(Info.argument), Name, ptx_entry_points.name(),
        (Twine("Passes of ") + ptx_entry_points.name()).str(),
        TimePassesIsEnabled);
    return runInRust(Run);
  }
};

// ---- in place of a stock pass -------------------------------------------

// The analyses that the stock passes ask for, and those that they preserve when
// they change a function.
template <class Stock> struct Usage;
template <> struct Usage<PHIEliminationPass> {
  static constexpr uint32_t Asks = 0;
  static void keep(PreservedAnalyses &Kept) {
    Kept.preserve<MachineDominatorTreeAnalysis>();
    Kept.preserve<MachinePostDominatorTreeAnalysis>();
    Kept.preserve<MachineLoopAnalysis>();
    Kept.preserve<MachineBlockFrequencyAnalysis>();
  }
};
template <> struct Usage<TwoAddressInstructionPass> {
  static constexpr uint32_t Asks = 0;
  static void keep(PreservedAnalyses &Kept) {
    Kept.preserve<MachineDominatorTreeAnalysis>();
    Kept.preserve<MachineLoopAnalysis>();
    Kept.preserveSet<CFGAnalyses>();
  }
};
template <> struct Usage<RegisterCoalescerPass> {
  static constexpr uint32_t Asks = PTX_ANALYSIS_INTERVALS | PTX_ANALYSIS_LOOPS;
  static void keep(PreservedAnalyses &Kept) {
    Kept.preserve<MachineDominatorTreeAnalysis>();
    Kept.preserve<MachineLoopAnalysis>();
    Kept.preserveSet<CFGAnalyses>();
  }
};

using MachineConcept = Concept<MachineFunction>;

template <class Stock>
MachineConcept::unique_ptr insteadOf(MachineConcept::unique_ptr Owned,
                                     std::shared_ptr<Placed> Ours) {
  std::shared_ptr<MachineConcept> StockEntry = std::move(Owned);
  auto Run = [=](MachineFunction &MF,
                 MachineFunctionAnalysisManager &Analyses) {
    // The properties that the stock pass sets and clears.
    Stock Properties;
    MFPropsModifier<Stock> Modifier(Properties, MF);
    // Required entries must ask -opt-bisect-limit themselves, so that it counts
    // them.
    const Function &F = MF.getFunction();
    const bool Skips =
        ptx_entry_points.pass(Ours->Index).asks_to_skip &&
        (F.hasOptNone() ||
         detail::shouldSkipOptimizationForOptBisect(F, Stock::name()));
    switch (Ours->run(MF, Analyses, Usage<Stock>::Asks, Skips)) {
    case PTX_UNCHANGED:
      return PreservedAnalyses::all();
    case PTX_CHANGED: {
      PreservedAnalyses Kept = getMachineFunctionPassPreservedAnalyses();
      Usage<Stock>::keep(Kept);
      if (Analyses.getCachedResult<LiveIntervalsAnalysis>(MF)) {
        Kept.preserve<LiveIntervalsAnalysis>();
        Kept.preserve<SlotIndexesAnalysis>();
      }
      return Kept;
    }
    default:
      return StockEntry->run(MF, Analyses);
    }
  };
  return Entry<MachineFunction>::make(Stock::name(), /*IsRequired=*/true, Run);
}

MachineConcept::unique_ptr replaced(MachineConcept::unique_ptr Stock,
                                    const std::shared_ptr<Placed> &Ours) {
  StringRef Name = Stock->name();
  if (Name == PHIEliminationPass::name())
    return insteadOf<PHIEliminationPass>(std::move(Stock), Ours);
  if (Name == TwoAddressInstructionPass::name())
    return insteadOf<TwoAddressInstructionPass>(std::move(Stock), Ours);
  if (Name == RegisterCoalescerPass::name())
    return insteadOf<RegisterCoalescerPass>(std::move(Stock), Ours);
  fail("no pass can stand in for '" + Name + "' in the new pass manager");
}

// ---- a pass that LLVM does not have -------------------------------------

MachineConcept::unique_ptr added(const std::shared_ptr<Placed> &Ours) {
  PtxPass Info = ptx_entry_points.pass(Ours->Index);
  auto Run = [=](MachineFunction &MF,
                 MachineFunctionAnalysisManager &Analyses) {
    // An entry that is not required has already been counted by
    // -opt-bisect-limit.
    PtxOutcome Outcome =
        Ours->run(MF, Analyses, /*Asked=*/0, MF.getFunction().hasOptNone());
    return Outcome == PTX_CHANGED ? kept(Info.keeps) : PreservedAnalyses::all();
  };
  return Entry<MachineFunction>::make(ref(Info.argument), !Info.asks_to_skip,
                                      Run);
}

// ---- the pipeline -------------------------------------------------------

class Entering {
  TargetMachine &TM;
  PassInstrumentationCallbacks *Callbacks;
  // Maps class names to the pass names that users know. A host may have filled
  // in none.
  LLVMContext Context;
  PassInstrumentationCallbacks Names;
  PassBuilder Builder;
  std::vector<std::shared_ptr<Placed>> All;
  std::shared_ptr<Placed> TwoAddress;

  bool isOurs(unsigned I) const { return takes(I, TM); }

  std::shared_ptr<Placed> place(unsigned Index) {
    auto Ours = std::make_shared<Placed>(Index);
    Ours->TwoAddress = TwoAddress;
    All.push_back(Ours);
    return Ours;
  }

  template <class Visit>
  void forEachAt(StringRef Anchor, PtxPlace Place, Visit Visitor) {
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I) {
      PtxPass P = ptx_entry_points.pass(I);
      if (P.place == Place && !P.is_analysis && ref(P.anchor) == Anchor &&
          isOurs(I))
        Visitor(I);
    }
  }

  // Adds the passes that run before or after a pass of this name, and those
  // that run before or after them.
  void addAt(StringRef Anchor, PtxPlace Place, EntryList<MachineFunction> &To) {
    forEachAt(Anchor, Place, [&](unsigned I) {
      StringRef Own = ref(ptx_entry_points.pass(I).argument);
      if (Callbacks)
        Callbacks->addClassToPassName(Own, Own);
      addAt(Own, PTX_PLACE_BEFORE, To);
      setNext(Own);
      To.push_back(added(place(I)));
      addAt(Own, PTX_PLACE_AFTER, To);
    });
  }

  // Notes that the pass of this name comes right after the one placed last.
  void setNext(StringRef Name) {
    if (!All.empty() && All.back()->Next.empty())
      All.back()->Next = Name.str();
  }

  void enter(EntryList<MachineFunction> &List) {
    EntryList<MachineFunction> Stock = std::exchange(List, {});
    for (MachineConcept::unique_ptr &Entry : Stock) {
      std::string Name = Names.getPassNameForClassName(Entry->name()).str();
      addAt(Name, PTX_PLACE_BEFORE, List);
      if (Name == "finalize-isel")
        Entry = finishing(std::move(Entry));
      if (!Name.empty())
        setNext(Name);
      forEachAt(Name, PTX_PLACE_INSTEAD, [&](unsigned I) {
        std::shared_ptr<Placed> Ours = place(I);
        if (Entry->name() == TwoAddressInstructionPass::name())
          TwoAddress = Ours;
        Entry = replaced(std::move(Entry), Ours);
      });
      List.push_back(std::move(Entry));
      addAt(Name, PTX_PLACE_AFTER, List);
    }
  }

  // finalize-isel, preceded by the emitter's last step on a function. The
  // emitter itself has run block by block.
  MachineConcept::unique_ptr finishing(MachineConcept::unique_ptr Owned) {
    bool Emits = false;
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I)
      Emits |= ptx_entry_points.pass(I).place == PTX_PLACE_EMITTER && isOurs(I);
    if (!Emits)
      return Owned;
    StringRef Name = Owned->name();
    bool IsRequired = Owned->isRequired();
    std::shared_ptr<MachineConcept> Stock = std::move(Owned);
    auto Run = [Stock](MachineFunction &MF,
                       MachineFunctionAnalysisManager &Analyses) {
      PreservedAnalyses Kept = PreservedAnalyses::all();
      if (finishSelection(MF)) {
        Kept = kept(PTX_ANALYSIS_CFG);
        Analyses.invalidate(MF, Kept);
      }
      Kept.intersect(Stock->run(MF, Analyses));
      return Kept;
    };
    return ptxpasses::Entry<MachineFunction>::make(Name, IsRequired, Run);
  }

  bool contains(const EntryList<Function> &List, StringRef Name) {
    return any_of(List, [&](const Concept<Function>::unique_ptr &Entry) {
      return Names.getPassNameForClassName(Entry->name()) == Name;
    });
  }

  Concept<Module>::unique_ptr irStage(const IrStage &Stage) {
    auto Run = [&Machine = TM, &Stage](Module &M, ModuleAnalysisManager &) {
      return Stage.run(M, Machine) ? PreservedAnalyses::none()
                                   : PreservedAnalyses::all();
    };
    return Entry<Module>::make(Stage.Name, /*IsRequired=*/false, Run);
  }

  Concept<Module>::unique_ptr writingHead() {
    auto Run = [&Machine = TM](Module &M, ModuleAnalysisManager &Analyses) {
      const PtxStr Line = ptx_entry_points.head(archOf(Machine));
      if (Line.len)
        Analyses.getResult<AsmPrinterAnalysis>(M)
            .getPrinter()
            .OutStreamer->emitRawComment(" " + ref(Line),
                                         /*TabPrefix=*/false);
      return PreservedAnalyses::all();
    };
    return Entry<Module>::make("WriteHead", /*IsRequired=*/true, Run);
  }

  Concept<Module>::unique_ptr beginning() {
    auto Run = [&Machine = TM](Module &, ModuleAnalysisManager &) {
      ptx_entry_points.begin_module(archOf(Machine));
      return PreservedAnalyses::all();
    };
    return Entry<Module>::make("BeginModule", /*IsRequired=*/true, Run);
  }

  // Functions are forgotten with their module.
  Concept<Module>::unique_ptr ending() {
    auto Run = [Placed = All](Module &, ModuleAnalysisManager &) {
      for (const auto &Ours : Placed)
        Ours->freeState();
      return PreservedAnalyses::all();
    };
    return Entry<Module>::make("EndModule", /*IsRequired=*/true, Run);
  }

  // An anchor may be missing if LLVM does not optimise, or if an option ends
  // the pipeline. But LLVM must know the name.
  void checkAnchors() {
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I) {
      PtxPass P = ptx_entry_points.pass(I);
      if (P.place == PTX_PLACE_EMITTER || P.is_analysis || !isOurs(I) ||
          isArgumentOfOurs(ref(P.anchor)))
        continue;
      MachineFunctionPassManager Parsed;
      if (Error Unknown = Builder.parsePassPipeline(Parsed, ref(P.anchor))) {
        consumeError(std::move(Unknown));
        fail("pass '" + ref(P.argument) + "' is to run at '" + ref(P.anchor) +
             "', which LLVM's new pass manager has no pass of this name for");
      }
    }
  }
  bool isArgumentOfOurs(StringRef Anchor) {
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I) {
      PtxPass P = ptx_entry_points.pass(I);
      if ((P.place == PTX_PLACE_BEFORE || P.place == PTX_PLACE_AFTER) &&
          ref(P.argument) == Anchor)
        return true;
    }
    return false;
  }

  // Notes which passes stay LLVM's own although we would replace them.
  void notePipeline() {
    std::string Text = "the new pass manager's, with our passes";
    std::vector<StringRef> Left;
    for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I) {
      PtxPass P = ptx_entry_points.pass(I);
      if (P.is_analysis && isOurs(I))
        Left.push_back(ref(P.argument));
    }
    if (ptx_entry_points.chooses_loops(archOf(TM)))
      Left.push_back("loop-reduce");
    if (!Left.empty())
      Text += "; LLVM's own: " + join(Left, ", ");
    ptx_entry_points.note_pipeline(str(Text));
  }

public:
  Entering(TargetMachine &TM, PassInstrumentationCallbacks *Callbacks)
      : TM(TM), Callbacks(Callbacks),
        Builder(Context, &TM, std::nullopt, std::nullopt, &Names) {}

  void enter(ModulePassManager &MPM) {
    checkAnchors();
    auto Stages = irStagesOf(TM);
    EntryList<Module> &List = ListAccess<Module>::of(MPM);
    EntryList<Module> Stock = std::exchange(List, {});
    List.push_back(beginning());
    for (Concept<Module>::unique_ptr &Entry : Stock) {
      if (EntryList<Function> *OnFunctions = functionsOf(*Entry)) {
        if (contains(*OnFunctions, "infer-address-spaces")) {
          for (const IrStage *Stage : std::exchange(Stages, {}))
            List.push_back(irStage(*Stage));
        }
        for (Concept<Function>::unique_ptr &Inner : *OnFunctions)
          if (EntryList<MachineFunction> *OnCode = machineCodeOf(*Inner))
            enter(*OnCode);
      }
      if (Names.getPassNameForClassName(Entry->name()) ==
          "nvptx-asm-printer-begin")
        List.push_back(writingHead());
      List.push_back(std::move(Entry));
    }
    List.push_back(ending());
    notePipeline();
  }
};

} // namespace

void enterNewPipeline(TargetMachine &TM, ModulePassManager &MPM,
                      PassInstrumentationCallbacks *Callbacks) {
  for (unsigned I = 0, E = ptx_entry_points.num_passes(); I != E; ++I)
    if (ptx_entry_points.pass(I).place == PTX_PLACE_EMITTER)
      enterEmitter();
  Entering(TM, Callbacks).enter(MPM);
}

} // namespace ptxpasses
#endif
