// The differences between LLVM 17 and 24 that the shim sees, except those of
// the emitter, which are in compat_emitter.h. The other files have no condition
// on the version.
#pragma once

#include "ptxpasses.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/CodeGen/LiveIntervalCalc.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveVariables.h"
#include "llvm/CodeGen/MachineBlockFrequencyInfo.h"
#include "llvm/CodeGen/MachineBranchProbabilityInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachinePostDominators.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/SlotIndexes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Config/abi-breaking.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <cstring>
#include <memory>
#include <optional>
#include <string>

#if LLVM_VERSION_MAJOR >= 20
#include "llvm/CodeGen/MachineDomTreeUpdater.h"
#endif
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

// Whether LLVM computes LiveVariables of virtual registers. From 24 on the
// class has no facts about them.
#define PTX_HAS_VARIABLES (LLVM_VERSION_MAJOR < 24)

#if LLVM_VERSION_MAJOR < 17 || LLVM_VERSION_MAJOR > 24
#error "ptxpasses supports LLVM 17 to 24"
#endif

// Whether LLVM calls back when a pipeline is made (llvm/llvm-project#139059).
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Target/RegisterTargetPassConfigCallback.h"
#define PTX_HAS_PASS_CONFIG_CALLBACK 1
#else
#define PTX_HAS_PASS_CONFIG_CALLBACK 0
#endif

// Whether NVPTX has a pipeline for the new pass manager, and a target may make
// it its default.
#if LLVM_VERSION_MAJOR >= 24
#include "llvm/Support/LibraryOptionsContext.h"
#include "llvm/Target/CGPassBuilderOption.h"
#define PTX_HAS_NEW_PIPELINE 1
#else
#define PTX_HAS_NEW_PIPELINE 0
#endif

// Whether the schedulers have a virtual function that labels their graphs. From
// LLVM 24 on they do only with assertions.
#if LLVM_VERSION_MAJOR < 24
#define PTX_LABELS_SCHEDULE_GRAPHS 1
#elif !defined(NDEBUG) && LLVM_ENABLE_ABI_BREAKING_CHECKS
#define PTX_LABELS_SCHEDULE_GRAPHS 1
#else
#define PTX_LABELS_SCHEDULE_GRAPHS 0
#endif

