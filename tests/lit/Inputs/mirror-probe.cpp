// A plugin that checks the emitter's mirrors and does nothing else. Built with
// -DPTX_TEST_MIRROR=N it has them altered.
#include "elf_object.cpp"
#include "emitter_mirror.cpp"

#include "llvm/CodeGen/SchedulerRegistry.h"
#include "llvm/CodeGen/SelectionDAGISel.h"
#include "llvm/Support/CommandLine.h"

#include <cstdio>
#include <unistd.h>

void ptxpasses::refuse(const char *What, const char *Which) {
  std::fprintf(stderr, "ptxpasses: refusing to load: %s%s\n", What, Which);
  _exit(1);
}

template <class Level>
static ScheduleDAGSDNodes *create(SelectionDAGISel *ISel, Level L) {
  ptxpasses::checkSchedulerData(*ISel->MF);
  ptxpasses::checkDebugValues(*ISel->CurDAG);
  return createDefaultScheduler(ISel, L);
}
static RegisterScheduler Registered("mirror-probe", "checks layouts", create);

static struct Checker {
  Checker() { ptxpasses::checkSchedulerVTable(); }
} TheChecker;
