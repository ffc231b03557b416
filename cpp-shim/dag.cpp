// Reads a block's schedule into the records of ptxpasses_emitter.h.
#include "emitter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/ErrorHandling.h"

#include <array>

using namespace llvm;
using namespace ptxpasses;

namespace {

// The extra information about single nodes (PC sections and the like) is a
// private member. An explicit instantiation may name it.
bool hasExtraInfo(const SelectionDAG &DAG);
template <auto Member> struct ExtraInfo {
  friend bool hasExtraInfo(const SelectionDAG &DAG) {
    return !(DAG.*Member).empty();
  }
};
template struct ExtraInfo<&SelectionDAG::SDEI>;

// The kinds of a target-independent opcode, as a node and as an operand.
struct Kinds {
  uint8_t Node = PTX_ISD_OTHER;
  uint8_t Operand = PTX_SD_NODE; // or PTX_SD_OTHER, if it is not scheduled
};

constexpr auto KindTable = [] {
  std::array<Kinds, ISD::BUILTIN_OP_END> T = {};
  T[ISD::EntryToken].Node = PTX_ISD_ENTRY_TOKEN;
  T[ISD::MERGE_VALUES].Node = PTX_ISD_MERGE_VALUES;
  T[ISD::TokenFactor].Node = PTX_ISD_TOKEN_FACTOR;
  T[ISD::CopyToReg].Node = PTX_ISD_COPY_TO_REG;
  T[ISD::CopyFromReg].Node = PTX_ISD_COPY_FROM_REG;
  T[ISD::EH_LABEL].Node = PTX_ISD_EH_LABEL;
  T[ISD::ANNOTATION_LABEL].Node = PTX_ISD_ANNOTATION_LABEL;
  T[ISD::LIFETIME_START].Node = PTX_ISD_LIFETIME_START;
  T[ISD::LIFETIME_END].Node = PTX_ISD_LIFETIME_END;
  T[ISD::PSEUDO_PROBE].Node = PTX_ISD_PSEUDO_PROBE;
  T[ISD::INLINEASM].Node = PTX_ISD_INLINEASM;
  T[ISD::INLINEASM_BR].Node = PTX_ISD_INLINEASM_BR;
  T[ISD::Constant].Operand = PTX_SD_CONSTANT;
  T[ISD::TargetConstant].Operand = PTX_SD_CONSTANT;
  T[ISD::ConstantFP].Operand = PTX_SD_CONSTANT_FP;
  T[ISD::TargetConstantFP].Operand = PTX_SD_CONSTANT_FP;
  T[ISD::Register].Operand = PTX_SD_REGISTER;
  T[ISD::RegisterMask].Operand = PTX_SD_REGISTER_MASK;
  T[ISD::GlobalAddress].Operand = PTX_SD_GLOBAL_ADDRESS;
  T[ISD::TargetGlobalAddress].Operand = PTX_SD_GLOBAL_ADDRESS;
  T[ISD::GlobalTLSAddress].Operand = PTX_SD_GLOBAL_ADDRESS;
  T[ISD::TargetGlobalTLSAddress].Operand = PTX_SD_GLOBAL_ADDRESS;
  T[ISD::BasicBlock].Operand = PTX_SD_BASIC_BLOCK;
  T[ISD::FrameIndex].Operand = PTX_SD_FRAME_INDEX;
  T[ISD::TargetFrameIndex].Operand = PTX_SD_FRAME_INDEX;
  T[ISD::JumpTable].Operand = PTX_SD_JUMP_TABLE;
  T[ISD::TargetJumpTable].Operand = PTX_SD_JUMP_TABLE;
  T[ISD::ConstantPool].Operand = PTX_SD_CONSTANT_POOL;
  T[ISD::TargetConstantPool].Operand = PTX_SD_CONSTANT_POOL;
  T[ISD::ExternalSymbol].Operand = PTX_SD_EXTERNAL_SYMBOL;
  T[ISD::TargetExternalSymbol].Operand = PTX_SD_EXTERNAL_SYMBOL;
  T[ISD::MCSymbol].Operand = PTX_SD_MC_SYMBOL;
  T[ISD::BlockAddress].Operand = PTX_SD_BLOCK_ADDRESS;
  T[ISD::TargetBlockAddress].Operand = PTX_SD_BLOCK_ADDRESS;
  T[ISD::TargetIndex].Operand = PTX_SD_TARGET_INDEX;
  T[ISD::MDNODE_SDNODE].Operand = PTX_SD_METADATA;
  return T;
}();

Kinds kindsOf(const SDNode &N) {
  // A target's opcode is negative: as an unsigned number it is above all
  // others.
  unsigned Opcode = N.getOpcode();
  return Opcode < KindTable.size() ? KindTable[Opcode] : Kinds();
}

// Describes the type of a result or an operand. The type is 0 if LLVM has no
// number for it.
PtxDagValue typed(EVT Type) {
  static_assert(MVT::INVALID_SIMPLE_VALUE_TYPE == 0);
  uint16_t Simple = Type.isSimple() ? Type.getSimpleVT().SimpleTy : 0;
  return {Simple, uint16_t(Simple == MVT::Glue    ? PTX_TYPE_GLUE
                           : Simple == MVT::Other ? PTX_TYPE_CHAIN
                                                  : 0)};
}

uint16_t stepFlags(const SUnit &SU) {
  return uint16_t((SU.OrigNode != &SU ? PTX_STEP_CLONE : 0) |
                  (SU.isCloned ? PTX_STEP_CLONED : 0));
}

// Reads the schedule into the records of PtxDag.
struct Reader {
  Emission &E;
  DagBuffers &B = E.B;
  const bool HasExtraInfo = hasExtraInfo(E.DAG);
  bool HasSteps = false; // false: each node once, in order
  SmallVector<SDNode *, 8> Glued = {};

