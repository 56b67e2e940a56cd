// strings.c: functions of the C library that read or write the program's memory. The linker puts
// these in place of the program's calls: --wrap (compiler/driver/sanitize.c has the list, and keeps
// C compilers from putting code in place of the calls).
#define _GNU_SOURCE
#include "atomicity/atomicity.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void fm__ato_read(const void *p, size_t size, void *pc);
void fm__ato_write(const void *p, size_t size, void *pc);

#define READS(p, n) fm__ato_read(p, n, __builtin_return_address(0))
#define WRITES(p, n) fm__ato_write(p, n, __builtin_return_address(0))
// The linker lets the program's calls of f end here, and our calls of __real_f in f.
#define WRAPPED(type, f, ...)   \
  type __real_##f(__VA_ARGS__); \
  type __wrap_##f(__VA_ARGS__); \
  type __wrap_##f(__VA_ARGS__)

size_t __real_strlen(const char *text);
size_t __real_strnlen(const char *text, size_t n);

static size_t whole(const char *text) {
  return __real_strlen(text) + 1;
}

// How much of a text a function reads that reads at most n bytes.
static size_t at_most(const char *text, size_t n) {
  size_t length = __real_strnlen(text, n);
  return length < n ? length + 1 : n;
}

// ---- memory ----
WRAPPED(void *, memcpy, void *to, const void *from, size_t n) {
  READS(from, n);
  WRITES(to, n);
  return __real_memcpy(to, from, n);
}
WRAPPED(void *, memmove, void *to, const void *from, size_t n) {
  READS(from, n);
  WRITES(to, n);
  return __real_memmove(to, from, n);
}
WRAPPED(void *, mempcpy, void *to, const void *from, size_t n) {
  READS(from, n);
  WRITES(to, n);
  return __real_mempcpy(to, from, n);
}
WRAPPED(void *, memset, void *to, int c, size_t n) {
  WRITES(to, n);
  return __real_memset(to, c, n);
}
WRAPPED(int, memcmp, const void *p, const void *q, size_t n) {
  READS(p, n);
  READS(q, n);
  return __real_memcmp(p, q, n);
}
WRAPPED(void *, memchr, const void *p, int c, size_t n) {
  char *found = __real_memchr(p, c, n);
  READS(p, found ? (size_t)(found - (const char *)p) + 1 : n);
  return found;
}
WRAPPED(void,
        qsort,
        void *base,
        size_t n,
        size_t size,
        int (*compare)(const void *, const void *)) {
  READS(base, n * size);
  WRITES(base, n * size);
  __real_qsort(base, n, size, compare);
}

// ---- texts that are read ----
WRAPPED(size_t, strlen, const char *p) {
  size_t n = __real_strlen(p);
  READS(p, n + 1);
  return n;
}
WRAPPED(size_t, strnlen, const char *p, size_t n) {
  READS(p, at_most(p, n));
  return __real_strnlen(p, n);
}
WRAPPED(int, strcmp, const char *p, const char *q) {
  READS(p, whole(p));
  READS(q, whole(q));
  return __real_strcmp(p, q);
}
WRAPPED(int, strncmp, const char *p, const char *q, size_t n) {
  READS(p, at_most(p, n));
  READS(q, at_most(q, n));
  return __real_strncmp(p, q, n);
}
WRAPPED(int, strcasecmp, const char *p, const char *q) {
  READS(p, whole(p));
  READS(q, whole(q));
  return __real_strcasecmp(p, q);
}
WRAPPED(char *, strchr, const char *p, int c) {
  char *found = __real_strchr(p, c);
  READS(p, found ? (size_t)(found - p) + 1 : whole(p));
  return found;
}
WRAPPED(char *, strrchr, const char *p, int c) {
  READS(p, whole(p));
  return __real_strrchr(p, c);
}
WRAPPED(char *, strstr, const char *p, const char *q) {
  READS(p, whole(p));
  READS(q, whole(q));
  return __real_strstr(p, q);
}
WRAPPED(char *, strdup, const char *p) {
  READS(p, whole(p));
  return __real_strdup(p);
}
WRAPPED(char *, strndup, const char *p, size_t n) {
  READS(p, at_most(p, n));
  return __real_strndup(p, n);
}
WRAPPED(int, atoi, const char *p) {
  READS(p, whole(p));
  return __real_atoi(p);
}
WRAPPED(long, strtol, const char *p, char **end, int base) {
  READS(p, whole(p));
  return __real_strtol(p, end, base);
}

