// Checks the mirrors of emitter_mirror.h against the host. A difference ends
// the process, as guessing would be unsafe.
#include "emitter_mirror.h"
#include "elf_object.h"
#include "host_check.h"
#include "vtable.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <new>

using namespace llvm;
using ptxpasses::slotOf;
using ptxpasses::VTableHeader;

namespace {

using Base = ScheduleDAGSDNodes;

const char Message[] =
    "this LLVM has its instruction emitter laid out otherwise: ";

// Ends the process while the plugin is being loaded.
[[noreturn]] void refuseLayout(const char *Which) {
  ptxpasses::refuse(Message, Which);
}

// Ends it later, through LLVM, which removes the partial output.
[[noreturn]] void refuseToGoOn(const char *Which) {
  report_fatal_error(Twine("ptxpasses: ") + Message + Which,
                     /*gen_crash_diag=*/false);
}

const char VTableName[] = "_ZTVN4llvm18ScheduleDAGSDNodesE";
const char EmitScheduleName[] =
    "_ZN4llvm18ScheduleDAGSDNodes12EmitScheduleERNS_"
    "26MachineInstrBundleIteratorINS_12MachineInstrELb0EEE";

struct Slot {
  const char *Name;
  size_t Index;
};

} // namespace

void ptxpasses::checkSchedulerVTable() {
  auto **VTable = static_cast<void **>(dlsym(RTLD_DEFAULT, VTableName));
  if (!VTable)
    refuseLayout("it exports no vtable of ScheduleDAGSDNodes");
  const Slot Slots[] = {
      {"_ZN4llvm18ScheduleDAGSDNodes14computeLatencyEPNS_5SUnitE",
       slotOf(&Base::computeLatency)},
      {"_ZNK4llvm18ScheduleDAGSDNodes21computeOperandLatencyEPNS_6SDNodeES2_"
       "jRNS_4SDepE",
       slotOf(&Base::computeOperandLatency)},
      {"__cxa_pure_virtual", slotOf(&Base::Schedule)},
      {EmitScheduleName, slotOf(&Base::EmitSchedule)},
      {"_ZNK4llvm18ScheduleDAGSDNodes8dumpNodeERKNS_5SUnitE",
       slotOf(&Base::dumpNode)},
      {"_ZNK4llvm18ScheduleDAGSDNodes4dumpEv", slotOf(&Base::dump)},
#if PTX_LABELS_SCHEDULE_GRAPHS
      {"_ZNK4llvm18ScheduleDAGSDNodes17getGraphNodeLabelB5cxx11EPKNS_5SUnitE",
       slotOf(&Base::getGraphNodeLabel)},
#endif
      {"_ZNK4llvm18ScheduleDAGSDNodes10getDAGNameB5cxx11Ev",
       slotOf(&Base::getDAGName)},
      {"_ZNK4llvm18ScheduleDAGSDNodes22getCustomGraphFeaturesERNS_"
       "11GraphWriterIPNS_11ScheduleDAGEEE",
       slotOf(&Base::getCustomGraphFeatures)},
  };
  size_t Last = 0;
  for (const Slot &S : Slots) {
    void *Function = dlsym(RTLD_DEFAULT, S.Name);
    if (!Function || VTable[VTableHeader + S.Index] != Function)
      refuseLayout(S.Name);
    Last = std::max(Last, S.Index);
  }
  // forceUnitLatencies, which is inline, is last.
  auto Llvm = ptxpasses::ElfObject::at(static_cast<void *>(VTable));
  const ElfW(Sym) *Symbol = Llvm ? Llvm.defined(VTableName) : nullptr;
  if (!Symbol || Symbol->st_size / sizeof(void *) != VTableHeader + Last + 2)
    refuseLayout("the size of the vtable of ScheduleDAGSDNodes");
}

bool ptxpasses::emitsAsBaseClass(const ScheduleDAGSDNodes &S) {
  static void *const BaseFunction = dlsym(RTLD_DEFAULT, EmitScheduleName);
  // The first member of an object.
  void *const *VTable = *reinterpret_cast<void *const *const *>(&S);
  return VTable[slotOf(&Base::EmitSchedule)] == BaseFunction;
}

namespace {
// Never dereferenced.
template <class T> T *mark(uintptr_t Value) {
  return reinterpret_cast<T *>(Value);
}

struct Probe : ScheduleDAGSDNodes {
  bool RanRight = false;
  using ScheduleDAGSDNodes::ScheduleDAGSDNodes;
  void Schedule() override {
    RanRight = BB == mark<MachineBasicBlock>(0x1110) &&
               DAG == mark<SelectionDAG>(0x2220) && Sequence.empty() &&
               SUnits.empty();
  }
};
} // namespace

