// dump-frame.c: the variables of async functions: which of them live in the frame, which of them
// each pause keeps, which fields they share, and in which form a function is printed.
#include "fmcc.h"

static void dump_name(Unit *u, Async *a, Buf *out) {
  dump_place(u, a->decl->tok, out);
  buf_printf(out, "%s\n", a->name);
}

static const char *name_of(const Local *k) {
  return k->temp      ? "(a value in between)"
         : k->literal ? "(a compound literal)"
                      : k->sym->name->name;
}

// ---- residents ----
static const char *place_of(const Local *k) {
  Type *t = canon(k->sym->type);
  if (k->placed)
    return "stays where it is declared: no pause comes upon it";
  if (!k->resident)
    return "is stored in the frame at the pauses that need it";
  if (k->settled)
    return "lives in the frame: the function is large";
  if (k->captured)
    return "lives in the frame: activities share it";
  if (type_is_vm(t))
    return "lives in the frame: its length varies";
  if (t->kind == TY_ARRAY)
    return "lives in the frame: it is an array";
  if (k->addressed)
    return "lives in the frame: its address is taken";
  return "lives in the frame: it is volatile or _Atomic";
}

static void residents_of(Unit *u, Async *a, Buf *out) {
  dump_name(u, a, out);
  FOR_EACH (const Local, k, a->locals) {
    if (k->literal && !k->resident)
      continue;
    buf_printf(out,
               "  %s: %s: %s\n",
               name_of(k),
               type_text(u, k->sym->type),
               place_of(k));
  }
}

void dump_residents(Unit *u, Buf *out) {
  dump_each(u, out, residents_of);
}

// ---- liveness ----
static void dump_kept(Async *a, const State *s, Buf *out) {
  const char *comma = " ";
  FOR_EACH (const Local, k, a->locals) {
    if (!live_at(s, k))
      continue;
    buf_printf(out, "%s%s", comma, name_of(k));
    comma = ", ";
  }
  buf_puts(out, *comma == ' ' ? " nothing\n" : "\n");
}

static void live_of(Unit *u, Async *a, Buf *out) {
  dump_name(u, a, out);
  for (int i = 0; i < a->nstates; i++) {
    const State *s = &a->states[i];
    if (!s->used)
      continue;
    buf_puts(out, "  ");
    dump_place(u, s->tok, out);
    buf_printf(out, "state %d, %s: keeps", i, state_reason(s));
    dump_kept(a, s, out);
  }
}

void dump_live(Unit *u, Buf *out) {
  dump_each(u, out, live_of);
}

// ---- forms ----
static void form_of(Unit *u, Async *a, Buf *out) {
  int used = 0;
  for (int i = 1; i < a->nstates; i++)
    used += a->states[i].used;
  dump_name(u, a, out);
  const char *form =
      a->large         ? "parts, for call and resume"
      : a->one_body    ? "one body for call and resume"
      : a->one_version ? "the resume version, for calls too"
      : a->up          ? "one body: its activity starts and resumes it"
      : begins_in_call(a)
          ? "versions of its own for call and resume: `...` is read first"
      : a->inner.len
          ? "versions of its own for call and resume: it has activities inside"
          : "versions of its own for call and resume";
  buf_printf(out, "  %s; %d states are in use\n", form, used);
  buf_printf(out,
             "  the frame is made %s\n",
             a->frame_on_entry ? "on entry" : "at the first pause");
  if (a->lands)
    buf_puts(out, "  something is to be done when a call unwinds\n");
}

void dump_forms(Unit *u, Buf *out) {
  dump_each(u, out, form_of);
}

// ---- fields ----
static void fields_of(Unit *u, Async *a, Buf *out) {
  dump_name(u, a, out);
  int n = slot_count(a);
  if (!n)
    buf_puts(out, "  no field\n");
  for (int slot = 0; slot < n; slot++) {
    const Local *first = slot_first(a, slot);
    if (!first)
      continue;
    buf_printf(out, "  field %d: %s:", slot, type_text(u, first->sym->type));
    const char *comma = " ";
    FOR_EACH (const Local, k, a->locals) {
      if (k->slot != slot)
        continue;
      buf_printf(out, "%s%s", comma, name_of(k));
      comma = ", ";
    }
    buf_puts(out, first->resident ? " (all the time)\n" : "\n");
  }
}

void dump_fields(Unit *u, Buf *out) {
  dump_each(u, out, fields_of);
}
