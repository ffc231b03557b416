// Mirrors two classes that LLVM declares in private headers: the base of the
// SelectionDAG schedulers, whose EmitSchedule is the instruction emitter, and
// the debug values of a DAG. Members and virtual functions are in LLVM's order.
// That order is the same in LLVM 17 to 24, except for one function removed in
// 24. emitter_mirror.cpp checks both against the host before anything is read
// through them.
#pragma once

#include "compat.h"

#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/ScheduleDAG.h"
#include "llvm/CodeGen/SelectionDAGNodes.h"
#include "llvm/IR/DebugLoc.h"

#include <string>
#include <vector>

namespace llvm {

class DIExpression;
class DIVariable;
class InstrItineraryData;
class SelectionDAG;

// PTX_TEST_MIRROR changes the mirror, to test the checks.
class ScheduleDAGSDNodes : public ScheduleDAG {
public:
#if PTX_TEST_MIRROR == 1
  void *Extra = nullptr;
#endif
  MachineBasicBlock *BB = nullptr;
  SelectionDAG *DAG = nullptr;
  const InstrItineraryData *InstrItins;
  std::vector<SUnit *> Sequence;

  explicit ScheduleDAGSDNodes(MachineFunction &MF);
  ~ScheduleDAGSDNodes() override = default;
  void Run(SelectionDAG *DAG, MachineBasicBlock *BB);
#if PTX_TEST_MIRROR == 2
  virtual void extra() {}
#endif
  // The first virtual function that is not inline, so that the vtable is
  // LLVM's.
  virtual void computeLatency(SUnit *SU);
  virtual void computeOperandLatency(SDNode *Def, SDNode *Use, unsigned OpIdx,
                                     SDep &Dep) const;
  virtual void Schedule() = 0;
  virtual MachineBasicBlock *
  EmitSchedule(MachineBasicBlock::iterator &InsertPos);
  void dumpNode(const SUnit &SU) const override;
  void dump() const override;
#if PTX_LABELS_SCHEDULE_GRAPHS
  std::string getGraphNodeLabel(const SUnit *SU) const override;
#endif
  std::string getDAGName() const override;
  virtual void getCustomGraphFeatures(GraphWriter<ScheduleDAG *> &GW) const;

protected:
  virtual bool forceUnitLatencies() const { return false; }
};

class SDDbgOperand {
public:
  enum Kind { SDNODE = 0, CONST = 1, FRAMEIX = 2, VREG = 3 };
  Kind kind;
  union {
    struct {
      SDNode *Node;
      unsigned ResNo;
    } s;
    const Value *Const;
    unsigned FrameIx;
    unsigned VReg;
  } u;
};

class SDDbgValue {
public:
  size_t NumLocationOps;
#if PTX_TEST_MIRROR == 3
  void *Extra;
#endif
  SDDbgOperand *LocationOps;
  size_t NumAdditionalDependencies;
  SDNode **AdditionalDependencies;
  DIVariable *Var;
  DIExpression *Expr;
  DebugLoc DL;
  unsigned Order;
  bool IsIndirect;
  bool IsVariadic;
  bool Invalid;
  bool Emitted;
};

class SDDbgLabel {
public:
  MDNode *Label;
  DebugLoc DL;
  unsigned Order;
};

} // namespace llvm

namespace ptxpasses {

// When the plugin is loaded: checks that every slot of the host's vtable holds
// the function that the mirror has there.
void checkSchedulerVTable();
// When the first scheduler is made: checks that members are where the host's
// constructor and Run() put them.
void checkSchedulerData(llvm::MachineFunction &MF);
// When the first DAG with debug values appears: checks that members are where
// the host's constructor puts them.
void checkDebugValues(llvm::SelectionDAG &DAG);
// Whether a scheduler emits its sequence as the base class does.
bool emitsAsBaseClass(const llvm::ScheduleDAGSDNodes &S);

} // namespace ptxpasses
