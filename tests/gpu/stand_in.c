// Stands in for NVIDIA's driver, so that the laboratory is tested without a GPU: `cc -shared -fPIC stand_in.c -o libcuda.so.1`.
//
// Problem. What lab_run.py does where kernels fail, hang, or take all of the time, must be known before a GPU is there.
//
// Method. Memory is the host's. A kernel writes one byte of the first buffer, and takes 10 microseconds and one for each 1,000 bytes of its code:
// events have the sum of what was launched before. A kernel whose code begins with FAULT ends with an error at the next wait, as all calls do from then on; HANG never ends;
// WRONG changes a byte of each buffer until one is copied again. The environment names kernels that do so whatever their code is:
// STAND_IN_FAULT, STAND_IN_HANG. STAND_IN_ABOVE="BYTES WHAT" has kernels with more bytes of code do as if it began with WHAT; STAND_IN_COUNTS has each
// launch leave its number in the first byte of the first buffer, STAND_IN_IDLE has them write nothing. STAND_IN_WAIT has each wait take that many milliseconds.
// STAND_IN_BASE is the number of microseconds in place of those 10, STAND_IN_LOG names a file that gets a line with a hash for each code that is loaded, STAND_IN_ONLY is the
// hash of the only code that it loads.
//
// For tests/record.py it loads fat binaries and libraries too, knows allocations and parameters, captures, and gives out its functions by cuGetProcAddress; with
// STAND_IN_INNER these have other addresses than the exported ones, as in NVIDIA's driver they may have. Compiled with -DOLD it lacks what came with CUDA 12.4.
//
// Source. CUDA Driver API 13.0. Deviation: it has the functions that driver.py, the crate gpu-run and tests/record.py call. Complexity: linear in the memory.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { not_found = 500, illegal_address = 700, max_buffers = 4096 };

struct function {
  char name[256];
  uint64_t bytes;
  const char *code, *image;
};

static double now; // milliseconds
static int failed, hangs, is_wrong;
static struct {
  char *at;
  size_t size;
} buffers[max_buffers];

static int is_named(const char *variable, const char *name) {
  const char *value = getenv(variable);
  return value && !strcmp(value, name);
}

// Whether a kernel does so, by its code or by STAND_IN_ABOVE.
static int does(const struct function *function, const char *what) {
  const char *above = getenv("STAND_IN_ABOVE");
  if (above && function->bytes > strtoull(above, 0, 10) && strchr(above, ' '))
    return !strcmp(strchr(above, ' ') + 1, what);
  return !memcmp(function->code, what, strlen(what));
}

int cuInit(unsigned flags) { return 0; }
int cuDeviceGet(int *device, int number) { return *device = 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { return (*context = &now, 0); }
int cuCtxSetCurrent(void *context) { return 0; }
int cuDriverGetVersion(int *version) { return (*version = 13000, 0); }
int cuDeviceGetName(char *name, int size, int device) { return (strncpy(name, "Stand-in", size), 0); }

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *gpu = getenv("STAND_IN_GPU");
  int number = gpu ? atoi(gpu) : 90;
  *value = attribute == 75 ? number / 10 : attribute == 76 ? number % 10 : 0;
  return 0;
}

int cuGetErrorName(int status, const char **name) {
  *name = status == illegal_address ? "CUDA_ERROR_ILLEGAL_ADDRESS" : status == not_found ? "CUDA_ERROR_NOT_FOUND" : "CUDA_ERROR_UNKNOWN";
  return 0;
}

// ---- code

// The cubin in a fat binary: its first part that is one.
static const char *cubin_of(const char *image) {
  if (*(const uint32_t *)image == 0x466243b1)
    image = *(const char *const *)(image + 8);
  if (*(const uint32_t *)image != 0xba55ed50)
    return image;
  const char *at = image + *(const uint16_t *)(image + 6), *end = at + *(const uint64_t *)(image + 8);
  for (; at < end; at += *(const uint32_t *)(at + 4) + *(const uint64_t *)(at + 8))
    if (*(const uint16_t *)at == 2)
      return at + *(const uint32_t *)(at + 4);
  return "";
}

