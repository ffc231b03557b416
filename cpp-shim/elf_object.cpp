// Finds a loaded object by an address in it, and a symbol by the object's own
// hash table (DT_GNU_HASH).
#include "elf_object.h"

#include <cstring>

using namespace ptxpasses;

namespace {
struct Search {
  ElfW(Addr) Address;
  ElfW(Addr) Base = 0;
  const ElfW(Dyn) *Section = nullptr;
};
} // namespace

int ElfObject::visit(dl_phdr_info *Info, size_t, void *Data) {
  auto &S = *static_cast<Search *>(Data);
  const ElfW(Phdr) *Dynamic = nullptr;
  bool Holds = false;
  for (unsigned I = 0; I != Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &P = Info->dlpi_phdr[I];
    Holds |= P.p_type == PT_LOAD &&
             S.Address - Info->dlpi_addr - P.p_vaddr < P.p_memsz;
    if (P.p_type == PT_DYNAMIC)
      Dynamic = &P;
  }
  if (!Holds || !Dynamic)
    return Holds;
  S.Base = Info->dlpi_addr;
  S.Section = reinterpret_cast<const ElfW(Dyn) *>(S.Base + Dynamic->p_vaddr);
  return 1;
}

ElfObject ElfObject::at(const void *Address) {
  Search S{reinterpret_cast<ElfW(Addr)>(Address)};
  dl_iterate_phdr(visit, &S);
  ElfObject Object;
  Object.Base = S.Base;
  if (S.Section)
    Object.read(S.Section);
  return Object;
}

// ld.so has already turned the offsets in the section into addresses.
void ElfObject::read(const ElfW(Dyn) * Section) {
  for (; Section->d_tag != DT_NULL; ++Section) {
    const ElfW(Addr) Value = Section->d_un.d_ptr;
    switch (Section->d_tag) {
    case DT_SYMTAB:
      Symbols = reinterpret_cast<const ElfW(Sym) *>(Value);
      break;
    case DT_STRTAB:
      Names = reinterpret_cast<const char *>(Value);
      break;
    case DT_GNU_HASH:
      Hash = reinterpret_cast<const uint32_t *>(Value);
      break;
    case DT_RELA:
      Relocations = reinterpret_cast<const ElfW(Rela) *>(Value);
      break;
    case DT_RELASZ:
      RelocationsSize = Value;
      break;
    case DT_JMPREL:
      PltRelocations = reinterpret_cast<const ElfW(Rela) *>(Value);
      break;
    case DT_PLTRELSZ:
      PltRelocationsSize = Value;
      break;
    default:
      break;
    }
  }
}

// The table has four numbers, a filter, which is skipped, the first symbol of
// each bucket, and the hash of each symbol. The lowest bit of a hash is set at
// the end of a bucket.
const ElfW(Sym) * ElfObject::defined(const char *Name) const {
  const uint32_t Buckets = Hash[0], FirstSymbol = Hash[1],
                 FilterWords = Hash[2];
  const uint32_t *Bucket = Hash + 4 + FilterWords * (sizeof(ElfW(Addr)) / 4);
  const uint32_t *Chain = Bucket + Buckets;
  uint32_t Wanted = 5381;
  for (const char *C = Name; *C; ++C)
    Wanted = Wanted * 33 + static_cast<unsigned char>(*C);
  if (!Buckets)
    return nullptr;
  uint32_t I = Bucket[Wanted % Buckets];
  if (I < FirstSymbol)
    return nullptr;
  for (;; ++I) {
    uint32_t Has = Chain[I - FirstSymbol];
    if ((Has | 1) == (Wanted | 1) &&
        !std::strcmp(Names + Symbols[I].st_name, Name))
      return &Symbols[I];
    if (Has & 1)
      return nullptr;
  }
}
