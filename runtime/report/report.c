// report.c: the reports of the runtime: dumps of the tree, deadlocks, mistakes of the program, lack
// of memory. An activity is one line; in reports its frames follow:
//
//     #3 worker: waits at pool.c:17 for #5 reader
//         at pool.c:17 in next_job
//         at pool.c:40 in worker
//
// An activity in atomic code has no frames for that code, and the place of its innermost frame is
// not known: then the line number is left out. The same holds for the running activity.
#include "report/objects.h"
#include "report/stack.h"
#include "report/trace-format.h"
#include <fermata/trace.h>

#include <stdarg.h>
#include <stdlib.h>

int fm__format(char *to, size_t n, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = FM__VSNPRINTF(to, n, format, list);
  va_end(list);
  return length;
}

// ---- frames ----
static uint32_t line_of(const fm_frame *f) {
  return f->code->lines && f->state < f->code->nstates
             ? f->code->lines[f->state]
             : 0;
}

static void print_place(FILE *to, const fm_frame *f, bool known) {
  uint32_t line = known ? line_of(f) : 0;
  fprintf(to, "at %s", f->code->file ? f->code->file : "?");
  if (line)
    fprintf(to, ":%u", line);
}

// The innermost frame that is the program's own, if there is one: the place where the library waits
// means nothing to the author of the program.
const fm_frame *fm__of_program(const fm_frame *leaf) {
  for (const fm_frame *f = leaf; f; f = fm__caller(f))
    if (!(f->code->lands & FM_OF_LIBRARY))
      return f;
  return leaf;
}

static void print_frames(FILE *to, const fm_frame *f, bool known) {
  enum { MOST = 50 };
  size_t n = 0;
  for (; f; f = fm__caller(f), known = true)
    if (!fm__is_held(f) && n++ < MOST) {
      fputs("    ", to);
      print_place(to, f, known);
      fprintf(to, " in %s\n", f->code->name);
    }
  if (n > MOST)
    fprintf(to, "    and %zu more\n", n - MOST);
}

// ---- activities ----
static bool owns_set(fm__runtime *d, const fm_node *a) {
  for (fm__set *s = fm__top_set(d); s; s = s->below)
    if (s->owner == a)
      return true;
  return false;
}

// The state of its leaf is the place: it has paused, and not in atomic code.
static bool place_known(fm__runtime *d, const fm_node *a) {
  return !owns_set(d, a) && (a != d->current || fm__reason(d));
}

void fm__print_who(FILE *to, fm__runtime *d, const fm_node *a) {
  if (a == &d->host)
    fputs("plain code", to);
  else
    fprintf(to,
            "#%llu %s",
            (unsigned long long)fm__generation(a),
            fm__name_of(d, a));
}

// Hubs are of fm_all and fm_any.
const fm_node *fm__wanted_activity(const fm_node *a) {
  const fm_node *what = fm__waited_for(a);
  unsigned kind = fm__waits_kind(a);
  if (kind == FM__WGROUP || kind == FM__WOBJECT || fm__proxy(a) ||
      what->word & FM__HUB || (what->word & FM__SCOPE && what->owner == a))
    return NULL;
  return what;
}

const char *fm__wanted(fm__runtime *d, const fm_node *a, char *room, size_t n) {
  const fm_node *what = fm__waited_for(a);
  if (fm__waits_kind(a) == FM__WGROUP)
    return "the activities that share its variables";
  if (fm__proxy(a))
    return fm__proxy_wants(a);
  if (fm__waits_kind(a) == FM__WOBJECT)
    return fm__wait_kind_of(a)->what;
  if (what->word & FM__HUB)
    return "several tasks";
  if (what->word & FM__SCOPE && what->owner == a)
    return what->word & FM__RACE ? "the arms of its race"
                                 : "the activities of its scope";
  fm__format(room,
             n,
             "#%llu %s",
             (unsigned long long)fm__generation(what),
             fm__name_of(d, what));
  return room;
}

