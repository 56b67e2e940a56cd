// residents.c: which variables live in the frame all the time: a pause may come upon them, and
// their place must not change. And what no pause may come upon at all. In: lowered functions. Out:
// Local.resident, Local.placed, Async.frame_on_entry; errors.
#include "fmcc.h"

static bool pauses_inside(Async *a, Local *k) {
  for (int i = 1; i < a->nstates; i++)
    if (a->states[i].tok >= k->scope_from && a->states[i].tok < k->scope_to)
      return true;
  return false;
}

static void choose_residents(Async *a) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    Type *t = canon(k->sym->type);
    // lengths are not known where locals are declared
    bool within = k->captured || type_is_vm(t) || pauses_inside(a, k);
    k->placed = !within && k->decl;
    if (a->large && !k->placed && (!k->literal || (within && k->addressed)))
      k->settled = true;
    // no pause keeps a va_list
    if (k->temp || !within || is_va_list(a->u, k->sym->type))
      continue;
    // only its value is used
    if (k->literal && !k->addressed)
      continue;
    k->resident = k->captured || k->addressed || t->kind == TY_ARRAY ||
                  (t->quals & (Q_VOLATILE | Q_ATOMIC)) || type_is_vm(t);
    a->frame_on_entry |= k->resident;
  }
}

// All variables of a large function (parts.c) live in its frame.
static void settle_residents(Async *a) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    k->settled &= !k->resident;
    k->resident |= k->settled;
  }
  a->frame_on_entry |= a->large;
}

// ---- what no pause may come upon ----
static const char *const still_names[] = {
  [STILL_ALLOCA] = "memory from `alloca`",
  [STILL_SETJMP] = "a `setjmp`",
  [STILL_LABEL] = "the address of a label",
};

static void refuse_pauses(Async *a) {
  for (int i = 1; i < a->nstates; i++) {
    State *s = &a->states[i];
    if (s->why == WHY_AFTER || s->why == WHY_AUTO || s->why == WHY_THROW)
      continue;
    if (a->still && (s->tok > a->still || a->still_is == STILL_LABEL)) {
      error_at(a->u,
               s->tok,
               "this may pause, and this function uses %s, which cannot be "
               "kept across a pause",
               still_names[a->still_is]);
      note_at(a->u, a->still, "it is used here");
      return;
    }
  }
}

// see runtime/frame.c, vla.c
static void refuse_alignments(Async *a) {
  enum { FRAME = 64, VLA = 16 };
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    int64_t align = type_align(a->u, k->sym->type),
            most = is_vla(k) ? VLA : FRAME;
    if (k->resident && k->align > align)
      align = k->align;
    if (k->slot < 0 || align <= most)
      continue;
    error_at(
        a->u,
        k->sym->tok,
        "`%s` is aligned to %d bytes; %s in an async function can be aligned "
        "to %d bytes at most: allocate it by aligned_alloc, or make it static",
        k->sym->name->name,
        (int)align,
        is_vla(k) ? "an array of variable length"
                  : "a variable that a pause keeps",
        (int)most);
  }
}

// ---- names ----
// Not one of a function around it: a job's, or that of a stream's function.
static bool is_own(Async *a, const Local *k) {
  return k && (size_t)k->index < a->locals.len && a->locals.at[k->index] == k;
}

static void find_hidden(Async *a) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    for (Symbol *o = k->sym->outer; o && !k->hides; o = o->outer)
      for (int j = 1; j < a->nstates && is_own(a, o->local); j++)
        if (a->states[j].tok >= k->scope_from &&
            a->states[j].tok < k->scope_to && live_at(&a->states[j], o->local))
          k->hides = true;
  }
}

// Where there are many pauses the versions are what a function costs, in text and in the C
// compiler's time, and each turn of it calls so much that a few instructions on entry do not
// matter: then call and resume share one body.
static void choose_form(Async *a) {
  enum { MANY = 8 };
  int n = 0;
  for (int i = 1; i < a->nstates; i++)
    n += a->states[i].used;
  a->one_body = a->large || (n > MANY && !begins_in_call(a) && !a->up &&
                             !a->inner.len && !a->boundary);
}

// ---- the passes ----
static void residents_of(Async *a) {
  a->frame_on_entry |= a->inner.len > 0;
  refuse_pauses(a);
  find_va_lists(a);
  a->large = is_large(a);
  choose_residents(a);
  settle_residents(a);
}

void residents_unit(Unit *u) {
  each_async(u, residents_of);
}

static void form_of(Async *a) {
  choose_form(a);
  for (int i = 1; i < a->nstates; i++)
    a->lands |= a->states[i].used && a->states[i].landing;
  for (size_t i = 0; i < a->locals.len; i++)
    a->lands |= is_vla(a->locals.at[i]);
}

void forms_unit(Unit *u) {
  each_async(u, form_of);
}

static void fields_of(Async *a) {
  give_fields(a);
  refuse_alignments(a);
  warn_kept_tails(a);
  find_hidden(a);
  name_locals(a, a->text);
}

void fields_unit(Unit *u) {
  each_async(u, fields_of);
}