#define FIELD(i, type, at) (*(const type *)(image + headers + (uint64_t)(i) * size + (at)))
// The section with a name that has these two parts; its size.
static const char *section(const char *image, const char *first, const char *second, uint64_t *bytes) {
  uint64_t headers = *(const uint64_t *)(image + 40);
  unsigned size = *(const uint16_t *)(image + 58), count = *(const uint16_t *)(image + 60), names = *(const uint16_t *)(image + 62);
  const char *text = image + FIELD(names, uint64_t, 24);
  for (unsigned i = 0; i < count; i++) {
    const char *own = text + FIELD(i, uint32_t, 0);
    if (strncmp(own, first, strlen(first)) || strcmp(own + strlen(first), second))
      continue;
    *bytes = FIELD(i, uint64_t, 32);
    return image + FIELD(i, uint64_t, 24);
  }
  return 0;
}

// A hash of the code alone: what ptxas notes besides has names of files.
static uint64_t hash_of(const char *image, size_t whole) {
  uint64_t hash = 0xcbf29ce484222325;
  int is_ptx = memcmp(image, "\177ELF", 4);
  uint64_t headers = is_ptx ? 0 : *(const uint64_t *)(image + 40);
  unsigned size = *(const uint16_t *)(image + 58), count = is_ptx ? 1 : *(const uint16_t *)(image + 60), names = *(const uint16_t *)(image + 62);
  for (unsigned i = 0; i < count; i++) {
    const char *at = image;
    uint64_t bytes = whole;
    if (!is_ptx) {
      if (strncmp(image + FIELD(names, uint64_t, 24) + FIELD(i, uint32_t, 0), ".text.", 6))
        continue;
      at = image + FIELD(i, uint64_t, 24);
      bytes = FIELD(i, uint64_t, 32);
    }
    for (uint64_t j = 0; j < bytes; j++)
      hash = (hash ^ (unsigned char)at[j]) * 0x100000001b3;
  }
  return hash;
}

static int load(char **module, const char *image) {
  image = cubin_of(image);
  // Of PTX it has the names of the kernels only.
  int is_ptx = image[0] == '/' || image[0] == '.';
  if (!is_ptx && memcmp(image, "\177ELF", 4))
    return 200;
  // The caller may give the image up. The table of sections is after them.
  size_t size = is_ptx ? strlen(image) + 1 : *(const uint64_t *)(image + 40) + *(const uint16_t *)(image + 58) * *(const uint16_t *)(image + 60);
  uint64_t hash = hash_of(image, size);
  FILE *log = getenv("STAND_IN_LOG") ? fopen(getenv("STAND_IN_LOG"), "a") : 0;
  if (log) {
    fprintf(log, "loaded %016lx\n", hash);
    fclose(log);
  }
  char name[20];
  snprintf(name, sizeof name, "%016lx", hash);
  if (getenv("STAND_IN_ONLY") && !is_named("STAND_IN_ONLY", name))
    return 209;
  *module = memcpy(calloc(1, size + 64), image, size);
  return failed;
}

int cuModuleLoadData(char **module, const char *image) { return load(module, image); }
int cuModuleLoadDataEx(char **module, const char *image, unsigned number, void *options, void **values) { return load(module, image); }
int cuModuleLoadFatBinary(char **module, const char *image) { return load(module, image); }
static int load_file(char **module, const char *name) {
  FILE *file = fopen(name, "rb");
  if (!file)
    return 301;
  char *bytes = calloc(1, 1 << 24);
  if (fread(bytes, 1, (1 << 24) - 1, file) == 0)
    return 301;
  fclose(file);
  int status = load(module, bytes);
  free(bytes);
  return status;
}
int cuModuleLoad(char **module, const char *name) { return load_file(module, name); }
int cuModuleUnload(void *module) { return (free(module), failed); }

int cuLibraryLoadData(char **library, const char *image, void *jit, void *jit_values, unsigned num_jit, void *options, void *values, unsigned number) {
  return load(library, image);
}
int cuLibraryLoadFromFile(char **library, const char *name, void *jit, void *jit_values, unsigned num_jit, void *options, void *values, unsigned number) {
  return load_file(library, name);
}
int cuLibraryUnload(void *library) { return (free(library), failed); }
int cuLibraryGetModule(void **module, void *library) { return (*module = library, 0); }

int cuModuleGetFunction(struct function **made, const char *image, const char *name) {
  uint64_t bytes = 0;
  char entry[300];
  snprintf(entry, sizeof entry, ".entry %s", name);
  const char *code = memcmp(image, "\177ELF", 4) ? strstr(image, entry) : section(image, ".text.", name, &bytes);
  if (!code)
    return not_found;
  struct function *function = calloc(1, sizeof *function);
  strncpy(function->name, name, sizeof function->name - 1);
  function->bytes = bytes;
  function->code = code;
  function->image = image;
  *made = function;
  return 0;
}
int cuLibraryGetKernel(struct function **made, const char *image, const char *name) {
  uint64_t bytes;
  const char *code = section(image, ".text.", name, &bytes);
  if (!code)
    return not_found;
  *made = calloc(1, sizeof **made);
  strncpy((*made)->name, name, sizeof(*made)->name - 1);
  (*made)->bytes = bytes;
  (*made)->code = code;
  (*made)->image = image;
  return 0;
}
int cuKernelGetFunction(void **made, void *kernel) { return (*made = memcpy(malloc(sizeof(struct function)), kernel, sizeof(struct function)), 0); }

