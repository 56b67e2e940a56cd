// text.c: `fermata report --text`: the sentences of a report, then its tables and figures for a
// terminal.
#include "report.h"

#include <stdlib.h>

enum { ROWS = 15, BAR = 40 };

static void title(Buf *to, const char *text) {
  buf_printf(to, "\n%s\n", text);
}

static void pad(Buf *to, size_t from, size_t width) {
  size_t columns = 0;
  for (size_t i = from; i < to->len; i++)
    columns += (to->data[i] & 0xc0) != 0x80;
  for (; columns < width; columns++)
    buf_putc(to, ' ');
}

static void time_cell(Buf *to, uint64_t ns, size_t width) {
  size_t from = to->len;
  duration_print(to, ns);
  pad(to, from, width);
}

static void count_cell(Buf *to, uint64_t n, size_t width) {
  size_t from = to->len;
  count_print(to, n);
  pad(to, from, width);
}

static void place_cell(
    const Texts *n, Buf *to, int32_t place, const char *none, size_t width) {
  size_t from = to->len;
  if (place == UNKNOWN)
    buf_puts(to, none);
  else
    place_text(n, place, to);
  pad(to, from, width);
}

static void end_line(Buf *to) {
  while (to->len && to->data[to->len - 1] == ' ')
    to->len--;
  buf_putc(to, '\n');
}

// ---- the tree ----
typedef struct Line { // activities of one function below one kind of parent
  uint32_t function;
  uint64_t count, turns, busy, longest;
} Line;

static void print_functions(const Model *m, Buf *to) {
  LIST(Line) lines = { 0 };
  Table rows = { 0 };
  for (size_t i = 0; i < m->activities.count; i++) {
    const Activity *a = &m->activities.at[i];
    uint32_t *v = table_at(&rows, a->function);
    if (*v == UINT32_MAX) {
      Line l = { .function = a->function };
      *v = (uint32_t)lines.count;
      PUSH(&lines, l);
    }
    Line *l = &lines.at[*v];
    l->count++;
    l->turns += a->turns;
    l->busy += a->busy;
    if (a->longest > l->longest)
      l->longest = a->longest;
  }
  title(to, "Activities by function");
  buf_puts(to, "  number    turns       busy        longest     function\n");
  for (size_t i = 0; i < lines.count && i < 2 * ROWS; i++) {
    const Line *l = &lines.at[i];
    const char *name = string_at(&m->names, l->function);
    buf_puts(to, "  ");
    count_cell(to, l->count, 10);
    count_cell(to, l->turns, 12);
    time_cell(to, l->busy, 12);
    time_cell(to, l->longest, 12);
    buf_puts(to, *name ? name : "?");
    end_line(to);
  }
  free(lines.at);
  table_free(&rows);
}

// ---- tables ----
static void print_waits(const Report *r, Buf *to) {
  const Texts *n = &r->model.names;
  title(to, "Waits, by what for and where");
  if (!r->tables.waits.count) {
    buf_puts(to, "  none\n");
    return;
  }
  buf_puts(to,
           "  total       number    median      longest     kind        where: "
           "what for\n");
  for (size_t i = 0; i < r->tables.waits.count && i < ROWS; i++) {
    const WaitRow *w = &r->tables.waits.at[i];
    buf_puts(to, "  ");
    time_cell(to, w->total, 12);
    count_cell(to, w->count, 10);
    time_cell(to, w->median, 12);
    time_cell(to, w->longest, 12);
    buf_printf(to, "%-12s", kind_names[w->kind]);
    place_text(n, w->place, to);
    if (w->kind != K_READY)
      buf_printf(to, ": %s", string_at(n, (uint32_t)w->wait));
    end_line(to);
  }
}

static void print_longest(const Report *r, Buf *to) {
  const Model *m = &r->model;
  title(to, "Longest turns");
  buf_puts(to, "  length      began at    from … to, activity\n");
  for (size_t i = 0; i < r->tables.longest_count && i < ROWS; i++) {
    const Turn *t = &m->turns.at[r->tables.longest[i]];
    const Activity *a = &m->activities.at[t->activity];
    buf_puts(to, "  ");
    time_cell(to, t->length, 12);
    time_cell(to, t->begin, 12);
    place_cell(&m->names, to, t->from, "its beginning", 0);
    buf_puts(to, " … ");
    place_cell(&m->names, to, t->place, "its end", 0);
    buf_printf(to, ", #%llu ", (unsigned long long)a->number);
    clean_print(to, string_at(&m->names, a->name));
    end_line(to);
  }
}

