// report.c: writes reports for users: the places at which async functions can pause
// (--list-yields), and the contents of their frames (--frame-report).
#include "fmcc.h"

static const char *const reasons[] = {
  [WHY_START] = "start",
  [WHY_CALL] = "the call may pause",
  [WHY_TAIL] = "the call may pause",
  [WHY_AFTER] = "automatic yield after the call",
  [WHY_AWAIT] = "await",
  [WHY_YIELD] = "yield",
  [WHY_AUTO] = "automatic yield",
  [WHY_JOIN] = "waits for activities that share the block's variables",
  [WHY_THROW] = "may throw",
};

const char *state_reason(const State *s) {
  return reasons[s->why];
}

// FILE:LINE:COLUMN: of the token
static void place(Unit *u, TokIndex t, Buf *out) {
  Token *k = tok_at(u, t);
  uint32_t from = k->pos;
  while (from > 0 && u->text[from - 1] != '\n')
    from--;
  buf_printf(
      out, "%s:%u:%u: ", u->files[k->file].name, k->line, k->pos - from + 1);
}

static void list_yields(Unit *u, Async *a, Buf *out) {
  // this yield has state 0, because the function begins again there
  if (a->entry_yield) {
    place(u, a->entry_yield, out);
    buf_printf(out, "%s: %s\n", a->decl->name->name, reasons[WHY_AUTO]);
  }
  for (int i = 1; i < a->nstates; i++) {
    State *s = &a->states[i];
    if (!s->used || (s->why == WHY_AFTER && !a->auto_yield))
      continue;
    place(u, s->tok, out);
    buf_printf(out, "%s: %s\n", a->decl->name->name, reasons[s->why]);
  }
}

static int64_t round_up(int64_t n, int64_t align) {
  return align > 0 ? (n + align - 1) / align * align : n;
}

typedef struct Sum {
  int64_t size; // of the frame so far
  bool unknown; // it has fields whose size is not known
} Sum;

// Writes a line about a field, and adds its size.
static void field(Unit *u, Sum *sum, Type *t, Buf *out, const char *what) {
  int64_t size = type_size(u, t);
  int64_t align = type_align(u, t);
  if (size < 0)
    sum->unknown = true;
  else
    sum->size = round_up(sum->size, align) + size;
  buf_printf(
      out, "    %6lld  %s: %s\n", (long long)size, what, type_text(u, t));
}

// Writes the names of the variables that share the field.
static void names_of_slot(Async *a, int slot, Buf *names) {
  FOR_EACH (Local, k, a->locals) {
    if (k->slot == slot)
      buf_printf(names,
                 "%s%s",
                 names->len ? ", " : "",
                 k->temp ? "(a value in between)" : k->sym->name->name);
  }
}

static void frame_report(Unit *u, Async *a, Buf *out) {
  Buf body = { 0 };
  Sum sum = { .size = u->opt.ilp32 ? 16 : 24 };
  if (a->up)
    sum.size += u->opt.ilp32 ? 4 : 8;
  sum.size += (int64_t)a->ngroups * (u->opt.ilp32 ? 4 : 8);
  if (!type_is_void(a->type->base))
    field(u, &sum, type_unqual(u, a->type->base), &body, "the result");
  FOR_EACH (Local, k, a->locals) {
    if (k->slot < 0 || slot_first(a, k->slot) != k)
      continue;
    Buf names = { 0 };
    names_of_slot(a, k->slot, &names);
    if (k->resident)
      buf_puts(&names, " (has an address)");
    field(u, &sum, type_unqual(u, k->sym->type), &body, names.data);
    buf_free(&names);
  }
  place(u, a->decl->tok, out);
  buf_printf(out,
             "%s: frame of %lld bytes%s, made %s\n    %6d  head\n",
             a->decl->name->name,
             (long long)round_up(sum.size, 8),
             sum.unknown ? " and what has no known size" : "",
             a->frame_on_entry ? "on entry" : "at the first pause",
             u->opt.ilp32 ? 16 : 24);
  if (body.data)
    buf_puts(out, body.data);
  buf_free(&body);
}

void report_async(Unit *u, Buf *out) {
  FOR_EACH (Async, a, u->asyncs) {
    if (u->opt.list_yields)
      list_yields(u, a, out);
    if (u->opt.frame_report)
      frame_report(u, a, out);
  }
}
