// live.c: the pass `live` finds the variables that each pause must keep, by a backward analysis of
// the lowered body (dataflow.c). In: lowered functions, their residents. Out: State.live, the
// variables that may be read after the pause, without residents; State.used, State.more,
// State.near; Local.changed, Local.begins.
//
// Two more members of each set are no variables of the user: whether the function can still wait or
// start something before it ends (State.more), and Async.varargs, whether `...` is still to be
// read. An arm of a race that waits where State.more is false wins when its wait is over.
#include "fmcc.h"

// A captured variable may belong to the function around this one, whose variables have numbers of
// their own. No pause stands in the scope of a placed variable; but a jump over its declaration may
// make it seem to be live outside of its scope.
bool is_tracked(const Symbol *s) {
  const Local *k = s ? s->local : NULL;
  return k && !k->resident && !k->captured && !k->placed;
}

// s is read: it is live before.
static void gen(SetWord *set, const Symbol *s) {
  if (is_tracked(s))
    set_bit(set, (size_t)s->local->index, true);
}

// s gets a value: it is not live before.
static void kill(SetWord *set, const Symbol *s) {
  if (is_tracked(s))
    set_bit(set, (size_t)s->local->index, false);
}

static size_t more_index(const Flow *f) {
  return f->a->locals.len;
}
static void gen_more(Flow *f, SetWord *set) {
  set_bit(set, more_index(f), true);
}

// ---- expressions: the set of variables that are live after becomes that before ----
// A type reads the lengths of the variable arrays in it.
static void type_uses(Flow *f, Type *t, SetWord *set) {
  if (!t || !type_is_vm(t))
    return;
  for (; t; t = t->base)
    if (t->kind == TY_ARRAY && t->len_expr)
      flow_expr(f, t->len_expr, set);
}

// Sets Local.changed of the variable that `to` assigns to.
static void note_change(Node *to) {
  while (to && to->kind != N_IDENT && to->kind != N_CALL)
    to = to->a;
  if (to && to->kind == N_IDENT && to->sym && to->sym->local)
    to->sym->local->changed = true;
}

static void assignment(Flow *f, Node *e, SetWord *set) {
  Node *to = e->a;
  note_change(to);
  while (to->kind == N_PAREN)
    to = to->a;
  if (to->kind == N_IDENT && e->op == P_ASSIGN)
    kill(set, to->sym);
  else
    flow_expr(f, to, set);
  flow_expr(f, e->b, set);
}

// Of va_start, va_copy and va_end; returns false for other calls. va_start(ap, x) reads the
// arguments and gives ap a value. va_end(ap) reads ap only if there is a pointer to ap.
static bool va_call(Flow *f, Node *e, SetWord *set) {
  VaOperation what = va_operation(e);
  Symbol *list = what == VA_NONE ? NULL : va_list_variable(e);
  if (!list)
    return false;
  Local *all = f->a->varargs;
  if (what == VA_START || what == VA_COPY)
    kill(set, list);
  if (what == VA_START && all)
    set_bit(set, (size_t)all->index, true);
  if (what == VA_COPY)
    flow_expr(f, e->b->next, set);
  if (what == VA_END && list->local->va_pointed)
    gen(set, list);
  return true;
}

static bool expression(Flow *f, Node *e, SetWord *set) {
  switch (e->kind) {
  case N_IDENT:
    gen(set, e->sym);
    return true;
  case N_ASSIGN:
    assignment(f, e, set);
    return true;
  case N_CALL:
    return f->a->has_va_list && va_call(f, e, set);
  // only the type of the operand is used, and the lengths in it
  case N_SIZEOF:
  case N_ALIGNOF:
    if (e->flags & NF_VM)
      flow_expr(f, e->a, set);
    return true;
  case N_SIZEOF_TYPE:
  case N_CAST:
  case N_COMPOUND_LIT:
  case N_VA_ARG:
    type_uses(f, e->tname->type, set);
    return false;
  case N_PREFIX:
  case N_POSTFIX:
    note_change(e->a);
    return false;
  case N_UNARY: // lent to a call, which may assign to it
    if (e->op == P_AMP)
      note_change(e->a);
    return false;
  case N_SPAWN:
    gen_more(f, set);
    return false;
  default:
    return false;
  }
}

// ---- statements ----
static void declarator(Flow *f, Decl *d, SetWord *set) {
  if (!d->sym)
    return;
  if (d->sym->local)
    d->sym->local->begins = d->init != NULL;
  kill(set, d->sym);
  flow_expr(f, d->init, set);
  // the initial value may name the variable, which does not exist before its declaration
  kill(set, d->sym);
  type_uses(f, d->type, set);
}

