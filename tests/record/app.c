// An application for tests/record.py: its arguments are what it does with the driver, word by word.
//
// Problem. Applications find the driver's functions, load code and launch in many forms. Method. LINKED calls them by their names; DLSYM looks each up in the library that it opens;
// else it asks cuGetProcAddress, as CUDA's runtime does, with PER_THREAD in the environment for the variants of the thread's own default stream.
// Source. CUDA Driver API 13.0. Deviation: none. Complexity: linear in the words.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHAPE void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *
#define LIBRARY void *, void *, unsigned, void *, void *, unsigned
#define FUNCTIONS(X) \
  X(cuInit, cuInit, (unsigned)) \
  X(cuModuleLoad, cuModuleLoad, (void **, const char *)) \
  X(cuModuleLoadData, cuModuleLoadData, (void **, const void *)) \
  X(cuModuleLoadDataEx, cuModuleLoadDataEx, (void **, const void *, unsigned, void *, void **)) \
  X(cuModuleLoadFatBinary, cuModuleLoadFatBinary, (void **, const void *)) \
  X(cuModuleUnload, cuModuleUnload, (void *)) \
  X(cuModuleGetFunction, cuModuleGetFunction, (void **, void *, const char *)) \
  X(cuModuleGetGlobal, cuModuleGetGlobal_v2, (uint64_t *, size_t *, void *, const char *)) \
  X(cuLibraryLoadData, cuLibraryLoadData, (void **, const void *, LIBRARY)) \
  X(cuLibraryGetKernel, cuLibraryGetKernel, (void **, void *, const char *)) \
  X(cuMemAlloc, cuMemAlloc_v2, (uint64_t *, size_t)) \
  X(cuMemHostAlloc, cuMemHostAlloc, (void **, size_t, unsigned)) \
  X(cuMemcpyHtoD, cuMemcpyHtoD_v2, (uint64_t, const void *, size_t)) \
  X(cuTexObjectCreate, cuTexObjectCreate, (uint64_t *, const void *, const void *, const void *)) \
  X(cuStreamBeginCapture, cuStreamBeginCapture_v2, (void *, int)) \
  X(cuStreamEndCapture, cuStreamEndCapture, (void *, void **)) \
  X(cuGraphLaunch, cuGraphLaunch, (void *, void *)) \
  X(cuLaunchKernel, cuLaunchKernel, (SHAPE, void **, void **)) \
  X(cuLaunchKernelEx, cuLaunchKernelEx, (const void *, void *, void **, void **)) \
  X(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, (SHAPE, void **)) \
  X(cuCtxSynchronize, cuCtxSynchronize, (void))

#ifdef LINKED
#define DECLARE(name, exported, types) int exported types;
FUNCTIONS(DECLARE)
#endif
#define POINTER(name, exported, types) static int(*p_##name) types;
FUNCTIONS(POINTER)

static void check(int status, const char *what) {
  if (status) {
    printf("%s: error %d\n", what, status);
    exit(3);
  }
}

static void find(void) {
#ifdef LINKED
#define SET(name, exported, types) p_##name = exported;
#else
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    printf("%s\n", dlerror());
    exit(4);
  }
#ifdef DLSYM
#define SET(name, exported, types) p_##name = (int(*) types)dlsym(library, #exported);
#else
  int (*get)(const char *, void **, int, uint64_t, int *) = (int (*)(const char *, void **, int, uint64_t, int *))dlsym(library, "cuGetProcAddress_v2");
  // The runtime asks for the function itself, too.
  check(get("cuGetProcAddress", (void **)&get, 12000, 0, 0), "cuGetProcAddress");
#define SET(name, exported, types) check(get(#name, (void **)&p_##name, 12080, getenv("PER_THREAD") ? 2 : 0, 0), #name);
#endif
#endif
  FUNCTIONS(SET)
}

static char *content(const char *name) {
  FILE *file = fopen(name, "rb");
  char *bytes = calloc(1, 1 << 22);
  if (!file || !fread(bytes, 1, 1 << 22, file))
    check(1, name);
  fclose(file);
  return bytes;
}

static uint64_t memory[16], size[16];
static int num_memory;

// A parameter: m0, m0+16, i7, h (the host's memory), t (a texture), v (a variable), s0:5 (a structure with a pointer and a number).
static void *argument(const char *word, uint64_t host, uint64_t texture, uint64_t variable) {
  uint64_t *made = calloc(2, 8);
  char *rest = 0;
  switch (word[0]) {
  case 'm':
  case 's':
    made[0] = memory[strtol(word + 1, &rest, 10)];
    if (*rest == '+')
      made[0] += atoi(rest + 1);
    if (*rest == ':')
      made[1] = atoi(rest + 1);
    break;
  case 'i':
    made[0] = atoi(word + 1);
    break;
  default:
    made[0] = word[0] == 'h' ? host : word[0] == 't' ? texture : variable;
  }
  return made;
}

