// quiet.c: which async functions cannot pause, and the consequences for their callers. In: trees as
// they were parsed. Out: Async.quiet, changed flags in the trees.
//
// A function is *quiet* if nothing in it can pause or throw: its async calls are calls of quiet
// functions, and it has no call around which §4 of the language asks for a yield. A call of a quiet
// function is a C call of its atomic version. It makes no state, and the C compiler may inline it.
// It is a statement of its own, like calls that pause, so that calls happen from left to right.
// Only a call without visible effects (of a *pure* function, see below) stays in its expression.
// Callees are looked at before their callers. A function that calls itself, directly or not, is not
// quiet: its depth has no bound, and only the check on entry keeps the stack safe.
//
// A quiet function is *brief* if constants bound its loops to a few turns, and if all functions
// that it calls are brief, or short functions of the C library. §4 allows leaving out yields next
// to such calls. A loop must not lose all its yields: it may wait for another activity. So a call
// in a loop keeps its yields, unless the loop ends by itself (loops.c) and the callee is *pure*: no
// activity can change its result.
//
// This pass also counts addresses that are only lent to such calls (lent.c): a variable whose
// address outlives no call need not live in the frame.
#include "fmcc.h"

enum {
  // bytes of the stack that a chain of quiet calls may use; no check on entry counts them
  MOST_STACK = 4096,
  // how many calls a brief function may contain
  MOST_CALLS = 32
};

typedef struct Walk { // over one function
  Async *a;
  bool in_loop; // a loop is around the node
  bool waits;   // one of the loops around it may wait for other activities
  bool dropped; // the value of the expression is not used
  int turns;    // of the short loops around it, together
  // found so far
  bool odd; // something that is not plain C
  bool pauses;
  bool calls;
  bool loops;
  bool long_loops; // some with more than a few turns
  bool shares;
  bool unknown; // a call of an unknown function
  int ncalls;
  int64_t deepest; // the stack of a quiet callee
} Walk;

static void visit(Async *a);
static void statement(Walk *w, Node *s);

// ---- functions ----
static Async *defined_here(const Node *call) {
  const Symbol *f = called_symbol(call);
  return f && f->kind == S_FUNC ? f->definition : NULL;
}

const Quiet *quiet_callee(const Node *call) {
  const Async *f = defined_here(call);
  return f && f->quiet.quiet ? &f->quiet : NULL;
}

// `#pragma weak f` makes a function weak from anywhere in the unit.
static bool has_weak_pragma(Unit *u) {
  for (size_t i = 0; i < u->npragmas; i++) {
    char line[64];
    char word[8] = "";
    pragma_text(u, &u->pragmas[i], line, sizeof line);
    if (sscanf(line, " # pragma %7s", word) == 1 && strcmp(word, "weak") == 0)
      return true;
  }
  return false;
}

// Whether a definition of another unit or library may replace the function.
static bool is_replaceable(Async *a) {
  static const char *const attributes[] = { "weak", "gnu_inline", "ifunc" };
  const Symbol *f = a->decl->sym;
  if (f->storage == ST_STATIC)
    return false;
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (has_attribute(a->u, f, attributes[i]))
      return true;
  return a->u->opt.interposable || a->decl->specs->is_inline || !f->outside ||
         has_weak_pragma(a->u);
}

// A function with a name, which other functions can call.
static bool is_function(const Async *a) {
  return a->decl->sym && a->decl->sym->kind == S_FUNC && a->item && !a->up &&
         !a->boundary && !a->contained && !a->arm;
}

static bool may_be_quiet(Async *a) {
  return is_function(a) && !a->item->failed && !a->type->throws &&
         !a->type->variadic && !a->has_va_list && !a->still && !a->inner.len &&
         !a->jobs.len && !a->asm_jumps && !a->own_labels &&
         !a->decl->sym->noreturn && strcmp(a->decl->name->name, "main") != 0 &&
         !is_replaceable(a);
}

// ---- data that other activities share ----
static bool is_constant(Type *t) {
  for (t = canon(t); t->kind == TY_ARRAY; t = canon(t->base))
    if (t->quals & Q_CONST)
      break;
  return (t->quals & Q_CONST) && !(t->quals & (Q_VOLATILE | Q_ATOMIC));
}

static bool is_shared_name(const Node *e) {
  const Symbol *s = e->sym;
  if (!s || s->kind != S_VAR)
    return false;
  return s->local ? (canon(s->type)->quals & (Q_VOLATILE | Q_ATOMIC)) != 0
                  : !is_constant(s->type);
}

static bool reaches_out(const Node *e) {
  switch (e->kind) {
  case N_IDENT:
    return is_shared_name(e);
  case N_ARROW:
    return true;
  case N_UNARY:
    return e->op == P_STAR && canon(e->type)->kind != TY_FUNC;
  case N_INDEX:
    return canon(e->a->type)->kind != TY_ARRAY;
  default:
    return false;
  }
}

// ---- calls ----
static bool is_pausing_call(const Node *e) {
  return (e->flags & NF_ASYNC) && (e->flags & NF_PAUSE) &&
         !(e->flags & (NF_ATOMIC | NF_THROWS));
}

