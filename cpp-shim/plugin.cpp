// Loads the plugin, once host_check.cpp has found that it fits: registers the
// knobs and installs the passes.
#include "host_check.h"
#include "new_pass_manager.h"
#include "operand.h"
#include "options.h"
#include "passes.h"

#include "llvm/Support/CommandLine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <unistd.h>

using namespace llvm;
using namespace ptxpasses;

namespace {

// ---- knobs --------------------------------------------------------------

// A knob's value goes to Rust as text. Rust reports what is wrong with it.
struct KnobParser : cl::parser<std::string> {
  unsigned Index = 0;
  using cl::parser<std::string>::parser;

  // A flag may have a value: `-ptx-stats`, `-ptx-stats=false`.
  enum cl::ValueExpected getValueExpectedFlagDefault() const {
    return ptx_entry_points.knob(Index).value_name.len ? cl::ValueRequired
                                                       : cl::ValueOptional;
  }
  StringRef getValueName() const override {
    return ref(ptx_entry_points.knob(Index).value_name);
  }
  bool parse(cl::Option &O, StringRef, StringRef Arg, std::string &Value) {
    Value = Arg.str();
    PtxStr Error = ptx_entry_points.set_knob(Index, str(Arg));
    return Error.len && O.error(ref(Error));
  }
};

class Knob : public cl::opt<std::string, false, KnobParser> {
public:
  Knob(unsigned Index, const PtxKnob &K)
      : opt(ref(K.name), cl::desc(ref(K.help)),
            K.hidden ? cl::Hidden : cl::NotHidden) {
    getParser().Index = Index;
    setValueExpectedFlag(getParser().getValueExpectedFlagDefault());
  }
};

struct Plugin {
  std::deque<Knob> Knobs; // cl::opt neither moves nor copies

  Plugin() {
    const PtxStr Problem = ptx_entry_points.problem();
    if (!refusal() && Problem.len)
      decline(ref(Problem).str().c_str(), "");
    if (!refusal() && !operandLayoutIsKnown())
      decline("this LLVM has its machine operands laid out otherwise", "");
    if (!refusal())
      checkOptions();
    if (!refusal())
      readEnvironment();
    if (refusal())
      return;
    for (unsigned I = 0, E = ptx_entry_points.num_knobs(); I != E; ++I)
      Knobs.emplace_back(I, ptx_entry_points.knob(I));
    installPasses();
    watchRegistry();
  }
  ~Plugin() {
    if (refusal() || ptx_entry_points.finish())
      return;
    std::fflush(nullptr);
    _exit(1);
  }

private:
  // LLVM ends the process if two options have the same name.
  static void checkOptions() {
    for (unsigned I = 0, E = ptx_entry_points.num_knobs(); I != E; ++I) {
      const std::string Name = ref(ptx_entry_points.knob(I).name).str();
      if (cl::getRegisteredOptions().count(Name))
        decline("there is an option of this name already: -", Name.c_str());
    }
  }
  // Runs before the knobs are registered: the command line comes later, and so
  // wins.
  static void readEnvironment() {
    // For "my-pass" it is MY_PASS_ARGS.
    std::string Variable = StringRef(ptx_entry_points.name()).upper() + "_ARGS";
    std::replace(Variable.begin(), Variable.end(), '-', '_');
    const char *Arguments = std::getenv(Variable.c_str());
    PtxStr Error = ptx_entry_points.set_knobs(str(Arguments ? Arguments : ""));
    if (Error.len)
      decline((Variable + ": ").c_str(), ref(Error).str().c_str());
  }
} ThePlugin;

} // namespace

// Tells the loader, before it loads a file, which LLVM the file was built for.
extern "C" {
const char *ptx_plugin_name() { return ptx_entry_points.name(); }

__attribute__((section(".note.ptxpasses"), used,
               aligned(4))) extern const struct {
  uint32_t NameSize, DescSize, Type;
  char Name[12];
  uint32_t Major, Asserts;
} ptx_build_note = {
    10, 8, 1, "ptxpasses", LLVM_VERSION_MAJOR, LLVM_ENABLE_ABI_BREAKING_CHECKS};

bool ptx_llvm_option_bool(PtxStr Name, bool *Value) {
  auto *O = findOption<cl::opt<bool>>(ref(Name));
  if (O)
    *Value = *O;
  return O;
}

bool ptx_llvm_option_given(PtxStr Name) { return isGiven(ref(Name)); }

bool ptx_llvm_option_bool_or_default(PtxStr Name, bool *Value) {
  auto *O = findOption<cl::opt<cl::boolOrDefault>>(ref(Name));
  if (!O || *O == cl::boolOrDefault::BOU_UNSET)
    return false;
  *Value = *O == cl::boolOrDefault::BOU_TRUE;
  return true;
}

bool ptx_llvm_option_unsigned(PtxStr Name, uint32_t *Value) {
  auto *O = findOption<cl::opt<unsigned>>(ref(Name));
  if (O)
    *Value = *O;
  return O;
}
} // extern "C"