namespace ptxpasses {

// The target's descriptions, from a function, block or instruction.
inline const llvm::TargetRegisterInfo &tri(const llvm::MachineFunction &MF) {
  return *MF.getSubtarget().getRegisterInfo();
}
inline const llvm::TargetRegisterInfo &tri(const llvm::MachineBasicBlock &MBB) {
  return tri(*MBB.getParent());
}
inline const llvm::TargetRegisterInfo &tri(const llvm::MachineInstr &MI) {
  return tri(*MI.getMF());
}
inline const llvm::TargetInstrInfo &tii(const llvm::MachineFunction &MF) {
  return *MF.getSubtarget().getInstrInfo();
}
inline const llvm::TargetInstrInfo &tii(const llvm::MachineBasicBlock &MBB) {
  return tii(*MBB.getParent());
}
inline const llvm::TargetInstrInfo &tii(const llvm::MachineInstr &MI) {
  return tii(*MI.getMF());
}

// The analyses became results of wrapper passes in LLVM 19.
#if LLVM_VERSION_MAJOR >= 19
using LiveVariablesPass = llvm::LiveVariablesWrapperPass;
using LiveIntervalsPass = llvm::LiveIntervalsWrapperPass;
using SlotIndexesPass = llvm::SlotIndexesWrapperPass;
using MachineDominatorsPass = llvm::MachineDominatorTreeWrapperPass;
#if PTX_HAS_VARIABLES
inline llvm::LiveVariables &resultOf(LiveVariablesPass &P) { return P.getLV(); }
#endif
inline llvm::LiveIntervals &resultOf(LiveIntervalsPass &P) {
  return P.getLIS();
}
inline llvm::SlotIndexes &resultOf(SlotIndexesPass &P) { return P.getSI(); }
inline llvm::MachineDominatorTree &resultOf(MachineDominatorsPass &P) {
  return P.getDomTree();
}
using MachineLoopsPass = llvm::MachineLoopInfoWrapperPass;
inline llvm::MachineLoopInfo &resultOf(MachineLoopsPass &P) {
  return P.getLI();
}
using FrequenciesPass = llvm::MachineBlockFrequencyInfoWrapperPass;
inline llvm::MachineBlockFrequencyInfo &resultOf(FrequenciesPass &P) {
  return P.getMBFI();
}
using LiveIntervalCalcPtr = std::unique_ptr<llvm::LiveIntervalCalc>;
inline LiveIntervalCalcPtr newLiveIntervalCalc() {
  return std::make_unique<llvm::LiveIntervalCalc>();
}
#else
using LiveVariablesPass = llvm::LiveVariables;
using LiveIntervalsPass = llvm::LiveIntervals;
using SlotIndexesPass = llvm::SlotIndexes;
using MachineDominatorsPass = llvm::MachineDominatorTree;
inline llvm::LiveVariables &resultOf(LiveVariablesPass &P) { return P; }
inline llvm::LiveIntervals &resultOf(LiveIntervalsPass &P) { return P; }
inline llvm::SlotIndexes &resultOf(SlotIndexesPass &P) { return P; }
inline llvm::MachineDominatorTree &resultOf(MachineDominatorsPass &P) {
  return P;
}
using MachineLoopsPass = llvm::MachineLoopInfo;
inline llvm::MachineLoopInfo &resultOf(MachineLoopsPass &P) { return P; }
using FrequenciesPass = llvm::MachineBlockFrequencyInfo;
inline llvm::MachineBlockFrequencyInfo &resultOf(FrequenciesPass &P) {
  return P;
}
using LiveIntervalCalcPtr = llvm::LiveIntervalCalc *;
inline LiveIntervalCalcPtr newLiveIntervalCalc() {
  return new llvm::LiveIntervalCalc(); // LiveIntervals deletes it
}
#endif

#if LLVM_VERSION_MAJOR >= 19
using MachinePostDominatorsPass = llvm::MachinePostDominatorTreeWrapperPass;
inline llvm::MachinePostDominatorTree &resultOf(MachinePostDominatorsPass &P) {
  return P.getPostDomTree();
}
#else
using MachinePostDominatorsPass = llvm::MachinePostDominatorTree;
inline llvm::MachinePostDominatorTree &resultOf(MachinePostDominatorsPass &P) {
  return P;
}
#endif

#if LLVM_VERSION_MAJOR >= 23
using ProbabilitiesPass = llvm::MachineBranchProbabilityInfoWrapperPass;
inline llvm::MachineBranchProbabilityInfo &resultOf(ProbabilitiesPass &P) {
  return P.getMBPI();
}
#endif

template <class AnalysisPass> auto *available(llvm::Pass &P) {
  auto *A = P.getAnalysisIfAvailable<AnalysisPass>();
  return A ? &resultOf(*A) : nullptr;
}

// Calls a function for each analysis of machine code in a set of
// PTX_ANALYSIS_*, with a value whose `Type` is its pass.
template <class AnalysisPass> struct AnalysisTag {
  using Type = AnalysisPass;
};
template <class Visit> void forEachAnalysis(uint32_t Set, Visit Visitor) {
  if (Set & PTX_ANALYSIS_SLOT_INDEXES)
    Visitor(AnalysisTag<SlotIndexesPass>());
  if (Set & PTX_ANALYSIS_INTERVALS)
    Visitor(AnalysisTag<LiveIntervalsPass>());
  if (Set & PTX_ANALYSIS_DOMINATORS)
    Visitor(AnalysisTag<MachineDominatorsPass>());
  if (Set & PTX_ANALYSIS_LOOPS)
    Visitor(AnalysisTag<MachineLoopsPass>());
  if (Set & PTX_ANALYSIS_FREQUENCIES)
    Visitor(AnalysisTag<FrequenciesPass>());
}

#if PTX_HAS_NEW_PIPELINE
// The analysis of the new pass manager that corresponds to a pass of the legacy
// one.
template <class AnalysisPass> struct NewAnalysis;
template <> struct NewAnalysis<LiveIntervalsPass> {
  using Type = llvm::LiveIntervalsAnalysis;
};
template <> struct NewAnalysis<SlotIndexesPass> {
  using Type = llvm::SlotIndexesAnalysis;
};
template <> struct NewAnalysis<MachineDominatorsPass> {
  using Type = llvm::MachineDominatorTreeAnalysis;
};
template <> struct NewAnalysis<MachinePostDominatorsPass> {
  using Type = llvm::MachinePostDominatorTreeAnalysis;
};
template <> struct NewAnalysis<MachineLoopsPass> {
  using Type = llvm::MachineLoopAnalysis;
};
template <> struct NewAnalysis<FrequenciesPass> {
  using Type = llvm::MachineBlockFrequencyAnalysis;
};
template <> struct NewAnalysis<ProbabilitiesPass> {
  using Type = llvm::MachineBranchProbabilityAnalysis;
};
#endif

// A pass that runs on a function, as the C ABI's implementation needs it: a
// pass of the legacy pass manager, or an entry in a pipeline of the new one.
class HostPass {
  llvm::Pass *Legacy = nullptr;
#if PTX_HAS_NEW_PIPELINE
  llvm::MachineFunction *MF = nullptr;
  llvm::MachineFunctionAnalysisManager *Analyses = nullptr;
#endif

public:
  explicit HostPass(llvm::Pass &P) : Legacy(&P) {}
#if PTX_HAS_NEW_PIPELINE
  HostPass(llvm::MachineFunction &MF,
           llvm::MachineFunctionAnalysisManager &Analyses)
      : MF(&MF), Analyses(&Analyses) {}
#endif