static void print_waiting(FILE *to, fm__runtime *d, const fm_node *a) {
  char room[256];
  fputs("waits ", to);
  if (owns_set(d, a))
    fputs("in an atomic", to);
  else
    print_place(to, fm__of_program(a->leaf), true);
  fprintf(to, " for %s", fm__wanted(d, a, room, sizeof room));
  if (fm__waits_kind(a) == FM__WOBJECT && !fm__proxy(a))
    fm__object_print(to, d, a);
}

static void print_ready(FILE *to, fm__runtime *d, const fm_node *a) {
  fputs("ready ", to);
  print_place(to,
              fm__of_program(a->leaf),
              place_known(d, a) || fm__of_program(a->leaf) != a->leaf);
}

bool fm__is_waiting(const fm_node *a) {
  unsigned kind = fm__waits_kind(a);
  return kind && kind != FM__WRESULT && kind != FM__WTAKE && kind != FM__WSPAWN;
}

fm__place fm__place_of(fm__runtime *d, const fm_node *a) {
  const fm_frame *f = fm__of_program(a->leaf);
  return (fm__place){ f->code->name,
                      f->code->file,
                      owns_set(d, a) ? 0 : line_of(f) };
}

static void print_region(FILE *to, fm__runtime *d, const fm_node *a) {
  fputs("of ", to);
  fm__print_who(to, d, a->owner);
}

static void print_atomic(FILE *to, fm__runtime *d, const fm_node *a) {
  const fm__set *top = fm__top_set(d);
  if (top->owner == a && top->live)
    fputs("waits at the end of an atomic for the activities in it", to);
  else
    fputs(a == d->current ? "running" : "in an atomic", to);
}

static void print_state(FILE *to, fm__runtime *d, const fm_node *a) {
  if (a->word & FM__REGION)
    print_region(to, d, a);
  else if (a->word & FM__ENDED)
    fputs("has ended, and its task is held", to);
  else if (a->word & FM__BODY)
    fputs("has ended, but its children have not", to);
  else if (fm__is_waiting(a))
    print_waiting(to, d, a);
  else if (owns_set(d, a))
    print_atomic(to, d, a);
  else if (a == d->current)
    fputs("running", to);
  else
    print_ready(to, d, a);
}

// An activity of a lower set, which does not run before the atomic has ended.
static bool is_held_back(fm__runtime *d, const fm_node *a) {
  return fm__in_atomic(d) && !(a->word & (FM__REGION | FM__ENDED)) &&
         a->set != fm__top_set(d)->level && !owns_set(d, a);
}

static void print_marks(FILE *to, fm__runtime *d, const fm_node *a) {
  if (a->word & FM__CANCELLED)
    fputs(", cancelled", to);
  if (a->word & FM__HELD)
    fputs(", paused", to);
  if (is_held_back(d, a))
    fputs(", held back by an atomic", to);
}

static void print_activity(FILE *to, fm__runtime *d, const fm_node *a) {
  fm__print_who(to, d, a);
  fputs(": ", to);
  print_state(to, d, a);
  print_marks(to, d, a);
  if (FM__IS_LINKED(fm__locals_print))
    fm__locals_print(to, d, a);
  fputc('\n', to);
}

// ---- the tree ----
// The count is for dumps of a thread that was interrupted: a ring may be in disorder.
static void dump_below(fm__runtime *d, FILE *to, fm_node *top, int depth) {
  uint64_t left = d->serial + 1;
  for (fm_node *a = top; left-- && (a = fm__tree_next(top, a, &depth));) {
    fprintf(to, "%*s", (depth - 1) * 2, "");
    print_activity(to, d, a);
  }
}

void fm__dump(fm__runtime *d, FILE *to) {
  fm__objects_begin();
  dump_below(d, to, &d->host, 0);
}

