// merge-yields.c: the pass `merge`: of automatic yields that stand next to each other, one stays.
// Each yield costs a compare, a state and a way out, in two versions of the function. Two yields
// are next to each other if no other activity can notice the code between them: it uses only
// constants and variables that no other activity can reach.
//
// The yield that would come first of all is made by the check on entry, which stands there anyway.
#include "fmcc.h"

// ---- code of which no other activity can notice whether it runs before or after a switch ----
// The library's macros pass the address of their value on only while they wait.
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

static bool unseen_arguments(const Node *call) {
  for (const Node *a = call->b; a; a = a->next)
    if (!unseen(a))
      return false;
  return true;
}

static bool unseen_call(const Node *e) {
  bool calls = e->flags & (NF_PAUSE | NF_CALLS);
  return !calls && is_pure_call(e) && unseen_arguments(e);
}

// clang-format off
static const bool unseen_if_parts_are[N_PART + 1] = {
  [N_ASSIGN] = true,
  [N_BINARY] = true,
  [N_CAST] = true,
  [N_CHARCONST] = true,
  [N_COND] = true,
  [N_INIT] = true,
  [N_INIT_LIST] = true,
  [N_MEMBER] = true,
  [N_NUMBER] = true,
  [N_PAREN] = true,
  [N_POSTFIX] = true,
  [N_PREFIX] = true,
  [N_STRING] = true,
};
// clang-format on

bool unseen(const Node *e) {
  if (!e || (e->flags & NF_CONST))
    return true;
  if (e->flags & NF_VM)
    return false;
  switch (e->kind) {
  case N_CODE:
    return type_is_void(e->type); // (void)0
  case N_CALL:
    return unseen_call(e);
  case N_IDENT:
    return own_variable(e);
  case N_UNARY:
    return e->op != P_STAR && e->op != P_AMP && unseen(e->a);
  default:
    return unseen_if_parts_are[e->kind] && unseen_parts(e);
  }
}

// A variable that is declared here has no address that others know yet.
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

// The next statement is not reached from it.
static bool ends_there(Node *s) {
  if (s && s->kind == N_COMPOUND)
    s = last_of(s->a);
  return s && (s->kind == N_RETURN || s->kind == N_TAIL);
}

// Every way through the list comes to an automatic yield before anything that can be noticed. With
// `a`: the check on entry replaces these yields.
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
// Inside a loop it makes a difference whether that yield is in the same turn: the yields of a loop
// must not all be dropped because of each other. BEFORE: at the head of the loop around, in any
// turn
typedef enum Just {
  NO,
  BEFORE,
  YES,
} Just;

typedef struct Merge {
  const Async *a;
  bool dry;  // only looking
  int depth; // of loops
  // at the labels of the switch around, which are reached from its head
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

// One turn of a loop, entered with `just`. Returns what holds on the way back. *out: where the loop
// is left.
static Just turn(Merge *m, Node *s, Just just, Just *out) {
  bool is_for = s->kind == N_FOR;
  Node *cond = is_for ? s->b : s->a;
  Node *body = is_for ? s->d : s->b;
  Just at_continue = YES;
  Just at_break = YES;
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

// The next statement is not reached.
static Just jump(Merge *m, Node *s, Just just) {
  if (s->kind == N_BREAK && m->at_break)
    *m->at_break = both(*m->at_break, just);
  if (s->kind == N_CONTINUE && m->at_continue)
    *m->at_continue = both(*m->at_continue, just);
  return YES;
}

static Just auto_yield(Merge *m, Node *s, Just just) {
  if (!just)
    return YES;
  if (!m->dry)
    s->kind = N_EMPTY;
  return just;
}

static Just entry(Merge *m, Node *s, Just just) {
  (void)s;
  return m->a->entry_yield ? YES : just;
}

static Just yield(Merge *m, Node *s, Just just) {
  (void)m;
  (void)just;
  return s->flags & NF_PAUSE ? YES : NO;
}

static Just pause(Merge *m, Node *s, Just just) {
  (void)m;
  (void)just;
  return s->op == PAUSE_YIELDS ? YES : NO;
}

static Just block(Merge *m, Node *s, Just just) {
  return list(m, s->a, just);
}

// Other statements: a yield before them counts if they cannot be noticed.
// clang-format off
static Just (*const walks[N_PART + 1])(Merge *, Node *, Just) = {
  [N_AUTO] = auto_yield,
  [N_BREAK] = jump,
  [N_CASE] = label,
  [N_COMPOUND] = block,
  [N_CONTINUE] = jump,
  [N_DEFAULT] = label,
  [N_DO] = loop,
  [N_ENTRY] = entry,
  [N_FOR] = loop,
  [N_GOTO] = jump,
  [N_IF] = if_,
  [N_LABEL] = label,
  [N_PAUSE] = pause,
  [N_RETHROW] = jump,
  [N_RETURN] = jump,
  [N_SWITCH] = switch_,
  [N_TAIL] = jump,
  [N_THROW] = jump,
  [N_WHILE] = loop,
  [N_YIELD] = yield,
};
// clang-format on

static Just statement(Merge *m, Node *s, Just just) {
  if (walks[s->kind])
    return walks[s->kind](m, s, just);
  return past(just, unseen_statement(s));
}

static void merge_yields(Async *a) {
  // an activate is not called; and there is no check on entry where a va_list is to be read first
  bool called = !a->up && !begins_in_call(a);
  if (called)
    sink_entry(a);
  if (!a->auto_yield)
    return;
  Node *first = a->entry ? a->entry->next : a->body;
  if (called && !a->entry_yield && yields_first(NULL, first))
    yields_first(a, first);
  bool at_start = a->entry_yield && !a->entry;
  statement(&(Merge){ .a = a }, a->body, at_start ? YES : NO);
}

void merge_unit(Unit *u) {
  each_async(u, merge_yields);
}
