// The legacy pipeline, where LLVM would take the new pass manager's.
#pragma once

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Makes a machine prefer the legacy pass manager. If it is still asked for a
// pipeline of the new one, that pipeline consists of one pass, which runs the
// legacy pipeline. No effect if LLVM has only the legacy one.
void keepLegacyPipeline(llvm::TargetMachine &TM);

} // namespace ptxpasses
