/*
 * libNAME.so, libptxpasses.so say: the file that a user loads.
 *
 * It references no LLVM symbol, so it loads into any host. It asks the host for
 * its LLVM version, and whether LLVM was built with assertions, which change
 * the layout of its classes. Then it loads the build for that LLVM,
 * libNAME-<major>.so or libNAME-<major>-asserts.so, from its own folder.
 *
 * It serves every plugin that is built on this crate: NAME comes from the
 * file's name. A copy under another name is another plugin's loader. Each
 * plugin needs its own copy, not a link: ld.so takes two links to a file for
 * one library, and loads it once.
 *
 * Any problem is reported in one line and ends the process with status 1. llc
 * would only warn about a plugin that it cannot load, and continue without it.
 * When a constructor runs, dlopen() can no longer fail either. So a host that
 * has not said that it will ask (see PTXPASSES_RETURNS_TO) would take a refusal
 * for success.
 *
 * A process that gets this file by LD_PRELOAD and has no LLVM continues:
 * shells, linkers and wrappers inherit LD_PRELOAD.
 *
 * Two kinds of file would kill the host inside dlopen() and so are read first:
 * a truncated one (SIGBUS), and a build for another LLVM, whose static
 * constructors would run against the wrong layouts.
 */
#define _GNU_SOURCE
#include "host.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define NOTE_NAME "ptxpasses"
#define NOTE_TYPE 1

#define NAME_CHARACTERS                                                        \
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

#define EXPORTED __attribute__((visibility("default")))

/* Tells `ptxpasses-config --loader` that a file is a loader, which it may
 * replace by a new one. */
__attribute__((used)) static const char mark[] = "ptxpasses: this is a loader";

/* NAME, with which messages begin. If the file is not called libNAME.so, it is
 * the file's name, and `is_named` is false. */
static char plugin[NAME_MAX + 1] = "ptxpasses";
static bool is_named;
/* Why the library refused to load; empty if it did not. */
static char refusal[2 * PATH_MAX + 1024];
/* The build for the host's LLVM, once it is loaded. */
static void *build;
/* Whether this process has no LLVM, and we came by LD_PRELOAD. */
static bool bystander;

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value && *value && strcmp(value, "0");
}

/* Prints the reason, and ends the process. Returns false in a process that will
 * ask. */
__attribute__((format(printf, 1, 2))) static bool refuse(const char *format,
                                                         ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(refusal, sizeof refusal, format, args);
  va_end(args);
  ptx_host_refuse(plugin, refusal);
  return false;
}

/* Takes NAME from a path that ends in libNAME.so; false for another path. */
static bool take_name(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *file = slash ? slash + 1 : path;
  size_t length = strlen(file);
  snprintf(plugin, sizeof plugin, "%s", file);
  if (length <= 6 || strncmp(file, "lib", 3) ||
      strcmp(file + length - 3, ".so"))
    return false;
  if (strspn(file + 3, NAME_CHARACTERS) != length - 6)
    return false;
  snprintf(plugin, sizeof plugin, "%.*s", (int)(length - 6), file + 3);
  return true;
}

/* The name under which the file is loaded identifies the plugin, whatever it
 * links to. If that name says nothing (a link x.so to libptxpasses.so), the
 * link's target does. */
static void find_name(const char *self) {
  char real[PATH_MAX];
  is_named = take_name(self) || (realpath(self, real) && take_name(real));
  if (!is_named)
    take_name(self);
}

static bool in_file(uint64_t offset, uint64_t size, uint64_t file_size) {
  return offset <= file_size && size <= file_size - offset;
}

/* The LLVM that a build is for, or that the host has. */
struct llvm {
  uint32_t major; /* 0: unknown */
  uint32_t asserts;
};

static const char *with_assertions(struct llvm llvm) {
  return llvm.asserts ? " with assertions" : "";
}

/* The LLVM that our note in [notes, notes + size) names. */
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

/* Reads a file of `size` bytes, as far as dlopen() will. */
static bool check_content(const char *path, const unsigned char *file,
                          uint64_t size, struct llvm host) {
  ElfW(Ehdr) header;
  memcpy(&header, file, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) ||
      header.e_phentsize != sizeof(ElfW(Phdr)))
    return refuse("%s is not a shared library", path);
  if (!in_file(header.e_phoff, (uint64_t)header.e_phnum * sizeof(ElfW(Phdr)),
               size) ||
      !in_file(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize,
               size))
    return refuse("%s is truncated", path);
  struct llvm built_for = {0, 0};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    memcpy(&segment, file + header.e_phoff + i * sizeof segment,
           sizeof segment);
    if (!in_file(segment.p_offset, segment.p_filesz, size))
      return refuse("%s is truncated", path);
    if (segment.p_type == PT_NOTE && !built_for.major)
      built_for = llvm_in_notes(file + segment.p_offset, segment.p_filesz);
  }
  if (!built_for.major)
    return refuse("%s is not a plugin that is built on ptxpasses", path);
  if (built_for.major != host.major || built_for.asserts != host.asserts)
    return refuse("the host is LLVM %u%s, but %s was built for LLVM %u%s",
                  host.major, with_assertions(host), path, built_for.major,
                  with_assertions(built_for));
  return true;
}

