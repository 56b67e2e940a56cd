// warnings.c: reports. A report names what was read, where another activity has changed it, and
// where it is used, each with the activity and its functions, the variable as far as it is known,
// and what to do. Each pair of lines is reported once.
#define _GNU_SOURCE
#include "atomicity/atomicity.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t reports;

// ---- once ----
static uint64_t mix(uint64_t h, uint64_t with) {
  return (h ^ with) * 0x9e3779b97f4a7c15u;
}

static uint64_t key_of_place(uint64_t h, uintptr_t pc) {
  const fm__code_place *p = fm__place_at(pc);
  if (!p->file)
    return mix(h, pc);
  for (const char *c = p->file; *c; c++)
    h = mix(h, (unsigned char)*c);
  return mix(h, p->line);
}

static bool is_new(const fm__finding *f) {
  enum { MOST = 1024 };
  static uint64_t seen[MOST];
  static size_t count;
  uint64_t key =
      key_of_place(key_of_place(f->rule + 1, f->read->pc) * 3, f->pc);
  for (size_t i = 0; i < count; i++)
    if (seen[i] == key)
      return false;
  if (count == MOST)
    return false;
  seen[count++] = key;
  return true;
}

// ---- places ----
static void print_path(FILE *to, const fm__code_place *p) {
  const char *between = *p->directory ? "/" : "";
  fprintf(to, "%s%s%s:%u", p->directory, between, p->file, p->line);
}

static void print_place(FILE *to, uintptr_t pc) {
  const fm__code_place *p = fm__place_at(pc);
  fputs("    ", to);
  if (p->file)
    print_path(to, p);
  else
    fprintf(to, "%#llx", (unsigned long long)pc);
  if (p->function)
    fprintf(to, " in %.*s", (int)p->length, p->function);
  fputc('\n', to);
}

// Wrappers in generated code have no line of their own.
static void print_calls(FILE *to, const fm__invocation *at, uintptr_t pc) {
  print_place(to, pc);
  for (; at; at = at->up)
    if (at->call && !fm__place_at(at->call)->library)
      print_place(to, at->call);
}

static void print_who(FILE *to, const fm__actor *a) {
  fm__runtime *d = fm__self_now.domain;
  bool known =
      fm__is_valid(a->node, a->generation) && fm__runtime_of_node(a->node) == d;
  const char *name = known ? fm__name_of(d, a->node) : a->name;
  fprintf(to, "activity #%llu %s", (unsigned long long)a->generation, name);
}

static void print_source(FILE *to, uintptr_t pc) {
  const char *line = fm__source_at(pc);
  if (line)
    fprintf(to, "      > %s\n", line);
}

// ---- variables ----
static void print_block(FILE *to, uintptr_t address, const fm__block_info *b) {
  size_t offset = address - b->low;
  const char *part = fm__part_of_block(address, b);
  if (*part)
    fprintf(to, "%s, in a block", part);
  else
    fprintf(to, "byte %zu of a block of %zu bytes", offset, b->size);
  const fm__code_place *p = fm__place_at(b->pc);
  if (!p->file)
    return;
  fputs(" that was allocated at ", to);
  print_path(to, p);
}

// A static variable of a function has a name of its own: of gcc name.1, of clang function.name, and
// in a translation name__fm_function1.
typedef struct Name {
  const char *at;
  int length;
} Name;

static Name users_name(const char *symbol) {
  const char *dot = strchr(symbol, '.');
  const char *end = dot;
  if (dot && !isdigit((unsigned char)dot[1])) {
    symbol = dot + 1;
    end = strchr(symbol, '.');
  }
  const char *ours = strstr(symbol, "__fm_");
  if (ours && ours > symbol && (!end || ours < end))
    end = ours;
  return (Name){ symbol, end ? (int)(end - symbol) : (int)strlen(symbol) };
}

static void print_known(FILE *to,
                        uintptr_t address,
                        const char *symbol,
                        size_t offset,
                        bool whole) {
  const char *part = whole ? "" : fm__part_of_variable(address);
  Name n = users_name(symbol);
  if (!whole && !*part)
    fprintf(to, "byte %zu of %.*s", offset, n.length, n.at);
  else
    fprintf(to, "%.*s%s", n.length, n.at, part);
}

