// Keeps the legacy pipeline, which has our passes, where LLVM would use the new
// pass manager's.
//
// A host asks the target machine twice, by virtual functions: whether it
// prefers the new pass manager, and for its pipeline. We answer both. We copy
// the vtable of the machine's class and replace two functions in the copy. Each
// machine whose functions we take gets a pointer to the copy.
//
// LLVM has a public callback for plugins that generate the code themselves
// (PreCodeGenCallback, LLVM 22). It has no effect with -load and LD_PRELOAD. It
// is called before the machine code of a .mir file is read, which it cannot
// tell from IR. It does not say where split debug info goes.
#include "legacy_pipeline.h"

#include "compat.h"

#if PTX_HAS_NEW_PIPELINE
#include "new_pipeline.h"
#include "options.h"
#include "vtable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/RuntimeLibcallInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineFunctionAnalysis.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/PassManager.h"

#include <algorithm>
#include <link.h>
#include <mutex>
#include <utility>

using namespace llvm;
using namespace ptxpasses;

namespace {

// ---- the vtables --------------------------------------------------------

// The two functions. A member function is a function whose first argument is
// the object (Itanium ABI). If their types change in LLVM, this does not
// compile.
constexpr bool (TargetMachine::*Prefers)() const =
    &TargetMachine::shouldDefaultToNewPM;
constexpr Error (TargetMachine::*Build)(
    ModulePassManager &, ModuleAnalysisManager &, raw_pwrite_stream &,
    raw_pwrite_stream *, CodeGenFileType, const CGPassBuilderOption &,
    MCContext &,
    PassInstrumentationCallbacks *) = &TargetMachine::buildCodeGenPipeline;
using PrefersFn = bool (*)(const TargetMachine *);
using BuildFn = Error (*)(TargetMachine *, ModulePassManager &,
                          ModuleAnalysisManager &, raw_pwrite_stream &,
                          raw_pwrite_stream *, CodeGenFileType,
                          const CGPassBuilderOption &, MCContext &,
                          PassInstrumentationCallbacks *);

// A class with one more virtual function than the base of all machines: its
// slots, and some for functions that a target adds. Words copied from past the
// end of a vtable are never read.
struct OneMore : CodeGenTargetMachineImpl {
  virtual void last();
};
constexpr size_t SlotsOfTarget = 32;

size_t numWords() {
  return VTableHeader + slotOf(&OneMore::last) + SlotsOfTarget;
}

// Returns how many words can be read from an address on, to the end of its
// object's memory.
size_t readableFrom(const void *Address) {
  struct Search {
    ElfW(Addr) Address;
    size_t Bytes = 0;
  } S{reinterpret_cast<ElfW(Addr)>(Address)};
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        auto &S = *static_cast<Search *>(Data);
        for (unsigned I = 0; I != Info->dlpi_phnum; ++I) {
          const ElfW(Phdr) &P = Info->dlpi_phdr[I];
          const ElfW(Addr) Offset = S.Address - Info->dlpi_addr - P.p_vaddr;
          if (P.p_type == PT_LOAD && Offset < P.p_memsz)
            S.Bytes = P.p_memsz - Offset;
        }
        return int(S.Bytes != 0);
      },
      &S);
  return S.Bytes / sizeof(void *);
}

// The vtable of a class of machines, and its copy. Objects point past the
// header.
struct Copied {
  void **Stock;
  void **Ours;
};
// Each copy has its own functions, which know their index here. Another plugin
// may copy our copy, so machines need not point to ours.
constexpr size_t MaxCopies = 64;
Copied Copies[MaxCopies];
size_t NumCopies = 0;
// The memory of the copies, which machines may point into as long as they
// exist. It belongs to this object, so that another plugin finds its end.
void *Words[8192];
size_t NumWords = 0;
std::mutex CopiesLock;

void **&vtableOf(TargetMachine &TM) { return *reinterpret_cast<void ***>(&TM); }

template <class Fn, class Member> Fn stockFunction(size_t Copy, Member M) {
  return reinterpret_cast<Fn>(Copies[Copy].Stock[slotOf(M)]);
}

// ---- the replacements of the two -----------------------------------------

template <size_t Copy> bool prefersOurs(const TargetMachine *TM) {
  if (ptx_entry_points.wants_new_pass_manager())
    return true;
  if (stockFunction<PrefersFn>(Copy, Prefers)(TM))
    ptx_entry_points.note_pipeline(
        str("legacy, where this LLVM's default is the new pass manager's"));
  return false;
}

// The functions of a .mir file exist before the first pass runs.
bool hasMachineCode(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  return any_of(M, [&](Function &F) {
    return FAM.getCachedResult<MachineFunctionAnalysis>(F) != nullptr;
  });
}