// Variables have memory of their own, which is not in the image.
int cuModuleGetGlobal_v2(uint64_t *address, size_t *size, const char *image, const char *name) {
  if (size)
    *size = 4;
  return (*address = (uint64_t)calloc(1, 4), 0);
}

#ifndef OLD
static int parameter(const struct function *function, size_t number, size_t *offset, size_t *size) {
  uint64_t bytes;
  if (memcmp(function->image, "\177ELF", 4))
    return 400;
  const unsigned char *at = (const unsigned char *)section(function->image, ".nv.info.", function->name, &bytes), *end = at + bytes;
  for (; at && at < end; at += 4 + (at[0] == 4 ? *(const uint16_t *)(at + 2) : 0)) {
    if (at[0] != 4 || at[1] != 0x17 || *(const uint16_t *)(at + 8) != number)
      continue;
    *offset = *(const uint16_t *)(at + 10);
    *size = *(const uint32_t *)(at + 12) >> 18;
    return 0;
  }
  return 1;
}
int cuFuncGetParamInfo(struct function *function, size_t number, size_t *offset, size_t *size) { return parameter(function, number, offset, size); }
int cuKernelGetParamInfo(struct function *kernel, size_t number, size_t *offset, size_t *size) { return parameter(kernel, number, offset, size); }
int cuFuncGetName(const char **name, struct function *function) { return (*name = function->name, 0); }
int cuFuncGetModule(const char **module, struct function *function) { return (*module = function->image, 0); }
#endif

int cuFuncGetAttribute(int *value, int attribute, struct function *function) {
  *value = attribute == 4 ? 16 + function->bytes / 1000 : 0;
  return 0;
}
int cuFuncSetAttribute(struct function *function, int attribute, int value) { return 0; }

static int is_capturing;

static int launch(struct function *function) {
  if (failed || is_capturing)
    return failed;
  const char *base = getenv("STAND_IN_BASE");
  now += (base ? atof(base) : 10) * 1e-3 + function->bytes * 1e-6;
  if (does(function, "FAULT") || is_named("STAND_IN_FAULT", function->name))
    failed = illegal_address;
  if (does(function, "HANG") || is_named("STAND_IN_HANG", function->name))
    hangs = 1;
  if (!getenv("STAND_IN_IDLE") && buffers[0].at && buffers[0].size > 1)
    buffers[0].at[1] = 0x5a;
  static char launches;
  launches++;
  if (getenv("STAND_IN_COUNTS") && buffers[0].at)
    buffers[0].at[0] = launches;
  if (does(function, "WRONG") && !is_wrong) {
    is_wrong = 1;
    for (int i = 0; i < max_buffers; i++)
      if (buffers[i].at)
        buffers[i].at[0] ^= 1;
  }
  return 0;
}

#define SHAPE unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream
int cuLaunchKernel(struct function *function, SHAPE, void **arguments, void **extra) { return launch(function); }
int cuLaunchKernel_ptsz(struct function *function, SHAPE, void **arguments, void **extra) { return launch(function); }
int cuLaunchKernelEx(const void *config, struct function *function, void **arguments, void **extra) { return launch(function); }
int cuLaunchKernelEx_ptsz(const void *config, struct function *function, void **arguments, void **extra) { return launch(function); }
int cuLaunchCooperativeKernel(struct function *function, SHAPE, void **arguments) { return launch(function); }
int cuLaunchCooperativeKernel_ptsz(struct function *function, SHAPE, void **arguments) { return launch(function); }

int cuStreamIsCapturing(void *stream, int *state) { return (*state = is_capturing, 0); }
int cuStreamIsCapturing_ptsz(void *stream, int *state) { return (*state = is_capturing, 0); }
int cuStreamBeginCapture_v2(void *stream, int mode) { return (is_capturing = 1, 0); }
int cuStreamEndCapture(void *stream, void **graph) { return (is_capturing = 0, *graph = &now, 0); }
int cuThreadExchangeStreamCaptureMode(int *mode) { return 0; }
int cuGraphLaunch(void *graph, void *stream) { return failed; }