static void print_variable(FILE *to, uintptr_t address, size_t size) {
  size_t offset;
  size_t all;
  fm__block_info b;
  const char *name = fm__variable_at(address, &offset, &all);
  if (name)
    print_known(to, address, name, offset, !offset && size >= all);
  else if (fm__shadow_object(address & ~(uintptr_t)(FM__GRANULE - 1)).frame)
    fputs("a local variable that activities share", to);
  else if (fm__block_at(address, &b))
    print_block(to, address, &b);
  else
    fprintf(to, "%zu bytes at %#llx", size, (unsigned long long)address);
}

// ---- words ----
typedef struct Words {
  const char *what, *first, *between, *last, *cure;
} Words;

static const Words words[] = {
  [FM__LOST_UPDATE] = {
    "an update is lost",
    "reads it",
    "changes it meanwhile",
    "writes it without having read it again",
    "put the read and the write into one `atomic`, or read again after the pause",
  },
  [FM__TORN] = {
    "two values of different times are used together",
    "reads one of them",
    "changes both meanwhile",
    "uses the other one without having read the first again",
    "put both into one `atomic`, or read both again after the pause",
  },
  [FM__STALE] = {
    "memory is used that was freed meanwhile",
    "reads it",
    "frees it meanwhile",
    "uses it again",
    "count its users, or look it up again after the pause",
  },
  [FM__STALE_CHECK] = {
    "a check is out of date",
    "checks it",
    "changes it meanwhile",
    "counts on, without a new check",
    "put the check and the change into one `atomic`, or check again after the pause",
  },
  [FM__HALF_DONE] = {
    "a half-done update is seen",
    "writes one part",
    "reads both parts meanwhile",
    "writes the other part",
    "put both writes into one `atomic`",
  },
};

// ---- a report ----
static void print_step(FILE *to,
                       const fm__actor *a,
                       const char *does,
                       const fm__invocation *at,
                       uintptr_t pc) {
  fputs("  ", to);
  print_who(to, a);
  fprintf(to, " %s:\n", does);
  print_source(to, pc);
  print_calls(to, at, pc);
}

static void print_report(FILE *to, const fm__finding *f) {
  const Words *w = &words[f->rule];
  const fm__code_place *p = fm__place_at(f->pc);
  if (p->file) {
    print_path(to, p);
    fputs(": ", to);
  }
  fprintf(to, "fermata: atomicity: %s: ", w->what);
  print_variable(to, f->x, f->x_size);
  if (f->y && f->rule != FM__STALE) {
    fputs(" and ", to);
    print_variable(to, f->y, f->y_size);
  }
  fputc('\n', to);
  print_step(to, f->actor, w->first, f->read->at, f->read->pc);
  print_step(to, f->write->actor, w->between, f->write->at, f->write->pc);
  print_step(to, f->actor, w->last, f->at, f->pc);
  fprintf(to, "  cure: %s\n", w->cure);
}

// ---- suppressions ----
static bool is_suppressed_at(uintptr_t pc) {
  const fm__code_place *p = fm__place_at(pc);
  char text[4096];
  if (!p->file)
    return false;
  snprintf(text, sizeof text, "%s:%u", p->file, p->line);
  if (fm__suppressed(text))
    return true;
  snprintf(text,
           sizeof text,
           "%.*s",
           (int)p->length,
           p->function ? p->function : "");
  return fm__suppressed(text);
}

static bool is_suppressed(const fm__finding *f) {
  size_t offset;
  size_t size;
  const char *name = fm__variable_at(f->x, &offset, &size);
  if (name && fm__suppressed(name))
    return true;
  return is_suppressed_at(f->read->pc) || is_suppressed_at(f->write->pc) ||
         is_suppressed_at(f->pc);
}

// ---- where it goes ----
static FILE *output(void) {
  static FILE *log;
  const char *name = fm__ato_settings_now()->log;
  char path[4096];
  if (!name)
    return stderr;
  snprintf(path, sizeof path, "%s.%ld", name, (long)getpid());
  if (!log)
    log = fopen(path, "we");
  return log ? log : stderr;
}

// The program's own failure counts more.
void fm__ato_at_end(int status, void *unused) {
  (void)unused;
  fm__self_now.busy = true;
  if (!reports || status)
    return;
  fflush(NULL);
  _exit(fm__ato_settings_now()->status);
}

void fm__warn(const fm__finding *f) {
  const fm__ato_settings *set = fm__ato_settings_now();
  if (!is_new(f) || (set->suppressions && is_suppressed(f)))
    return;
  reports++;
  FILE *to = output();
  fflush(stdout);
  print_report(to, f);
  fflush(to);
  if (set->halt)
    _exit(set->status ? set->status : 66);
}