void fm_dump(FILE *to) {
  fm__runtime *d = fm__runtime_here();
  if (d)
    fm__dump(d, to);
}

void fm_dump_of(FILE *to, fm_activity a) {
  fm__runtime *d = fm__runtime_here();
  if (!d || !a.node || fm__is_remote(a) || !fm__is_valid(a.node, a.generation))
    return;
  fm__objects_begin();
  print_activity(to, d, a.node);
  dump_below(d, to, a.node, 1);
}

void fm__print_backtrace(FILE *to, fm__runtime *d, const fm_node *a) {
  fm__objects_begin();
  print_activity(to, d, a);
  if (!(a->word & (FM__BODY | FM__REGION | FM__ENDED)))
    print_frames(to, a->leaf, place_known(d, a));
}

// ---- ends of the program ----
static _Noreturn void fail(void) {
  fflush(stderr);
  exit(1);
}

void fm__out_of_memory(const char *what, const char *name, size_t bytes) {
  fprintf(
      stderr, "fermata: out of memory (%s%s, %zu bytes)\n", what, name, bytes);
  fail();
}

// The activity runs: its functions since its last pause are on the C stack, and the last of them is
// that of its leaf.
void fm__report_running(FILE *to, fm__runtime *d, fm__stack *s) {
  fm_node *a = d->current;
  bool in_activity = a && a != &d->host;
  if (in_activity)
    print_activity(to, d, a);
  bool leaf_printed = fm__stack_print(to, s);
  if (in_activity)
    print_frames(to,
                 leaf_printed ? fm__caller(a->leaf) : a->leaf,
                 leaf_printed);
}

void fm__fatal(fm__runtime *d, const char *message) {
  fm_node *a = d->current;
  fflush(stdout);
  fprintf(stderr, "fermata: %s\n", message);
  if (a && a != &d->host && place_known(d, a)) {
    print_activity(stderr, d, a);
    print_frames(stderr, a->leaf, true);
  } else {
    fm__stack stack;
    fm__stack_take(&stack);
    fm__report_running(stderr, d, &stack);
  }
  fail();
}

void fm__fatal_of(fm__runtime *d, fm_node *a, const char *message) {
  fflush(stdout);
  fprintf(stderr, "fermata: %s\n", message);
  print_activity(stderr, d, a);
  print_frames(stderr, a->leaf, true);
  fail();
}

void fm__check_not_held_back(fm_activity holder, const char *message) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (fm__is_remote(holder) || !fm__is_valid(holder.node, holder.generation) ||
      !is_held_back(d, holder.node))
    return;
  fm__stack stack;
  fm__stack_take(&stack);
  fflush(stdout);
  fprintf(stderr, "fermata: deadlock inside an atomic: %s\n", message);
  fm__report_running(stderr, d, &stack);
  fm__objects_begin();
  print_activity(stderr, d, holder.node);
  print_frames(stderr, holder.node->leaf, true);
  fail();
}

void fm__misuse(const char *message) {
  fm__fatal(fm__runtime_of(fm__here()), message);
}

void fm__report_deadlock(fm__runtime *d) {
  int depth = 0;
  fm__objects_begin();
  if (fm__tracing())
    fm__trace_event(FM__N_DEADLOCK, "deadlock", "");
  fflush(stdout);
  fprintf(stderr,
          "fermata: deadlock%s: nothing is ready and nothing is pending\n",
          fm__in_atomic(d) ? " inside an atomic" : "");
  d->current = NULL; // no activity runs
  if (fm__in_atomic(d) && fm__top_set(d)->owner == &d->host)
    print_activity(stderr, d, &d->host);
  for (fm_node *a = &d->host; (a = fm__tree_next(&d->host, a, &depth));) {
    print_activity(stderr, d, a);
    if (!(a->word & (FM__BODY | FM__REGION)))
      print_frames(stderr, a->leaf, place_known(d, a));
  }
  fflush(stderr);
}
