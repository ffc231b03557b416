/*
 * libptxpasses.so: the file that a user loads.
 *
 * It references no LLVM symbol, so it loads into any host; it asks the host for
 * its LLVM version and whether that was built with assertions, under which
 * LLVM's classes are laid out otherwise, and loads the build for that LLVM from
 * beside itself.
 * Whatever stands in the way is said in one line and ends the process with
 * status 1: llc only warns of a plugin that it cannot load, and goes on
 * without.
 *
 * Two kinds of file would kill the host inside dlopen() and so are read first:
 * a truncated one (SIGBUS) and a build for another LLVM (its static
 * constructors run against the wrong layouts).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE_NAME "ptxpasses"
#define NOTE_TYPE 1
#define ASSERTS_SYMBOL "_ZN4llvm23EnableABIBreakingChecksE"

__attribute__((noreturn, format(printf, 1, 2))) static void
refuse(const char *format, ...) {
  va_list args;
  fputs("ptxpasses: refusing to load: ", stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  _exit(1);
}

static int in_file(uint64_t offset, uint64_t size, uint64_t file_size) {
  return offset <= file_size && size <= file_size - offset;
}

/* The LLVM that a build is for, or that the host has. */
struct llvm {
  uint32_t major; /* 0: not known */
  uint32_t asserts;
};

static const char *with_assertions(struct llvm llvm) {
  return llvm.asserts ? " with assertions" : "";
}

/* The LLVM that our note within [notes, notes + size) names. */
static struct llvm llvm_in_notes(const unsigned char *notes, uint64_t size) {
  struct llvm llvm = {0, 0};
  uint64_t at = 0;
  while (size - at >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes + at, sizeof note);
    uint64_t name = at + sizeof note;
    uint64_t desc = name + ((note.n_namesz + (uint64_t)3) & ~(uint64_t)3);
    uint64_t next = desc + ((note.n_descsz + (uint64_t)3) & ~(uint64_t)3);
    if (next > size)
      break;
    if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof NOTE_NAME &&
        note.n_descsz == sizeof llvm &&
        !memcmp(notes + name, NOTE_NAME, sizeof NOTE_NAME)) {
      memcpy(&llvm, notes + desc, sizeof llvm);
      break;
    }
    at = next;
  }
  return llvm;
}

/* Reads `path` as far as dlopen() will, and refuses what it would die of. */
static void check_build(const char *path, struct llvm host) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  if (fd < 0 || fstat(fd, &st))
    refuse("cannot read %s: %s", path, strerror(errno));
  uint64_t size = (uint64_t)st.st_size;
  if (!S_ISREG(st.st_mode) || size < sizeof(ElfW(Ehdr)))
    refuse("%s is not a shared library or is truncated", path);
  const unsigned char *file = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (file == MAP_FAILED)
    refuse("cannot read %s: %s", path, strerror(errno));
  close(fd);

  ElfW(Ehdr) header;
  memcpy(&header, file, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) ||
      header.e_phentsize != sizeof(ElfW(Phdr)))
    refuse("%s is not a shared library", path);
  if (!in_file(header.e_phoff, (uint64_t)header.e_phnum * sizeof(ElfW(Phdr)),
               size) ||
      !in_file(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize,
               size))
    refuse("%s is truncated", path);
  struct llvm build = {0, 0};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    memcpy(&segment, file + header.e_phoff + i * sizeof segment,
           sizeof segment);
    if (!in_file(segment.p_offset, segment.p_filesz, size))
      refuse("%s is truncated", path);
    if (segment.p_type == PT_NOTE && !build.major)
      build = llvm_in_notes(file + segment.p_offset, segment.p_filesz);
  }
  munmap((void *)file, size);
  if (!build.major)
    refuse("%s is not a build of ptxpasses", path);
  if (build.major != host.major || build.asserts != host.asserts)
    refuse("the host is LLVM %u%s, but %s was built for LLVM %u%s", host.major,
           with_assertions(host), path, build.major, with_assertions(build));
}

__attribute__((constructor)) static void load(void) {
  typedef void (*get_version_t)(unsigned *, unsigned *, unsigned *);
  get_version_t get_version =
      (get_version_t)dlsym(RTLD_DEFAULT, "LLVMGetVersion");
  if (!get_version)
    refuse("cannot tell the host's LLVM version (it exports no LLVMGetVersion: "
           "LLVM 16 or older, or linked statically)");
  unsigned major = 0, minor = 0, patch = 0;
  get_version(&major, &minor, &patch);
  /* LLVM defines one of two such symbols, so that code built otherwise does not
   * link with it. */
  struct llvm host = {major, dlsym(RTLD_DEFAULT, ASSERTS_SYMBOL) != NULL};
  const char *suffix = host.asserts ? "-asserts" : "";

  Dl_info self;
  if (!dladdr((void *)load, &self) || !self.dli_fname)
    refuse("cannot tell where libptxpasses.so is");
  char real[PATH_MAX], path[PATH_MAX + 40];
  if (!realpath(self.dli_fname, real))
    refuse("cannot resolve %s: %s", self.dli_fname, strerror(errno));
  *strrchr(real, '/') = '\0'; /* an absolute path has one */
  snprintf(path, sizeof path, "%s/libptxpasses-%u%s.so", real, major, suffix);
  if (access(path, F_OK))
    refuse("the host is LLVM %u.%u.%u%s and there is no %s (run scripts/build "
           "%u%s)",
           major, minor, patch, host.asserts ? ", built with assertions," : "",
           path, major, suffix);
  check_build(path, host);
  if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
    refuse("%s", dlerror());
}
