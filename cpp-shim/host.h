/*
 * Questions about the process that the plugin is loaded into. The loader and
 * the build for one LLVM ask them before they touch any part of LLVM. For C and
 * C++.
 */
#ifndef PTXPASSES_HOST_H
#define PTXPASSES_HOST_H

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* The executable. If ld.so was called as a program, the kernel names ld.so and
 * has loaded no other interpreter; then the program is argv[0]. */
static inline const char *ptx_host_executable(void) {
  static char path[PATH_MAX];
  if (!getauxval(AT_BASE))
    return program_invocation_name;
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length < 0 ? 0 : length] = '\0';
  return path;
}

/* Whether the host's LLVM was built with assertions, which give its classes
 * other members. LLVM defines one of two such symbols, so that code built the
 * other way does not link with it. */
static inline bool ptx_host_has_assertions(void) {
  return dlsym(RTLD_DEFAULT, "_ZN4llvm23EnableABIBreakingChecksE") != NULL;
}

/* Whether the process asks for a refusal (ptxpasses_refusal) instead of being
 * ended by it. The variable must hold the process's own number: a child that
 * inherits it, a compiler say, has not asked. */
static inline bool ptx_host_will_ask(void) {
  const char *process = getenv("PTXPASSES_RETURNS_TO");
  char own[24];
  snprintf(own, sizeof own, "%ld", (long)getpid());
  return process && !strcmp(process, own);
}

/* Prints a plugin's refusal in one line. Ends the process unless it will ask
 * for the refusal. llc would only warn about a plugin that does not load, and
 * continue with stock code. */
static inline void ptx_host_refuse(const char *plugin, const char *why) {
  fprintf(stderr, "%s: refusing to load: %s [host: %s]\n", plugin, why,
          ptx_host_executable());
  if (!ptx_host_will_ask())
    _exit(1);
}

#endif
