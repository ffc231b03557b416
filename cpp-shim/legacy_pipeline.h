// The legacy pipeline, where LLVM would take the new pass manager's.
#pragma once

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Has a machine say that it prefers the legacy pass manager.  If it is asked
// for a pipeline of the new one all the same, that consists of one pass, which
// runs the legacy pipeline.  Without effect where LLVM has no other.
void keepLegacyPipeline(llvm::TargetMachine &TM);

} // namespace ptxpasses
