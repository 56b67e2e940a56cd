// words.c: a report in sentences: what ran, what was slow, what everyone waited for, what
// interrupted what. The page and --text show the same ones.
#include "report.h"

#include <stdlib.h>

// ---- numbers ----
void duration_print(Buf *to, uint64_t ns) {
  static const struct {
    uint64_t unit;
    const char *name;
  } units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "µs" } };
  for (size_t i = 0; i < COUNT(units); i++)
    if (ns >= units[i].unit) {
      double v = (double)ns / (double)units[i].unit;
      buf_printf(to,
                 v < 10    ? "%.2f %s"
                 : v < 100 ? "%.1f %s"
                           : "%.0f %s",
                 v,
                 units[i].name);
      return;
    }
  buf_printf(to, "%llu ns", (unsigned long long)ns);
}

void count_print(Buf *to, uint64_t n) {
  if (n >= 1000) {
    count_print(to, n / 1000);
    buf_printf(to, ",%03u", (unsigned)(n % 1000));
  } else {
    buf_printf(to, "%u", (unsigned)n);
  }
}

// "1 turn", "2,000 turns", "3 activities".
static void some(Buf *to, uint64_t n, const char *one, const char *many) {
  count_print(to, n);
  buf_printf(to, " %s", n == 1 ? one : many);
}

static void percent(Buf *to, uint64_t part, uint64_t whole) {
  double p = whole ? 100.0 * (double)part / (double)whole : 0;
  buf_printf(to, p > 0 && p < 10 ? "%.1f %%" : "%.0f %%", p);
}

