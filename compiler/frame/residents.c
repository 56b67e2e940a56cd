// residents.c: the pass `residents` decides which variables live in the frame from the beginning:
// those whose address must stay the same across a pause. It also refuses pauses that cannot be
// made. In: lowered functions. Out: Local.resident, Local.placed, Async.frame_on_entry; errors.
#include "fmcc.h"

#include <stdlib.h>

// The places of the pauses, in the order of the text.
typedef struct Pauses {
  TokIndex *at;
  size_t len;
} Pauses;

static int by_place(const void *a, const void *b) {
  TokIndex x = *(const TokIndex *)a, y = *(const TokIndex *)b;
  return x < y ? -1 : x > y;
}

static Pauses pauses_of(Async *a) {
  Pauses p = { .len = a->nstates > 1 ? (size_t)a->nstates - 1 : 0 };
  p.at = arena_alloc(&a->u->arena, (p.len + 1) * sizeof *p.at);
  for (size_t i = 0; i < p.len; i++)
    p.at[i] = a->states[i + 1].tok;
  qsort(p.at, p.len, sizeof *p.at, by_place);
  return p;
}

// A pause stands in the scope of the variable.
static bool pauses_inside(const Pauses *p, const Local *k) {
  size_t from = 0, to = p->len;
  while (from < to) { // the first that is not before the scope
    size_t middle = (from + to) / 2;
    if (p->at[middle] < k->scope_from)
      from = middle + 1;
    else
      to = middle;
  }
  return from < p->len && p->at[from] < k->scope_to;
}

static void choose_residents(Async *a) {
  Pauses pauses = pauses_of(a);
  FOR_EACH (Local, k, a->locals) {
    Type *t = canon(k->sym->type);
    // lengths of a variably modified type are not known where a version declares its variables
    bool within = k->captured || type_is_vm(t) || pauses_inside(&pauses, k);
    k->placed = !within && k->decl;
    if (a->large && !k->placed && (!k->literal || (within && k->addressed)))
      k->settled = true;
    // no pause keeps a va_list
    if (k->temp || !within || is_va_list(a->u, k->sym->type))
      continue;
    // of such a literal, only the value is used
    if (k->literal && !k->addressed)
      continue;
    k->resident = k->captured || k->addressed || t->kind == TY_ARRAY ||
                  (t->quals & (Q_VOLATILE | Q_ATOMIC)) || type_is_vm(t);
    a->frame_on_entry |= k->resident;
  }
}

// All variables of a large function (parts.c) live in its frame.
static void settle_residents(Async *a) {
  FOR_EACH (Local, k, a->locals) {
    k->settled &= !k->resident;
    k->resident |= k->settled;
  }
  a->frame_on_entry |= a->large;
}

// ---- what cannot be kept across a pause ----
static const char *const still_names[] = {
  [STILL_ALLOCA] = "memory from `alloca`",
  [STILL_SETJMP] = "a `setjmp`",
  [STILL_LABEL] = "the address of a label",
};

// Reports the first pause that an alloca, a setjmp or the address of a label makes impossible.
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

// ---- the pass ----
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