int cuTexObjectCreate(uint64_t *made, const void *resource, const void *texture, const void *view) { return (*made = 0x7e47, 0); }

int cuCtxSynchronize(void) {
  const char *wait = getenv("STAND_IN_WAIT");
  if (wait)
    usleep(1000 * atoi(wait));
  while (hangs)
    pause();
  return failed;
}

// ---- memory

int cuMemGetInfo_v2(size_t *free, size_t *total) { return (*free = *total = (size_t)80 << 30, 0); }

int cuMemAlloc_v2(uint64_t *address, size_t size) {
  for (int i = 0; i < max_buffers; i++)
    if (!buffers[i].at) {
      buffers[i].at = malloc(size);
      buffers[i].size = size;
      *address = (uint64_t)buffers[i].at;
      return failed;
    }
  return 2;
}

int cuMemFree_v2(uint64_t address) {
  for (int i = 0; i < max_buffers; i++)
    if (buffers[i].at == (char *)address) {
      free(buffers[i].at);
      buffers[i].at = 0;
      return failed;
    }
  return 1;
}

int cuMemGetAddressRange_v2(uint64_t *start, size_t *size, uint64_t address) {
  for (int i = 0; i < max_buffers; i++)
    if (buffers[i].at && (uint64_t)buffers[i].at <= address && address - (uint64_t)buffers[i].at < buffers[i].size) {
      if (start)
        *start = (uint64_t)buffers[i].at;
      if (size)
        *size = buffers[i].size;
      return 0;
    }
  return not_found;
}

// One allocation of the host's.
static char *host;
int cuMemHostAlloc(void **made, size_t size, unsigned flags) { return (*made = host = malloc(size), 0); }
int cuPointerGetAttribute(unsigned *value, int attribute, uint64_t address) {
  if (attribute != 2)
    return 1;
  *value = host && address == (uint64_t)host ? 1 : 2;
  size_t size;
  return *value == 1 ? 0 : cuMemGetAddressRange_v2(0, &size, address) ? 1 : 0;
}

int cuMemsetD8_v2(uint64_t address, unsigned char byte, size_t size) { return (memset((void *)address, byte, size), failed); }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) { return (memcpy((void *)to, from, size), failed); }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) { return (memcpy(to, (void *)from, size), failed); }

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void *stream) {
  for (int i = 0; is_wrong && i < max_buffers; i++)
    if (buffers[i].at)
      buffers[i].at[0] ^= 1;
  is_wrong = 0;
  return (memcpy((void *)to, (void *)from, size), failed);
}

// ---- time

int cuEventCreate(double **event, unsigned flags) { return (*event = calloc(1, sizeof **event), failed); }
int cuEventRecord(double *event, void *stream) { return (*event = now, failed); }
int cuEventDestroy_v2(double *event) { return (free(event), failed); }
int cuEventElapsedTime(float *time, double *first, double *last) { return (*time = *last - *first, failed); }
int cuEventElapsedTime_v2(float *time, double *first, double *last) { return (*time = *last - *first, failed); }

// ---- functions by name

static int inner_load(char **module, const char *image) { return load(module, image); }
static int inner_launch(struct function *function, SHAPE, void **arguments, void **extra) { return launch(function); }

int cuGetProcAddress_v2(const char *name, void **made, int version, uint64_t flags, int *found) {
  char form[200];
  const char *forms[] = {"%s_v2", "%s"};
  *made = 0;
  if (getenv("STAND_IN_INNER") && !strcmp(name, "cuModuleLoadData"))
    return (*made = (void *)inner_load, 0);
  if (getenv("STAND_IN_INNER") && !strcmp(name, "cuLaunchKernel"))
    return (*made = (void *)inner_launch, 0);
  // This library, whatever is loaded before it.
  Dl_info own;
  dladdr((void *)launch, &own);
  void *library = dlopen(own.dli_fname, RTLD_NOW);
  for (int per_thread = flags & 2 ? 1 : 0; per_thread >= 0 && !*made; per_thread--)
    for (int i = 0; i < 2 && !*made; i++) {
      snprintf(form, sizeof form - 5, forms[i], name);
      *made = dlsym(library, per_thread ? strcat(form, "_ptsz") : form);
    }
  if (found)
    *found = *made ? 0 : 1;
  return *made ? 0 : not_found;
}
int cuGetProcAddress(const char *name, void **made, int version, uint64_t flags) { return cuGetProcAddress_v2(name, made, version, flags, 0); }
