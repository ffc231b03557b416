// A pass of LLVM that a pass of ours owns.
#pragma once

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/LegacyPassManagers.h"
#include "llvm/Pass.h"

#include <memory>

namespace ptxpasses {

// Protected members of MachineFunctionPass. They are named through a derived
// class, so that they can be called on another object.
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

// Returns the analyses that a pass of this manager needs and keeps, as LLVM has
// computed them. Asking the pass again is slow, because setPreservesCFG() walks
// all existing passes.
inline const llvm::AnalysisUsage &usageOf(llvm::Pass &P,
                                          llvm::PMDataManager &PM) {
  return *PM.getTopLevelManager()->findAnalysisUsage(&P);
}

// Gives a stock pass's resolver the analyses that the pass manager has made for
// our replacement, which requires the same ones.
inline void handOnAnalyses(llvm::Pass &Ours, llvm::AnalysisResolver &Stock) {
  Stock.clearAnalysisImpls();
  llvm::AnalysisResolver &Resolver = *Ours.getResolver();
  for (llvm::AnalysisID ID :
       usageOf(Ours, Resolver.getPMDataManager()).getRequiredSet())
    if (llvm::Pass *P = Resolver.findImplPass(ID))
      Stock.addAnalysisImplsPair(ID, P);
}

// A pass that owns another one and replaces it. The owned pass may itself
// replace another plugin's pass, so it gets every call that its owner gets.
class StandIn : public llvm::MachineFunctionPass {
  std::unique_ptr<llvm::MachineFunctionPass> Stock;
  llvm::AnalysisResolver *StockResolver = nullptr; // owned by Stock

protected:
  StandIn(char &ID, llvm::Pass *P)
      : MachineFunctionPass(ID),
        Stock(static_cast<llvm::MachineFunctionPass *>(P)) {}

  llvm::StringRef stockName() const { return Stock->getPassName(); }
  // The stock pass sees the analyses that the pass manager made for us.
  bool runStock(llvm::MachineFunction &MF) {
    handOnAnalyses(*this, *StockResolver);
    return StockPassAccess::run(*Stock, MF);
  }

public:
  llvm::StringRef getPassName() const override { return stockName(); }
  void getAnalysisUsage(llvm::AnalysisUsage &AU) const override {
    static_cast<const llvm::Pass &>(*Stock).getAnalysisUsage(AU);
  }
  llvm::MachineFunctionProperties getRequiredProperties() const override {
    return StockPassAccess::required(*Stock);
  }
  llvm::MachineFunctionProperties getSetProperties() const override {
    return StockPassAccess::set(*Stock);
  }
  llvm::MachineFunctionProperties getClearedProperties() const override {
    return StockPassAccess::cleared(*Stock);
  }
  void preparePassManager(llvm::PMStack &PMS) override {
    Stock->preparePassManager(PMS);
  }
  bool doInitialization(llvm::Module &M) override {
    if (!StockResolver) {
      StockResolver =
          new llvm::AnalysisResolver(getResolver()->getPMDataManager());
      Stock->setResolver(StockResolver);
    }
    // The base caches the properties above.
    const bool Changed = MachineFunctionPass::doInitialization(M);
    return Stock->doInitialization(M) || Changed;
  }
  bool doFinalization(llvm::Module &M) override {
    return Stock->doFinalization(M);
  }
  void releaseMemory() override { Stock->releaseMemory(); }
};

} // namespace ptxpasses
