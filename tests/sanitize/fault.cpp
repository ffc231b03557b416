// A library with one fault, for llc -load (scripts/sanitize): shows that the
// sanitizers look at what is loaded into a program that was built without them.
// FAULT says which one.

#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

// Unknown to the compiler, which would warn of the fault otherwise, or leave it
// out.
int number(const char *Variable) {
  const char *Text = std::getenv(Variable);
  return Text ? std::atoi(Text) : 0;
}

struct Fault {
  Fault() {
    const char *Kind = std::getenv("FAULT");
    if (!Kind)
      return;
    if (!std::strcmp(Kind, "overrun")) {
      auto Array = std::make_unique<int[]>(4);
      Array[4 + number("NOT_SET")] = 1;
      Result = Array[0];
    } else if (!std::strcmp(Kind, "freed")) {
      int *Number = new int(number("NOT_SET"));
      delete Number;
      Result = *Number;
    } else if (!std::strcmp(Kind, "overflow")) {
      Result = 0x7fffffff - number("NOT_SET");
      Result = Result + 1;
    }
  }
  volatile int Result = 0;
};

Fault TheFault;

} // namespace