static void print_risk(const Report *r, Buf *to, const RiskRow *x) {
  const Texts *n = &r->model.names;
  buf_puts(to, "  ");
  count_cell(to, x->gaps, 10);
  count_cell(to, x->interrupted, 13);
  if (model_knows_writes(&r->model))
    count_cell(to, x->written, 9);
  time_cell(to, x->shortest, 11);
  time_cell(to, x->median, 11);
  place_cell(n, to, x->before, "?", 0);
  buf_puts(to, " … ");
  place_cell(n, to, x->after, "its end", 0);
  for (size_t i = 0; i < MOST_WHO && x->who[i] != UNKNOWN; i++)
    buf_printf(to,
               "%s%s",
               i ? ", " : "; by ",
               string_at(n, (uint32_t)x->who[i]));
  end_line(to);
}

static void print_risks(const Report *r, Buf *to) {
  title(to, "Gaps between turns, by line");
  if (!r->tables.risks.count) {
    buf_puts(to, "  none\n");
    return;
  }
  buf_printf(to,
             "  gaps      interrupted  %sshortest   median     before … after; "
             "by whom\n",
             model_knows_writes(&r->model) ? "written  " : "");
  for (size_t i = 0; i < r->tables.risks.count && i < ROWS; i++)
    print_risk(r, to, &r->tables.risks.at[i]);
}

// ---- figures ----
static void bar(Buf *to, uint64_t n, uint64_t most) {
  for (uint64_t i = 0; most && i < (n * BAR + most - 1) / most; i++)
    buf_putc(to, '#');
}

static void
print_times(const Figures *f, Buf *to, const char *name, const uint64_t *bins) {
  size_t first = EDGES;
  size_t last = 0;
  uint64_t most = 0;
  for (size_t i = 0; i < EDGES - 1; i++) {
    if (!bins[i])
      continue;
    first = i < first ? i : first;
    last = i;
    most = bins[i] > most ? bins[i] : most;
  }
  if (!most)
    return;
  title(to, name);
  for (size_t i = first; i <= last; i++) {
    buf_puts(to, "  < ");
    time_cell(to, f->edges[i + 1], 10);
    count_cell(to, bins[i], 12);
    bar(to, bins[i], most);
    end_line(to);
  }
}

static void print_values(Buf *to,
                         const char *name,
                         const uint64_t *scale,
                         const uint64_t *bins,
                         size_t n) {
  uint64_t most = 0;
  size_t last = 0;
  for (size_t i = 0; i < n; i++) {
    most = bins[i] > most ? bins[i] : most;
    last = bins[i] ? i : last;
  }
  if (!most)
    return;
  title(to, name);
  for (size_t i = 0; i <= last; i++) {
    bool more = i + 1 == n || scale[i + 1] != scale[i] + 1;
    size_t from = to->len + 2;
    buf_printf(to, "  %llu%s", (unsigned long long)scale[i], more ? "+" : "");
    pad(to, from, 12);
    count_cell(to, bins[i], 12);
    bar(to, bins[i], most);
    end_line(to);
  }
}

static void print_figures(const Report *r, Buf *to) {
  const Figures *f = &r->figures;
  print_times(f, to, "Turns by length", f->turns);
  print_times(f, to, "Turns by length, without recurring ones", f->turns_once);
  print_values(to,
               "Turns by how many turns follow from them",
               f->values,
               f->children,
               VALUES);
  print_values(to,
               "Turns by how many follow from their parent",
               f->values,
               f->of_parents,
               VALUES);
  print_times(f,
              to,
              "Gaps that nothing interrupted, by length",
              f->uninterrupted);
  print_times(f,
              to,
              "Gaps in which other activities ran, by length",
              f->interrupted);
  print_times(f,
              to,
              "Gaps in which others wrote what the activity uses",
              f->written);
  print_times(f, to, "Outermost atomic sections by length", f->atomic_length);
  print_values(to,
               "… by how many activities ran in them",
               f->values,
               f->atomic_activities,
               VALUES);
  print_times(f,
              to,
              "Bursts between two idle times, by length",
              f->burst_length);
  print_values(to, "… by how many turns", f->powers, f->burst_turns, POWERS);
}

void text_print(const Report *r, Buf *to) {
  for (size_t i = 0; i < r->summary.count; i++)
    buf_printf(to, "%s\n", r->summary.at[i]);
  print_functions(&r->model, to);
  print_waits(r, to);
  print_longest(r, to);
  print_risks(r, to);
  print_figures(r, to);
}
