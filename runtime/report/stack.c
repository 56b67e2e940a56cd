// stack.c: where a thread stands: the functions of the program that are on its C stack, with their
// lines. An activity that runs has no frames for them. Calls of the library that lie above the
// program's functions are left out, and so is everything below the function that the scheduler
// resumed. Names come from the table of symbols, lines from the debug information (lines.c):
// without -g there are only names.
#define _GNU_SOURCE
#include "report/stack.h"

#include <execinfo.h>
#include <string.h>

void fm__stack_take(fm__stack *s) {
  int n = backtrace(s->at, FM__STACK_DEPTH);
  s->count = n > 0 ? (size_t)n : 0;
}

// ---- which of them are the program's ----
enum { OTHER, LIBRARY, ASYNC, RESUMED };

static bool is_version(const fm__function *f, const char *version) {
  return strncmp(f->name + f->length, version, strlen(version)) == 0;
}

// RESUMED: it is what the scheduler called.
static int class_of(const fm__function *f) {
  if (strncmp(f->name, "fm_", 3) == 0 ||
      (f->code && f->code->lands & FM_OF_LIBRARY))
    return LIBRARY;
  if (is_version(f, "__fm_resume") || is_version(f, "__fm_landed") ||
      is_version(f, "__fm_begin"))
    return RESUMED;
  return is_version(f, "__fm_") ? ASYNC : OTHER;
}

// Each is a return address: the call stands right before it.
static bool function_of(fm__stack *s, size_t i, fm__function *f) {
  return fm__function_at(s->symbols, (uintptr_t)s->at[i] - 1, f);
}

static bool line_of(fm__stack *s, size_t i, fm__source_line *l) {
  return fm__line_at(s->symbols, (uintptr_t)s->at[i] - 1, l) &&
         !fm__line_is_generated(l);
}

// A static function of the library: this file is one of it, too.
static bool is_ours(fm__stack *s, size_t i) {
  static const char *const folders[] = { "runtime", "library" };
  fm__source_line l;
  if (!line_of(s, i, &l))
    return false;
  const char *path = *l.directory && *l.file != '/' ? l.directory : l.file;
  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
    if (strncmp(path, folders[k], 7) == 0 && (path[7] == '/' || !path[7]))
      return true;
  return false;
}

// The first function of the program.
static size_t first_of_program(fm__stack *s) {
  size_t first = 0;
  fm__function f;
  for (size_t i = 0; i < s->count; i++) {
    int class = function_of(s, i, &f) ? class_of(&f) : OTHER;
    if (class == LIBRARY || (class == OTHER && is_ours(s, i)))
      first = i + 1;
    else if (class != OTHER)
      break;
  }
  return first;
}

// ---- lines ----
static void print_line(FILE *to,
                       const fm__source_line *l,
                       bool known,
                       const fm__function *f) {
  if (known) {
    const char *between = *l->directory && *l->file != '/' ? "/" : "";
    fprintf(to,
            "    at %s%s%s:%llu in ",
            *between ? l->directory : "",
            between,
            l->file,
            (unsigned long long)l->line);
  } else if (f->code && f->code->file) {
    fprintf(to, "    at %s in ", f->code->file);
  } else {
    fputs("    in ", to);
  }
  fprintf(to, "%.*s\n", (int)f->length, f->name);
}

static bool same_name(const fm__function *f, const fm__function *g) {
  return f->length == g->length && strncmp(f->name, g->name, f->length) == 0;
}

// The bottom of what is reported.
static bool is_main(const fm__function *f) {
  return f->length == 4 && strncmp(f->name, "main", 4) == 0;
}

// Generated code around a function has no line, and the same name.
static bool print_all(FILE *to, fm__stack *s) {
  fm__function f;
  fm__function before = { .name = "" };
  for (size_t i = first_of_program(s); i < s->count; i++) {
    fm__source_line l;
    if (!function_of(s, i, &f))
      continue;
    int class = class_of(&f);
    if (class == LIBRARY)
      return false;
    bool known = line_of(s, i, &l);
    if (known || !same_name(&f, &before))
      print_line(to, &l, known, &f);
    before = f;
    if (class == RESUMED)
      return true;
    if (class == OTHER && is_main(&f))
      return false;
  }
  return false;
}

bool fm__stack_print(FILE *to, fm__stack *s) {
  if (!(s->symbols = fm__symbols_take()))
    return false;
  bool resumed = print_all(to, s);
  fm__symbols_release();
  return resumed;
}

bool fm__stack_in_library(fm__stack *s) {
  if (!(s->symbols = fm__symbols_take()))
    return true;
  bool inside = first_of_program(s) > 0;
  fm__symbols_release();
  return inside;
}
