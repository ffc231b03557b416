// Makes debug instructions for the emitter, and finds insertion points in the
// block.
#include "emitter.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace ptxpasses;

namespace {

const Value *valueOf(uint64_t Bits) {
  return reinterpret_cast<const Value *>(uintptr_t(Bits));
}

PtxDbgConstant describeConstant(const Value *V) {
  PtxDbgConstant R = {};
  R.constant = reinterpret_cast<const PtxValue *>(V);
  if (const auto *Int = dyn_cast<ConstantInt>(V)) {
    R.bits = Int->getBitWidth();
    R.kind = R.bits > 64 ? PTX_CONST_WIDE_INT : PTX_CONST_INT;
    if (R.kind == PTX_CONST_INT)
      R.value = Int->getSExtValue();
  } else if (isa<ConstantFP>(V)) {
    R.kind = PTX_CONST_FP;
  } else if (isa<ConstantPointerNull>(V)) {
    R.kind = PTX_CONST_NULL_POINTER;
  } else {
    R.kind = PTX_CONST_OTHER;
  }
  return R;
}

const DIExpression *expressionOf(const SDDbgValue &V, uint32_t Kind,
                                 const PtxMetadata *Given) {
  constexpr uint32_t Changes = PTX_EXPR_DEREF | PTX_EXPR_TO_VARIADIC;
  switch (Kind & ~Changes) {
  case PTX_EXPR_OF_VALUE: {
    const DIExpression *Expr = V.Expr;
    if (Kind & PTX_EXPR_DEREF)
      Expr = DIExpression::append(Expr, dwarf::DW_OP_deref);
    return Kind & PTX_EXPR_TO_VARIADIC
               ? DIExpression::convertToVariadicExpression(Expr)
               : Expr;
  }
  case PTX_EXPR_GIVEN:
    return reinterpret_cast<const DIExpression *>(Given);
  case PTX_EXPR_UNDEF:
    return DIExpression::convertToUndefExpression(V.Expr);
  default:
    report_fatal_error("ptxpasses: unknown kind of expression");
  }
}

} // namespace

extern "C" {

void ptx_dbg_constant(PtxEmission *, uint64_t Constant, PtxDbgConstant *Out) {
  *Out = describeConstant(valueOf(Constant));
}

void ptx_dbg_fold_constant(PtxEmission *E, uint32_t Index,
                           PtxDbgConstant *Out) {
  const SDDbgValue &V = *get(E)->B.DbgPointers[Index];
  const Value *C = V.LocationOps[0].u.Const;
  DIExpression *Expr = V.Expr;
  if (Expr)
    if (const auto *Int = dyn_cast<ConstantInt>(C)) {
      const ConstantInt *Folded;
      std::tie(Expr, Folded) = Expr->constantFold(Int);
      C = Folded;
    }
  *Out = describeConstant(C);
  Out->expression = reinterpret_cast<const PtxMetadata *>(Expr);
}

PtxInstr *ptx_dbg_only_def(PtxEmission *P, uint32_t Reg, uint32_t *Index) {
  MachineRegisterInfo &MRI = get(P)->MRI;
  if (!MRI.hasOneDef(Reg))
    return nullptr;
  const MachineOperand &Def = *MRI.def_begin(Reg);
  *Index = Def.getOperandNo();
  return wrap(const_cast<MachineInstr *>(Def.getParent()));
}

bool ptx_dbg_is_copy(PtxEmission *E, const PtxInstr *MI) {
  return get(MI)->isCopyLike() || get(E)->TII.isCopyInstr(*get(MI));
}

uint32_t ptx_dbg_number(PtxInstr *MI) { return get(MI)->getDebugInstrNum(); }

PtxInstr *ptx_dbg_build(PtxEmission *P, uint32_t Index, uint32_t Opcode,
                        uint32_t ExpressionKind, const PtxMetadata *Given,
                        bool Indirect, const PtxNewOperand *Operands,
                        uint32_t Num) {
  Emission &E = *get(P);
  const SDDbgValue &V = *E.B.DbgPointers[Index];
  const MDNode *Var = V.Var;
  const MDNode *Expr = expressionOf(V, ExpressionKind, Given);
  MachineInstrBuilder MIB = BuildMI(E.MF, V.DL, E.TII.get(Opcode));
  if (Opcode == TargetOpcode::DBG_VALUE) {
    addOperands(E, MIB, ArrayRef(Operands, Num));
    if (Indirect)
      MIB.addImm(0);
    else
      MIB.addReg(0);
    MIB.addMetadata(Var).addMetadata(Expr);
  } else {
    MIB.addMetadata(Var).addMetadata(Expr);
    addOperands(E, MIB, ArrayRef(Operands, Num));
  }
  return wrap(MIB.getInstr());
}

PtxInstr *ptx_dbg_label(PtxEmission *P, uint32_t Index) {
  Emission &E = *get(P);
  const SDDbgLabel &Label = **(E.DAG.DbgLabelBegin() + Index);
  return wrap(BuildMI(E.MF, Label.DL, E.TII.get(TargetOpcode::DBG_LABEL))
                  .addMetadata(Label.Label)
                  .getInstr());
}

void ptx_emit_insert_before(PtxInstr *MI, PtxInstr *Before) {
  MachineInstr &B = *get(Before);
  B.getParent()->insert(B.getIterator(), get(MI));
}

void ptx_emit_insert(PtxEmission *E, PtxInstr *MI) {
  get(E)->BB.insert(get(E)->InsertPos, get(MI));
}

void ptx_emit_append(PtxEmission *E, PtxInstr *MI) {
  get(E)->BB.push_back(get(MI));
}

PtxInstr *ptx_emit_first_non_phi(PtxEmission *P) {
  MachineBasicBlock &BB = get(P)->BB;
  auto I = BB.getFirstNonPHI();
  return I == BB.end() ? nullptr : wrap(&*I);
}

PtxInstr *ptx_emit_first_terminator(PtxEmission *P) {
  MachineBasicBlock &BB = get(P)->BB;
  auto I = BB.getFirstTerminator();
  return I == BB.end() ? nullptr : wrap(&*I);
}

PtxInstr *ptx_emit_insert_point(PtxEmission *P) {
  Emission &E = *get(P);
  return E.InsertPos == E.BB.end() ? nullptr : wrap(&*E.InsertPos);
}

bool ptx_mi_is_debug_value(const PtxInstr *MI) {
  return get(MI)->isDebugValue();
}

void ptx_emit_drop_location(PtxInstr *MI, PtxInstr *Before) {
  get(MI)->getOperand(0).ChangeToRegister(0, /*isDef=*/false);
  get(MI)->moveBefore(get(Before));
}

} // extern "C"