/* Refuses a file that would crash dlopen(). */
static bool check_build(const char *path, struct llvm host) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat st;
  if (fd < 0)
    return refuse("cannot read %s: %s", path, strerror(errno));
  bool is_file = !fstat(fd, &st) && S_ISREG(st.st_mode) &&
                 (uint64_t)st.st_size >= sizeof(ElfW(Ehdr));
  uint64_t size = is_file ? (uint64_t)st.st_size : 0;
  const unsigned char *file =
      is_file ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  int why = errno;
  close(fd);
  if (!is_file)
    return refuse("%s is not a shared library or is truncated", path);
  if (file == MAP_FAILED)
    return refuse("cannot read %s: %s", path, strerror(why));
  bool fits = check_content(path, file, size, host);
  munmap((void *)file, size);
  return fits;
}

/* A loaded object named libLLVM..., or null. */
static const char *llvm_object(void) {
  for (struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
    const char *slash = strrchr(map->l_name, '/');
    if (!strncmp(slash ? slash + 1 : map->l_name, "libLLVM", 7))
      return map->l_name;
  }
  return NULL;
}

/* The LLVM that is visible in the process: the name of an object, or the
 * executable's name if it exports LLVM itself; null if there is none. */
static const char *visible_llvm(void) {
  static const char *const exports[] = {"LLVMGetVersion", "LLVMContextCreate"};
  const char *object = llvm_object();
  for (unsigned i = 0; !object && i != sizeof exports / sizeof *exports; ++i) {
    Dl_info info;
    void *symbol = dlsym(RTLD_DEFAULT, exports[i]);
    if (symbol)
      object = dladdr(symbol, &info) && info.dli_fname ? info.dli_fname
                                                       : ptx_host_executable();
  }
  return object;
}

/* Whether ld.so loaded us when the process started, for LD_PRELOAD or as a
 * library of the program. In the link map such objects come before ld.so
 * itself, which they all depend on in the end. Objects added by dlopen() come
 * after it. */
static bool loaded_at_start(const struct link_map *self) {
  for (; self; self = self->l_next)
    if (self->l_addr == _r_debug.r_ldbase)
      return true;
  return false;
}

/* Whether a folder of builds is build/lib or build/dev/lib of a checkout, which
 * has scripts/build. */
static bool in_checkout(const char *folder) {
  static const char *const roots[] = {"../..", "../../.."};
  char script[PATH_MAX + 32];
  for (unsigned i = 0; i != sizeof roots / sizeof *roots; ++i) {
    snprintf(script, sizeof script, "%s/%s/scripts/build", folder, roots[i]);
    if (!access(script, X_OK))
      return true;
  }
  return false;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* Extracts "22" or "22-asserts" from the name of one of the plugin's builds;
 * false for another file. */
static bool llvm_of_build(const char *file, char *llvm, size_t size) {
  char start[sizeof plugin + 8];
  size_t length = strlen(file);
  size_t before = (size_t)snprintf(start, sizeof start, "lib%s-", plugin);
  if (length <= before + 3 || strncmp(file, start, before) ||
      strcmp(file + length - 3, ".so"))
    return false;
  snprintf(llvm, size, "%.*s", (int)(length - 3 - before), file + before);
  size_t digits = strspn(llvm, "0123456789");
  return digits && (!llvm[digits] || !strcmp(llvm + digits, "-asserts"));
}

/* Tells the user of an installed tree how to get around a missing build: use a
 * host that has a build. */
static void name_builds(const char *folder, char *hint, size_t size) {
  struct dirent **files = NULL;
  int count = scandir(folder, &files, NULL, by_name);
  char list[256] = "", llvm[32];
  for (int i = 0; i < count; ++i) {
    size_t used = strlen(list);
    if (llvm_of_build(files[i]->d_name, llvm, sizeof llvm))
      snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", llvm);
    free(files[i]);
  }
  free(files);
  if (*list)
    snprintf(hint, size,
             " (this installation has builds for LLVM %s: use an llc or clang "
             "of one of these, or install a package of ptxpasses that has "
             "this one)",
             list);
  else
    snprintf(hint, size,
             " (this installation has no build at all: install ptxpasses "
             "again)");
}

static bool load_build(const char *self, unsigned major, unsigned minor,
                       unsigned patch) {
  struct llvm host = {major, ptx_host_has_assertions()};
  const char *suffix = host.asserts ? "-asserts" : "";
  char real[PATH_MAX], path[PATH_MAX + sizeof plugin + 40], hint[512] = "";
  if (!is_named)
    return refuse("%s is not named libNAME.so, so it cannot tell which "
                  "libNAME-%u%s.so to load (NAME: letters, digits, - and _)",
                  self, major, suffix);
  if (!realpath(self, real))
    return refuse("cannot resolve %s: %s", self, strerror(errno));
  *strrchr(real, '/') = '\0'; /* an absolute path has one */
  snprintf(path, sizeof path, "%s/lib%s-%u%s.so", real, plugin, major, suffix);
  if (access(path, F_OK)) {
    if (!strcmp(plugin, "ptxpasses") && in_checkout(real))
      snprintf(hint, sizeof hint, " (run scripts/build %u%s)", major, suffix);
    else if (!strcmp(plugin, "ptxpasses"))
      name_builds(real, hint, sizeof hint);
    return refuse("the host is LLVM %u.%u.%u%s and there is no %s%s", major,
                  minor, patch, host.asserts ? ", built with assertions," : "",
                  path, hint);
  }
  if (!check_build(path, host))
    return false;
  void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!loaded)
    return refuse("%s", dlerror());
  /* The build's own finding, which it has already printed. */
  const char *(*refused)(void) =
      (const char *(*)(void))dlsym(loaded, "ptxpasses_refusal");
  if (refused && refused()) {
    snprintf(refusal, sizeof refusal, "%s", refused());
    return false;
  }
  build = loaded;
  return true;
}

