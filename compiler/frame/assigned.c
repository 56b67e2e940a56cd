// assigned.c: which variables may hold a value at each pause. What has not been named yet on any
// way to a pause needs no keeping there, though it is live in the eyes of live.c, which follows the
// ways that handlers and cleanups join:
//
//     int v; try { v = f(); } finally { g(); } return v;         v, at the pause of f
//
// A forward pass over the lowered tree, repeated until the sets at labels no longer grow; then
// State.live loses the rest. One more member of each set is not a variable: whether the function
// may have waited already (State.past). Behind a handler a variable may have a value or not, and
// only the flow of errors, which no C compiler sees, tells: there it begins as 0.
#include "fmcc.h"

typedef uint64_t Word;
typedef struct LabelSet {
  Ident *name;
  Word *set;
  struct LabelSet *next;
} LabelSet;
typedef struct Flow {
  Async *a;
  size_t words; // of a set
  // what comes with break and continue; what the switch came with; or NULL
  Word *brk, *cont, *cases;
  bool has_default;
  LabelSet *labels; // what comes with a goto
  Word **given;     // by state
  bool changed;
} Flow;

// ---- sets ----
static Word *new_set(Flow *f) {
  return arena_alloc(&f->a->u->arena, f->words * sizeof(Word));
}

static Word *copy_of(Flow *f, const Word *from) {
  Word *to = new_set(f);
  memcpy(to, from, f->words * sizeof(Word));
  return to;
}

static bool add_set(Flow *f, Word *to, const Word *from) {
  bool grown = false;
  for (size_t i = 0; i < f->words; i++) {
    grown |= (from[i] & ~to[i]) != 0;
    to[i] |= from[i];
  }
  return grown;
}

static void empty(Flow *f, Word *set) {
  memset(set, 0, f->words * sizeof(Word));
}

static void give(Word *set, const Symbol *s, bool value) {
  if (!is_tracked(s))
    return;
  Word bit = (Word)1 << s->local->index % 64, *at = &set[s->local->index / 64];
  *at = value ? *at | bit : *at & ~bit;
}

static void give_past(const Flow *f, Word *set) {
  set[f->a->locals.len / 64] |= (Word)1 << f->a->locals.len % 64;
}
static bool has_past(const Flow *f, const Word *set) {
  return set[f->a->locals.len / 64] >> f->a->locals.len % 64 & 1;
}

static Word *label_set(Flow *f, Ident *name) {
  for (LabelSet *l = f->labels; l; l = l->next)
    if (l->name == name)
      return l->set;
  LabelSet *l = NEW(&f->a->u->arena, LabelSet);
  *l = (LabelSet){ name, new_set(f), f->labels };
  f->labels = l;
  return l->set;
}

static void go_to(Flow *f, Node *jump, const Word *set) {
  if (jump)
    f->changed |= add_set(f, label_set(f, jump->name), set);
}

// ---- expressions: to name a variable is enough ----
static void stmt(Flow *f, Node *s, Word *set);
static void expr(Flow *f, Node *e, Word *set);

static void exprs(Flow *f, Node *e, Word *set) {
  for (; e; e = e->next)
    expr(f, e, set);
}

static void expr(Flow *f, Node *e, Word *set) {
  if (!e)
    return;
  switch (e->kind) {
  case N_IDENT:
    give(set, e->sym, true);
    break;
  case N_STMT_EXPR:
    stmt(f, e->a, set);
    break;
  case N_CALL:
  case N_TGMATH:
    expr(f, e->a, set);
    exprs(f, e->b, set);
    break;
  case N_RT:
    exprs(f, e->b, set);
    break;
  case N_JOB:
    expr(f, e->a, set);
    exprs(f, e->c, set);
    break;
  case N_INIT_LIST:
    exprs(f, e->a, set);
    break;
  case N_GENERIC:
    for (Node *k = e->b; k; k = k->next)
      if (k->op == ASSOC_CHOSEN)
        expr(f, k->a, set);
    break;
  case N_CHOOSE_EXPR:
    expr(f, e->op == CHOOSES_SECOND ? e->b : e->c, set);
    break;
  case N_ARM:
  case N_OPAQUE:
  case N_DES_MEMBER:
  case N_OFFSETOF:
  case N_LABEL_ADDR:
  case N_CODE:
    break;
  default:
    expr(f, e->a, set);
    if (e->kind != N_INIT)
      expr(f, e->b, set);
    expr(f, e->c, set);
    break;
  }
}

// ---- statements: `set` is what may have a value before; becomes what may have one behind ----
static void note_state(Flow *f, long state, const Word *set) {
  if (!f->given[state])
    f->given[state] = new_set(f);
  add_set(f, f->given[state], set);
}

static void decls(Flow *f, Decl *d, Word *set) {
  for (; d; d = d->next) {
    if (d->init)
      expr(f, d->init, set);
    give(set, d->sym, d->init);
  }
}

static void loop(Flow *f, Node *s, Word *set) {
  Node *cond = s->kind == N_FOR ? s->b : s->a,
       *body = s->kind == N_FOR ? s->d : s->b,
       *step = s->kind == N_FOR ? s->c : NULL;
  Word *brk = f->brk, *cont = f->cont, *out = new_set(f), *head;
  if (s->kind == N_FOR && s->a)
    stmt(f, s->a, set);
  f->brk = out;
  head = copy_of(f, set);
  do {
    memcpy(set, head, f->words * sizeof(Word));
    if (s->kind != N_DO) {
      expr(f, cond, set);
      if (cond)
        add_set(f, out, set);
    }
    f->cont = new_set(f);
    stmt(f, body, set);
    add_set(f, set, f->cont);
    expr(f, step, set);
    if (s->kind == N_DO) {
      expr(f, cond, set);
      add_set(f, out, set);
    }
  } while (add_set(f, head, set));
  memcpy(set, out, f->words * sizeof(Word));
  f->brk = brk;
  f->cont = cont;
}

