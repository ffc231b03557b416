// The emission of one block, shared by the files of the shim's emitter.
#pragma once

#include "compat_emitter.h"
#include "emitter_mirror.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/FunctionLoweringInfo.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/Support/MemAlloc.h"

#include <type_traits>

namespace ptxpasses {

// An array of plain records that only grows and does not zero its memory.
template <class T> class Records {
  static_assert(std::is_trivially_copyable_v<T>);
  T *Begin = nullptr, *End = nullptr, *Limit = nullptr;

  LLVM_ATTRIBUTE_NOINLINE void grow(uint32_t Num) {
    size_t Size = size(), Capacity = 2 * Size + Num + 64;
    Begin = static_cast<T *>(llvm::safe_realloc(Begin, Capacity * sizeof(T)));
    End = Begin + Size;
    Limit = Begin + Capacity;
  }

public:
  Records() = default;
  Records(const Records &) = delete;
  Records &operator=(const Records &) = delete;
  ~Records() { std::free(Begin); }

  // Forgets all records and makes room for `Num`, by one allocation at most.
  // Touching fresh memory costs more than the work on it.
  void reset(uint32_t Num) {
    if (LLVM_UNLIKELY(size_t(Limit - Begin) < Num)) {
      std::free(Begin);
      Begin = static_cast<T *>(llvm::safe_malloc(Num * sizeof(T)));
      Limit = Begin + Num;
    }
    End = Begin;
  }
  // Adds records, for which there must be room. The caller writes them.
  T *take(uint32_t Num) {
    T *First = End;
    End += Num;
    assert(End <= Limit);
    return First;
  }
  // As take, but makes room first.
  T *append(uint32_t Num) {
    if (LLVM_UNLIKELY(size_t(Limit - End) < Num))
      grow(Num);
    return take(Num);
  }
  void push_back(const T &Record) { *append(1) = Record; }
  void clear() { End = Begin; }
  uint32_t size() const { return uint32_t(End - Begin); }
  uint32_t indexOf(const T *Record) const { return uint32_t(Record - Begin); }
  T *data() const { return Begin; }
  T &operator[](size_t I) const { return Begin[I]; }
};

// Buffers for reading a DAG, reused from block to block.
struct DagBuffers {
  Records<PtxDagStep> Steps;
  Records<PtxDagNode> Nodes;
  Records<PtxDagOperand> Operands;
  Records<uint64_t> Words;
  Records<PtxDagValue> Values;
  Records<PtxDagCopy> Copies;
  uint32_t SpecialKinds = 0, OddInputs = 0; // see PtxDag
  std::vector<PtxPhysCopy> PhysCopies;
  std::vector<llvm::SDDbgValue *> DbgPointers;
  std::vector<PtxDagDbgValue> DbgValues;
  std::vector<PtxDagDbgOperand> DbgOperands;
  std::vector<PtxDagDbgOf> DbgOf;
  std::vector<uint32_t> DbgLabelOrders;
  std::vector<PtxOptNodeId> Users;
  Records<PtxDescOperand> DescOperands;
  // The values of the function; see ptx_emit_ir.
  std::vector<PtxIrValue> IrValues;
  std::vector<PtxIrUse> IrUses;
  std::vector<PtxIrEdge> IrEdges;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> IrBlocks;
};

struct Emission {
  llvm::ScheduleDAGSDNodes &Scheduler;
  llvm::SelectionDAG &DAG;
  llvm::MachineFunction &MF;
  llvm::MachineBasicBlock &BB;
  llvm::MachineBasicBlock::iterator InsertPos;
  llvm::MachineRegisterInfo &MRI;
  const llvm::TargetInstrInfo &TII;
  const llvm::TargetRegisterInfo &TRI;
  const llvm::TargetLowering &TLI;
  const llvm::FunctionLoweringInfo &FuncInfo;
  DagBuffers &B;

  Emission(llvm::ScheduleDAGSDNodes &Scheduler,
           const llvm::FunctionLoweringInfo &FuncInfo,
           llvm::MachineBasicBlock::iterator InsertPos, DagBuffers &Buffers)
      : Scheduler(Scheduler), DAG(*Scheduler.DAG), MF(Scheduler.MF),
        BB(*Scheduler.BB), InsertPos(InsertPos), MRI(MF.getRegInfo()),
        TII(*MF.getSubtarget().getInstrInfo()),
        TRI(*MF.getSubtarget().getRegisterInfo()),
        TLI(*MF.getSubtarget().getTargetLowering()), FuncInfo(FuncInfo),
        B(Buffers) {}

  // PTX_NONE for a node that is not scheduled.
  uint32_t idOf(const llvm::SDNode *N) const {
    auto Id = uint32_t(N->getNodeId());
    return Id < B.Nodes.size() && B.Nodes[Id].handle == wrap(N) ? Id : PTX_NONE;
  }
  static PtxSDNode *wrap(const llvm::SDNode *N) {
    return reinterpret_cast<PtxSDNode *>(const_cast<llvm::SDNode *>(N));
  }
  static llvm::SDNode *get(PtxSDNode *N) {
    return reinterpret_cast<llvm::SDNode *>(N);
  }
  static llvm::SDNode *nodeOf(uint64_t Payload) {
    return reinterpret_cast<llvm::SDNode *>(uintptr_t(Payload));
  }
};

inline Emission *get(PtxEmission *E) { return reinterpret_cast<Emission *>(E); }
inline PtxEmission *wrap(Emission *E) {
  return reinterpret_cast<PtxEmission *>(E);
}

void addOperands(Emission &E, const llvm::MachineInstrBuilder &MIB,
                 llvm::ArrayRef<PtxNewOperand> Operands);

// Replaces LLVM's emitter in pipelines built from now on. `Pass` is its index
// in the table of passes.
void installEmitter(unsigned Pass);

// Called when a pipeline that will select instructions is made: all options are
// parsed, and instruction selection has not begun.
void enterEmitter();

// Finishes a selected function, before finalize-isel. Returns whether the
// function changed.
bool finishSelection(llvm::MachineFunction &MF);

} // namespace ptxpasses
