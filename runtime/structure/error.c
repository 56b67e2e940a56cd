// error.c: errors: the objects that are thrown, and what is done with errors that nobody catches.
//
// An error in flight is in fm__thrown. It is one object with counted references: if several
// activities await the one that failed, all of them are thrown the same object. A type is
// recognised by its name and size, because two units may each define the same struct. While an
// error unwinds, it collects a backtrace: the functions it has left, across activities.
#include "fm.h"
#include "report/trace-format.h"

#include <stdlib.h>
#include <string.h>

// Functions that a backtrace lists; further ones are counted.
enum { TRACE = 32 };

typedef struct passed {
  const fm_code *code;
  uint32_t state;
} passed;

struct fm_error {
  uint32_t references;
  uint32_t size;  // bytes of the value
  fm_error *next; // further errors, which this one holds
  fm_error *last; // the end of that list; NULL: there are none
  const char *type;
  const char *file;
  int line;
  // a cleanup threw it while a cancel unwound, and it was thrown nowhere else
  bool in_cancel;
  // the activity for whose own cancel it was made; zero: none
  fm_activity cancelled;
  uint32_t passes; // how many functions it has left
  passed *trace;   // TRACE of them; NULL: it has left none
  _Alignas(16) char value[];
};

__thread fm_error *fm__thrown __attribute__((tls_model("initial-exec")));

// ---- objects ----
fm_error *fm__error_new(const void *value,
                        size_t size,
                        const char *type,
                        const char *file,
                        int line) {
  fm_error *e = fm__alloc(sizeof *e + size);
  if (!e)
    fm__out_of_memory("error ", type, sizeof *e + size);
  *e = (fm_error){
    .references = 1,
    .size = (uint32_t)size,
    .type = type,
    .file = file,
    .line = line,
  };
  if (size)
    memcpy(e->value, value, size);
  return e;
}

fm_error *fm__error_share(fm_error *e) {
  if (fm__carried(e))
    fm__carried(e)->references++;
  return e;
}

static fm_error *copy_one(const fm_error *e) {
  fm_error *copy = fm__error_new(e->value, e->size, e->type, e->file, e->line);
  size_t bytes = TRACE * sizeof *e->trace;
  copy->passes = e->passes;
  copy->in_cancel = e->in_cancel;
  if (!e->trace)
    return copy;
  if (!(copy->trace = fm__alloc(bytes)))
    fm__out_of_memory("backtrace of ", e->type, bytes);
  memcpy(copy->trace,
         e->trace,
         (e->passes < TRACE ? e->passes : TRACE) * sizeof *e->trace);
  return copy;
}

fm_error *fm__error_copy(const fm_error *e) {
  fm_error *first = copy_one(e);
  while ((e = e->next))
    fm__error_add(first, copy_one(e));
  return first;
}

static bool is_last_reference(fm_error *e) {
  return e && --e->references == 0;
}

void fm__error_drop(fm_error *e) {
  e = fm__carried(e);
  while (is_last_reference(e)) {
    fm_error *next = e->next;
    fm__free(e->trace);
    fm__free(e);
    e = next;
  }
}

// `more` may have further errors itself. An error that others hold as well could be on two lists: a
// copy of it is added.
fm_error *fm__error_add(fm_error *first, fm_error *more) {
  if (!first || first == FM_CANCELLING)
    return more;
  if (more == FM_CANCELLING || more == first) {
    fm__error_drop(more);
    return first;
  }
  if (more->references > 1) {
    fm_error *copy = fm__error_copy(more);
    fm__error_drop(more);
    more = copy;
  }
  *(first->last ? &first->last->next : &first->next) = more;
  first->last = more->last ? more->last : more;
  return first;
}

fm_error *fm__error_mark_cancel(fm_error *e, const fm_node *a) {
  e->cancelled = (fm_activity){ (fm_node *)a, fm__generation(a) };
  return e;
}

bool fm__error_is_cancel_of(const fm_error *e, const fm_node *a) {
  return e->cancelled.node == a && e->cancelled.generation == fm__generation(a);
}

// ---- throwing and catching ----
void fm__throw(const void *value,
               size_t size,
               const char *type,
               const char *file,
               int line) {
  if (fm__tracing())
    fm__trace_throw(type, file, line);
  fm__thrown = fm__error_new(value, size, type, file, line);
}

void fm__throw_shared(fm_error *e) {
  e->in_cancel = false;
  fm__thrown = fm__error_share(e);
}

fm_error *fm__caught(fm_domain *c) {
  fm_error *e = fm__thrown;
  fm__thrown = NULL;
  if (c)
    fm__set_guard(fm__runtime_of(c), fm__runtime_of(c)->rest);
  return e;
}

void fm__rethrow(fm_error *e) {
  fm__thrown = e;
}

int fm__is(const fm_error *e, const char *type, size_t size) {
  if (!e || fm__cancels(e))
    return 0;
  return !type || (e->size == size && strcmp(e->type, type) == 0);
}

// The error that is replaced hangs on the new one. A cancel continues, whatever it carries.
fm_error *fm__replaced(fm_error *old, fm_error *e) {
  fm_error *was = fm__carried(old);
  fm_error *now = fm__carried(e);
  fm_error *both = was && now ? fm__error_add(now, was) : was ? was : now;
  if (!fm__cancels(old) && !fm__cancels(e))
    return both;
  for (e = both; e; e = e->next)
    e->in_cancel = true;
  return fm__carry(both);
}

fm_error *fm__error_in_flight(fm_error *e) {
  for (fm_error *k = e; k; k = k->next)
    k->in_cancel = false;
  return e;
}