  void makeRoom();
  void readSteps();

private:
  void addStep(const PtxDagStep &Step);
  PtxDagOperand withWord(uint16_t Kind, uint16_t Info, uint64_t Word);
  PtxDagOperand constantOperand(const ConstantSDNode &N);
  PtxDagOperand inputOperand(const SDUse &Use);
  PtxDagOperand valueOperand(const SDUse &Use, uint16_t Info) const;
  void addUnit(const SUnit &SU);
  void addPhysCopy(const SUnit &SU);
  void addNode(SDNode &N, uint16_t StepFlags);
  uint32_t describeNode(SDNode &N);
  void readOperands(const SDNode &N, PtxDagNode &Record);
  void readResults(const SDNode &N, PtxDagNode &Record);
  void readUses(const SDNode &N, PtxDagNode &Record);
  uint16_t flagsOf(const SDNode &N) const;
};

// Describes the result that `Use` reads. Its node has been read, because it
// comes before its user in the schedule.
LLVM_ATTRIBUTE_ALWAYS_INLINE PtxDagOperand
Reader::valueOperand(const SDUse &Use, uint16_t Info) const {
  uint32_t Id = E.idOf(Use.getNode());
  if (Id == PTX_NONE)
    return {PTX_SD_OTHER, Info, 0};
  return {PTX_SD_NODE, Info, B.Nodes[Id].first_value + Use.getResNo()};
}

PtxDagOperand Reader::withWord(uint16_t Kind, uint16_t Info, uint64_t Word) {
  B.Words.push_back(Word);
  return {Kind, Info, B.Words.size() - 1};
}

PtxDagOperand Reader::constantOperand(const ConstantSDNode &N) {
  const APInt &Value = N.getAPIntValue();
  if (Value.getBitWidth() > 64 && Value.getSignificantBits() > 64)
    return withWord(PTX_SD_WIDE_CONSTANT, 0, uintptr_t(&N));
  auto Width = uint16_t(std::min(Value.getBitWidth(), 64u));
  int64_t Number = Value.getSExtValue();
  if (!isInt<32>(Number))
    return withWord(PTX_SD_LONG_CONSTANT, Width, uint64_t(Number));
  return {PTX_SD_CONSTANT, Width, uint32_t(Number)};
}

LLVM_ATTRIBUTE_ALWAYS_INLINE PtxDagOperand
Reader::inputOperand(const SDUse &Use) {
  static_assert(MVT::VALUETYPE_SIZE <= PTX_OPERAND_DIVERGENT);
  const SDNode &N = *Use.getNode();
  uint16_t Kind = kindsOf(N).Operand;
  if (Kind == PTX_SD_NODE)
    return valueOperand(Use, 0);
  if (Kind == PTX_SD_CONSTANT)
    return constantOperand(*cast<ConstantSDNode>(&N));
  if (Kind == PTX_SD_REGISTER)
    return {PTX_SD_REGISTER,
            uint16_t(typed(N.getValueType(0)).ty |
                     (N.isDivergent() ? PTX_OPERAND_DIVERGENT : 0)),
            unsigned(cast<RegisterSDNode>(&N)->getReg())};
  if (Kind == PTX_SD_OTHER)
    return {PTX_SD_OTHER, 0, 0};
  if (Kind == PTX_SD_METADATA)
    return withWord(Kind, 0, uintptr_t(cast<MDNodeSDNode>(&N)->getMD()));
  return withWord(Kind, 0, uintptr_t(&N));
}

void Reader::readOperands(const SDNode &N, PtxDagNode &Record) {
  static_assert(SDNode::getMaxNumOperands() <= UINT16_MAX);
  uint32_t Num = N.getNumOperands(), Inputs = Num;
  const SDUse *Uses = N.op_begin();
  while (Inputs && Uses[Inputs - 1].getValueType() == MVT::Glue)
    --Inputs;
  if (Inputs && Uses[Inputs - 1].getValueType() == MVT::Other)
    --Inputs;
  PtxDagOperand *Out = B.Operands.take(Num);
  Record.first_operand = B.Operands.indexOf(Out);
  Record.num_operands = uint16_t(Num);
  Record.num_inputs = uint16_t(Inputs);
  const SDUse *Use = Uses;
  for (const SDUse *End = Uses + Inputs; Use != End; ++Use, ++Out) {
    *Out = inputOperand(*Use);
    if ((Out->kind == PTX_SD_OTHER || Out->kind == PTX_SD_METADATA) &&
        N.isMachineOpcode())
      B.OddInputs |= 1u << Out->kind;
  }
  for (const SDUse *End = Uses + Num; Use != End; ++Use, ++Out) {
    if (LLVM_UNLIKELY(Use->getNode()->getOpcode() == ISD::BasicBlock)) {
      *Out = inputOperand(*Use); // a block has the type of a chain
      continue;
    }
    *Out = valueOperand(*Use, typed(Use->getValueType()).flags);
    if (Out->info & PTX_TYPE_GLUE && Out->kind == PTX_SD_NODE)
      B.Nodes[Use->getNode()->getNodeId()].glued_user =
          B.Nodes.indexOf(&Record);
  }
}

void Reader::readResults(const SDNode &N, PtxDagNode &Record) {
  uint32_t Num = N.getNumValues(), Results = Num;
  PtxDagValue *Values = B.Values.take(Num);
  Record.first_value = B.Values.indexOf(Values);
  Record.num_values = uint16_t(Num);
  for (uint32_t I = 0; I != Num; ++I)
    Values[I] = typed(N.getValueType(I));
  while (Results && Values[Results - 1].flags & PTX_TYPE_GLUE)
    --Results;
  if (Results && Values[Results - 1].flags & PTX_TYPE_CHAIN)
    --Results;
  Record.num_results = uint16_t(Results);
}

// Counts the uses of each result, and lists the uses by a CopyToReg.
void Reader::readUses(const SDNode &N, PtxDagNode &Record) {
  Record.first_copy = B.Copies.size();
  // Uses of a chain are not needed, and there may be many.
  if (Record.num_results == 0)
    return;
  PtxDagValue *Values = B.Values.data() + Record.first_value;
  for (SDNode::use_iterator I = N.use_begin(), End = N.use_end(); I != End;
       ++I) {
    const SDUse &Use = useOf(I);
    PtxDagValue &Value = Values[Use.getResNo()];
    if (Value.flags < 2 * PTX_VALUE_USE)
      Value.flags += PTX_VALUE_USE;
    // Like LLVM, look at the users, whichever result each use is of. So a copy
    // that is also chained to N appears at the place of that use.
    const SDNode *User = Use.getUser();
    if (User->getOpcode() != ISD::CopyToReg)
      continue;
    SDValue Copied = User->getOperand(2);
    if (Copied.getNode() != &N)
      continue;
    Register Reg = cast<RegisterSDNode>(User->getOperand(1))->getReg();
    if (Reg.isVirtual())
      B.Copies.push_back(
          {Record.first_value + Copied.getResNo(), unsigned(Reg)});
  }
}

LLVM_ATTRIBUTE_NOINLINE uint32_t extraFlagsOf(const SelectionDAG &DAG,
                                              const SDNode &N) {
  return (DAG.getNoMergeSiteInfo(&N) ? PTX_NODE_NO_MERGE : 0) |
         (DAG.getPCSections(&N) ? PTX_NODE_PC_SECTIONS : 0) |
         (memoryModelAnnotations(DAG, &N) ? PTX_NODE_MMRA : 0) |
         (DAG.getHeapAllocSite(&N) ? PTX_NODE_HEAP_ALLOC_SITE : 0);
}

uint16_t Reader::flagsOf(const SDNode &N) const {
  return uint16_t((N.isMachineOpcode() ? PTX_NODE_MACHINE : 0) |
                  (N.isDivergent() ? PTX_NODE_DIVERGENT : 0) |
                  (N.getHasDebugValue() ? PTX_NODE_HAS_DEBUG_VALUE : 0) |
                  (HasExtraInfo ? extraFlagsOf(E.DAG, N) : 0));
}

uint32_t Reader::describeNode(SDNode &N) {
  PtxDagNode &Record = *B.Nodes.take(1);
  uint32_t Id = B.Nodes.indexOf(&Record);
  Record.handle = Emission::wrap(&N);
  Record.flags = flagsOf(N);
  Record.ir_order = N.getIROrder();
  Record.glued_user = PTX_NONE;
  if (N.isMachineOpcode()) {
    Record.opcode = N.getMachineOpcode();
    Record.mi_flags = instrFlags(N.getFlags());
  } else {
    Record.opcode = kindsOf(N).Node;
    Record.mi_flags = 0;
    B.SpecialKinds |= 1u << Record.opcode;
  }
  readOperands(N, Record);
  readResults(N, Record);
  readUses(N, Record);
  N.setNodeId(int(Id)); // replaces its unit's number, which nothing needs now
  return Id;
}

void Reader::addNode(SDNode &N, uint16_t StepFlags) {
  // Only the nodes of a cloned unit come more than once.
  uint32_t Id = StepFlags ? E.idOf(&N) : PTX_NONE;
  if (Id == PTX_NONE)
    Id = describeNode(N);
  addStep({Id, PTX_STEP_NODE, StepFlags});
}

void Reader::addPhysCopy(const SUnit &SU) {
  PtxPhysCopy Copy = {};
  Copy.unit = SU.NodeNum;
  Copy.pred_unit = PTX_NONE;
  Copy.reg_class = SU.CopyDstRC ? SU.CopyDstRC->getID() : PTX_NONE;
  for (const SDep &Pred : SU.Preds)
    if (!Pred.isCtrl()) {
      Copy.pred_unit = Pred.getSUnit()->NodeNum;
      Copy.pred_copies = Pred.getSUnit()->CopyDstRC != nullptr;
      Copy.pred_reg = unsigned(Pred.getReg());
      break;
    }
  for (const SDep &Succ : SU.Succs)
    if (!Succ.isCtrl() && Succ.getReg()) {
      Copy.succ_reg = unsigned(Succ.getReg());
      break;
    }
  addStep({uint32_t(B.PhysCopies.size()), PTX_STEP_PHYS_COPY, 0});
  B.PhysCopies.push_back(Copy);
}

void Reader::addUnit(const SUnit &SU) {
  uint16_t Flags = stepFlags(SU);
  SDNode *N = SU.getNode();
  while (SDNode *Before = N->getGluedNode()) {
    Glued.push_back(N);
    N = Before;
  }
  for (;;) {
    addNode(*N, Flags);
    if (Glued.empty())
      return;
    N = Glued.pop_back_val();
  }
}

// Makes room for the nodes and, if some node is not emitted exactly once and in
// order, for the steps. The nodes of a cloned unit are described once.
void Reader::makeRoom() {
  uint32_t Nodes = 0, Operands = 0, Values = 0, Others = 0;
  for (const SUnit *SU : E.Scheduler.Sequence) {
    if (!SU || !SU->getNode()) {
      ++Others;
      continue;
    }
    HasSteps |= stepFlags(*SU) != 0;
    for (const SDNode *N = SU->getNode(); N; N = N->getGluedNode()) {
      ++Nodes;
      Operands += N->getNumOperands();
      Values += N->getNumValues();
    }
  }
  HasSteps |= Others != 0;
  B.Steps.reset(HasSteps ? Nodes + Others : 0);
  B.Nodes.reset(Nodes);
  B.Operands.reset(Operands);
  B.Values.reset(Values);
}

void Reader::addStep(const PtxDagStep &Step) {
  if (HasSteps)
    *B.Steps.take(1) = Step;
}

void Reader::readSteps() {
  for (SUnit *SU : E.Scheduler.Sequence)
    if (!SU)
      addStep({0, PTX_STEP_NOOP, 0});
    else if (!SU->getNode())
      addPhysCopy(*SU);
    else
      addUnit(*SU);
}

void readDebugValue(Emission &E, SDDbgValue &V, uint32_t Flags) {
  PtxDagDbgValue Record = {};
  Record.order = V.Order;
  Record.flags = Flags | (V.IsIndirect ? PTX_DBG_INDIRECT : 0) |
                 (V.IsVariadic ? PTX_DBG_VARIADIC : 0) |
                 (V.Invalid ? PTX_DBG_INVALIDATED : 0) |
                 (V.Emitted ? PTX_DBG_EMITTED : 0);
  Record.first_operand = uint32_t(E.B.DbgOperands.size());
  Record.num_operands = uint32_t(V.NumLocationOps);
  for (const SDDbgOperand &Op : ArrayRef(V.LocationOps, V.NumLocationOps)) {
    PtxDagDbgOperand O = {};
    switch (Op.kind) {
    case SDDbgOperand::SDNODE: {
      O.kind = PTX_DBG_OPERAND_NODE;
      // The node may be deleted; then the value is invalidated.
      uint32_t Id = V.Invalid ? PTX_NONE : E.idOf(Op.u.s.Node);
      if (Id == PTX_NONE)
        O.kind = PTX_DBG_OPERAND_UNSCHEDULED;
      else
        O.payload = E.B.Nodes[Id].first_value + Op.u.s.ResNo;
      break;
    }
    case SDDbgOperand::CONST:
      O.kind = PTX_DBG_OPERAND_CONSTANT;
      O.payload = uintptr_t(Op.u.Const);
      break;
    case SDDbgOperand::FRAMEIX:
      O.kind = PTX_DBG_OPERAND_FRAME_INDEX;
      O.payload = Op.u.FrameIx;
      break;
    case SDDbgOperand::VREG:
      O.kind = PTX_DBG_OPERAND_VREG;
      O.payload = Op.u.VReg;
      break;
    default:
      report_fatal_error("ptxpasses: unknown kind of debug location");
    }
    E.B.DbgOperands.push_back(O);
  }
  E.B.DbgPointers.push_back(&V);
  E.B.DbgValues.push_back(Record);
}

void readDebugValues(Emission &E) {
  checkDebugValues(E.DAG);
  SelectionDAG &DAG = E.DAG;
  for (auto I = DAG.ByvalParmDbgBegin(); I != DAG.ByvalParmDbgEnd(); ++I)
    readDebugValue(E, **I, PTX_DBG_BYVAL);
  for (auto I = DAG.DbgBegin(); I != DAG.DbgEnd(); ++I)
    readDebugValue(E, **I, 0);
  for (auto I = DAG.DbgLabelBegin(); I != DAG.DbgLabelEnd(); ++I)
    E.B.DbgLabelOrders.push_back((*I)->Order);
  SmallDenseMap<const SDDbgValue *, uint32_t, 32> Ids;
  for (uint32_t I = 0; I != E.B.DbgPointers.size(); ++I)
    Ids[E.B.DbgPointers[I]] = I;
  for (uint32_t Id = 0; Id != E.B.Nodes.size(); ++Id)
    if (E.B.Nodes[Id].flags & PTX_NODE_HAS_DEBUG_VALUE)
      for (const SDDbgValue *V :
           DAG.GetDbgValues(Emission::get(E.B.Nodes[Id].handle)))
        E.B.DbgOf.push_back({Id, Ids.lookup(V)});
}

uint32_t dagFlags(const Emission &E) {
  return (E.DAG.hasDebugValues() ? PTX_DAG_HAS_DEBUG_VALUES : 0) |
         (E.MF.useDebugInstrRef() ? PTX_DAG_DEBUG_INSTR_REFS : 0) |
         (&E.MF.front() == &E.BB ? PTX_DAG_FIRST_BLOCK : 0) |
         (E.MF.getTarget().usesPhysRegsForValues()
              ? PTX_DAG_PHYS_REGS_FOR_VALUES
              : 0) |
         (E.MF.getFunction().hasFnAttribute(Attribute::StrictFP)
              ? PTX_DAG_STRICT_FP
              : 0) |
         (emitsCallSiteInfo(E.DAG.getTarget().Options) ? PTX_DAG_CALL_SITE_INFO
                                                       : 0) |
         (optimizes(E.DAG.getTarget()) ? PTX_DAG_OPTIMISE : 0);
}

void clear(DagBuffers &B) {
  B.Copies.clear();
  B.Words.clear();
  B.PhysCopies.clear();
  B.DbgPointers.clear();
  B.DbgValues.clear();
  B.DbgOperands.clear();
  B.DbgOf.clear();
  B.DbgLabelOrders.clear();
  B.SpecialKinds = B.OddInputs = 0;
}

// Reads a value that instruction selection keeps in registers across blocks,
// and its readers. A PHI reads at the end of the block that the value comes
// from.
void readIrValue(Emission &E, const Value &V, const BasicBlock &Def) {
  auto It = E.FuncInfo.ValueMap.find(&V);
  if (It == E.FuncInfo.ValueMap.end())
    return;
  DagBuffers &B = E.B;
  auto First = uint32_t(B.IrUses.size());
  for (const Use &U : V.uses()) {
    const auto *User = dyn_cast<Instruction>(U.getUser());
    if (!User)
      continue;
    const auto *Phi = dyn_cast<PHINode>(User);
    const BasicBlock *At = Phi ? Phi->getIncomingBlock(U) : User->getParent();
    B.IrUses.push_back({B.IrBlocks.lookup(At), Phi != nullptr});
  }
  B.IrValues.push_back({unsigned(It->second), B.IrBlocks.lookup(&Def), First,
                        uint32_t(B.IrUses.size()) - First});
}

} // namespace