static bool probeSchedulerData(MachineFunction &MF) {
  constexpr size_t Guard = 512;
  constexpr unsigned char Pattern = 0xa5;
  alignas(16) static unsigned char Memory[sizeof(Probe) + Guard];
  std::memset(Memory, Pattern, sizeof Memory);
  auto *P = new (Memory) Probe(MF);
  auto FitsFunction = [&] {
    return P->InstrItins == MF.getSubtarget().getInstrItineraryData() &&
           &P->MF == &MF && &P->TM == &MF.getTarget() &&
           P->TII == MF.getSubtarget().getInstrInfo() &&
           P->TRI == MF.getSubtarget().getRegisterInfo();
  };
  // As the constructor leaves it.
  const unsigned char EmptyVector[sizeof(decltype(P->Sequence))] = {};
  if (P->BB || P->DAG || !FitsFunction() ||
      std::memcmp(static_cast<const void *>(&P->Sequence), EmptyVector,
                  sizeof EmptyVector) != 0)
    refuseToGoOn("members of ScheduleDAGSDNodes");
  SUnit Unit;
  P->Sequence.push_back(&Unit); // Run() empties it
  static_cast<ScheduleDAGSDNodes *>(P)->Run(mark<SelectionDAG>(0x2220),
                                            mark<MachineBasicBlock>(0x1110));
  bool Untouched =
      std::all_of(Memory + sizeof(Probe), std::end(Memory),
                  [](unsigned char Byte) { return Byte == Pattern; });
  if (!P->RanRight || !FitsFunction() || !Untouched)
    refuseToGoOn("members of ScheduleDAGSDNodes");
  P->~Probe();
  return true;
}

// Several threads compile functions at once. The first one to arrive makes the
// check; the others wait for it.
void ptxpasses::checkSchedulerData(MachineFunction &MF) {
  [[maybe_unused]] static const bool Checked = probeSchedulerData(MF);
}

#ifdef NDEBUG // with assertions LLVM looks at what these marks stand for
static bool probeDebugValues(SelectionDAG &DAG) {
  auto *Var = mark<DIVariable>(0x1110);
  auto *Expr = mark<DIExpression>(0x2220);
  auto Fits = [&](const SDDbgValue &V, SDDbgOperand::Kind Kind, bool Indirect,
                  unsigned Order) {
    return V.NumLocationOps == 1 && V.NumAdditionalDependencies == 0 &&
           V.Var == Var && V.Expr == Expr && !V.DL && V.Order == Order &&
           V.IsIndirect == Indirect && !V.IsVariadic && !V.Invalid &&
           !V.Emitted && V.LocationOps->kind == Kind;
  };
  const SDDbgValue &Node = *DAG.getDbgValue(Var, Expr, mark<SDNode>(0x3330), 7,
                                            true, DebugLoc(), 11);
  const SDDbgValue &Constant = *DAG.getConstantDbgValue(
      Var, Expr, mark<const Value>(0x4440), DebugLoc(), 12);
  const SDDbgValue &Frame =
      *DAG.getFrameIndexDbgValue(Var, Expr, 5, true, DebugLoc(), 13);
  const SDDbgValue &VReg =
      *DAG.getVRegDbgValue(Var, Expr, 9, false, DebugLoc(), 14);
  if (!Fits(Node, SDDbgOperand::SDNODE, true, 11) ||
      Node.LocationOps->u.s.Node != mark<SDNode>(0x3330) ||
      Node.LocationOps->u.s.ResNo != 7 ||
      !Fits(Constant, SDDbgOperand::CONST, false, 12) ||
      Constant.LocationOps->u.Const != mark<const Value>(0x4440) ||
      !Fits(Frame, SDDbgOperand::FRAMEIX, true, 13) ||
      Frame.LocationOps->u.FrameIx != 5 ||
      !Fits(VReg, SDDbgOperand::VREG, false, 14) ||
      VReg.LocationOps->u.VReg != 9)
    refuseToGoOn("members of SDDbgValue");
  const SDDbgLabel &Label =
      *DAG.getDbgLabel(mark<DILabel>(0x5550), DebugLoc(), 15);
  if (Label.Label != mark<MDNode>(0x5550) || Label.DL || Label.Order != 15)
    refuseToGoOn("members of SDDbgLabel");
  return true;
}
#endif

void ptxpasses::checkDebugValues([[maybe_unused]] SelectionDAG &DAG) {
#ifdef NDEBUG
  [[maybe_unused]] static const bool Checked = probeDebugValues(DAG);
#endif
}