// A name must not change the layout, or the terminal.
void clean_print(Buf *to, const char *text) {
  for (; *text; text++)
    buf_putc(to, (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

// ---- sentences ----
static void end_sentence(Report *r, Buf *b) {
  if (b->len)
    PUSH(&r->summary, xstrndup(b->data, b->len));
  b->len = 0;
}

static void who(const Model *m, Buf *b, uint32_t activity) {
  const Activity *a = &m->activities.at[activity];
  buf_printf(b, "#%llu ", (unsigned long long)a->number);
  clean_print(b, string_at(&m->names, a->name));
}

static void say_program(const Model *m, Buf *b) {
  const char *words = m->file.data.data + sizeof(fm__trace_head);
  size_t size = m->file.head.words_size;
  bool known = size && m->file.data.len >= sizeof(fm__trace_head) + size;
  const char *slash = known ? memrchr(words, '/', strnlen(words, size)) : NULL;
  if (slash) {
    size -= (size_t)(slash + 1 - words);
    words = slash + 1;
  }
  buf_printf(b,
             "%.*s ran for ",
             known ? (int)size : 11,
             known ? words : "The program");
  duration_print(b, m->duration);
  buf_puts(b, ": ");
  some(b, m->activities.count, "activity", "activities");
  if (m->domains.count > 1) {
    buf_puts(b, " in ");
    some(b, m->domains.count, "domain", "domains");
  }
  buf_puts(b, " took ");
  some(b, m->turns.count, "turn", "turns");
  if (m->duration && m->turns.count) {
    double rate = (double)m->turns.count * 1e9 / (double)m->duration;
    buf_puts(b, ", ");
    count_print(b, (uint64_t)(rate + 0.5));
    buf_puts(b, " a second");
  }
  buf_putc(b, '.');
}

static void say_ends(const Model *m, Buf *b) {
  uint64_t how[4] = { 0 };
  for (size_t i = 0; i < m->activities.count; i++)
    how[m->activities.at[i].how & 3]++;
  some(b, how[FM__E_RETURNED], "activity has", "activities have");
  buf_puts(b, " returned, ");
  count_print(b, how[FM__E_ERROR]);
  buf_puts(b, " failed with an error, ");
  count_print(b, how[FM__E_CANCELLED]);
  buf_puts(b,
           how[FM__E_CANCELLED] == 1 ? " was cancelled, "
                                     : " were cancelled, ");
  count_print(b, how[0]);
  buf_puts(b,
           how[0] == 1 ? " was alive at the end." : " were alive at the end.");
}

static void say_busy(const Model *m, Buf *b) {
  uint64_t busy = 0;
  uint64_t idle = 0;
  for (size_t i = 0; i < m->domains.count; i++) {
    busy += m->domains.at[i].busy;
    idle += m->domains.at[i].idle;
  }
  buf_puts(b, "Activities ran for ");
  duration_print(b, busy);
  buf_puts(b, ", and nothing was ready for ");
  duration_print(b, idle);
  buf_puts(b, " (");
  percent(b, idle, busy + idle);
  buf_puts(b, " of both).");
}

// "worker, from a.c:3 to a.c:9".
static void say_turn(const Model *m, Buf *b, const Turn *t) {
  who(m, b, t->activity);
  buf_puts(b, t->from == UNKNOWN ? ", from its beginning to " : ", from ");
  if (t->from != UNKNOWN) {
    place_text(&m->names, t->from, b);
    buf_puts(b, " to ");
  }
  if (t->place == UNKNOWN)
    buf_puts(b, "its end");
  else
    place_text(&m->names, t->place, b);
}

static uint64_t
quantile(const Figures *f, const uint64_t *bins, unsigned permille) {
  uint64_t all = 0;
  uint64_t seen = 0;
  for (size_t i = 0; i < EDGES - 1; i++)
    all += bins[i];
  for (size_t i = 0; i < EDGES - 1; i++)
    if ((seen += bins[i]) * 1000 >= all * permille)
      return f->edges[i + 1];
  return f->edges[EDGES - 1];
}

static void say_lengths(const Report *r, Buf *b) {
  const Model *m = &r->model;
  if (!m->turns.count)
    return;
  const Turn *longest = &m->turns.at[r->tables.longest[0]];
  uint64_t half = quantile(&r->figures, r->figures.turns, 500);
  uint64_t most = quantile(&r->figures, r->figures.turns, 990);
  bool known = half < longest->length; // bounds of bins: they may be larger
  if (known) {
    buf_puts(b, "Half of the turns were shorter than ");
    duration_print(b, half);
  }
  if (known && most < longest->length) {
    buf_puts(b, ", 99 % shorter than ");
    duration_print(b, most);
  }
  buf_puts(b, known ? "; the longest took " : "The longest turn took ");
  duration_print(b, longest->length);
  buf_puts(b, ": ");
  say_turn(m, b, longest);
  buf_putc(b, '.');
}

static void say_waits(const Report *r, Buf *b) {
  const Model *m = &r->model;
  uint64_t total = 0;
  size_t told = 0;
  for (size_t i = 0; i < r->tables.waits.count; i++)
    total += r->tables.waits.at[i].total;
  for (size_t i = 0; i < r->tables.waits.count && told < 3; i++) {
    const WaitRow *w = &r->tables.waits.at[i];
    if (!w->total)
      break;
    buf_puts(b, told++ ? "; " : "Most of the time between turns went to ");
    buf_puts(b,
             w->kind == K_READY ? "the ready queue"
                                : string_at(&m->names, (uint32_t)w->wait));
    buf_puts(b, " at ");
    place_text(&m->names, w->place, b);
    buf_puts(b, " (");
    percent(b, w->total, total);
    buf_puts(b, " of it, ");
    some(b, w->count, "wait", "waits");
    buf_putc(b, ')');
  }
  if (told)
    buf_putc(b, '.');
}

static uint64_t sum(const uint64_t *bins) {
  uint64_t n = 0;
  for (size_t i = 0; i < EDGES; i++)
    n += bins[i];
  return n;
}

static void say_gaps(const Report *r, Buf *b) {
  const Figures *f = &r->figures;
  uint64_t interrupted = sum(f->interrupted);
  uint64_t all = interrupted + sum(f->uninterrupted);
  if (!all)
    return;
  buf_puts(b, "Of ");
  some(b, all, "gap", "gaps");
  buf_puts(b, " between the turns of an activity, other activities ran in ");
  count_print(b, interrupted);
  buf_puts(b, " (");
  percent(b, interrupted, all);
  buf_puts(b, ")");
  if (model_knows_writes(&r->model)) {
    buf_puts(b, "; in ");
    count_print(b, sum(f->written));
    buf_puts(b,
             " of them they wrote what the activity had used and used again "
             "after the gap.");
  } else {
    buf_puts(b,
             ". Which of them wrote what the activity uses is recorded if the "
             "program is built "
             "with -fsanitize=atomicity.");
  }
}

static void say_atomics(const Report *r, Buf *b) {
  const Model *m = &r->model;
  uint64_t longest = 0;
  for (size_t i = 0; i < m->atomics.count; i++)
    if (m->atomics.at[i].length > longest)
      longest = m->atomics.at[i].length;
  if (!m->atomics.count)
    return;
  some(b,
       m->atomics.count,
       "outermost atomic section was",
       "outermost atomic sections were");
  buf_puts(b, " run; the longest took ");
  duration_print(b, longest);
  buf_putc(b, '.');
}

static void say_missing(const Model *m, Buf *b) {
  if (m->file.head.lost) {
    buf_puts(b, "The ring buffer has written over ");
    some(b, m->file.head.lost, "older event.", "older events.");
  }
  if (!(m->file.head.flags & FM__TRACE_CLOSED))
    buf_printf(
        b,
        "%sThe trace was not closed: the program was killed, or still runs.",
        b->len ? " " : "");
  if (m->virtual)
    buf_printf(
        b,
        "%sThe driver's clock is not the real one; all times here are real.",
        b->len ? " " : "");
}

void summary_make(Report *r) {
  Buf b = { 0 };
  say_program(&r->model, &b);
  end_sentence(r, &b);
  say_ends(&r->model, &b);
  end_sentence(r, &b);
  say_busy(&r->model, &b);
  end_sentence(r, &b);
  say_lengths(r, &b);
  end_sentence(r, &b);
  say_waits(r, &b);
  end_sentence(r, &b);
  say_gaps(r, &b);
  end_sentence(r, &b);
  say_atomics(r, &b);
  end_sentence(r, &b);
  say_missing(&r->model, &b);
  end_sentence(r, &b);
  buf_free(&b);
}
