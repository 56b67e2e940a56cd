// merge-yields.c: the pass `merge`: of automatic yields that stand next to each other, one stays.
// Each yield costs a compare, a state and a way out, in two versions of the function. Two yields
// are next to each other if the code between them is *unseen*: it uses only constants and variables
// that no other activity can reach, so that no activity can notice when it runs.
//
// A yield at the beginning of the function is dropped, too: the check on entry is a yield.
#include "fmcc.h"

// ---- unseen code ----
// e is a variable that only this activity can reach. So is fm__v of the library's macros: its
// address is used only while the macro waits.
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

// Kinds of expressions that are unseen if their parts are.
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

// Nobody else knows the address of a variable that is being declared, so only its value counts.
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

// The statement after s is not reached from s.
static bool ends_there(Node *s) {
  if (s && s->kind == N_COMPOUND)
    s = last_of(s->a);
  return s && (s->kind == N_RETURN || s->kind == N_TAIL);
}

// Every path through the list s comes to an automatic yield before code that is not unseen. With
// `a`: drops these yields, because the check on entry replaces them.
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

// ---- after the entry ----
// The walk follows whether, on every path to a statement, a yield came last but for unseen code. If
// so, an automatic yield there is dropped. Inside a loop it makes a difference whether that yield
// is in the same turn: the yields of a loop must not all be dropped because of each other.
typedef enum Yielded {
  NOT_YIELDED,
  YIELDED_BEFORE, // before the loop, or in an earlier turn of it
  YIELDED,        // in this turn; outside of loops: anywhere
} Yielded;

typedef struct Merge {
  const Async *a;
  bool dry;  // no yield is dropped: the walk only finds out the result
  int depth; // the number of loops around the statement
  // what holds at the head of the switch around, from where its labels are reached
  Yielded at_switch;
  bool has_default;                // the switch has a `default`
  Yielded *at_break, *at_continue; // what holds where these lead to
} Merge;

// The functions below take what holds before a statement and return what holds after it.

static Yielded statement(Merge *m, Node *s, Yielded yielded);

// Returns what holds where two paths meet.
static Yielded both(Yielded x, Yielded y) {
  return x < y ? x : y;
}

// Returns what holds after an expression.
static Yielded past(Yielded yielded, bool is_unseen) {
  return is_unseen ? yielded : NOT_YIELDED;
}

static Yielded list(Merge *m, Node *s, Yielded yielded) {
  for (; s; s = s->next)
    yielded = statement(m, s, yielded);
  return yielded;
}

// One turn of a loop, entered with `yielded`. Returns what holds at the end of the turn. Sets *out
// to what holds where the loop is left.
static Yielded turn(Merge *m, Node *s, Yielded yielded, Yielded *out) {
  bool is_for = s->kind == N_FOR;
  Node *cond = is_for ? s->b : s->a;
  Node *body = is_for ? s->d : s->b;
  Yielded at_continue = YIELDED;
  Yielded at_break = YIELDED;
  Merge inner = *m;
  inner.at_break = &at_break;
  inner.at_continue = &at_continue;
  if (s->kind != N_DO)
    *out = yielded = past(yielded, unseen(cond));
  yielded = both(statement(&inner, body, yielded), at_continue);
  if (is_for)
    yielded = past(yielded, unseen(s->c));
  if (s->kind == N_DO)
    *out = yielded = past(yielded, unseen(cond));
  *out = both(*out, at_break);
  return yielded;
}

static Yielded loop(Merge *m, Node *s, Yielded yielded) {
  // each loop is walked twice, so the innermost one 2^DEEP times
  enum { DEEP = 4 };
  Yielded out;
  bool dry = m->dry;
  if (s->kind == N_FOR && s->a)
    yielded = statement(m, s->a, yielded);
  m->depth++;
  m->dry = true;
  if (yielded &&
      (m->depth > DEEP || turn(m, s, YIELDED_BEFORE, &out) != YIELDED))
    yielded = NOT_YIELDED;
  m->dry = dry;
  turn(m, s, yielded ? YIELDED_BEFORE : NOT_YIELDED, &out);
  m->depth--;
  return out == YIELDED_BEFORE ? yielded : out;
}

static Yielded switch_(Merge *m, Node *s, Yielded yielded) {
  Yielded at_break = YIELDED;
  Merge inner = *m;
  inner.at_switch = past(yielded, unseen(s->a));
  inner.has_default = false;
  inner.at_break = &at_break;
  Yielded end = both(statement(&inner, s->b, YIELDED), at_break);
  return inner.has_default ? end : both(end, inner.at_switch);
}

static Yielded if_(Merge *m, Node *s, Yielded yielded) {
  yielded = past(yielded, unseen(s->a));
  Yielded then = statement(m, s->b, yielded);
  return both(then, s->c ? statement(m, s->c, yielded) : yielded);
}

static Yielded label(Merge *m, Node *s, Yielded yielded) {
  for (; s && (s->kind == N_CASE || s->kind == N_DEFAULT); s = s->c) {
    yielded = both(yielded, m->at_switch);
    m->has_default |= s->kind == N_DEFAULT;
  }
  if (!s)
    return yielded;
  return s->kind == N_LABEL ? NOT_YIELDED : statement(m, s, yielded);
}

// The next statement is not reached, so anything may be said to hold there.
static Yielded jump(Merge *m, Node *s, Yielded yielded) {
  if (s->kind == N_BREAK && m->at_break)
    *m->at_break = both(*m->at_break, yielded);
  if (s->kind == N_CONTINUE && m->at_continue)
    *m->at_continue = both(*m->at_continue, yielded);
  return YIELDED;
}

static Yielded auto_yield(Merge *m, Node *s, Yielded yielded) {
  if (!yielded)
    return YIELDED;
  if (!m->dry)
    s->kind = N_EMPTY;
  return yielded;
}

static Yielded entry(Merge *m, Node *s, Yielded yielded) {
  (void)s;
  return m->a->entry_yield ? YIELDED : yielded;
}

static Yielded yield(Merge *m, Node *s, Yielded yielded) {
  (void)m;
  (void)yielded;
  return s->flags & NF_PAUSE ? YIELDED : NOT_YIELDED;
}

static Yielded pause(Merge *m, Node *s, Yielded yielded) {
  (void)m;
  (void)yielded;
  return s->op == PAUSE_YIELDS ? YIELDED : NOT_YIELDED;
}

static Yielded block(Merge *m, Node *s, Yielded yielded) {
  return list(m, s->a, yielded);
}

// The function for each kind of statement. After other statements, a yield before them counts if
// they are unseen.
// clang-format off
static Yielded (*const walks[N_PART + 1])(Merge *, Node *, Yielded) = {
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

static Yielded statement(Merge *m, Node *s, Yielded yielded) {
  if (walks[s->kind])
    return walks[s->kind](m, s, yielded);
  return past(yielded, unseen_statement(s));
}

static void merge_yields(Async *a) {
  // the body of an activate is not called; with a va_list, the arguments are read before any pause
  bool called = !a->up && !begins_in_call(a);
  if (called)
    sink_entry(a);
  if (!a->auto_yield)
    return;
  Node *first = a->entry ? a->entry->next : a->body;
  if (called && !a->entry_yield && yields_first(NULL, first))
    yields_first(a, first);
  bool at_start = a->entry_yield && !a->entry;
  statement(&(Merge){ .a = a }, a->body, at_start ? YIELDED : NOT_YIELDED);
}

void merge_unit(Unit *u) {
  each_async(u, merge_yields);
}
