// Reads the dynamic section of a loaded object. dladdr() would walk all symbols
// of the object: 2 million instructions for libLLVM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <link.h>

namespace ptxpasses {

class ElfObject {
public:
  // Finds the object that contains an address of code or data.
  static ElfObject at(const void *Address);

  // Whether there is such an object, and it has symbols with a hash table.
  explicit operator bool() const { return Symbols && Names && Hash; }

  // Returns the symbol that the object defines under this name, or null.
  const ElfW(Sym) * defined(const char *Name) const;

  // Calls Function(const char *Name) for each symbol that the object references
  // but that was not resolved when it was relocated: weak symbols that no
  // object defines. ld.so must relocate the object as a whole (-z now).
  template <class Fn> void forEachMissing(Fn Function) const {
    forEachMissing(Relocations, RelocationsSize, Function);
    forEachMissing(PltRelocations, PltRelocationsSize, Function);
  }

private:
  ElfW(Addr) Base = 0;
  const ElfW(Sym) *Symbols = nullptr;
  const char *Names = nullptr;
  const uint32_t *Hash = nullptr;
  const ElfW(Rela) *Relocations = nullptr, *PltRelocations = nullptr;
  size_t RelocationsSize = 0, PltRelocationsSize = 0; // in bytes

  static int visit(dl_phdr_info *Info, size_t, void *Search);
  void read(const ElfW(Dyn) * Section);

  template <class Fn>
  void forEachMissing(const ElfW(Rela) * First, size_t Size,
                      Fn Function) const {
    for (const ElfW(Rela) *R = First; R != First + Size / sizeof *R; ++R) {
      size_t Number = ELF64_R_SYM(R->r_info);
      if (!Number || Symbols[Number].st_shndx != SHN_UNDEF)
        continue;
      auto Given = *reinterpret_cast<const ElfW(Addr) *>(Base + R->r_offset);
      if (Given == static_cast<ElfW(Addr)>(R->r_addend))
        Function(Names + Symbols[Number].st_name);
    }
  }
};

} // namespace ptxpasses
