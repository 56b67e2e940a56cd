// merge-yields.c: automatic yields that stand next to each other are one. Each costs a compare, a
// state and a way out, in two versions of the function, so it is worth knowing when two have
// nothing between them that anyone else could notice: only constants and variables that no one else
// can reach.
//
// Also here: the yield that would come first of all is made by the check on entry, which stands
// there anyway.
#include "fmcc.h"

// ---- what no one else can notice: whether it happens before or after a switch ----
// The library's macros give away the address of their value only while they wait.
static bool own_variable(const Node *e) {
  const Local *k = e->sym ? e->sym->local : NULL;
  bool given_away =
      k && k->addressed && strcmp(e->sym->name->name, "fm__v") != 0;
  return k && !given_away && !k->captured &&
         !(canon(e->sym->type)->quals & (Q_VOLATILE | Q_ATOMIC));
}

static bool unseen_parts(const Node *e) {
  Children parts = children((Node *)e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    if (!unseen(k))
      return false;
  return true;
}

bool unseen(const Node *e) {
  if (!e || (e->flags & NF_CONST))
    return true;
  if (e->flags & NF_VM)
    return false;
  switch (e->kind) {
  case N_CODE:
    return type_is_void(e->type); // (void)0
  case N_IDENT:
    return own_variable(e);
  case N_UNARY:
    return e->op != P_STAR && e->op != P_AMP && unseen(e->a);
  case N_NUMBER:
  case N_CHARCONST:
  case N_STRING:
  case N_PAREN:
  case N_CAST:
  case N_MEMBER:
  case N_PREFIX:
  case N_POSTFIX:
  case N_BINARY:
  case N_ASSIGN:
  case N_COND:
  case N_INIT_LIST:
  case N_INIT:
    return unseen_parts(e);
  default:
    return false;
  }
}

// no one has the address of what is only now declared
static bool unseen_decl(const Decl *d) {
  for (; d; d = d->next)
    if (d->specs->storage != ST_STATIC &&
        (!unseen(d->init) || d->cleanup || (d->sym && type_is_vm(d->type))))
      return false;
  return true;
}

bool unseen_statement(const Node *s) {
  switch (s->kind) {
  case N_EMPTY:
  case N_STATIC_ASSERT:
    return true;
  case N_EXPR:
    return unseen(s->a);
  case N_DECL:
    return unseen_decl(s->decl);
  default:
    return false;
  }
}

// ---- on entry ----
static Node *last_of(Node *list) {
  while (list && list->next)
    list = list->next;
  return list;
}

// what follows is not reached from it
static bool ends_there(Node *s) {
  if (s && s->kind == N_COMPOUND)
    s = last_of(s->a);
  return s && (s->kind == N_RETURN || s->kind == N_TAIL);
}

// Every way through the list comes to an automatic yield before anything that can be noticed. With
// `a`: the check on entry takes their place.
static bool yields_first(Async *a, Node *s) {
  for (; s; s = s->next) {
    switch (s->kind) {
    case N_AUTO:
      if (!a)
        return true;
      if (!a->entry_yield)
        a->entry_yield = s->tok;
      s->kind = N_EMPTY;
      return true;
    case N_COMPOUND:
      return yields_first(a, s->a);
    case N_IF:
      if (!unseen(s->a))
        return false;
      if (s->c)
        return yields_first(a, s->b) && yields_first(a, s->c);
      if (!yields_first(a, s->b) || !ends_there(s->b))
        return false;
      break;
    default:
      if (!unseen_statement(s))
        return false;
    }
  }
  return false;
}

// ---- further on: whether a yield has just been, on every way to here ----
// Inside a loop it makes a difference whether that yield is in the same turn: a loop must not lose
// all it has to each other. BEFORE: at the head of the loop around, whatever turn it is
typedef enum Just { NO, BEFORE, YES } Just;

typedef struct Merge {
  bool dry;  // only looking
  int depth; // of loops
  // where the labels of the switch around are reached from its head
  Just at_switch;
  bool has_default;
  Just *at_break, *at_continue; // where these lead to
} Merge;

static Just statement(Merge *m, Node *s, Just just);

static Just both(Just x, Just y) {
  return x < y ? x : y;
}
static Just past(Just just, bool is_unseen) {
  return is_unseen ? just : NO;
}

static Just list(Merge *m, Node *s, Just just) {
  for (; s; s = s->next)
    just = statement(m, s, just);
  return just;
}

// One turn of a loop, entered with `just`; what holds on the way back. *out: where the loop is
// left.
static Just turn(Merge *m, Node *s, Just just, Just *out) {
  bool is_for = s->kind == N_FOR;
  Node *cond = is_for ? s->b : s->a, *body = is_for ? s->d : s->b;
  Just at_continue = YES, at_break = YES;
  Merge inner = *m;
  inner.at_break = &at_break;
  inner.at_continue = &at_continue;
  if (s->kind != N_DO)
    *out = just = past(just, unseen(cond));
  just = both(statement(&inner, body, just), at_continue);
  if (is_for)
    just = past(just, unseen(s->c));
  if (s->kind == N_DO)
    *out = just = past(just, unseen(cond));
  *out = both(*out, at_break);
  return just;
}

static Just loop(Merge *m, Node *s, Just just) {
  // each loop is looked at twice, so the innermost 2^DEEP times
  enum { DEEP = 4 };
  Just out;
  bool dry = m->dry;
  if (s->kind == N_FOR && s->a)
    just = statement(m, s->a, just);
  m->depth++;
  m->dry = true;
  if (just && (m->depth > DEEP || turn(m, s, BEFORE, &out) != YES))
    just = NO;
  m->dry = dry;
  turn(m, s, just ? BEFORE : NO, &out);
  m->depth--;
  return out == BEFORE ? just : out;
}

static Just switch_(Merge *m, Node *s, Just just) {
  Just at_break = YES;
  Merge inner = *m;
  inner.at_switch = past(just, unseen(s->a));
  inner.has_default = false;
  inner.at_break = &at_break;
  Just end = both(statement(&inner, s->b, YES), at_break);
  return inner.has_default ? end : both(end, inner.at_switch);
}

static Just if_(Merge *m, Node *s, Just just) {
  just = past(just, unseen(s->a));
  Just then = statement(m, s->b, just);
  return both(then, s->c ? statement(m, s->c, just) : just);
}

static Just label(Merge *m, Node *s, Just just) {
  for (; s && (s->kind == N_CASE || s->kind == N_DEFAULT); s = s->c) {
    just = both(just, m->at_switch);
    m->has_default |= s->kind == N_DEFAULT;
  }
  if (!s)
    return just;
  return s->kind == N_LABEL ? NO : statement(m, s, just);
}

// what follows is not reached
static Just jump(Merge *m, Node *s, Just just) {
  if (s->kind == N_BREAK && m->at_break)
    *m->at_break = both(*m->at_break, just);
  if (s->kind == N_CONTINUE && m->at_continue)
    *m->at_continue = both(*m->at_continue, just);
  return YES;
}

static Just statement(Merge *m, Node *s, Just just) {
  switch (s->kind) {
  case N_AUTO:
    if (!just)
      return YES;
    if (!m->dry)
      s->kind = N_EMPTY;
    return just;
  case N_YIELD:
    return s->flags & NF_PAUSE ? YES : NO;
  case N_PAUSE:
    return s->op == PAUSE_YIELDS ? YES : NO;
  case N_COMPOUND:
    return list(m, s->a, just);
  case N_IF:
    return if_(m, s, just);
  case N_WHILE:
  case N_DO:
  case N_FOR:
    return loop(m, s, just);
  case N_SWITCH:
    return switch_(m, s, just);
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    return label(m, s, just);
  case N_BREAK:
  case N_CONTINUE:
  case N_RETURN:
  case N_TAIL:
  case N_GOTO:
  case N_THROW:
  case N_RETHROW:
    return jump(m, s, just);
  default:
    return past(just, unseen_statement(s));
  }
}

static void merge_yields(Async *a) {
  // the body of an activate is not, nor is there a check on entry where a list is to be read first
  bool called = !a->up && !begins_in_call(a);
  if (!a->auto_yield)
    return;
  if (called && yields_first(NULL, a->body))
    yields_first(a, a->body);
  statement(&(Merge){ 0 }, a->body, a->entry_yield ? YES : NO);
}

void merge_unit(Unit *u) {
  each_async(u, merge_yields);
}
