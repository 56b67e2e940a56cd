// environment.c: the one door to the environment. A program with more rights than the user who
// started it (set-uid, set-gid, capabilities) obeys no variable: virtual time would end its delays,
// and a trace would be written with its rights.
#define _GNU_SOURCE
#include "fm.h"

#include <stdlib.h>

const char *fm__setting(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value ? value : NULL;
}

void fm__bad_setting(const char *name, const char *value, const char *want) {
  fprintf(stderr, "fermata: %s=%s: expected %s\n", name, value, want);
  exit(1);
}