void ptx_emit_ir(PtxEmission *P, PtxIr *Out) {
  Emission &E = *get(P);
  DagBuffers &B = E.B;
  B.IrValues.clear();
  B.IrUses.clear();
  B.IrEdges.clear();
  B.IrBlocks.clear();
  const Function &F = E.MF.getFunction();
  for (const BasicBlock &BB : F)
    B.IrBlocks.insert({&BB, uint32_t(B.IrBlocks.size())});
  for (const Argument &A : F.args())
    readIrValue(E, A, F.getEntryBlock());
  for (const BasicBlock &BB : F) {
    for (const Instruction &I : BB)
      readIrValue(E, I, BB);
    uint32_t From = B.IrBlocks.lookup(&BB);
    for (const BasicBlock *To : successors(&BB))
      B.IrEdges.push_back({From, B.IrBlocks.lookup(To)});
  }
  llvm::sort(B.IrValues, [](const PtxIrValue &L, const PtxIrValue &R) {
    return L.reg < R.reg;
  });
  *Out = {B.IrValues.data(),          B.IrUses.data(),
          B.IrEdges.data(),           uint32_t(B.IrValues.size()),
          uint32_t(B.IrUses.size()),  uint32_t(B.IrEdges.size()),
          uint32_t(B.IrBlocks.size())};
}

