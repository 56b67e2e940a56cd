// live.c: which variables each pause must keep. A backward pass over the lowered tree, repeated
// until the sets at labels and loops no longer grow; State.live of a pause is what may be read
// after it. Variables that live in the frame anyway are left out. Then frame fields are shared
// among variables of one type that are never needed at the same pause.
//
// One more member of each set is not a variable: whether the function can still wait, or start
// something, on the way to its end (State.more). An arm of a race that waits where it cannot wins
// when its wait is over. The last is Async.varargs: whether `...` is still to be read.
#include "fmcc.h"

// Captured: perhaps of a function around this one, whose residents have not been chosen yet, and
// which numbers its own. Placed: nothing pauses where it exists; a jump past its declaration may
// make it seem to be live elsewhere.
bool is_tracked(const Symbol *s) {
  const Local *k = s ? s->local : NULL;
  return k && !k->resident && !k->captured && !k->placed;
}

static void gen(SetWord *set, const Symbol *s) {
  if (is_tracked(s))
    set_bit(set, (size_t)s->local->index, true);
}
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

// ---- expressions: `set` is what is live after; becomes what is live before ----
// the lengths of variable arrays
static void type_uses(Flow *f, Type *t, SetWord *set) {
  if (!t || !type_is_vm(t))
    return;
  for (; t; t = t->base)
    if (t->kind == TY_ARRAY && t->len_expr)
      flow_expr(f, t->len_expr, set);
}

// of a scalar; whatever else is assigned to is no matter
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

// va_start(ap, x) needs the arguments, and begins ap; va_end(ap) does nothing, unless someone has a
// pointer to it.
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
  // only the type of the operand is wanted, but for the lengths in it
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
  // its value may name it, but before its declaration there is no variable
  kill(set, d->sym);
  type_uses(f, d->type, set);
}

static void note_state(Flow *f, int64_t state, const SetWord *set) {
  State *s = &f->a->states[state];
  if (!s->live)
    s->live = new_set(f);
  s->used = true;
  s->more |= has_bit(set, more_index(f));
  add_set(f, s->live, set);
}

bool has_second_state(const Node *s) {
  return s->op == PAUSE_YIELDS && s->b->kind != N_AWAIT;
}

static void pause(Flow *f, Node *s, SetWord *set) {
  // one way out serves both states, so both keep the same
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
  if (s->val)
    note_state(f, s->val, set);
  gen_more(f, set);
}

static void auto_yield(Flow *f, Node *s, SetWord *set) {
  note_state(f, s->val, set);
  if (f->a->has_va_list && holds_va(f->a, &f->a->states[s->val]))
    s->kind = N_EMPTY;
}

static bool statement(Flow *f, Node *s, SetWord *set) {
  switch (s->kind) {
  case N_PAUSE:
    pause(f, s, set);
    return true;
  case N_TAIL:
    tail(f, s, set);
    return true;
  case N_YIELD:
    yield(f, s, set);
    return true;
  case N_AUTO:
    auto_yield(f, s, set);
    return true;
  case N_ACTIVATE:
    gen_more(f, set);
    return false;
  case N_ASM:
    for (Node *o = s->asm_->operands; o; o = o->next)
      note_change(o->a);
    return false;
  default:
    return false;
  }
}

static const FlowRules rules = { .backward = true,
                                 .expression = expression,
                                 .declarator = declarator,
                                 .statement = statement };

// ---- frame fields ----
bool live_at(const State *s, const Local *k) {
  return s->live && (s->live[k->index / 64] >> k->index % 64 & 1);
}

static bool needed_together(Async *a, Local *x, Local *y) {
  for (int i = 0; i < a->nstates; i++)
    if (live_at(&a->states[i], x) && live_at(&a->states[i], y))
      return true;
  return false;
}

static bool needs_field(Async *a, Local *k) {
  for (int i = 0; i < a->nstates; i++)
    if (live_at(&a->states[i], k))
      return true;
  return k->resident;
}

// Where all fields are stored at each pause (see choose_form) to share one costs code, and for
// something small saves little.
static bool worth_sharing(Async *a, Local *k) {
  return k->resident || !a->one_body || type_size(a->u, k->sym->type) > 16;
}

// Residents of the library's macros: each lives in a statement expression, into which no one jumps.
static bool is_library_resident(const Local *k) {
  return k->resident && !k->temp && !k->literal && !k->captured &&
         strncmp(k->sym->name->name, "fm__", 4) == 0 &&
         !type_is_vm(k->sym->type);
}

static bool may_share_residents(Async *a, Local *k, Local *with) {
  if (!is_library_resident(k) || !is_library_resident(with) ||
      !type_compatible(a->u, k->sym->type, with->sym->type))
    return false;
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *o = a->locals.at[i];
    if (o->slot == with->slot && o->scope_from < k->scope_to &&
        k->scope_from < o->scope_to)
      return false;
  }
  return true;
}

static bool may_share(Async *a, Local *k, Local *with) {
  if (k->resident && with->resident)
    return may_share_residents(a, k, with);
  if (k->resident || with->resident ||
      !type_compatible(a->u, k->sym->type, with->sym->type))
    return false;
  for (size_t i = 0; i < a->locals.len;
       i++) { // with everyone who has that field
    Local *o = a->locals.at[i];
    if (o->slot == with->slot && needed_together(a, o, k))
      return false;
  }
  return true;
}

void give_fields(Async *a) {
  int next = 0;
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    if (!needs_field(a, k))
      continue;
    for (size_t j = 0; j < i && k->slot < 0 && worth_sharing(a, k); j++) {
      Local *o = a->locals.at[j];
      if (o->slot < 0 || !may_share(a, k, o))
        continue;
      k->slot = o->slot;
      // of the field
      if (k->resident)
        k->name = o->name;
    }
    if (k->slot < 0)
      k->slot = next++;
  }
}

static void find_live(Async *a) {
  // and place for Async.varargs
  Flow f = { .a = a, .rules = &rules };
  f.words = (a->locals.len + 63) / 64 + 1;
  const SetWord *nothing = new_set(&f);
  flow_through(&f, nothing);
  if (a->has_va_list) { // once more, without yields that were left out
    for (int i = 0; i < a->nstates; i++) {
      a->states[i].live = NULL;
      a->states[i].used = false;
    }
    flow_through(&f, nothing);
    refuse_va_pauses(a);
  }
  note_state(&f, 0, nothing);
  // the beginning needs them all
  for (Param *p = a->type->params; p; p = p->next)
    gen(a->states[0].live, p->sym);
  keep_visible(a);
  forget_not_given(a);
}

void live_unit(Unit *u) {
  each_async(u, find_live);
}
