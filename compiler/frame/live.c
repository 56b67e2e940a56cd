// live.c: which variables each pause must keep. A backward pass over the lowered tree, repeated
// until the sets at labels and loops no longer grow; State.live of a pause is what may be read
// after it. Variables that live in the frame anyway are left out. Then frame fields are shared
// among variables of one type that are never needed at the same pause.
//
// One more member of each set is not a variable: whether the function can still wait, or start
// something, on the way to its end (State.more). An arm of a race that waits where it cannot wins
// when its wait is over. The last is Async.varargs: whether `...` is still to be read.
#include "fmcc.h"

#include <stdlib.h>

typedef uint64_t Word;
typedef struct LabelSet {
  Ident *name;
  Word *set;
  struct LabelSet *next;
} LabelSet;
typedef struct Flow {
  Async *a;
  size_t words; // of a set
  // what is live where break, continue and the switch's labels lead; or NULL
  Word *brk, *cont, *cases;
  bool has_default;
  LabelSet *labels;
  bool changed;
} Flow;

// ---- sets ----
static Word *new_set(Flow *f) {
  return arena_alloc(&f->a->u->arena, f->words * sizeof(Word));
}
static void copy_set(Flow *f, Word *to, const Word *from) {
  memcpy(to, from, f->words * sizeof(Word));
}

static bool add_set(Flow *f, Word *to, const Word *from) {
  bool grown = false;
  for (size_t i = 0; i < f->words; i++) {
    grown |= (from[i] & ~to[i]) != 0;
    to[i] |= from[i];
  }
  return grown;
}

// Captured: perhaps of a function around this one, whose residents have not been chosen yet, and
// which numbers its own. Placed: nothing pauses where it exists; a jump past its declaration may
// make it seem to be live elsewhere.
bool is_tracked(const Symbol *s) {
  const Local *k = s ? s->local : NULL;
  return k && !k->resident && !k->captured && !k->placed;
}
static void gen(Word *set, const Symbol *s) {
  if (is_tracked(s))
    set[s->local->index / 64] |= (Word)1 << s->local->index % 64;
}
static void kill(Word *set, const Symbol *s) {
  if (is_tracked(s))
    set[s->local->index / 64] &= ~((Word)1 << s->local->index % 64);
}