// Whether no yields are needed next to the call.
static bool is_short(const Walk *w, const Quiet *callee, const LibraryCall *c) {
  bool brief = callee ? callee->brief : c && c->kind != LIBRARY_OTHER;
  bool pure = callee ? callee->pure : c && c->kind == LIBRARY_PURE;
  return brief && (!w->in_loop || (pure && !w->waits));
}

bool is_pure_call(const Node *call) {
  const Quiet *callee = quiet_callee(call);
  const LibraryCall *c = library_call(call);
  return callee ? callee->pure : c && c->kind == LIBRARY_PURE;
}

static void note_call(Walk *w, const Node *e, const Quiet *callee) {
  const LibraryCall *c = library_call(e);
  bool brief = callee ? callee->brief : c && c->kind != LIBRARY_OTHER;
  w->unknown |= !brief;
  w->shares |= !is_pure_call(e);
  w->ncalls += w->turns * (callee ? callee->calls : 1);
  if (callee && callee->stack > w->deepest)
    w->deepest = callee->stack;
}

static bool is_builtin(const Node *e) {
  const Symbol *f = called_symbol(e);
  return f && f->kind == S_BUILTIN;
}

static bool is_pure_builtin(const Node *e) {
  static const char *const beginnings[] = { "expect", "popcount",   "clz",
                                            "ctz",    "bswap",      "parity",
                                            "ffs",    "unreachable" };
  const char *name = called_symbol(e)->name->name;
  if (strncmp(name, "__builtin_", 10) != 0)
    return false;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (strncmp(name + 10, beginnings[i], strlen(beginnings[i])) == 0)
      return true;
  return false;
}

// The flags of a call, besides those of its parts.
static unsigned call_flags(Walk *w, Node *e) {
  const Quiet *callee = NULL;
  if (is_builtin(e)) { // no call for §4
    w->shares |= !is_pure_builtin(e);
    return 0;
  }
  if ((e->flags & NF_ASYNC) && !w->a->arm && is_pausing_call(e))
    callee = quiet_callee(e);
  note_call(w, e, callee);
  if (callee)
    e->flags |= NF_ATOMIC;
  count_lent(e, w->dropped);
  bool pauses = e->flags & NF_THROWS ||
                (e->flags & NF_ASYNC && !callee && e->flags & NF_PAUSE);
  w->odd |= (e->flags & NF_ASYNC) && !callee;
  w->pauses |= pauses;
  // a call with visible effects stays a statement of its own: the order is from left to right
  bool apart = pauses || (callee && !callee->pure);
  return (apart ? (unsigned)NF_PAUSE : 0) |
         (is_short(w, callee, library_call(e)) ? 0 : (unsigned)NF_CALLS);
}

// ---- expressions ----
// Nodes whose flags are computed again from those of their parts; others keep their flags.
static bool is_plain(const Node *e) {
  switch (e->kind) {
  case N_IDENT:
  case N_NUMBER:
  case N_CHARCONST:
  case N_STRING:
  case N_PAREN:
  case N_CALL:
  case N_INDEX:
  case N_MEMBER:
  case N_ARROW:
  case N_POSTFIX:
  case N_PREFIX:
  case N_UNARY:
  case N_CAST:
  case N_COMPOUND_LIT:
  case N_BINARY:
  case N_ASSIGN:
  case N_COND:
  case N_EXTENSION:
  case N_INIT_LIST:
  case N_INIT:
    return !(e->flags & (NF_VM | NF_UNKNOWN | NF_LOWER));
  default:
    return false;
  }
}

// Only the type or the address of the operand is used.
static bool is_unevaluated(const Node *e) {
  return e->kind == N_SIZEOF || e->kind == N_SIZEOF_TYPE ||
         e->kind == N_ALIGNOF || e->kind == N_ALIGNOF_TYPE ||
         e->kind == N_OFFSETOF || e->kind == N_TYPES_COMPATIBLE;
}

static void expression(Walk *w, Node *e) {
  enum { MADE_ANEW = NF_PAUSE | NF_CALLS };
  bool dropped = w->dropped;
  unsigned flags = 0;
  if (is_unevaluated(e) && !(e->flags & NF_VM))
    return;
  if (!is_plain(e)) {
    w->odd = true;
    return;
  }
  w->dropped = false;
  Children parts = children(e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));) {
    expression(w, k);
    flags |= k->flags;
  }
  w->dropped = dropped;
  w->shares |= reaches_out(e);
  if (e->kind == N_CALL)
    flags |= call_flags(w, e);
  e->flags = (uint16_t)((e->flags & ~MADE_ANEW) | (flags & MADE_ANEW));
}

// ---- statements ----
static void full_expression(Walk *w, Node *e) {
  if (!e)
    return;
  expression(w, e);
  w->calls |= (e->flags & NF_CALLS) != 0;
}

