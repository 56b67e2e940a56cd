// fields.c: the pass `fields` gives each variable that a pause keeps a field of the frame, and each
// variable its name in the resume version. Variables of one type that no pause keeps at the same
// time share a field. In: State.live, Async.one_body. Out: Local.slot, Local.name, Local.hides,
// Async.fields, Async.keeps_all; -Wtail-call; errors for variables that need more alignment than a
// frame has.
#include "fmcc.h"

// ---- the variables that each pause stores ----
enum { SMALL = 16 }; // bytes
// A function with one body has a field for each small variable: there sharing a field costs code,
// and saves little memory.
static bool worth_sharing(const Async *a, const Local *k) {
  return k->resident || !a->one_body || type_size(a->u, k->sym->type) > SMALL;
}

bool kept_at(const Async *a, int state, const Local *k) {
  const State *s = &a->states[state];
  return k->slot >= 0 && !k->resident &&
         (live_at(s, k) ||
          (a->keeps_all && state && !s->near && !worth_sharing(a, k)));
}

bool keep_the_same(const Async *a, int state, int other) {
  for (size_t i = 0; i < a->locals.len; i++)
    if (kept_at(a, state, a->locals.at[i]) !=
        kept_at(a, other, a->locals.at[i]))
      return false;
  return true;
}

// The pauses keep many different sets of variables. Each set is code twice: where its variables are
// stored, and where they are loaded.
static bool keep_much(const Async *a) {
  enum { FEW = 12 };
  int kept = 0;
  for (int i = 1; i < a->nstates; i++) {
    bool again = !a->states[i].used || a->states[i].near;
    for (int j = 1; j < i && !again; j++)
      again = a->states[j].used && !a->states[j].near && keep_the_same(a, i, j);
    for (size_t k = 0; k < a->locals.len && !again; k++)
      kept += kept_at(a, i, a->locals.at[k]);
    if (kept > FEW)
      return true;
  }
  return false;
}

// ---- fields ----
// Some pause keeps both variables.
static bool needed_together(Async *a, Local *x, Local *y) {
  for (int i = 0; i < a->nstates; i++)
    if (live_at(&a->states[i], x) && live_at(&a->states[i], y))
      return true;
  return false;
}

// Returns the set of the variables that some pause keeps.
static SetWord *kept_anywhere(Async *a) {
  Flow f = { .a = a, .words = (a->locals.len + 63) / 64 + 1 };
  SetWord *all = new_set(&f);
  for (int i = 0; i < a->nstates; i++)
    if (a->states[i].live)
      add_set(&f, all, a->states[i].live);
  return all;
}

// k is a resident of one of the library's macros. Its scope is a statement expression, into which
// no jump leads.
static bool is_library_resident(const Local *k) {
  return k->resident && !k->temp && !k->literal && !k->captured &&
         is_ours(k->sym->name) && !type_is_vm(k->sym->type);
}

static bool may_share_residents(Async *a, Local *k, Local *with) {
  if (!is_library_resident(k) || !is_library_resident(with) ||
      !type_compatible(a->u, k->sym->type, with->sym->type))
    return false;
  if (with->field_to <= k->scope_from)
    return true;
  FOR_EACH (Local, o, a->locals) {
    if (o->slot == with->slot && o->scope_from < k->scope_to &&
        k->scope_from < o->scope_to)
      return false;
  }
  return true;
}

// The variable k can share the field of `with`.
static bool may_share(Async *a, Local *k, Local *with) {
  if (k->resident && with->resident)
    return may_share_residents(a, k, with);
  if (k->resident || with->resident ||
      !type_compatible(a->u, k->sym->type, with->sym->type))
    return false;
  // no variable that has the field is needed at the same pause
  FOR_EACH (Local, o, a->locals) {
    if (o->slot == with->slot && needed_together(a, o, k))
      return false;
  }
  return true;
}

// Gives the variable a field that others have, if there is one that it can share.
static void share_field(Async *a, Local *k) {
  if (!worth_sharing(a, k) || (k->resident && !is_library_resident(k)))
    return;
  for (size_t i = 0; i < a->fields.len && k->slot < 0; i++) {
    Local *o = a->fields.at[i];
    if (!may_share(a, k, o))
      continue;
    k->slot = o->slot;
    if (o->field_to < k->scope_to)
      o->field_to = k->scope_to;
    // a resident has the name of its field
    if (k->resident)
      k->name = o->name;
  }
}

static void give_fields(Async *a) {
  const SetWord *kept = kept_anywhere(a);
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (!k->resident && !has_bit(kept, (size_t)k->index))
      continue;
    share_field(a, k);
    if (k->slot < 0) {
      k->slot = (int)a->fields.len;
      k->field_to = k->scope_to;
      vec_push(&a->fields, k);
    }
  }
  a->keeps_all = a->one_body && !a->large && keep_much(a);
}

// ---- alignment: see runtime/core/frame.c, vla.c ----
// Reports variables that need more alignment than a frame, or a variable array, has.
static void refuse_alignments(Async *a) {
  enum {
    FRAME = 64,
    VLA = 16,
  };
  FOR_EACH (Local, k, a->locals) {
    int64_t align = type_align(a->u, k->sym->type);
    int64_t most = is_vla(k) ? VLA : FRAME;
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
// A variable of this function, not of a function around it (a job's, a stream's).
static bool is_own(Async *a, const Local *k) {
  return k && (size_t)k->index < a->locals.len && a->locals.at[k->index] == k;
}

// Sets Local.hides.
static void find_hidden(Async *a) {
  FOR_EACH (Local, k, a->locals) {
    for (Symbol *o = k->sym->outer; o && !k->hides; o = o->outer)
      for (int j = 1; j < a->nstates && is_own(a, o->local); j++)
        if (a->states[j].tok >= k->scope_from &&
            a->states[j].tok < k->scope_to && live_at(&a->states[j], o->local))
          k->hides = true;
  }
}

// ---- the pass ----
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
