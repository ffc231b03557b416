// A pass of LLVM's that a pass of ours owns.
#pragma once

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/Pass.h"

#include <memory>

namespace ptxpasses {

// Protected members of MachineFunctionPass, named through a derived class so
// that they can be called on another object.
struct StockPassAccess : llvm::MachineFunctionPass {
  static llvm::MachineFunctionProperties
  required(const llvm::MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getRequiredProperties)();
  }
  static llvm::MachineFunctionProperties
  set(const llvm::MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getSetProperties)();
  }
  static llvm::MachineFunctionProperties
  cleared(const llvm::MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getClearedProperties)();
  }
  static bool run(llvm::MachineFunctionPass &P, llvm::MachineFunction &MF) {
    return (P.*&StockPassAccess::runOnMachineFunction)(MF);
  }
  static bool skips(const llvm::MachineFunctionPass &P,
                    const llvm::Function &F) {
    return (P.*&StockPassAccess::skipFunction)(F);
  }
};

// Returns the analyses that a pass of this manager needs and keeps.  LLVM has
// computed that; asking the pass again is slow, as setPreservesCFG() goes
// through all passes that there are.
inline const llvm::AnalysisUsage &usageOf(llvm::Pass &P,
                                          llvm::PMDataManager &PM) {
  return *PM.getTopLevelManager()->findAnalysisUsage(&P);
}

// Gives a stock pass's resolver the analyses that the pass manager has made for
// the pass in its place, which requires the same.
inline void handOnAnalyses(llvm::Pass &Ours, llvm::AnalysisResolver &Stock) {
  Stock.clearAnalysisImpls();
  llvm::AnalysisResolver &Resolver = *Ours.getResolver();
  for (llvm::AnalysisID ID :
       usageOf(Ours, Resolver.getPMDataManager()).getRequiredSet())
    if (llvm::Pass *P = Resolver.findImplPass(ID))
      Stock.addAnalysisImplsPair(ID, P);
}

// A pass that another one owns and stands in for.  It may stand in for a pass
// itself, of another plugin's, so it hears all that its owner hears.
class OwnedPass {
  std::unique_ptr<llvm::MachineFunctionPass> P;
  llvm::AnalysisResolver *Resolver = nullptr; // owned by P

public:
  explicit OwnedPass(llvm::Pass *P)
      : P(static_cast<llvm::MachineFunctionPass *>(P)) {}

  llvm::MachineFunctionPass &operator*() const { return *P; }
  llvm::MachineFunctionPass *operator->() const { return P.get(); }

  bool doInitialization(llvm::Pass &Owner, llvm::Module &M) {
    if (!Resolver) {
      Resolver =
          new llvm::AnalysisResolver(Owner.getResolver()->getPMDataManager());
      P->setResolver(Resolver);
    }
    return P->doInitialization(M);
  }
  // It sees the analyses that the pass manager made for its owner.
  bool run(llvm::Pass &Owner, llvm::MachineFunction &MF) {
    handOnAnalyses(Owner, *Resolver);
    return StockPassAccess::run(*P, MF);
  }
};

} // namespace ptxpasses