// ---- texts that are written ----
WRAPPED(char *, strcpy, char *to, const char *from) {
  size_t n = whole(from);
  READS(from, n);
  WRITES(to, n);
  return __real_memcpy(to, from, n);
}
WRAPPED(char *, stpcpy, char *to, const char *from) {
  size_t n = whole(from);
  READS(from, n);
  WRITES(to, n);
  return (char *)__real_memcpy(to, from, n) + n - 1;
}
WRAPPED(char *, strncpy, char *to, const char *from, size_t n) {
  READS(from, at_most(from, n));
  WRITES(to, n);
  return __real_strncpy(to, from, n);
}
WRAPPED(char *, strcat, char *to, const char *from) {
  size_t had = __real_strlen(to);
  size_t n = whole(from);
  READS(to, had + 1);
  READS(from, n);
  WRITES(to + had, n);
  __real_memcpy(to + had, from, n);
  return to;
}
WRAPPED(char *, strncat, char *to, const char *from, size_t most) {
  size_t had = __real_strlen(to);
  size_t n = __real_strnlen(from, most);
  READS(to, had + 1);
  READS(from, at_most(from, most));
  WRITES(to + had, n + 1);
  return __real_strncat(to, from, most);
}
// What the arguments point to is not noted: only the result.
WRAPPED(
    int, vsnprintf, char *to, size_t room, const char *format, va_list args) {
  int n = __real_vsnprintf(to, room, format, args);
  if (n >= 0 && room)
    WRITES(to, (size_t)n < room ? (size_t)n + 1 : room);
  return n;
}
WRAPPED(int, snprintf, char *to, size_t room, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = __real_vsnprintf(to, room, format, args);
  va_end(args);
  if (n >= 0 && room)
    WRITES(to, (size_t)n < room ? (size_t)n + 1 : room);
  return n;
}
WRAPPED(int, sprintf, char *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsprintf(to, format, args);
  va_end(args);
  if (n >= 0)
    WRITES(to, (size_t)n + 1);
  return n;
}

// ---- with _FORTIFY_SOURCE ----
WRAPPED(
    void *, __memcpy_chk, void *to, const void *from, size_t n, size_t most) {
  READS(from, n);
  WRITES(to, n);
  return __real___memcpy_chk(to, from, n, most);
}
WRAPPED(
    void *, __memmove_chk, void *to, const void *from, size_t n, size_t most) {
  READS(from, n);
  WRITES(to, n);
  return __real___memmove_chk(to, from, n, most);
}
WRAPPED(void *, __memset_chk, void *to, int c, size_t n, size_t most) {
  WRITES(to, n);
  return __real___memset_chk(to, c, n, most);
}
WRAPPED(char *, __strcpy_chk, char *to, const char *from, size_t most) {
  size_t n = whole(from);
  READS(from, n);
  WRITES(to, n);
  return __real___strcpy_chk(to, from, most);
}
WRAPPED(
    char *, __strncpy_chk, char *to, const char *from, size_t n, size_t most) {
  READS(from, at_most(from, n));
  WRITES(to, n);
  return __real___strncpy_chk(to, from, n, most);
}
WRAPPED(char *, __strcat_chk, char *to, const char *from, size_t most) {
  size_t had = __real_strlen(to);
  size_t n = whole(from);
  READS(to, had + 1);
  READS(from, n);
  WRITES(to + had, n);
  return __real___strcat_chk(to, from, most);
}
WRAPPED(int,
        __snprintf_chk,
        char *to,
        size_t room,
        int flag,
        size_t most,
        const char *format,
        ...) {
  va_list args;
  va_start(args, format);
  (void)flag;
  int n = __real_vsnprintf(to, room < most ? room : most, format, args);
  va_end(args);
  if (n >= 0 && room)
    WRITES(to, (size_t)n < room ? (size_t)n + 1 : room);
  return n;
}