static size_t more_index(const Flow *f) {
  return f->a->locals.len;
}
static void gen_more(Flow *f, Word *set) {
  set[more_index(f) / 64] |= (Word)1 << more_index(f) % 64;
}
static bool has_more(const Flow *f, const Word *set) {
  return set[more_index(f) / 64] >> more_index(f) % 64 & 1;
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

// ---- expressions: `set` is what is live behind; becomes what is live before ----
static void expr(Flow *f, Node *e, Word *set);
static void stmt(Flow *f, Node *s, Word *set);

static void exprs(Flow *f, Node *e, Word *set) {
  for (; e; e = e->next)
    expr(f, e, set);
}

// the lengths of variable arrays
static void type_uses(Flow *f, Type *t, Word *set) {
  if (!t || !type_is_vm(t))
    return;
  for (; t; t = t->base)
    if (t->kind == TY_ARRAY && t->len_expr)
      expr(f, t->len_expr, set);
}

static void either(Flow *f, Node *x, Node *y, Word *set) {
  Word *other = new_set(f);
  copy_set(f, other, set);
  if (x)
    expr(f, x, set);
  if (y)
    expr(f, y, other);
  add_set(f, set, other);
}

// of a scalar; whatever else is assigned to is no matter
static void note_change(Node *to) {
  while (to && to->kind != N_IDENT && to->kind != N_CALL)
    to = to->a;
  if (to && to->kind == N_IDENT && to->sym && to->sym->local)
    to->sym->local->changed = true;
}

static void assignment(Flow *f, Node *e, Word *set) {
  Node *to = e->a;
  note_change(to);
  while (to->kind == N_PAREN)
    to = to->a;
  if (to->kind == N_IDENT && e->op == P_ASSIGN)
    kill(set, to->sym);
  else
    expr(f, to, set);
  expr(f, e->b, set);
}

// va_start(ap, x) needs the arguments, and begins ap; va_end(ap) does nothing, unless someone has a
// pointer to it.
static bool va_call(Flow *f, Node *e, Word *set) {
  VaOperation what = va_operation(e);
  Symbol *list = what == VA_NONE ? NULL : va_list_variable(e);
  if (!list)
    return false;
  Local *all = f->a->varargs;
  if (what == VA_START || what == VA_COPY)
    kill(set, list);
  if (what == VA_START && all)
    set[all->index / 64] |= (Word)1 << all->index % 64;
  if (what == VA_COPY)
    expr(f, e->b->next, set);
  if (what == VA_END && list->local->va_pointed)
    gen(set, list);
  return true;
}

static void expr(Flow *f, Node *e, Word *set) {
  if (!e)
    return;
  if (f->a->has_va_list && e->kind == N_CALL && va_call(f, e, set))
    return;
  switch (e->kind) {
  case N_IDENT:
    gen(set, e->sym);
    break;
  case N_ASSIGN:
    assignment(f, e, set);
    break;
  case N_COND:
    either(f, e->b, e->c, set);
    expr(f, e->a, set);
    break;
  case N_BINARY:
    if (e->op == P_ANDAND || e->op == P_OROR)
      either(f, e->b, NULL, set);
    else
      expr(f, e->b, set);
    expr(f, e->a, set);
    break;
  case N_STMT_EXPR:
    stmt(f, e->a, set);
    break;
  case N_CALL:
  case N_TGMATH:
    exprs(f, e->b, set);
    expr(f, e->a, set);
    break;
  case N_RT:
    exprs(f, e->b, set);
    break;
  case N_JOB:
    exprs(f, e->c, set);
    expr(f, e->a, set);
    break;
  case N_ARM:
    break; // what it uses lives in the frame
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
  // only the type of the operand is wanted, but for the lengths in it
  case N_SIZEOF:
  case N_ALIGNOF:
    if (e->flags & NF_VM)
      expr(f, e->a, set);
    break;
  case N_SIZEOF_TYPE:
  case N_CAST:
  case N_COMPOUND_LIT:
  case N_VA_ARG:
    type_uses(f, e->tname->type, set);
    expr(f, e->a, set);
    break;
  case N_OPAQUE:
  case N_DES_MEMBER:
  case N_OFFSETOF:
  case N_LABEL_ADDR:
  case N_CODE:
    break;
  case N_PREFIX:
  case N_POSTFIX:
    note_change(e->a);
    expr(f, e->a, set);
    break;
  default:
    if (e->kind == N_SPAWN)
      gen_more(f, set);
    expr(f, e->c, set);
    if (e->kind != N_INIT)
      expr(f, e->b, set);
    expr(f, e->a, set);
    break;
  }
}

// ---- statements ----
static void note_state(Flow *f, int state, const Word *set) {
  State *s = &f->a->states[state];
  if (!s->live)
    s->live = new_set(f);
  s->used = true;
  s->more |= has_more(f, set);
  add_set(f, s->live, set);
}

// backwards
static void list(Flow *f, Node *s, Word *set) {
  size_t n = 0;
  for (Node *k = s; k; k = k->next)
    n++;
  Node **all = xmalloc((n + 1) * sizeof *all);
  n = 0;
  for (Node *k = s; k; k = k->next)
    all[n++] = k;
  while (n > 0)
    stmt(f, all[--n], set);
  free(all);
}

static void decls(Flow *f, Decl *d, Word *set) {
  if (!d)
    return;
  decls(f, d->next, set);
  if (!d->sym)
    return;
  if (d->sym->local)
    d->sym->local->begins = d->init != NULL;
  kill(set, d->sym);
  if (d->init)
    expr(f, d->init, set);
  // its value may name it, but before its declaration there is no variable
  kill(set, d->sym);
  type_uses(f, d->type, set);
}

static void loop(Flow *f, Node *s, Word *set) {
  Word *out = new_set(f), *head = new_set(f), *next = new_set(f), *brk = f->brk,
       *cont = f->cont;
  copy_set(f, out, set);
  Node *cond = s->kind == N_FOR ? s->b : s->a,
       *body = s->kind == N_FOR ? s->d : s->b,
       *step = s->kind == N_FOR ? s->c : NULL;
  f->brk = out;
  // head: live where the condition is about to be evaluated (do: the body)
  for (bool grown = true; grown;) {
    copy_set(f, next, head);
    Word *before = new_set(f);
    if (s->kind == N_DO) { // body; cond; → head or out
      add_set(f, next, out);
      expr(f, cond, next);
      f->cont = next;
      copy_set(f, before, next);
      stmt(f, body, before);
    } else { // cond; body; step → head
      expr(f, step, next);
      f->cont = next;
      copy_set(f, before, next);
      stmt(f, body, before);
      if (cond)
        add_set(f, before, out);
      expr(f, cond, before);
    }
    grown = add_set(f, head, before);
  }
  copy_set(f, set, head);
  f->brk = brk;
  f->cont = cont;
  if (s->kind == N_FOR && s->a)
    stmt(f, s->a, set);
}

static void switch_stmt(Flow *f, Node *s, Word *set) {
  Word *out = new_set(f), *cases = new_set(f), *body = new_set(f),
       *brk = f->brk, *outer = f->cases;
  bool had = f->has_default;
  copy_set(f, out, set);
  copy_set(f, body, set);
  f->brk = out;
  f->cases = cases;
  f->has_default = false;
  stmt(f, s->b, body);
  if (!f->has_default)
    add_set(f, cases, out);
  copy_set(f, set, cases);
  f->brk = brk;
  f->cases = outer;
  f->has_default = had;
  expr(f, s->a, set);
}

static void if_stmt(Flow *f, Node *s, Word *set) {
  Word *other = new_set(f);
  copy_set(f, other, set);
  stmt(f, s->b, set);
  if (s->c)
    stmt(f, s->c, other);
  add_set(f, set, other);
  expr(f, s->a, set);
}

// Where something unwinds it goes on at its handler.
static void unwinding(Flow *f, Node *s, Word *set) {
  if (s->d)
    add_set(f, set, label_set(f, s->d->name));
}

bool has_second_state(const Node *s) {
  return s->op == PAUSE_YIELDS && s->b->kind != N_AWAIT;
}

static void pause(Flow *f, Node *s, Word *set) {
  // one way out serves both states, so both keep the same
  if (has_second_state(s)) {
    note_state(f, (int)s->val + 1, set);
    note_state(f, (int)s->val, set);
  }
  if (s->a)
    note_change(s->a);
  if (s->a && s->a->kind == N_IDENT)
    kill(set, s->a->sym);
  unwinding(f, s, set);
  if (pauses_there(s->b)) {
    note_state(f, (int)s->val, set);
    gen_more(f, set);
  }
  expr(f, s->b, set);
}

static void label_stmt(Flow *f, Node *s, Word *set) {
  if (s->c)
    stmt(f, s->c, set);
  if (s->kind == N_LABEL) {
    f->changed |= add_set(f, label_set(f, s->name), set);
    return;
  }
  if (f->cases)
    add_set(f, f->cases, set);
  if (s->kind == N_DEFAULT)
    f->has_default = true;
}

static void empty(Flow *f, Word *set) {
  memset(set, 0, f->words * sizeof(Word));
}

static void jump(Flow *f, Node *s, Word *set) {
  empty(f, set);
  switch (s->kind) {
  case N_BREAK:
    if (f->brk)
      add_set(f, set, f->brk);
    break;
  case N_CONTINUE:
    if (f->cont)
      add_set(f, set, f->cont);
    break;
  case N_GOTO:
    add_set(f, set, label_set(f, s->name));
    break;
  case N_GOTO_COMPUTED:
    for (LabelSet *l = f->labels; l; l = l->next)
      add_set(f, set, l->set);
    expr(f, s->a, set);
    break;
  case N_TAIL:
    note_state(f, (int)s->val, set);
    gen_more(f, set);
    expr(f, s->b, set);
    break;
  case N_THROW:
  case N_RETHROW:
    unwinding(f, s, set);
    expr(f, s->a, set);
    break;
  default:
    expr(f, s->a, set);
    break; // return
  }
}

static void stmt(Flow *f, Node *s, Word *set) {
  switch (s->kind) {
  case N_COMPOUND:
    list(f, s->a, set);
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
    gen_more(f, set);
    exprs(f, s->c, set);
    expr(f, s->b, set);
    break;
  case N_AUTO:
    note_state(f, (int)s->val, set);
    if (f->a->has_va_list && holds_va(f->a, &f->a->states[s->val]))
      s->kind = N_EMPTY;
    break;
  case N_YIELD:
    unwinding(f, s, set);
    if (s->val)
      note_state(f, (int)s->val, set);
    gen_more(f, set);
    break;
  case N_ASM:
    for (Node *o = s->asm_->operands; o; o = o->next) {
      note_change(o->a);
      expr(f, o->a, set);
    }
    break;
  default:
    break;
  }
}

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

static void flow_back(Flow *f, Word *set) {
  do {
    f->changed = false;
    empty(f, set);
    stmt(f, f->a->body, set);
  } while (f->changed);
}

static void find_live(Async *a) {
  // and place for Async.varargs
  Flow f = { .a = a, .words = (a->locals.len + 63) / 64 + 1 };
  Word *set = new_set(&f);
  flow_back(&f, set);
  if (a->has_va_list) { // once more, without yields that were left out
    for (int i = 0; i < a->nstates; i++) {
      a->states[i].live = NULL;
      a->states[i].used = false;
    }
    flow_back(&f, set);
    refuse_va_pauses(a);
  }
  empty(&f, set);
  note_state(&f, 0, set);
  // the beginning needs them all
  for (Param *p = a->type->params; p; p = p->next)
    gen(a->states[0].live, p->sym);
  keep_visible(a);
  forget_not_given(a);
}

void live_unit(Unit *u) {
  each_async(u, find_live);
}
