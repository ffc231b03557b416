// Compiles modules one after the other and on as many threads at once, each in
// a context of its own: threads PLUGIN ROUNDS STOCK-OR-PLUGIN FILE.ll...
//
// The output of a thread must be that of the same file alone, which with
// "stock" comes from before the plugin is loaded.  Exit status 1 if it is not.
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxFiles = 64 };

struct Work {
  const char *File;
  int Rounds;
  char *Expected, *Got;
};

static void fail(const char *What, const char *Why) {
  fprintf(stderr, "threads: %s: %s\n", What, Why ? Why : "");
  exit(1);
}

// LLVM numbers all calls of the process.
static void withoutNumbersOfCalls(char *Text) {
  static const char *const Names[] = {"callseq ", "prototype_"};
  char *To = Text;
  while (*Text) {
    for (int I = 0; I != 2; ++I) {
      size_t Length = strlen(Names[I]);
      if (strncmp(Text, Names[I], Length))
        continue;
      memmove(To, Text, Length);
      To += Length;
      Text += Length + strspn(Text + Length, "0123456789");
    }
    if (*Text)
      *To++ = *Text++;
  }
  *To = 0;
}

static char *compile(const char *File) {
  LLVMContextRef Context = LLVMContextCreate();
  LLVMMemoryBufferRef Input, Output;
  LLVMModuleRef Module;
  LLVMTargetRef Target;
  char *Error = NULL;
  const char *Triple = "nvptx64-nvidia-cuda";
  if (LLVMCreateMemoryBufferWithContentsOfFile(File, &Input, &Error) ||
      LLVMParseIRInContext(Context, Input, &Module, &Error) ||
      LLVMGetTargetFromTriple(Triple, &Target, &Error))
    fail(File, Error);
  LLVMTargetMachineRef Machine = LLVMCreateTargetMachine(
      Target, Triple, "sm_80", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
      LLVMCodeModelDefault);
  if (LLVMTargetMachineEmitToMemoryBuffer(Machine, Module, LLVMAssemblyFile,
                                          &Error, &Output))
    fail(File, Error);
  size_t Size = LLVMGetBufferSize(Output);
  char *Text = malloc(Size + 1);
  memcpy(Text, LLVMGetBufferStart(Output), Size);
  Text[Size] = 0;
  withoutNumbersOfCalls(Text);
  LLVMDisposeMemoryBuffer(Output);
  LLVMDisposeTargetMachine(Machine);
  LLVMDisposeModule(Module);
  LLVMContextDispose(Context);
  return Text;
}

static void *run(void *Argument) {
  struct Work *W = Argument;
  for (int I = 0; I != W->Rounds; ++I) {
    free(W->Got);
    W->Got = compile(W->File);
    if (strcmp(W->Got, W->Expected))
      break;
  }
  return NULL;
}

int main(int Count, char **Arguments) {
  static struct Work Works[MaxFiles];
  pthread_t Threads[MaxFiles];
  int Files = Count - 4;
  if (Files < 1 || Files > MaxFiles)
    fail("usage", "threads PLUGIN ROUNDS stock|plugin FILE.ll...");
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  int FromStock = !strcmp(Arguments[3], "stock");
  for (int I = 0; I != Files; ++I) {
    Works[I].File = Arguments[I + 4];
    Works[I].Rounds = atoi(Arguments[2]);
    if (FromStock)
      Works[I].Expected = compile(Works[I].File);
  }
  if (LLVMLoadLibraryPermanently(Arguments[1]))
    fail(Arguments[1], "does not load");
  const char *Options[] = {"threads", "-ptx-profile=upstream", "-ptx-verify",
                           "-ptx-stats"};
  if (!FromStock)
    Options[1] = "-ptx-profile=cicc";
  LLVMParseCommandLineOptions(4, Options, NULL);
  for (int I = 0; I != Files; ++I)
    if (!FromStock)
      Works[I].Expected = compile(Works[I].File);
  for (int I = 0; I != Files; ++I)
    if (pthread_create(&Threads[I], NULL, run, &Works[I]))
      fail("pthread_create", NULL);
  int Wrong = 0;
  for (int I = 0; I != Files; ++I) {
    pthread_join(Threads[I], NULL);
    if (strcmp(Works[I].Got, Works[I].Expected)) {
      fprintf(stderr, "threads: %s differs\n", Works[I].File);
      Wrong = 1;
    }
  }
  printf("%d modules, %d times each: %s\n", Files, Works[0].Rounds,
         Wrong ? "different" : "as one after the other");
  return Wrong;
}
