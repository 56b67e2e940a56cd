// library.c: properties of functions of the C library: which of them are short, so that no yield is
// needed next to a call, and which of their arguments are only lent to them. A function that the
// program itself declares does not count, whatever its name.
#include "fmcc.h"

#include <stdlib.h>

enum {
  FIRST = 1,
  SECOND = 2,
  THIRD = 4,
  BOTH = FIRST | SECOND,
};
// All arguments, of functions with `...`.
#define ALL UINT64_MAX

// clang-format off
static const LibraryCall library_calls[] = { // sorted
  { "__ctype_b_loc", LIBRARY_PURE, 0 },
  { "__ctype_tolower_loc", LIBRARY_PURE, 0 },
  { "__ctype_toupper_loc", LIBRARY_PURE, 0 },
  { "__errno_location", LIBRARY_PURE, 0 },
  { "__isoc99_sscanf", LIBRARY_SHORT, ALL },
  { "abs", LIBRARY_PURE, 0 },
  { "atof", LIBRARY_SHORT, FIRST },
  { "atoi", LIBRARY_SHORT, FIRST },
  { "atol", LIBRARY_SHORT, FIRST },
  { "atoll", LIBRARY_SHORT, FIRST },
  { "calloc", LIBRARY_SHORT, 0 },
  { "ceil", LIBRARY_PURE, 0 },
  { "clock_gettime", LIBRARY_SHORT, SECOND },
  { "cos", LIBRARY_PURE, 0 },
  { "exp", LIBRARY_PURE, 0 },
  { "fabs", LIBRARY_PURE, 0 },
  { "floor", LIBRARY_PURE, 0 },
  { "fmax", LIBRARY_PURE, 0 },
  { "fmin", LIBRARY_PURE, 0 },
  { "fmod", LIBRARY_PURE, 0 },
  { "free", LIBRARY_SHORT, 0 },
  { "frexp", LIBRARY_SHORT, SECOND },
  { "fstat", LIBRARY_OTHER, SECOND },
  { "gettimeofday", LIBRARY_SHORT, BOTH },
  { "isalnum", LIBRARY_PURE, 0 },
  { "isalpha", LIBRARY_PURE, 0 },
  { "isblank", LIBRARY_PURE, 0 },
  { "iscntrl", LIBRARY_PURE, 0 },
  { "isdigit", LIBRARY_PURE, 0 },
  { "isgraph", LIBRARY_PURE, 0 },
  { "islower", LIBRARY_PURE, 0 },
  { "isprint", LIBRARY_PURE, 0 },
  { "ispunct", LIBRARY_PURE, 0 },
  { "isspace", LIBRARY_PURE, 0 },
  { "isupper", LIBRARY_PURE, 0 },
  { "isxdigit", LIBRARY_PURE, 0 },
  { "labs", LIBRARY_PURE, 0 },
  { "llabs", LIBRARY_PURE, 0 },
  { "localeconv", LIBRARY_SHORT, 0 },
  { "log", LIBRARY_PURE, 0 },
  { "log10", LIBRARY_PURE, 0 },
  { "log2", LIBRARY_PURE, 0 },
  { "lstat", LIBRARY_OTHER, SECOND },
  { "malloc", LIBRARY_SHORT, 0 },
  { "memchr", LIBRARY_SHORT, 0 },
  { "memcmp", LIBRARY_SHORT, BOTH },
  { "memcpy", LIBRARY_RETURNS, BOTH },
  { "memmove", LIBRARY_RETURNS, BOTH },
  { "memset", LIBRARY_RETURNS, FIRST },
  { "modf", LIBRARY_SHORT, SECOND },
  { "nanosleep", LIBRARY_OTHER, BOTH },
  { "pow", LIBRARY_PURE, 0 },
  { "pread", LIBRARY_OTHER, SECOND },
  { "pwrite", LIBRARY_OTHER, SECOND },
  { "read", LIBRARY_OTHER, SECOND },
  { "realloc", LIBRARY_SHORT, 0 },
  { "recv", LIBRARY_OTHER, SECOND },
  { "round", LIBRARY_PURE, 0 },
  { "send", LIBRARY_OTHER, SECOND },
  { "sin", LIBRARY_PURE, 0 },
  { "snprintf", LIBRARY_SHORT, FIRST },
  { "sprintf", LIBRARY_SHORT, FIRST },
  { "sqrt", LIBRARY_PURE, 0 },
  { "sscanf", LIBRARY_SHORT, ALL },
  { "stat", LIBRARY_OTHER, SECOND },
  { "strcasecmp", LIBRARY_SHORT, BOTH },
  { "strcat", LIBRARY_RETURNS, BOTH },
  { "strchr", LIBRARY_SHORT, 0 },
  { "strcmp", LIBRARY_SHORT, BOTH },
  { "strcpy", LIBRARY_RETURNS, BOTH },
  { "strcspn", LIBRARY_SHORT, BOTH },
  { "strdup", LIBRARY_SHORT, FIRST },
  { "strlen", LIBRARY_SHORT, FIRST },
  { "strncasecmp", LIBRARY_SHORT, BOTH },
  { "strncat", LIBRARY_RETURNS, BOTH },
  { "strncmp", LIBRARY_SHORT, BOTH },
  { "strncpy", LIBRARY_RETURNS, BOTH },
  { "strndup", LIBRARY_SHORT, FIRST },
  { "strnlen", LIBRARY_SHORT, FIRST },
  { "strpbrk", LIBRARY_SHORT, 0 },
  { "strrchr", LIBRARY_SHORT, 0 },
  { "strspn", LIBRARY_SHORT, BOTH },
  { "strstr", LIBRARY_SHORT, 0 },
  // the second argument receives a pointer into the first
  { "strtod", LIBRARY_SHORT, SECOND },
  { "strtof", LIBRARY_SHORT, SECOND },
  { "strtol", LIBRARY_SHORT, SECOND },
  { "strtoll", LIBRARY_SHORT, SECOND },
  { "strtoul", LIBRARY_SHORT, SECOND },
  { "strtoull", LIBRARY_SHORT, SECOND },
  { "tan", LIBRARY_PURE, 0 },
  { "time", LIBRARY_SHORT, FIRST },
  { "tolower", LIBRARY_PURE, 0 },
  { "toupper", LIBRARY_PURE, 0 },
  { "trunc", LIBRARY_PURE, 0 },
  { "write", LIBRARY_OTHER, SECOND },
};
// clang-format on
enum { CALLS = sizeof library_calls / sizeof *library_calls };

static int by_name(const void *key, const void *entry) {
  return strcmp(key, ((const LibraryCall *)entry)->name);
}

const LibraryCall *library_call(const Node *call) {
  const Symbol *f = called_symbol(call);
  if (!f || f->kind != S_FUNC || f->own || f->depth > 0 ||
      (call->flags & (NF_ASYNC | NF_THROWS)))
    return NULL;
  return bsearch(
      f->name->name, library_calls, CALLS, sizeof *library_calls, by_name);
}