// Adds the set to State.live of the state.
static void note_state(Flow *f, int64_t state, const SetWord *set) {
  State *s = &f->a->states[state];
  if (!s->live)
    s->live = new_set(f);
  s->used = true;
  s->more |= has_bit(set, more_index(f));
  add_set(f, s->live, set);
}

bool may_end_slice(const Node *s) {
  return s->op == PAUSE_YIELDS && s->b->kind != N_AWAIT;
}

// The value of a call can be assigned when the function goes on. Not to a variable that others may
// see meanwhile.
static bool can_wait(const Node *dst) {
  enum { MOST = 16 }; // bytes of fm_domain.held
  if (!dst)
    return true;
  const Local *k = dst->kind == N_IDENT && dst->sym ? dst->sym->local : NULL;
  if (!k || (k->resident && !k->settled))
    return false;
  Type *t = canon(k->sym->type);
  return type_is_scalar(t) && !(t->quals & (Q_VOLATILE | Q_ATOMIC)) &&
         type_size(k->owner->u, t) <= MOST;
}

bool has_second_state(const Node *s) {
  return may_end_slice(s) && !can_wait(s->a);
}

// Usually no callee has a frame while the function waits in e (State.near).
static bool is_near(const Node *e) {
  const Symbol *callee = e->kind == N_CALL ? called_symbol(e) : NULL;
  return e->kind == N_AWAIT ||
         (callee && strncmp(callee->name->name, "fm_", 3) == 0);
}

static void pause(Flow *f, Node *s, SetWord *set) {
  if (s->val)
    f->a->states[s->val].more_after |= has_bit(set, more_index(f));
  // one call of the spill serves both states, so both keep the same variables
  if (has_second_state(s)) {
    note_state(f, s->val + 1, set);
    note_state(f, s->val, set);
  }
  if (s->a)
    note_change(s->a);
  if (s->a && s->a->kind == N_IDENT)
    kill(set, s->a->sym);
  flow_to(f, s->d, set);
  if (pauses_there(s->b)) {
    note_state(f, s->val, set);
    f->a->states[s->val].near = is_near(s->b);
    gen_more(f, set);
  }
  flow_expr(f, s->b, set);
}

static void tail(Flow *f, Node *s, SetWord *set) {
  empty_set(f, set);
  note_state(f, s->val, set);
  gen_more(f, set);
  flow_expr(f, s->b, set);
}

static void yield(Flow *f, Node *s, SetWord *set) {
  flow_to(f, s->d, set);
  if (s->val) {
    note_state(f, s->val, set);
    f->a->states[s->val].near = true;
  }
  gen_more(f, set);
}

static void auto_yield(Flow *f, Node *s, SetWord *set) {
  note_state(f, s->val, set);
  if (f->a->has_va_list && holds_va(f->a, &f->a->states[s->val]))
    s->kind = N_EMPTY;
}

// The rest of what the pass notes about statements.
static void other(Flow *f, Node *s, SetWord *set) {
  if (s->kind == N_ACTIVATE)
    gen_more(f, set);
  Node *operands = s->kind == N_ASM ? s->asm_->operands : NULL;
  for (Node *o = operands; o; o = o->next)
    note_change(o->a);
}

static const FlowRules rules = {
  .backward = true,
  .expression = expression,
  .declarator = declarator,
  .pause = pause,
  .tail = tail,
  .yield = yield,
  .auto_yield = auto_yield,
  .other = other,
};

// ---- the pass ----
bool live_at(const State *s, const Local *k) {
  return s->live && (s->live[k->index / 64] >> k->index % 64 & 1);
}

static void find_live(Async *a) {
  Flow f = { .a = a, .rules = &rules };
  // with room for more_index() and Async.varargs
  f.words = (a->locals.len + 63) / 64 + 1;
  const SetWord *nothing = new_set(&f);
  flow_through(&f, nothing);
  // once more, without the yields that auto_yield() has dropped
  if (a->has_va_list) {
    for (int i = 0; i < a->nstates; i++) {
      a->states[i].live = NULL;
      a->states[i].used = false;
    }
    flow_through(&f, nothing);
    refuse_va_pauses(a);
  }
  note_state(&f, 0, nothing);
  // the state at the beginning keeps all parameters
  for (Param *p = a->type->params; p; p = p->next)
    gen(a->states[0].live, p->sym);
  keep_visible(a);
  forget_unassigned(a);
}

void live_unit(Unit *u) {
  each_async(u, find_live);
}
