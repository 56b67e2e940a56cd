// story.c: a run as a story. In: the steps that a program has noted. Out: a line for each, with
// the activity, its function, from where to where it ran, and why it stopped; a mark where the
// schedule deviates.
#include "explore.h"

#include <stdlib.h>

enum {
  WHOLE = 60, // stories up to this length are printed whole
  NEAR = 3,   // otherwise: steps around a deviation
  LAST = 12   // … and at the end
};

void place_print(const fm__x_file *f, uint32_t place, Buf *to) {
  const fm__x_place *p = &f->places[place];
  const char *file = f->text + p->file;
  const char *slash = strrchr(file, '/');
  if (!place || !p->file)
    buf_puts(to, "?");
  else if (p->line)
    buf_printf(to, "%s:%u", slash ? slash + 1 : file, p->line);
  else
    buf_printf(to, "%s", slash ? slash + 1 : file);
}

static void print_end(const fm__x_file *f, const fm__x_step *s, Buf *to) {
  switch (s->why) {
  case FM__X_INTERRUPTED:
    buf_puts(to, ", where it is interrupted");
    break;
  case FM__X_YIELDED:
    buf_puts(to, ", where it yields");
    break;
  case FM__X_WAITS:
    if (s->wanted)
      buf_printf(to, ", waits for %s", f->text + s->wanted);
    else
      buf_puts(to, ", where it waits");
    break;
  case FM__X_ENDED:
    break;
  }
}

// `last`: how far it got is not known.
static void
print_step(const fm__x_file *f, const fm__x_step *s, bool last, FILE *to) {
  const fm__x_activity *a = &f->activities[s->who];
  Buf who = { 0 };
  Buf line = { 0 };
  activity_print(f, s->who, &who);
  buf_puts(&line, "from ");
  place_print(f, s->from, &line);
  if (last)
    buf_puts(&line, " on: the last one that ran");
  else if (s->why == FM__X_ENDED)
    buf_puts(&line, " to its end");
  else {
    buf_puts(&line, " to ");
    place_print(f, s->to, &line);
    print_end(f, s, &line);
  }
  fprintf(to, "  %-8s %-16s %s\n", who.data, f->text + a->function, line.data);
  buf_free(&who);
  buf_free(&line);
}

static void print_switch(const fm__x_file *f, uint32_t next, FILE *to) {
  Buf who = { 0 };
  activity_print(f, next, &who);
  fprintf(to,
          "  -------- switch to %s: by default another would go on\n",
          who.data);
  buf_free(&who);
}

static bool is_near(const fm__x_file *f, size_t i, size_t n) {
  size_t from = i > NEAR ? i - NEAR : 0;
  if (n <= WHOLE || i + LAST >= n)
    return true;
  for (size_t k = from; k < n && k <= i + NEAR; k++)
    if (f->steps[k].deviates)
      return true;
  return i < NEAR;
}

void story_print(const fm__x_file *f, FILE *to) {
  size_t n = f->step_count < FM__X_STEPS ? f->step_count : FM__X_STEPS;
  size_t left_out = 0;
  for (size_t i = 0; i < n; i++) {
    const fm__x_step *s = &f->steps[i];
    if (!is_near(f, i, n)) {
      left_out++;
      continue;
    }
    if (left_out)
      fprintf(to, "  … %zu steps, all as by default\n", left_out);
    left_out = 0;
    print_step(f, s, i + 1 == f->step_count, to);
    if (s->deviates & FM__X_PASSED)
      fputs("  -------- time passes: a timer is due\n", to);
    if (s->deviates & FM__X_SWITCHED && i + 1 < n)
      print_switch(f, f->steps[i + 1].who, to);
  }
  if (f->step_count > n)
    fprintf(to, "  … and %zu more steps\n", (size_t)f->step_count - n);
}