static void loop(Walk *w, Node *s) {
  bool in_loop = w->in_loop;
  bool waits = w->waits;
  int turns = w->turns;
  int own = few_turns(s);
  if (s->kind == N_FOR && s->a)
    statement(w, s->a);
  w->loops = w->in_loop = true;
  w->waits |= !ends_by_itself(s);
  bool is_long = !own || w->turns * own > MOST_TURNS;
  w->turns *= is_long ? 1 : own;
  w->long_loops |= is_long;
  Children parts = children(s, PART_VALUE | PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));) {
    if (s->kind == N_FOR && k == s->a)
      continue;
    if (parts.is == PART_VALUE)
      full_expression(w, k);
    else
      statement(w, k);
  }
  w->in_loop = in_loop;
  w->waits = waits;
  w->turns = turns;
}

static void declaration(Walk *w, const Decl *d) {
  for (; d; d = d->next) {
    w->odd |=
        d->cleanup || (d->name && type_is_vm(d->type)) || d->specs->auto_type;
    w->shares |= d->specs->storage == ST_STATIC;
  }
}

static bool is_plain_statement(const Node *s) {
  switch (s->kind) {
  case N_COMPOUND:
  case N_EXPR:
  case N_DECL:
  case N_IF:
  case N_WHILE:
  case N_DO:
  case N_FOR:
  case N_SWITCH:
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
  case N_GOTO:
  case N_BREAK:
  case N_CONTINUE:
  case N_RETURN:
  case N_EMPTY:
  case N_STATIC_ASSERT:
    return true;
  default:
    return false;
  }
}

static void statement(Walk *w, Node *s) {
  if (s->kind == N_FOR || s->kind == N_WHILE || s->kind == N_DO) {
    loop(w, s);
    return;
  }
  w->odd |= !is_plain_statement(s);
  if (s->kind == N_DECL)
    declaration(w, s->decl);
  w->dropped = s->kind == N_EXPR;
  Children parts = children(s, PART_VALUE | PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    if (parts.is == PART_VALUE)
      full_expression(w, k);
    else
      statement(w, k);
  w->dropped = false;
}

// ---- jumps ----
static bool is_among(const Vec *labels, const Ident *name) {
  for (size_t i = 0; i < labels->len; i++)
    if (labels->at[i] == name)
      return true;
  return false;
}

// A goto back makes a loop of the statements in between.
static bool jumps_back(Node *n, Vec *labels) {
  if (n->kind == N_GOTO_COMPUTED ||
      (n->kind == N_GOTO && is_among(labels, n->name)))
    return true;
  if (n->kind == N_LABEL)
    vec_push(labels, n->name);
  Children parts = children(n, PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    if (jumps_back(k, labels))
      return true;
  return false;
}

static bool has_jump_back(Async *a) {
  Vec labels = { 0 };
  bool found = jumps_back(a->tree, &labels);
  vec_free(&labels);
  return found;
}

// ---- the pass ----
static void visit_callees(Node *n) {
  if (n->kind == N_CALL && (n->flags & NF_ASYNC)) {
    Async *f = defined_here(n);
    if (f) {
      f->quiet.called = true;
      visit(f);
    }
  }
  Children parts = children(n, PART_VALUE | PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    visit_callees(k);
}

// Bytes of the variables of a function. -1: not known.
static int64_t stack_of(Async *a) {
  int64_t sum = 0;
  FOR_EACH (Local, k, a->locals) {
    int64_t size = type_size(a->u, k->sym->type);
    if (size < 0)
      return -1;
    sum += size;
  }
  return sum;
}

// Addresses that outlive no call do not count.
static void forget_lent(Async *a) {
  for (size_t i = 0; i < a->locals.len && !a->still; i++) {
    Local *k = a->locals.at[i];
    if (k->addressed && k->addresses == k->lent)
      k->addressed = false;
  }
}

static void conclude(Async *a, const Walk *w) {
  int64_t own = stack_of(a);
  Quiet *q = &a->quiet;
  q->stack = own + w->deepest;
  q->calls = w->ncalls + 1;
  q->quiet = may_be_quiet(a) && !w->odd && !w->pauses &&
             !(a->auto_yield && w->calls) && !(a->loop_yield && w->loops) &&
             own >= 0 && q->stack <= MOST_STACK;
  q->brief =
      q->quiet && !w->long_loops && !w->unknown && q->calls <= MOST_CALLS;
  q->pure = q->brief && !w->shares;
  if (!q->quiet)
    return;
  q->lent = lent_params(a);
  a->decl->sym->steady = true;
}

static void visit(Async *a) {
  if (a->quiet.visited || a->quiet.visiting || !a->tree)
    return;
  a->quiet.visiting = true;
  visit_callees(a->tree);
  Walk w = { .a = a, .turns = 1 };
  w.loops = w.long_loops = w.in_loop = w.waits = has_jump_back(a);
  statement(&w, a->tree);
  forget_lent(a);
  conclude(a, &w);
  a->quiet.visited = true;
}

void quiet_unit(Unit *u) {
  FOR_EACH (Async, a, u->asyncs) {
    if (is_function(a))
      a->decl->sym->definition = a;
  }
  for (size_t i = 0; i < u->asyncs.len; i++)
    visit(u->asyncs.at[i]);
}
