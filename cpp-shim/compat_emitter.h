// Hides the differences between LLVM 17 and 24 from the shim's emitter.
// Separate from compat.h, because it includes SelectionDAG's headers.
#pragma once

#include "compat.h"

#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/CodeGen/SelectionDAGNodes.h"
#include "llvm/IR/Constants.h"
#include "llvm/Target/TargetOptions.h"

namespace ptxpasses {

#if LLVM_VERSION_MAJOR >= 18
using OptLevel = llvm::CodeGenOptLevel;
#else
using OptLevel = llvm::CodeGenOpt::Level;
#endif

// Up to LLVM 19 a use iterator yields users and also knows the use; since then
// it yields uses.
template <class Iterator>
auto useOf(const Iterator &I) -> decltype(I.getUse()) {
  return I.getUse();
}
template <class Iterator, class... None>
auto useOf(const Iterator &I, None...) -> decltype(*I) {
  return *I;
}

// Converts the flags of a node to those of an instruction.
inline uint32_t instrFlags(const llvm::SDNodeFlags Flags) {
  using llvm::MachineInstr;
  uint32_t R = 0;
  auto Set = [&R](bool B, uint32_t Flag) { R |= B ? Flag : 0; };
#if LLVM_VERSION_MAJOR >= 20        // before, unused bits of it have no value
  if (Flags == llvm::SDNodeFlags()) // most nodes
    return 0;
#endif
  Set(Flags.hasNoSignedZeros(), MachineInstr::FmNsz);
  Set(Flags.hasAllowReciprocal(), MachineInstr::FmArcp);
  Set(Flags.hasNoNaNs(), MachineInstr::FmNoNans);
  Set(Flags.hasNoInfs(), MachineInstr::FmNoInfs);
  Set(Flags.hasAllowContract(), MachineInstr::FmContract);
  Set(Flags.hasApproximateFuncs(), MachineInstr::FmAfn);
  Set(Flags.hasAllowReassociation(), MachineInstr::FmReassoc);
  Set(Flags.hasNoUnsignedWrap(), MachineInstr::NoUWrap);
  Set(Flags.hasNoSignedWrap(), MachineInstr::NoSWrap);
  Set(Flags.hasExact(), MachineInstr::IsExact);
  Set(Flags.hasNoFPExcept(), MachineInstr::NoFPExcept);
  Set(Flags.hasUnpredictable(), MachineInstr::Unpredictable);
#if LLVM_VERSION_MAJOR >= 20
  Set(Flags.hasDisjoint(), MachineInstr::Disjoint);
  Set(Flags.hasSameSign(), MachineInstr::SameSign);
#endif
  return R;
}

#if LLVM_VERSION_MAJOR >= 19
inline llvm::MDNode *memoryModelAnnotations(const llvm::SelectionDAG &DAG,
                                            const llvm::SDNode *N) {
  return DAG.getMMRAMetadata(N);
}
inline void setMemoryModelAnnotations(llvm::MachineInstr &MI,
                                      llvm::MachineFunction &MF,
                                      llvm::MDNode *MD) {
  MI.setMMRAMetadata(MF, MD);
}
constexpr uint32_t ConvergenceCtrlAnchor =
    llvm::TargetOpcode::CONVERGENCECTRL_ANCHOR;
constexpr uint32_t ConvergenceCtrlEntry =
    llvm::TargetOpcode::CONVERGENCECTRL_ENTRY;
constexpr uint32_t ConvergenceCtrlLoop =
    llvm::TargetOpcode::CONVERGENCECTRL_LOOP;
constexpr uint32_t ConvergenceCtrlGlue =
    llvm::TargetOpcode::CONVERGENCECTRL_GLUE;
#else
inline llvm::MDNode *memoryModelAnnotations(const llvm::SelectionDAG &,
                                            const llvm::SDNode *) {
  return nullptr;
}
inline void setMemoryModelAnnotations(llvm::MachineInstr &,
                                      llvm::MachineFunction &, llvm::MDNode *) {
}
constexpr uint32_t ConvergenceCtrlAnchor = PTX_NONE;
constexpr uint32_t ConvergenceCtrlEntry = PTX_NONE;
constexpr uint32_t ConvergenceCtrlLoop = PTX_NONE;
constexpr uint32_t ConvergenceCtrlGlue = PTX_NONE;
#endif

// Since LLVM 22 call sites are also described for the call graph section.
template <class Options>
auto emitsCallSiteInfo(const Options &O)
    -> decltype(O.EmitCallGraphSection, bool()) {
  return O.EmitCallSiteInfo || O.EmitCallGraphSection;
}
template <class Options, class... None>
bool emitsCallSiteInfo(const Options &O, None...) {
  return O.EmitCallSiteInfo;
}

template <class Instr>
auto isCallSite(const Instr &MI)
    -> decltype(MI.isCandidateForAdditionalCallInfo()) {
  return MI.isCandidateForAdditionalCallInfo();
}
template <class Instr, class... None>
bool isCallSite(const Instr &MI, None...) {
  return MI.isCandidateForCallSiteEntry();
}

inline void addCallSiteInfo(llvm::MachineFunction &MF, llvm::SelectionDAG &DAG,
                            llvm::MachineInstr &MI, const llvm::SDNode *N) {
#if LLVM_VERSION_MAJOR >= 19
  MF.addCallSiteInfo(&MI, DAG.getCallSiteInfo(N));
#else
  MF.addCallArgsForwardingRegs(&MI, DAG.getCallSiteInfo(N));
#endif
}

// Records the function that a call names. LLVM keeps it since version 20.
template <class Function, class DAG>
auto addCalledGlobal(Function &MF, DAG &D, llvm::MachineInstr &MI,
                     const llvm::SDNode *N)
    -> decltype(D.getCalledGlobal(N), void()) {
  if (auto Called = D.getCalledGlobal(N))
    if (Called->Callee)
      MF.addCalledGlobal(&MI, *Called);
}
template <class DAG, class... None>
void addCalledGlobal(llvm::MachineFunction &, DAG &, llvm::MachineInstr &,
                     const llvm::SDNode *, None...) {}

// Since LLVM 22 a constant of more than 64 significant bits has its own kind of
// operand; before, it is cut to its low half.
inline void addWideConstant(const llvm::MachineInstrBuilder &MIB,
                            [[maybe_unused]] llvm::MachineFunction &MF,
                            const llvm::APInt &Value) {
#if LLVM_VERSION_MAJOR >= 22
  MIB.addCImm(llvm::ConstantInt::get(MF.getFunction().getContext(), Value));
#else
  MIB.addImm(int64_t(Value.getRawData()[0]));
#endif
}

inline bool copyImpossible(const llvm::TargetRegisterClass &RC) {
#if LLVM_VERSION_MAJOR >= 22
  return RC.expensiveOrImpossibleToCopy();
#else
  return RC.getCopyCost() < 0;
#endif
}

} // namespace ptxpasses
