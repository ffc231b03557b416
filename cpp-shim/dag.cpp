// Reads a block's schedule into the records of ptxpasses_emitter.h.
#include "emitter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

// What the DAG keeps of single nodes (PC sections and the like) is private: an
// explicit instantiation may name it.
bool hasExtraInfo(const SelectionDAG &DAG);
template <auto Member> struct ExtraInfo {
  friend bool hasExtraInfo(const SelectionDAG &DAG) {
    return !(DAG.*Member).empty();
  }
};
template struct ExtraInfo<&SelectionDAG::SDEI>;

uint32_t kindOf(const SDNode &N) {
  switch (N.getOpcode()) {
  case ISD::EntryToken:
    return PTX_ISD_ENTRY_TOKEN;
  case ISD::MERGE_VALUES:
    return PTX_ISD_MERGE_VALUES;
  case ISD::TokenFactor:
    return PTX_ISD_TOKEN_FACTOR;
  case ISD::CopyToReg:
    return PTX_ISD_COPY_TO_REG;
  case ISD::CopyFromReg:
    return PTX_ISD_COPY_FROM_REG;
  case ISD::EH_LABEL:
    return PTX_ISD_EH_LABEL;
  case ISD::ANNOTATION_LABEL:
    return PTX_ISD_ANNOTATION_LABEL;
  case ISD::LIFETIME_START:
    return PTX_ISD_LIFETIME_START;
  case ISD::LIFETIME_END:
    return PTX_ISD_LIFETIME_END;
  case ISD::PSEUDO_PROBE:
    return PTX_ISD_PSEUDO_PROBE;
  case ISD::INLINEASM:
    return PTX_ISD_INLINEASM;
  case ISD::INLINEASM_BR:
    return PTX_ISD_INLINEASM_BR;
  default:
    return PTX_ISD_OTHER;
  }
}

// A result of this type, or an operand's type; 0 if LLVM has no number for it.
PtxDagValue typed(EVT Type) {
  if (!Type.isSimple())
    return {0, 0, 0};
  MVT::SimpleValueType Simple = Type.getSimpleVT().SimpleTy;
  uint8_t Flags = Simple == MVT::Glue    ? PTX_TYPE_GLUE
                  : Simple == MVT::Other ? PTX_TYPE_CHAIN
                                         : 0;
  return {uint16_t(Simple), Flags, 0};
}

PtxDagOperand leaf(const SDNode &N, uint8_t Kind) {
  PtxDagOperand O = {};
  O.kind = Kind;
  O.payload = uintptr_t(&N);
  return O;
}

PtxDagOperand constant(const ConstantSDNode &N) {
  const APInt &Value = N.getAPIntValue();
  if (Value.getBitWidth() > 64 && Value.getSignificantBits() > 64)
    return leaf(N, PTX_SD_WIDE_CONSTANT);
  PtxDagOperand O = {};
  O.kind = PTX_SD_CONSTANT;
  O.aux = Value.getBitWidth();
  O.payload = uint64_t(Value.getSExtValue());
  return O;
}

PtxDagOperand describe(const Emission &E, const SDNode &N, unsigned Result) {
  if (!N.isMachineOpcode())
    switch (N.getOpcode()) {
    case ISD::Constant:
    case ISD::TargetConstant:
      return constant(*cast<ConstantSDNode>(&N));
    case ISD::ConstantFP:
    case ISD::TargetConstantFP:
      return leaf(N, PTX_SD_CONSTANT_FP);
    case ISD::Register: {
      PtxDagOperand O = {};
      O.kind = PTX_SD_REGISTER;
      O.payload = unsigned(cast<RegisterSDNode>(&N)->getReg());
      if (N.isDivergent())
        O.flags = PTX_OPERAND_DIVERGENT;
      return O;
    }
    case ISD::RegisterMask:
      return leaf(N, PTX_SD_REGISTER_MASK);
    case ISD::GlobalAddress:
    case ISD::TargetGlobalAddress:
    case ISD::GlobalTLSAddress:
    case ISD::TargetGlobalTLSAddress:
      return leaf(N, PTX_SD_GLOBAL_ADDRESS);
    case ISD::BasicBlock:
      return leaf(N, PTX_SD_BASIC_BLOCK);
    case ISD::FrameIndex:
    case ISD::TargetFrameIndex:
      return leaf(N, PTX_SD_FRAME_INDEX);
    case ISD::JumpTable:
    case ISD::TargetJumpTable:
      return leaf(N, PTX_SD_JUMP_TABLE);
    case ISD::ConstantPool:
    case ISD::TargetConstantPool:
      return leaf(N, PTX_SD_CONSTANT_POOL);
    case ISD::ExternalSymbol:
    case ISD::TargetExternalSymbol:
      return leaf(N, PTX_SD_EXTERNAL_SYMBOL);
    case ISD::MCSymbol:
      return leaf(N, PTX_SD_MC_SYMBOL);
    case ISD::BlockAddress:
    case ISD::TargetBlockAddress:
      return leaf(N, PTX_SD_BLOCK_ADDRESS);
    case ISD::TargetIndex:
      return leaf(N, PTX_SD_TARGET_INDEX);
    case ISD::MDNODE_SDNODE: {
      PtxDagOperand O = {};
      O.kind = PTX_SD_METADATA;
      O.payload = uintptr_t(cast<MDNodeSDNode>(&N)->getMD());
      return O;
    }
    default:
      break;
    }
  uint32_t Id = E.idOf(&N);
  if (Id == PTX_NONE)
    return leaf(N, PTX_SD_OTHER);
  PtxDagOperand O = {};
  O.kind = PTX_SD_NODE;
  O.aux = E.B.Nodes[Id].first_value + Result;
  O.payload = Id;
  return O;
}

