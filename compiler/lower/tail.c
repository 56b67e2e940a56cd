// tail.c: decides which tail calls, `return f(x);`, keep the frame of the calling function until f
// has ended, because f may use something in it. -Wtail-call reports them, with the variable that is
// the reason. In: the calls that lowering meets, and the residents (frame/residents.c).
#include "lower/lowering.h"

void warn_converted_tail(Lower *L, Node *s, Node *call) {
  if (!is_wanted(L->u, OWN_TAIL_CALL, s->tok))
    return;
  warn_at(L->u,
          OWN_TAIL_CALL,
          s->tok,
          "not a tail call: its value, of type `%s`, is converted to `%s` "
          "after it; let both functions return the same type",
          type_text(L->u, call->type),
          type_text(L->u, L->returned));
}

void warn_enclosed_tail(Lower *L, Node *s) {
  if (!is_wanted(L->u, OWN_TAIL_CALL, s->tok))
    return;
  Nest *n = L->nest;
  while (n->kind != NEST_TRY && n->kind != NEST_REGION)
    n = n->outer;
  warn_at(L->u,
          OWN_TAIL_CALL,
          s->tok,
          "not a tail call: a `try`, `defer`, `scope` or `shield` around it, "
          "or a variable that is cleaned up or shared, ends after it; make the "
          "call outside of that");
  note_at(L->u, n->node->tok, "it begins here");
}

// Returns the reason for which the variable is a resident, in words.
static const char *reason(const Local *k) {
  Type *t = canon(k->sym->type);
  if (k->captured)
    return "is shared with an activity";
  if (type_is_vm(t))
    return "has a type of variable length";
  if (t->kind == TY_ARRAY)
    return "is an array";
  if (k->addressed)
    return "has its address taken";
  return t->quals & Q_ATOMIC ? "is _Atomic" : "is volatile";
}

// Returns a resident that has to outlive a call at `at`, because it is in scope there or has to be
// freed; NULL: there is none.
static const Local *needed_at(const Async *a, TokIndex at) {
  FOR_EACH (const Local, k, a->locals) {
    if (k->resident && !k->settled &&
        (k->temp || type_is_vm(k->sym->type) ||
         (k->scope_from <= at && at < k->scope_to)))
      return k;
  }
  return NULL;
}

// Variables of a statement expression in an argument are out of scope as well: with a pause inside,
// it has become statements before the call.
bool tail_keeps_frame(const Async *a, TokIndex at) {
  return a->frame_on_entry && (a->inner.len || needed_at(a, at));
}

bool gives_frame_away(const Async *a) {
  for (int i = 1; i < a->nstates; i++)
    if (a->states[i].used && a->states[i].why == WHY_TAIL &&
        !tail_keeps_frame(a, a->states[i].tok))
      return true;
  return false;
}

static const char *name_of(Unit *u, const Local *k) {
  if (k->temp)
    return "a value in between";
  if (k->literal)
    return "a compound literal";
  bool ours = is_ours(k->sym->name);
  return arena_printf(&u->arena,
                      ours ? "the variable `%s` of a macro" : "`%s`",
                      k->sym->name->name);
}

static void warn_framed(Async *a, TokIndex at) {
  const Local *k = needed_at(a, at);
  if (!k) {
    warn_at(a->u,
            OWN_TAIL_CALL,
            at,
            "not a tail call: the frame stays, because this function has an "
            "`activate`; make the call in another function");
    return;
  }
  warn_at(a->u,
          OWN_TAIL_CALL,
          at,
          "not a tail call: the frame stays, because %s %s",
          name_of(a->u, k),
          reason(k));
  note_at(a->u,
          k->sym->tok,
          type_is_vm(k->sym->type) || k->temp
              ? "it is here; use it in a function of its own"
              : "it is here; end its block before the `return`, or use it in a "
                "function of its own");
}

void warn_kept_tails(Async *a) {
  for (int i = 1; i < a->nstates; i++) {
    const State *s = &a->states[i];
    if (s->used && s->why == WHY_TAIL &&
        is_wanted(a->u, OWN_TAIL_CALL, s->tok) && tail_keeps_frame(a, s->tok))
      warn_framed(a, s->tok);
  }
}