class LegacyPipeline : public RequiredPassInfoMixin<LegacyPipeline> {
  TargetMachine &TM;
  raw_pwrite_stream &Out, *DwoOut;
  CodeGenFileType FileType;
  bool DisableVerify;

public:
  LegacyPipeline(TargetMachine &TM, raw_pwrite_stream &Out,
                 raw_pwrite_stream *DwoOut, CodeGenFileType FileType,
                 bool DisableVerify)
      : TM(TM), Out(Out), DwoOut(DwoOut), FileType(FileType),
        DisableVerify(DisableVerify) {}

  static StringRef name() { return "LegacyPipeline"; }

  // As in llvm::runCodeGenPipeline. Machine code belongs to one of the two pass
  // managers from the start.
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (hasMachineCode(M, MAM))
      fail("no pass of ours can run on a .mir file in LLVM's new pass manager: "
           "leave -enable-new-pm out" +
           ref(ptx_entry_points.way_out()));
    ptx_entry_points.note_pipeline(
        str("legacy, within the new pass manager's, which was asked for"));
    legacy::PassManager PM;
    PM.add(createTargetTransformInfoWrapperPass(TM.getTargetIRAnalysis()));
    TargetLibraryInfoImpl Library(TM.getTargetTriple(), TM.Options.VecLib);
    if (auto *O = findOption<cl::opt<bool>>("disable-simplify-libcalls");
        O && *O)
      Library.disableAllFunctions();
    PM.add(new TargetLibraryInfoWrapperPass(Library));
    PM.add(new RuntimeLibraryInfoWrapper(TM.Options.MCOptions.ABIName,
                                         TM.Options.VecLib));
    if (TM.addPassesToEmitFile(PM, Out, DwoOut, FileType, DisableVerify))
      fail("target does not support generation of this file type");
    PM.run(M);
    return PreservedAnalyses::none();
  }
};

// Stock code must come from stock's own pipeline. It differs from the legacy
// pipeline's code where LoopStrengthReduce has changed a loop.
template <size_t Copy>
Error buildOurs(TargetMachine *TM, ModulePassManager &MPM,
                ModuleAnalysisManager &MAM, raw_pwrite_stream &Out,
                raw_pwrite_stream *DwoOut, CodeGenFileType FileType,
                const CGPassBuilderOption &Options, MCContext &Context,
                PassInstrumentationCallbacks *Callbacks) {
  if (ptx_entry_points.wants_new_pass_manager()) {
    if (Error E = stockFunction<BuildFn>(Copy, Build)(
            TM, MPM, MAM, Out, DwoOut, FileType, Options, Context, Callbacks))
      return E;
    enterNewPipeline(*TM, MPM, Callbacks);
    return Error::success();
  }
  if (ptx_entry_points.wants_stock()) {
    ptx_entry_points.note_pipeline(str("the new pass manager's, which was "
                                       "asked for: LLVM's own passes alone"));
    return stockFunction<BuildFn>(Copy, Build)(
        TM, MPM, MAM, Out, DwoOut, FileType, Options, Context, Callbacks);
  }
  MPM.addPass(
      LegacyPipeline(*TM, Out, DwoOut, FileType, Options.DisableVerify));
  return Error::success();
}

template <size_t... Copy>
std::pair<PrefersFn, BuildFn> functionsOf(size_t Index,
                                          std::index_sequence<Copy...>) {
  static constexpr std::pair<PrefersFn, BuildFn> Functions[] = {
      {prefersOurs<Copy>, buildOurs<Copy>}...};
  return Functions[Index];
}

// Returns the copy of a vtable, to which objects should point.
void **copyOf(void **Stock) {
  std::lock_guard<std::mutex> Guard(CopiesLock);
  for (const Copied &C : ArrayRef<Copied>(Copies, NumCopies))
    if (C.Stock == Stock || C.Ours == Stock)
      return C.Ours;
  void **Begin = Stock - VTableHeader;
  size_t Size = std::min(numWords(), readableFrom(Begin));
  if (Size <= VTableHeader + std::max(slotOf(Prefers), slotOf(Build)) ||
      NumWords + Size > std::size(Words) || NumCopies == MaxCopies)
    fail("the machines of this LLVM's targets are not as they should be");
  void **Ours = std::copy(Begin, Begin + Size, Words + NumWords) - Size;
  NumWords += Size;
  Ours += VTableHeader;
  auto [PrefersOurs, BuildOurs] =
      functionsOf(NumCopies, std::make_index_sequence<MaxCopies>());
  Ours[slotOf(Prefers)] = reinterpret_cast<void *>(PrefersOurs);
  Ours[slotOf(Build)] = reinterpret_cast<void *>(BuildOurs);
  Copies[NumCopies++] = {Stock, Ours};
  return Ours;
}

} // namespace

void ptxpasses::keepLegacyPipeline(TargetMachine &TM) {
  void **&VTable = vtableOf(TM);
  VTable = copyOf(VTable);
}

#else
void ptxpasses::keepLegacyPipeline(llvm::TargetMachine &) {}
#endif