void readOperands(Emission &E, const SDNode &N, const PtxDagNode &Record) {
  PtxDagOperand *Out = E.B.Operands.data() + Record.first_operand;
  for (const SDUse &Use : N.ops()) {
    PtxDagOperand O = describe(E, *Use.getNode(), Use.getResNo());
    PtxDagValue Type = typed(Use.getNode()->getValueType(Use.getResNo()));
    O.flags |= Type.flags;
    O.type = Type.type;
    *Out++ = O;
  }
}

// How often each result is used, by which CopyToReg and by what it is glued to.
void readUses(Emission &E, SDNode &N, PtxDagNode &Record) {
  Record.glued_user = PTX_NONE;
  Record.first_copy = uint32_t(E.B.Copies.size());
  PtxDagValue *Values = E.B.Values.data() + Record.first_value;
  // Of uses of a chain, of which there may be many, nothing is asked.
  if (Record.num_values == 1 && Values->flags & PTX_TYPE_CHAIN) {
    Record.num_copies = 0;
    return;
  }
  for (SDNode::use_iterator I = N.use_begin(), End = N.use_end(); I != End;
       ++I) {
    SDUse &Use = useOf(I);
    unsigned Result = Use.getResNo();
    PtxDagValue &Value = Values[Result];
    if (Value.num_uses < 2)
      ++Value.num_uses;
    SDNode *User = Use.getUser();
    if (Value.flags & PTX_TYPE_GLUE && Record.glued_user == PTX_NONE)
      Record.glued_user = E.idOf(User);
    // Stock looks at the users, whichever result each use is of: a copy that is
    // chained to N as well stands where the use of the chain stands.
    if (User->getOpcode() != ISD::CopyToReg)
      continue;
    SDValue Copied = User->getOperand(2);
    if (Copied.getNode() != &N)
      continue;
    Register Reg = cast<RegisterSDNode>(User->getOperand(1))->getReg();
    if (Reg.isVirtual())
      E.B.Copies.push_back(
          {Record.first_value + Copied.getResNo(), unsigned(Reg)});
  }
  Record.num_copies = uint32_t(E.B.Copies.size()) - Record.first_copy;
}

uint32_t nodeFlags(Emission &E, const SDNode &N, bool HasExtraInfo) {
  uint32_t Flags = (N.isMachineOpcode() ? PTX_NODE_MACHINE : 0) |
                   (N.isDivergent() ? PTX_NODE_DIVERGENT : 0) |
                   (N.getHasDebugValue() ? PTX_NODE_HAS_DEBUG_VALUE : 0);
  if (HasExtraInfo) {
    Flags |= E.DAG.getNoMergeSiteInfo(&N) ? PTX_NODE_NO_MERGE : 0;
    Flags |= E.DAG.getPCSections(&N) ? PTX_NODE_PC_SECTIONS : 0;
    Flags |= memoryModelAnnotations(E.DAG, &N) ? PTX_NODE_MMRA : 0;
    Flags |= E.DAG.getHeapAllocSite(&N) ? PTX_NODE_HEAP_ALLOC_SITE : 0;
  }
  return Flags;
}