uint32_t ptx_emit_ir_block(PtxEmission *P) {
  Emission &E = *get(P);
  auto It = E.B.IrBlocks.find(E.BB.getBasicBlock());
  return It == E.B.IrBlocks.end() ? PTX_NONE : It->second;
}

void ptx_emit_read(PtxEmission *P, PtxDag *Out) {
  Emission &E = *get(P);
  DagBuffers &B = E.B;
  clear(B);
  Reader R{E};
  R.makeRoom();
  R.readSteps();
  uint32_t Flags = dagFlags(E);
  if (Flags & PTX_DAG_HAS_DEBUG_VALUES)
    readDebugValues(E);
  auto Size = [](const auto &V) { return uint32_t(V.size()); };
  *Out = {B.Steps.data(),
          B.Nodes.data(),
          B.Operands.data(),
          B.Words.data(),
          B.Values.data(),
          B.Copies.data(),
          B.PhysCopies.data(),
          B.DbgValues.data(),
          B.DbgOperands.data(),
          B.DbgOf.data(),
          B.DbgLabelOrders.data(),
          Size(B.Steps),
          Size(B.Nodes),
          Size(B.Operands),
          Size(B.Words),
          Size(B.Values),
          Size(B.Copies),
          Size(B.PhysCopies),
          Size(B.DbgValues),
          Size(B.DbgOperands),
          Size(B.DbgOf),
          Size(B.DbgLabelOrders),
          Size(E.Scheduler.SUnits),
          Flags,
          B.SpecialKinds,
          B.OddInputs};
}

const uint32_t *ptx_emit_users(PtxEmission *P, PtxSDNode *Node, uint32_t *Num) {
  Emission &E = *get(P);
  E.B.Users.clear();
  SDNode &N = *Emission::get(Node);
  for (SDNode::use_iterator I = N.use_begin(), End = N.use_end(); I != End; ++I)
    E.B.Users.push_back(E.idOf(useOf(I).getUser()));
  *Num = uint32_t(E.B.Users.size());
  return E.B.Users.data();
}