  // Null in the new pass manager.
  llvm::Pass *legacy() const { return Legacy; }

  // Returns an analysis if it is there, and null otherwise.
  template <class AnalysisPass> auto *available() {
#if PTX_HAS_NEW_PIPELINE
    if (!Legacy)
      return Analyses
          ->getCachedResult<typename NewAnalysis<AnalysisPass>::Type>(*MF);
#endif
    return ptxpasses::available<AnalysisPass>(*Legacy);
  }

  llvm::AAResults *availableAliases() {
#if PTX_HAS_NEW_PIPELINE
    if (!Legacy)
      return Analyses
          ->getResult<llvm::FunctionAnalysisManagerMachineFunctionProxy>(*MF)
          .getManager()
          .getCachedResult<llvm::AAManager>(MF->getFunction());
#endif
    auto *AA = Legacy->getAnalysisIfAvailable<llvm::AAResultsWrapperPass>();
    return AA ? &AA->getAAResults() : nullptr;
  }

  // Runs LLVM's verifier on the function.
  void verify(const llvm::MachineFunction &F, const char *Banner) {
#if PTX_HAS_NEW_PIPELINE
    if (!Legacy) {
      F.verify(*Analyses, Banner, &llvm::errs());
      return;
    }
#endif
#if LLVM_VERSION_MAJOR >= 21
    F.verify(Legacy, Banner, &llvm::errs());
#else
    F.verify(Legacy, Banner);
#endif
  }