// What is known of a node without the numbers of others. Its first operand is
// behind those of the nodes before it.
void describeNode(Emission &E, const SDNode &N, bool HasExtraInfo) {
  DagBuffers &B = E.B;
  uint32_t FirstOperand = B.Nodes.empty() ? 0
                                          : B.Nodes.back().first_operand +
                                                B.Nodes.back().num_operands;
  PtxDagNode &Record = B.Nodes.emplace_back();
  Record.node = Emission::wrap(&N);
  Record.first_operand = FirstOperand;
  Record.num_operands = N.getNumOperands();
  Record.ir_order = N.getIROrder();
  Record.flags = nodeFlags(E, N, HasExtraInfo);
  if (N.isMachineOpcode()) {
    Record.opcode = N.getMachineOpcode();
    Record.mi_flags = instrFlags(N.getFlags());
  } else {
    Record.opcode = kindOf(N);
  }
  Record.first_value = uint32_t(B.Values.size());
  Record.num_values = N.getNumValues();
  for (EVT Type : N.values())
    B.Values.push_back(typed(Type));
}

void addNode(Emission &E, SDNode &N, const SUnit &SU, bool HasExtraInfo) {
  uint32_t Id = E.idOf(&N);
  if (Id == PTX_NONE) {
    Id = uint32_t(E.B.Nodes.size());
    N.setNodeId(int(Id)); // a unit's number before, which is of no use any more
    describeNode(E, N, HasExtraInfo);
  }
  uint16_t Flags = (SU.OrigNode != &SU ? PTX_STEP_CLONE : 0) |
                   (SU.isCloned ? PTX_STEP_CLONED : 0);
  E.B.Steps.push_back({Id, PTX_STEP_NODE, Flags});
}

void addPhysCopy(Emission &E, const SUnit &SU) {
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
  E.B.Steps.push_back({uint32_t(E.B.PhysCopies.size()), PTX_STEP_PHYS_COPY, 0});
  E.B.PhysCopies.push_back(Copy);
}

void readSteps(Emission &E) {
  bool HasExtraInfo = hasExtraInfo(E.DAG);
  SmallVector<SDNode *, 8> Glued;
  for (SUnit *SU : E.Scheduler.Sequence) {
    if (!SU) {
      E.B.Steps.push_back({0, PTX_STEP_NOOP, 0});
    } else if (!SU->getNode()) {
      addPhysCopy(E, *SU);
    } else {
      SDNode *Last = SU->getNode();
      for (SDNode *N = Last->getGluedNode(); N; N = N->getGluedNode())
        Glued.push_back(N);
      while (!Glued.empty())
        addNode(E, *Glued.pop_back_val(), *SU, HasExtraInfo);
      addNode(E, *Last, *SU, HasExtraInfo);
    }
  }
}

// The operands and uses of all nodes, which have their numbers.
void readEdges(Emission &E) {
  if (E.B.Nodes.empty())
    return;
  const PtxDagNode &Last = E.B.Nodes.back();
  E.B.Operands.resize(Last.first_operand + Last.num_operands);
  for (PtxDagNode &Record : E.B.Nodes) {
    SDNode &N = *Emission::get(Record.node);
    readOperands(E, N, Record);
    readUses(E, N, Record);
  }
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
      // The node may be gone; then the value is invalidated.
      uint32_t Id = V.Invalid ? PTX_NONE : E.idOf(Op.u.s.Node);
      O.payload =
          Id == PTX_NONE ? PTX_NONE : E.B.Nodes[Id].first_value + Op.u.s.ResNo;
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
           DAG.GetDbgValues(Emission::get(E.B.Nodes[Id].node)))
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
  B.Steps.clear();
  B.Nodes.clear();
  B.Operands.clear();
  B.Values.clear();
  B.Copies.clear();
  B.PhysCopies.clear();
  B.DbgPointers.clear();
  B.DbgValues.clear();
  B.DbgOperands.clear();
  B.DbgOf.clear();
  B.DbgLabelOrders.clear();
}

// A value that instruction selection keeps in registers across blocks, and the
// blocks that read it; a PHI reads at the end of the block that it comes from.
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
    B.IrUses.push_back(B.IrBlocks.lookup(At) << 1 | (Phi ? 1 : 0));
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
  readSteps(E);
  readEdges(E);
  uint32_t Flags = dagFlags(E);
  if (Flags & PTX_DAG_HAS_DEBUG_VALUES)
    readDebugValues(E);
  auto Size = [](const auto &V) { return uint32_t(V.size()); };
  *Out = {B.Steps.data(),
          B.Nodes.data(),
          B.Operands.data(),
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
          Size(B.Values),
          Size(B.Copies),
          Size(B.PhysCopies),
          Size(B.DbgValues),
          Size(B.DbgOperands),
          Size(B.DbgOf),
          Size(B.DbgLabelOrders),
          Size(E.Scheduler.SUnits),
          Flags};
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