int main(int count, char **words) {
  find();
  check(p_cuInit(0), "cuInit");
  void *module = 0, *library = 0, *kernel = 0, *graph = 0;
  uint64_t host = 0, texture = 0, variable = 0;
  for (int at = 1; at < count; at++) {
    char *word = words[at], *next = at + 1 < count ? words[at + 1] : "";
    int takes = 1;
#define IS(name) !strcmp(word, name)
    if (IS("data"))
      check(p_cuModuleLoadData(&module, content(next)), word), library = 0;
    else if (IS("data-ex"))
      check(p_cuModuleLoadDataEx(&module, content(next), 0, 0, 0), word), library = 0;
    else if (IS("file"))
      check(p_cuModuleLoad(&module, next), word), library = 0;
    else if (IS("fat"))
      check(p_cuModuleLoadFatBinary(&module, content(next)), word), library = 0;
    else if (IS("library")) {
      // As the compiler makes it: a structure that points to the fat binary.
      struct {
        uint32_t magic, version;
        void *data, *file;
      } wrapper = {0x466243b1, 1, content(next), 0};
      void *image = *(uint32_t *)wrapper.data == 0xba55ed50 ? (void *)&wrapper : wrapper.data;
      check(p_cuLibraryLoadData(&library, image, 0, 0, 0, 0, 0, 0), word);
    } else if (IS("kernel"))
      check(library ? p_cuLibraryGetKernel(&kernel, library, next) : p_cuModuleGetFunction(&kernel, module, next), next);
    else if (IS("variable"))
      check(p_cuModuleGetGlobal(&variable, 0, module, next), next), memory[num_memory] = variable, num_memory++;
    else if (IS("memory")) {
      size[num_memory] = atol(next);
      check(p_cuMemAlloc(&memory[num_memory], size[num_memory]), word);
      char *bytes = malloc(size[num_memory]);
      for (uint64_t i = 0; i < size[num_memory]; i++)
        bytes[i] = i / 4 % 4 ? 0 : i * 7;
      check(p_cuMemcpyHtoD(memory[num_memory], bytes, size[num_memory]), word);
      num_memory++;
    } else if (IS("point")) // memory 0 holds the address of this one
      check(p_cuMemcpyHtoD(memory[0] + 8, &memory[atoi(next)], 8), word);
    else if (IS("exit"))
      return atoi(next);
    else if (IS("launch") || IS("launch-ex") || IS("launch-extra") || IS("cooperative")) {
      unsigned grid = atoi(next), block = 32;
      void *each[16] = {0};
      char all[64] = {0};
      size_t bytes = 0;
      for (at += 2, takes = 0; at < count && strcmp(words[at], "end"); at++) {
        size_t own = words[at][0] == 'i' ? 4 : words[at][0] == 's' ? 16 : 8;
        bytes = (bytes + (own > 8 ? 8 : own) - 1) & -(own > 8 ? 8 : own);
        each[takes] = argument(words[at], host, texture, variable);
        memcpy(all + bytes, each[takes++], own);
        bytes += own;
      }
      takes = 0;
      struct {
        unsigned grid[3], block[3], shared;
        void *stream, *attributes;
        unsigned number;
      } config = {{grid, 1, 1}, {block, 1, 1}, 0, 0, 0, 0};
      void *extra[] = {(void *)1, all, (void *)2, &bytes, 0};
      if (IS("launch-ex"))
        check(p_cuLaunchKernelEx(&config, kernel, each, 0), word);
      else if (IS("cooperative"))
        check(p_cuLaunchCooperativeKernel(kernel, grid, 1, 1, block, 1, 1, 0, 0, each), word);
      else
        check(p_cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, 0, 0, IS("launch-extra") ? 0 : each, IS("launch-extra") ? extra : 0), word);
      check(p_cuCtxSynchronize(), word);
    } else {
      takes = 0;
      if (IS("texture"))
        check(p_cuTexObjectCreate(&texture, 0, 0, 0), word);
      else if (IS("host"))
        check(p_cuMemHostAlloc((void **)&host, 64, 0), word);
      else if (IS("capture"))
        check(p_cuStreamBeginCapture(0, 0), word);
      else if (IS("captured"))
        check(p_cuStreamEndCapture(0, &graph), word), check(p_cuGraphLaunch(graph, 0), word);
      else if (IS("unload"))
        check(p_cuModuleUnload(module), word);
      else if (IS("fork")) {
        int status;
        pid_t child = fork();
        if (child && waitpid(child, &status, 0) > 0 && status)
          return 5;
      } else if (IS("die"))
        abort();
      else
        check(1, word);
    }
    at += takes;
  }
  puts("done");
  return 0;
}