static void switch_stmt(Flow *f, Node *s, Word *set) {
  Word *brk = f->brk, *cases = f->cases;
  bool had = f->has_default;
  expr(f, s->a, set);
  f->brk = new_set(f);
  f->cases = copy_of(f, set);
  f->has_default = false;
  empty(f, set);
  stmt(f, s->b, set);
  add_set(f, set, f->brk);
  if (!f->has_default)
    add_set(f, set, f->cases);
  f->brk = brk;
  f->cases = cases;
  f->has_default = had;
}

static void if_stmt(Flow *f, Node *s, Word *set) {
  expr(f, s->a, set);
  Word *other = copy_of(f, set);
  stmt(f, s->b, set);
  if (s->c)
    stmt(f, s->c, other);
  add_set(f, set, other);
}

static void pause(Flow *f, Node *s, Word *set) {
  expr(f, s->b, set);
  go_to(f, s->d, set);
  if (!has_second_state(s))
    note_state(f, s->val, set);
  expr(f, s->a, set);
  if (has_second_state(s))
    note_state(f, s->val, set);
  if (pauses_there(s->b))
    give_past(f, set);
  if (has_second_state(s))
    note_state(f, s->val + 1, set);
}

static void label_stmt(Flow *f, Node *s, Word *set) {
  if (s->kind == N_LABEL)
    add_set(f, set, label_set(f, s->name));
  else if (f->cases)
    add_set(f, set, f->cases);
  if (s->kind == N_DEFAULT)
    f->has_default = true;
  if (s->c)
    stmt(f, s->c, set);
}

static void jump(Flow *f, Node *s, Word *set) {
  expr(f, s->a, set);
  switch (s->kind) {
  case N_BREAK:
    if (f->brk)
      add_set(f, f->brk, set);
    break;
  case N_CONTINUE:
    if (f->cont)
      add_set(f, f->cont, set);
    break;
  case N_GOTO:
    go_to(f, s, set);
    break;
  case N_GOTO_COMPUTED:
    for (LabelSet *l = f->labels; l; l = l->next)
      f->changed |= add_set(f, l->set, set);
    break;
  case N_TAIL:
    expr(f, s->b, set);
    note_state(f, s->val, set);
    break;
  case N_THROW:
  case N_RETHROW:
    go_to(f, s->d, set);
    break;
  default:
    break;
  }
  empty(f, set);
}

static void stmt(Flow *f, Node *s, Word *set) {
  switch (s->kind) {
  case N_COMPOUND:
    for (Node *k = s->a; k; k = k->next)
      stmt(f, k, set);
    break;
  case N_EXPR:
    expr(f, s->a, set);
    break;
  case N_DECL:
    decls(f, s->decl, set);
    break;
  case N_IF:
    if_stmt(f, s, set);
    break;
  case N_WHILE:
  case N_DO:
  case N_FOR:
    loop(f, s, set);
    break;
  case N_SWITCH:
    switch_stmt(f, s, set);
    break;
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    label_stmt(f, s, set);
    break;
  case N_GOTO:
  case N_GOTO_COMPUTED:
  case N_BREAK:
  case N_CONTINUE:
  case N_RETURN:
  case N_TAIL:
  case N_THROW:
  case N_RETHROW:
    jump(f, s, set);
    break;
  case N_PAUSE:
    pause(f, s, set);
    break;
  case N_ACTIVATE:
    exprs(f, s->c, set);
    expr(f, s->b, set);
    break;
  case N_YIELD:
    go_to(f, s->d, set);
    if (s->val)
      note_state(f, s->val, set);
    give_past(f, set);
    break;
  case N_AUTO:
    note_state(f, s->val, set);
    break;
  case N_ASM:
    for (Node *o = s->asm_->operands; o; o = o->next)
      expr(f, o->a, set);
    break;
  default:
    break;
  }
}

static bool has_handlers(Async *a) {
  for (int i = 0; i < a->nstates; i++)
    if (a->states[i].landing)
      return true;
  return false;
}

static void zero_kept(Async *a) {
  for (size_t i = 0; i < a->locals.len; i++) {
    Local *k = a->locals.at[i];
    for (int s = 1; s < a->nstates && !k->resident && !k->zeroed; s++)
      k->zeroed = live_at(&a->states[s], k);
  }
}

void forget_not_given(Async *a) {
  Flow f = { .a = a, .words = (a->locals.len + 63) / 64 + 1 };
  Word *set = new_set(&f);
  f.given =
      arena_alloc(&a->u->arena, ((size_t)a->nstates + 1) * sizeof *f.given);
  do {
    f.changed = false;
    empty(&f, set);
    for (Param *p = a->type->params; p; p = p->next)
      give(set, p->sym, true);
    stmt(&f, a->body, set);
  } while (f.changed);
  for (int i = 1; i < a->nstates; i++)
    a->states[i].past = f.given[i] && has_past(&f, f.given[i]);
  for (int i = 1; i < a->nstates; i++)
    for (size_t k = 0; a->states[i].live && k < f.words; k++)
      a->states[i].live[k] &= f.given[i] ? f.given[i][k] : 0;
  if (has_handlers(a))
    zero_kept(a);
}