bool fm__error_all_in_cancel(const fm_error *e) {
  while (e && e->in_cancel)
    e = e->next;
  return !e;
}

// An error with two holders is in flight in two activities: its backtrace ends where they part.
void fm__passes(const fm_code *code, uint32_t state) {
  fm_error *e = fm__carried(fm__thrown);
  if (!e || e->references > 1)
    return;
  if (!e->trace && !(e->trace = fm__alloc(TRACE * sizeof *e->trace)))
    fm__out_of_memory("backtrace of ", e->type, TRACE * sizeof *e->trace);
  if (e->passes < TRACE)
    e->trace[e->passes] = (passed){ code, state };
  e->passes++;
}

// ---- what programs ask ----
const char *fm_error_name(const fm_error *e) {
  return e->type;
}
const char *fm_error_file(const fm_error *e) {
  return e->file ? e->file : "?";
}
int fm_error_line(const fm_error *e) {
  return e->line;
}
const void *fm_error_value(const fm_error *e) {
  return e->value;
}
const fm_error *fm_error_next(const fm_error *e) {
  return e->next;
}

// ---- reports ----
static void print_value(const fm_error *e, FILE *to) {
  struct os_error os;
  if (fm__is(e, "os_error", sizeof os)) {
    memcpy(&os, e->value, sizeof os);
    fprintf(to, " (%s)", strerror(os.code));
  }
}

static void print_passed(const passed *p, FILE *to) {
  const fm_code *code = p->code;
  uint32_t line =
      code->lines && p->state < code->nstates ? code->lines[p->state] : 0;
  fprintf(to, "    at %s", code->file ? code->file : "?");
  if (line)
    fprintf(to, ":%u", line);
  fprintf(to, " in %s\n", code->name);
}

static void print_one(const fm_error *e, FILE *to) {
  fputs(e->type, to);
  print_value(e, to);
  if (e->file)
    fprintf(to, ", thrown at %s:%d", e->file, e->line);
  fputc('\n', to);
  for (uint32_t i = 0; i < e->passes && i < TRACE; i++)
    print_passed(&e->trace[i], to);
  if (e->passes > TRACE)
    fprintf(to, "    and %u more\n", e->passes - TRACE);
}

void fm_error_print(const fm_error *e, FILE *to) {
  for (const char *before = ""; e; e = e->next, before = "and: ") {
    fputs(before, to);
    print_one(e, to);
  }
}

// A deadlock was reported when it was thrown.
void fm__report_error(const fm_error *e) {
  fflush(stdout);
  if (!e || fm__is(e, "fm_deadlock", sizeof(struct fm_deadlock)))
    return;
  if (fm__tracing())
    fm__trace_event(FM__N_UNHANDLED, "unhandled error ", e->type);
  fputs("fermata: unhandled error ", stderr);
  fm_error_print(e, stderr);
  fflush(stderr);
}

void fm__unhandled(void) {
  fm__report_error(fm__carried(fm__thrown));
  exit(1);
}

// ---- errors that no activity receives ----
void fm_on_error(void (*fn)(const fm_error *, fm_activity, void *), void *arg) {
  fm__runtime *d = fm__runtime_of(fm__here());
  d->on_error = fn;
  d->on_error_arg = arg;
}

static bool is_handled(fm__runtime *d, fm_node *a, const fm_error *e) {
  if (!d->on_error)
    return false;
  d->on_error(e,
              a && a != &d->host ? (fm_activity){ a, fm__generation(a) }
                                 : (fm_activity){ 0 },
              d->on_error_arg);
  return true;
}

static void print_who(fm__runtime *d, const fm_node *a, const char *what) {
  if (a && a != &d->host)
    fprintf(stderr,
            "in %sactivity #%llu %s",
            what,
            (unsigned long long)fm__generation(a),
            fm__name_of(d, a));
  else
    fprintf(stderr, "in %splain code", what);
}

static _Noreturn void
fail_detached(fm__runtime *d, fm_node *a, const fm_error *e) {
  if (fm__is(e, "fm_deadlock", sizeof(struct fm_deadlock)))
    exit(1);
  fm__report_error(e);
  print_who(d, a, "the detached ");
  fputc('\n', stderr);
  abort();
}

void fm__error_of_detached(fm__runtime *d, fm_node *a, fm_error *e) {
  if (!is_handled(d, a, e))
    fail_detached(d, a, e);
  fm__error_drop(e);
}

static void report_and_go_on(fm__runtime *d,
                             const fm_node *a,
                             const fm_error *e,
                             const char *why) {
  if (fm__is(e, "fm_deadlock", sizeof(struct fm_deadlock)))
    return;
  fm__report_error(e);
  print_who(d, a, "");
  fprintf(stderr, ", %s\n", why);
  fflush(stderr);
}

// If others hold the error as well, it is theirs: the last of them is thrown it, or gives it up
// here.
void fm__error_unwanted(fm__runtime *d,
                        fm_node *a,
                        fm_error *e,
                        const char *why) {
  if (e && e != FM_CANCELLING && !is_handled(d, a, e))
    report_and_go_on(d, a, e, why);
  fm__error_drop(e);
}

// Of many equal errors the first few are reported, then those whose number is a power of two.
void fm__error_of_restarted(const fm_error *e,
                            const char *what,
                            unsigned again) {
  enum { FEW = 8 };
  fm__runtime *d = fm__runtime_of(fm__here());
  char why[128];
  if (is_handled(d, d->current, e) || (again >= FEW && again & (again + 1)))
    return;
  if (again < FEW)
    fm__format(why, sizeof why, "%s", what);
  else
    fm__format(why, sizeof why, "%s: %u times in a row", what, again + 1);
  report_and_go_on(d, d->current, e, why);
}
