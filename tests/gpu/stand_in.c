// Stands in for NVIDIA's driver, so that the laboratory is tested without a GPU: `cc -shared -fPIC stand_in.c -o libcuda.so.1`.
//
// Problem. What lab_run.py does where kernels fail, hang, or take all of the time, must be known before a GPU is there.
//
// Method. Memory is the host's. A kernel writes one byte of the first buffer, and takes 10 microseconds and one for each 1,000 bytes of its code:
// events have the sum of what was launched before. A kernel whose code begins with FAULT ends with an error at the next wait, as all calls do from then on; HANG never ends;
// WRONG changes a byte of each buffer until one is copied again. The environment names kernels that do so whatever their code is:
// STAND_IN_FAULT, STAND_IN_HANG. STAND_IN_ABOVE="BYTES WHAT" has kernels with more bytes of code do as if it began with WHAT; STAND_IN_COUNTS has each
// launch leave its number in the first byte of the first buffer, STAND_IN_IDLE has them write nothing. STAND_IN_WAIT has each wait take that many milliseconds.
// STAND_IN_BASE is the number of microseconds in place of those 10, STAND_IN_LOG names a file that gets a line for each code that is loaded.
//
// Source. CUDA Driver API 13.0. Deviation: it has the functions that driver.py and the crate gpu-run call. Complexity: linear in the memory.
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
  const char *code;
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

int cuModuleLoadData(void **module, const char *image) {
  if (memcmp(image, "\177ELF", 4))
    return 200;
  FILE *log = getenv("STAND_IN_LOG") ? fopen(getenv("STAND_IN_LOG"), "a") : 0;
  if (log) {
    fputs("loaded\n", log);
    fclose(log);
  }
  // The caller may give the image up. The table of sections is after them.
  size_t size = *(const uint64_t *)(image + 40) + *(const uint16_t *)(image + 58) * *(const uint16_t *)(image + 60);
  *module = memcpy(malloc(size), image, size);
  return failed;
}
int cuModuleUnload(void *module) { return (free(module), failed); }

int cuModuleGetFunction(struct function **made, const char *image, const char *name) {
  uint64_t headers = *(const uint64_t *)(image + 40);
  unsigned size = *(const uint16_t *)(image + 58), count = *(const uint16_t *)(image + 60), names = *(const uint16_t *)(image + 62);
#define FIELD(i, type, at) (*(const type *)(image + headers + (uint64_t)(i) * size + (at)))
  const char *text = image + FIELD(names, uint64_t, 24);
  for (unsigned i = 0; i < count; i++) {
    const char *section = text + FIELD(i, uint32_t, 0);
    if (strncmp(section, ".text.", 6) || strcmp(section + 6, name))
      continue;
    struct function *function = calloc(1, sizeof *function);
    strncpy(function->name, name, sizeof function->name - 1);
    function->bytes = FIELD(i, uint64_t, 32);
    function->code = image + FIELD(i, uint64_t, 24);
    *made = function;
    return 0;
  }
  return not_found;
}

int cuFuncGetAttribute(int *value, int attribute, struct function *function) {
  *value = attribute == 4 ? 16 + function->bytes / 1000 : 0;
  return 0;
}
int cuFuncSetAttribute(struct function *function, int attribute, int value) { return 0; }

int cuLaunchKernel(struct function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **arguments, void **extra) {
  if (failed)
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