__attribute__((constructor)) static void load(void) {
  Dl_info info;
  struct link_map *self = NULL;
  if (!dladdr1((void *)load, &info, (void **)&self, RTLD_DL_LINKMAP) || !self ||
      !info.dli_fname) {
    refuse("cannot tell where the plugin's file is");
    return;
  }
  find_name(info.dli_fname);
  typedef void (*get_version_t)(unsigned *, unsigned *, unsigned *);
  get_version_t get_version =
      (get_version_t)dlsym(RTLD_DEFAULT, "LLVMGetVersion");
  const char *llvm = visible_llvm();
  if (get_version) {
    unsigned major = 0, minor = 0, patch = 0;
    get_version(&major, &minor, &patch);
    load_build(info.dli_fname, major, minor, patch);
  } else if (llvm) {
    refuse("cannot tell the version of %s: LLVMGetVersion is not to be seen "
           "(LLVM 16 or older, or loaded without RTLD_GLOBAL)",
           llvm);
  } else if (!loaded_at_start(self) || is_set("PTXPASSES_STRICT")) {
    refuse("cannot tell the host's LLVM version (no LLVM is to be seen: it "
           "is not loaded, or it is linked statically and hidden)");
  } else {
    bystander = true;
    if (is_set("PTXPASSES_DEBUG"))
      fprintf(stderr, "%s: not loaded, there is no LLVM in %s\n", plugin,
              ptx_host_executable());
  }
}

/* A program that loaded LLVM after its start has run it without us. */
__attribute__((destructor)) static void finish(void) {
  const char *llvm = bystander ? visible_llvm() : NULL;
  if (llvm)
    fprintf(stderr,
            "%s: %s loaded %s after its start, and it ran without %s: load "
            "that after it\n",
            plugin, ptx_host_executable(), llvm, plugin);
}

/* Why the library refused to load, or null. For a program that has set
 * PTXPASSES_RETURNS_TO. */
EXPORTED const char *ptxpasses_refusal(void) {
  return *refusal ? refusal : NULL;
}

/* The entry of LLVM's pass plugins. Its result is LLVM's struct
 * PassPluginLibraryInfo. That differs between versions, so the build for the
 * version fills it. The ABI of x86-64 passes the place of a large result as the
 * first argument and returns it; so does this function. Version 0 of the
 * interface makes LLVM report an error. */
#ifndef __x86_64__
#error "how a struct is returned is known for x86-64 only"
#endif
EXPORTED void *llvmGetPassPluginInfo(void *result) {
  void *(*get)(void *) =
      build ? (void *(*)(void *))dlsym(build, "llvmGetPassPluginInfo") : NULL;
  if (get)
    return get(result);
  struct {
    uint32_t api_version;
    const char *name, *version;
    void *register_callbacks;
  } none = {0, plugin, "", NULL};
  return memcpy(result, &none, sizeof none);
}