  // Splits an edge. `More` are this LLVM's arguments besides the pass.
  template <class... Args>
  llvm::MachineBasicBlock *splitEdge(llvm::MachineBasicBlock &Pred,
                                     llvm::MachineBasicBlock &Succ,
                                     Args... More) {
#if PTX_HAS_NEW_PIPELINE
    if (!Legacy)
      return Pred.SplitCriticalEdge(&Succ, *Analyses, More...);
#endif
    return Pred.SplitCriticalEdge(&Succ, *Legacy, More...);
  }
};

inline llvm::LiveVariables *availableVariables([[maybe_unused]] llvm::Pass &P) {
#if PTX_HAS_VARIABLES
  return available<LiveVariablesPass>(P);
#else
  return nullptr;
#endif
}

// CodeGenOpt::Level became the scoped CodeGenOptLevel in LLVM 18.
inline bool optimizes(const llvm::TargetMachine &TM) {
#if LLVM_VERSION_MAJOR >= 18
  return TM.getOptLevel() != llvm::CodeGenOptLevel::None;
#else
  return TM.getOptLevel() != llvm::CodeGenOpt::None;
#endif
}

// Sets how much code LoopUnroll may add to compute a trip count. Before LLVM 21
// it is a constant of LLVM's.
template <class UnrollOptions>
void setExpansionBudget([[maybe_unused]] UnrollOptions &Options,
                        [[maybe_unused]] unsigned Budget) {
#if LLVM_VERSION_MAJOR >= 21
  Options.SCEVExpansionBudget = Budget;
#endif
}

inline void setTiedOpsRewritten(llvm::MachineFunction &MF) {
#if LLVM_VERSION_MAJOR >= 21
  MF.getProperties().setTiedOpsRewritten();
#else
  MF.getProperties().set(
      llvm::MachineFunctionProperties::Property::TiedOpsRewritten);
#endif
}

inline void setNoPHIs(llvm::MachineFunction &MF) {
#if LLVM_VERSION_MAJOR >= 21
  MF.getProperties().setNoPHIs();
#else
  MF.getProperties().set(llvm::MachineFunctionProperties::Property::NoPHIs);
#endif
}

// The alias analysis is no longer a parameter. The compiler finds out whether
// LLVM 20 still has it.
template <class Instr>
auto isSafeToMove(const Instr &MI, llvm::AAResults *AA, bool SeenStore)
    -> decltype(MI.isSafeToMove(AA, SeenStore)) {
  return MI.isSafeToMove(AA, SeenStore);
}
template <class Instr>
auto isSafeToMove(const Instr &MI, llvm::AAResults *, bool SeenStore)
    -> decltype(MI.isSafeToMove(SeenStore)) {
  return MI.isSafeToMove(SeenStore);
}

// Since LLVM 20 call sites are one kind of call info. The compiler finds out
// which form there is.
template <class Instr>
auto moveCallInfo(Instr &From, Instr &To)
    -> decltype(From.shouldUpdateAdditionalCallInfo(), void()) {
  if (From.shouldUpdateAdditionalCallInfo())
    From.getMF()->moveAdditionalCallInfo(&From, &To);
}
template <class Instr>
auto moveCallInfo(Instr &From, Instr &To)
    -> decltype(From.shouldUpdateCallSiteInfo(), void()) {
  if (From.shouldUpdateCallSiteInfo())
    From.getMF()->moveCallSiteInfo(&From, &To);
}

template <class Instr>
auto eraseCallInfo(Instr &MI)
    -> decltype(MI.shouldUpdateAdditionalCallInfo(), void()) {
  if (MI.shouldUpdateAdditionalCallInfo())
    MI.getMF()->eraseAdditionalCallInfo(&MI);
}
template <class Instr>
auto eraseCallInfo(Instr &MI)
    -> decltype(MI.shouldUpdateCallSiteInfo(), void()) {
  if (MI.shouldUpdateCallSiteInfo())
    MI.getMF()->eraseCallSiteInfo(&MI);
}

// Whether an instruction may be rematerialised. Since LLVM 22 registers that it
// reads do not matter here.
inline bool isReMaterializable(const llvm::TargetInstrInfo &TII,
                               const llvm::MachineInstr &MI) {
#if LLVM_VERSION_MAJOR >= 22
  return TII.isReMaterializable(MI);
#else
  return TII.isTriviallyReMaterializable(MI);
#endif
}

inline void
reMaterialize(const llvm::TargetInstrInfo &TII, llvm::MachineBasicBlock &MBB,
              llvm::MachineBasicBlock::iterator Before, llvm::Register Dst,
              const llvm::MachineInstr &Def,
              [[maybe_unused]] const llvm::TargetRegisterInfo &TRI) {
#if LLVM_VERSION_MAJOR >= 22
  TII.reMaterialize(MBB, Before, Dst, /*SubIdx=*/0, Def);
#else
  TII.reMaterialize(MBB, Before, Dst, /*SubIdx=*/0, Def, TRI);
#endif
}

// MachineInstr::killsRegister for exactly this register; LLVM's also finds
// overlapping registers.
inline bool killsRegister(const llvm::MachineInstr &MI, llvm::Register Reg) {
  return llvm::any_of(MI.operands(), [Reg](const llvm::MachineOperand &MO) {
    return MO.isReg() && MO.getReg() == Reg && MO.isUse() && MO.isKill();
  });
}

// If the target's description is given, overlapping registers count too.
inline bool readsRegister(const llvm::MachineInstr &MI, llvm::Register Reg,
                          const llvm::TargetRegisterInfo *TRI = nullptr) {
  return MI.readsRegister(Reg, TRI);
}

inline bool registerDefIsDead(const llvm::MachineInstr &MI,
                              llvm::Register Reg) {
#if LLVM_VERSION_MAJOR >= 19
  return MI.registerDefIsDead(Reg, /*TRI=*/nullptr);
#else
  return MI.registerDefIsDead(Reg);
#endif
}

// Since LLVM 18 a subtarget may lack the last registers of its target.
inline unsigned numSupportedRegs(const llvm::MachineFunction &MF) {
#if LLVM_VERSION_MAJOR >= 18
  return tri(MF).getNumSupportedRegs(MF);
#else
  return tri(MF).getNumRegs();
#endif
}

inline const llvm::TargetRegisterClass *
regClassOfOperand(const llvm::TargetInstrInfo &TII,
                  const llvm::MCInstrDesc &Desc, unsigned Index,
                  [[maybe_unused]] const llvm::MachineFunction &MF) {
#if LLVM_VERSION_MAJOR >= 22
  return TII.getRegClass(Desc, Index);
#else
  return TII.getRegClass(Desc, Index, &tri(MF), MF);
#endif
}

// For a group of an inline assembly's operands: how many registers it has, and
// the group that it is tied to, ~0U for none.
inline std::pair<unsigned, unsigned> inlineAsmGroup(int64_t Flag) {
  unsigned TiedTo = ~0U;
#if LLVM_VERSION_MAJOR >= 18
  llvm::InlineAsm::Flag F(Flag);
  F.isUseOperandTiedToDef(TiedTo);
  return {F.getNumOperandRegisters(), TiedTo};
#else
  llvm::InlineAsm::isUseOperandTiedToDef(Flag, TiedTo);
  return {llvm::InlineAsm::getNumOperandRegisters(Flag), TiedTo};
#endif
}

// Since LLVM 22 loops matter. The compiler finds out.
template <class Block>
auto canSplitCriticalEdge(const Block &Pred, const Block &Succ,
                          const llvm::MachineLoopInfo *Loops)
    -> decltype(Pred.canSplitCriticalEdge(&Succ, Loops)) {
  return Pred.canSplitCriticalEdge(&Succ, Loops);
}
template <class Block, class... None>
auto canSplitCriticalEdge(const Block &Pred, const Block &Succ,
                          const llvm::MachineLoopInfo *, None...)
    -> decltype(Pred.canSplitCriticalEdge(&Succ)) {
  return Pred.canSplitCriticalEdge(&Succ);
}

// Updates dominator trees when an edge is split. Since LLVM 20 an updater
// collects the changes, since 22 those of the post-dominator tree too. Before,
// the tree is told at once, and the splitting pass recomputes it.
#if LLVM_VERSION_MAJOR >= 20
class DominatorUpdater {
  llvm::MachineDomTreeUpdater Updater;

public:
  DominatorUpdater(llvm::MachineDominatorTree *Tree,
                   [[maybe_unused]] llvm::MachinePostDominatorTree *PostTree)
#if LLVM_VERSION_MAJOR >= 22
      : Updater(Tree, PostTree,
#else
      : Updater(Tree,
#endif
                llvm::MachineDomTreeUpdater::UpdateStrategy::Lazy) {
  }
  llvm::MachineBasicBlock *
  split(llvm::MachineBasicBlock &Pred, llvm::MachineBasicBlock &Succ,
        HostPass &P,
        [[maybe_unused]] std::vector<llvm::SparseBitVector<>> *LiveInSets) {
#if PTX_HAS_VARIABLES
    return P.splitEdge(Pred, Succ, LiveInSets, &Updater);
#else
    return P.splitEdge(Pred, Succ, &Updater);
#endif
  }
};
#else
struct DominatorUpdater {
  DominatorUpdater(llvm::MachineDominatorTree *,
                   llvm::MachinePostDominatorTree *) {}
  llvm::MachineBasicBlock *
  split(llvm::MachineBasicBlock &Pred, llvm::MachineBasicBlock &Succ,
        HostPass &P, std::vector<llvm::SparseBitVector<>> *LiveInSets) {
    return P.splitEdge(Pred, Succ, LiveInSets);
  }
};
#endif

// Since LLVM 23 block frequencies are kept up to date, if they have been
// computed.
inline void noteSplitEdge([[maybe_unused]] HostPass &P,
                          [[maybe_unused]] llvm::MachineBasicBlock &Pred,
                          [[maybe_unused]] llvm::MachineBasicBlock &New) {
#if LLVM_VERSION_MAJOR >= 23
  auto *Frequencies = P.available<FrequenciesPass>();
  auto *Probabilities = P.available<ProbabilitiesPass>();
  if (Frequencies && Probabilities)
    Frequencies->onEdgeSplit(Pred, New, *Probabilities);
#endif
}
inline void recalculate(llvm::MachineDominatorTree &Tree,
                        llvm::MachineFunction &MF) {
#if LLVM_VERSION_MAJOR >= 20
  Tree.recalculate(MF);
#else
  Tree.getBase().recalculate(MF);
#endif
}

// An instruction as a conditional branch, a class of its own from LLVM 23 on.
#if LLVM_VERSION_MAJOR >= 23
inline llvm::CondBrInst *conditionalBranch(llvm::Instruction &I) {
  return llvm::dyn_cast<llvm::CondBrInst>(&I);
}
#else
inline llvm::BranchInst *conditionalBranch(llvm::Instruction &I) {
  auto *Branch = llvm::dyn_cast<llvm::BranchInst>(&I);
  return Branch && Branch->isConditional() ? Branch : nullptr;
}
#endif

// LLVM 24 no longer has a member function of Instruction for this.
inline bool isDebugOrPseudo(const llvm::Instruction &I) {
  return llvm::isa<llvm::DbgInfoIntrinsic, llvm::PseudoProbeInst>(I);
}

// Since LLVM 24 the target machine keeps some code-generator options as text.
// Returns the text of one. Returns nothing if it is still a normal option or
// was not given.
inline std::optional<std::string>
libraryOption([[maybe_unused]] const llvm::TargetMachine &TM,
              [[maybe_unused]] llvm::StringRef Name) {
  std::optional<std::string> Text;
#if LLVM_VERSION_MAJOR >= 24
  if (auto *Given = TM.Options.MCOptions.LibraryOptions)
    for (llvm::StringRef Argument : Given->args()) {
      auto [Spelled, Value] = Argument.split('=');
      if (Spelled.ltrim('-') == Name)
        Text = Value.str();
    }
#endif
  return Text;
}

// Since LLVM 22 register units have their own type. Since 21 the constructor of
// virtual registers is elsewhere.
#if LLVM_VERSION_MAJOR >= 22
using RegUnit = llvm::MCRegUnit;
#else
using RegUnit = unsigned;
#endif
inline llvm::Register virtReg(unsigned Index) {
  return llvm::Register::index2VirtReg(Index);
}

// The text that an instruction begins with, and the printer's bits for the
// rest; the bits are zero if it cannot be printed.
inline std::pair<const char *, uint64_t> mnemonic(llvm::MCInstPrinter &Printer,
                                                  const llvm::MCInst &Inst) {
#if LLVM_VERSION_MAJOR >= 20
  return Printer.getMnemonic(Inst);
#else
  return Printer.getMnemonic(&Inst);
#endif
}

// Since LLVM 23 a target machine returns references to some descriptions.
template <class T> const T &referenceTo(const T *P) { return *P; }
template <class T> const T &referenceTo(const T &R) { return R; }

inline std::unique_ptr<llvm::MCInstPrinter>
newInstPrinter(const llvm::TargetMachine &TM) {
  return std::unique_ptr<llvm::MCInstPrinter>(
      TM.getTarget().createMCInstPrinter(
          TM.getTargetTriple(), /*SyntaxVariant=*/0,
          referenceTo(TM.getMCAsmInfo()), *TM.getMCInstrInfo(),
          referenceTo(TM.getMCRegisterInfo())));
}

// Until LLVM 22 a type is passed.
inline const llvm::TargetRegisterClass *
minimalPhysRegClass(const llvm::TargetRegisterInfo &TRI, llvm::MCRegister Reg,
                    [[maybe_unused]] llvm::MVT Type) {
#if LLVM_VERSION_MAJOR >= 23
  return TRI.getMinimalPhysRegClass(Reg);
#else
  return TRI.getMinimalPhysRegClass(Reg, Type);
#endif
}

// Since LLVM 23 a target may make a copy in addition to the result. It gets no
// slot here; NVPTX folds nothing.
inline llvm::MachineInstr *foldMemoryOperand(const llvm::TargetInstrInfo &TII,
                                             llvm::MachineInstr &MI,
                                             llvm::ArrayRef<unsigned> Operands,
                                             llvm::MachineInstr &Load,
                                             llvm::LiveIntervals *LIS) {
#if LLVM_VERSION_MAJOR >= 23
  llvm::MachineInstr *Copy = nullptr;
  return TII.foldMemoryOperand(MI, Operands, Load, Copy, LIS);
#else
  return TII.foldMemoryOperand(MI, Operands, Load, LIS);
#endif
}

// Since LLVM 24 the instruction and the operand's position are passed.
inline bool isIgnorableUse(const llvm::MachineInstr &MI, unsigned Index) {
#if LLVM_VERSION_MAJOR >= 24
  return tii(MI).isIgnorableUse(MI, Index);
#else
  return tii(MI).isIgnorableUse(MI.getOperand(Index));
#endif
}

inline llvm::MachineInstr *
convertToThreeAddress(llvm::MachineInstr &MI,
                      [[maybe_unused]] llvm::LiveVariables *LV,
                      llvm::LiveIntervals *LIS) {
#if PTX_HAS_VARIABLES
  return tii(MI).convertToThreeAddress(MI, LV, LIS);
#else
  return tii(MI).convertToThreeAddress(MI, LIS);
#endif
}

// Since LLVM 24 -opt-bisect-limit may apply to some functions only.
inline bool shouldRunPass(llvm::OptPassGate &Gate, llvm::StringRef Pass,
                          const llvm::Function &F) {
  std::string Where = ("function (" + F.getName() + ")").str();
#if LLVM_VERSION_MAJOR >= 24
  return Gate.shouldRunPass(Pass, Where, F.getName());
#else
  return Gate.shouldRunPass(Pass, Where);
#endif
}

// SlotIndex is one tagged pointer.
static_assert(sizeof(llvm::SlotIndex) == sizeof(uint64_t));

inline uint64_t toBits(llvm::SlotIndex I) {
  uint64_t Bits;
  std::memcpy(&Bits, &I, sizeof Bits);
  return Bits;
}

inline llvm::SlotIndex fromBits(uint64_t Bits) {
  llvm::SlotIndex I;
  std::memcpy(static_cast<void *>(&I), &Bits, sizeof Bits);
  return I;
}

// LLVM has a separate function for each.
inline llvm::SlotIndex slotAt(llvm::SlotIndex I, PtxSlotKind Kind) {
  switch (Kind) {
  case PTX_SLOT_BLOCK:
    return I.getBaseIndex();
  case PTX_SLOT_EARLY_CLOBBER:
    return I.getRegSlot(/*EC=*/true);
  case PTX_SLOT_REGISTER:
    return I.getRegSlot();
  case PTX_SLOT_DEAD:
    return I.getDeadSlot();
  }
  llvm::report_fatal_error("ptxpasses: unknown slot of an instruction");
}

// ---- handles ------------------------------------------------------------

#define PTX_HANDLE(Opaque, Class)                                              \
  inline Class *get(Opaque *P) { return reinterpret_cast<Class *>(P); }        \
  inline const Class *get(const Opaque *P) {                                   \
    return reinterpret_cast<const Class *>(P);                                 \
  }                                                                            \
  inline Opaque *wrap(Class *P) { return reinterpret_cast<Opaque *>(P); }
PTX_HANDLE(PtxIrFunction, llvm::Function)
PTX_HANDLE(PtxFunction, llvm::MachineFunction)
PTX_HANDLE(PtxBlock, llvm::MachineBasicBlock)
PTX_HANDLE(PtxInstr, llvm::MachineInstr)
PTX_HANDLE(PtxLiveVariables, llvm::LiveVariables)
PTX_HANDLE(PtxLiveIntervals, llvm::LiveIntervals)
PTX_HANDLE(PtxRange, llvm::LiveRange)
PTX_HANDLE(PtxVNInfo, llvm::VNInfo)
PTX_HANDLE(PtxAliasAnalysis, llvm::AAResults)
PTX_HANDLE(PtxSlotIndexes, llvm::SlotIndexes)
PTX_HANDLE(PtxDominators, llvm::MachineDominatorTree)
PTX_HANDLE(PtxLoops, llvm::MachineLoopInfo)
PTX_HANDLE(PtxLoop, llvm::MachineLoop)
PTX_HANDLE(PtxFrequencies, llvm::MachineBlockFrequencyInfo)
PTX_HANDLE(PtxHostPass, HostPass)
PTX_HANDLE(PtxOpcodes, llvm::MCInstrInfo)
PTX_HANDLE(PtxGlobal, llvm::GlobalValue)
#undef PTX_HANDLE

// The analysis of aliases by the types of accesses.
inline llvm::TypeBasedAAResult typeBasedAA() {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::TypeBasedAAResult(/*UsingTypeSanitizer=*/false);
#else
  return llvm::TypeBasedAAResult();
#endif
}

inline PtxStr str(llvm::StringRef S) { return {S.data(), S.size()}; }
inline llvm::StringRef ref(PtxStr S) { return {S.data, S.len}; }
// Copies the part of a text for which there is room, and returns its length.
inline size_t copyText(llvm::StringRef Text, char *Out, size_t Capacity) {
  if (size_t N = std::min(Text.size(), Capacity))
    std::memcpy(Out, Text.data(), N);
  return Text.size();
}

// Ends the process with a message of the plugin.
[[noreturn]] inline void fail(const llvm::Twine &Why) {
  llvm::report_fatal_error(llvm::Twine(ptx_entry_points.name()) + ": " + Why,
                           /*gen_crash_diag=*/false);
}

} // namespace ptxpasses
