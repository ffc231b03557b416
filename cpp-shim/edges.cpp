// Loops, and splitting edges while analyses are kept up to date.
#include "compat.h"

#include "llvm/ADT/SparseBitVector.h"

#include <vector>

using namespace llvm;
using namespace ptxpasses;

struct PtxEdgeSplitter {
  HostPass &P;
  DominatorUpdater Dominators;
  // By block number. Filled only for blocks to which an edge is split.
  std::vector<SparseBitVector<>> LiveInSets;

  PtxEdgeSplitter(HostPass &P, MachineFunction &MF)
      : P(P), Dominators(P.available<MachineDominatorsPass>(),
                         P.available<MachinePostDominatorsPass>()),
        LiveInSets(MF.getNumBlockIDs()) {}
};

extern "C" {

PtxLoop *ptx_loop_for(PtxLoops *Loops, PtxBlock *MBB) {
  return wrap(get(Loops)->getLoopFor(get(MBB)));
}

PtxBlock *ptx_loop_header(PtxLoop *Loop) {
  return wrap(get(Loop)->getHeader());
}

bool ptx_loop_contains(const PtxLoop *Loop, const PtxLoop *Inner) {
  return get(Loop)->contains(get(Inner));
}

bool ptx_mbb_can_split_edge(const PtxBlock *Pred, const PtxBlock *Succ,
                            const PtxLoops *Loops) {
  return canSplitCriticalEdge(*get(Pred), *get(Succ), get(Loops));
}

PtxEdgeSplitter *ptx_edge_splitter_new(PtxHostPass *P, PtxFunction *MF) {
  return new PtxEdgeSplitter(*get(P), *get(MF));
}

void ptx_edge_splitter_free(PtxEdgeSplitter *Splitter) { delete Splitter; }

bool ptx_edge_splitter_split(PtxEdgeSplitter *S, PtxBlock *Pred, PtxBlock *Succ,
                             const uint32_t *LiveIn, size_t NumLiveIn) {
  std::vector<SparseBitVector<>> *LiveInSets = nullptr;
  if (LiveIn) {
    LiveInSets = &S->LiveInSets;
    SparseBitVector<> &Set = (*LiveInSets)[get(Succ)->getNumber()];
    if (Set.empty())
      for (size_t I = 0; I != NumLiveIn; ++I)
        Set.set(LiveIn[I]);
  }
  MachineBasicBlock *New =
      S->Dominators.split(*get(Pred), *get(Succ), S->P, LiveInSets);
  if (New)
    noteSplitEdge(S->P, *get(Pred), *New);
  return New;
}

void ptx_dominators_recalculate(PtxHostPass *P, PtxFunction *MF) {
  if (MachineDominatorTree *Tree = get(P)->available<MachineDominatorsPass>())
    recalculate(*Tree, *get(MF));
}

} // extern "C"
