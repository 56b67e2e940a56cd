// throws.c: which errors a function may throw, and whether each is caught or declared.
//
//     throws-clause = "throws" "(" type { "," type } ")"
//
// The clause stands after the parameters of a function, or after task(T) and job(T).
//
// While a body is parsed every place that may throw is noted, with the try statements around it.
// The errors that the catches take, and the tasks that each local variable holds, are known only at
// the end of the body; then all these places are checked.
#include "fmcc.h"

// ---- sets ----
static Throws *entry(Unit *u, Type *t, Symbol *s, Throws *next) {
  Throws *k = NEW(&u->arena, Throws);
  *k = (Throws){
    .type = t,
    .sym = s,
    .next = next,
  };
  return k;
}

Throws *throws_one(Unit *u, Type *t) {
  return entry(u, canon(t), NULL, NULL);
}

static Throws *throws_join(Unit *u, Throws *a, Throws *b) {
  Throws *r = b;
  for (; a; a = a->next)
    r = entry(u, a->type, a->sym, r);
  return r;
}

static bool is_any(const Type *t) {
  return t && type_is_record((Type *)t) && t->tag->name &&
         strcmp(t->tag->name->name, "fm_error") == 0;
}
static bool same(const Type *a, const Type *b) {
  return a == b || (a && b && a->tag == b->tag);
}

// Whether the set has the error t; an entry without a type means any error.
static bool has(const Throws *set, const Type *t) {
  for (; set; set = set->next)
    if (!set->sym && (!set->type || (t && same(set->type, t))))
      return true;
  return false;
}

// ---- the clause ----
bool at_throws(Unit *u) {
  return cur(u) == T_IDENT && word_at(u, u->p) == W_THROWS;
}

Throws *parse_throws(Unit *u) {
  TokIndex from = u->p++;
  Throws *set = NULL;
  bool hold = u->hold_errors; // the C compiler does not see this text
  u->hold_errors = false;
  expect(u, P_LPAREN, "after `throws`");
  while (cur(u) != P_RPAREN) {
    TokIndex at = u->p;
    Type *t = canon(parse_type_name(u)->type);
    if (t->kind != TY_STRUCT && t->kind != TY_ERROR)
      error_at(u,
               at,
               "only structures can be thrown, and `%s` is not a structure",
               type_text(u, t));
    else
      set = entry(u, is_any(t) ? NULL : t, NULL, set);
    if (!accept(u, P_COMMA))
      break;
  }
  expect(u, P_RPAREN, "after the errors that may be thrown");
  edit(u, (Range){ from, u->p }, "");
  witness_instead(u, from, u->p, "");
  u->hold_errors = hold;
  return set;
}

// ` throws(…)`
const char *throws_text(Unit *u, const Throws *set) {
  const char *text = "";
  for (; set; set = set->next)
    text = arena_printf(&u->arena,
                        "%s%s%s",
                        set->type ? type_text(u, set->type) : "fm_error",
                        *text ? ", " : "",
                        text);
  return *text ? arena_printf(&u->arena, " throws(%s)", text) : "";
}

// Whether the sets of two declarations are the same.
bool throws_equal(const Throws *a, const Throws *b) {
  for (const Throws *k = a; k; k = k->next)
    if (!has(b, k->type))
      return false;
  for (const Throws *k = b; k; k = k->next)
    if (!has(a, k->type))
      return false;
  return true;
}

// ---- the places that throw ----
static Thrown *add(Unit *u, Throws *set, TokIndex tok) {
  Thrown *k = NEW(&u->arena, Thrown);
  *k = (Thrown){
    .set = set, .at = u->body->tries, .tok = tok, .next = u->body->thrown
  };
  return u->body->thrown = k;
}

void note_thrown(Unit *u, Throws *set, TokIndex tok) {
  if (set && u->body->func)
    add(u, set, tok);
}

void note_unawaited(Unit *u, Throws *set, TokIndex tok) {
  if (set && u->body->func)
    add(u, set, tok)->unawaited = true;
}

// `throw;` in a catch.
void note_rethrown(Unit *u) {
  Rethrow *r = NEW(&u->arena, Rethrow);
  Catch *k = u->body->catching;
  *r = (Rethrow){ u->body->tries, k->rethrows };
  k->rethrows = r;
}

// The handle of an activity is dropped: the scope around it throws its errors.
void note_dropped(Unit *u, Throws *set, TokIndex tok, const char *what) {
  Try *t = u->body->tries;
  while (t && !t->scope)
    t = t->outer;
  if (!set)
    return;
  Thrown *k = add(u, set, tok);
  k->dropped = t ? NULL : what;
  k->each = t;
  if (t)
    k->at = t->outer;
}

static bool local_inferred(const Symbol *s) {
  if (!s || s->kind != S_VAR || s->depth == 0 || s->is_param ||
      s->storage == ST_STATIC || s->storage == ST_EXTERN)
    return false;
  Type *t = canon(s->type);
  while (t->kind == TY_ARRAY || t->kind == TY_POINTER)
    t = canon(t->base);
  return (t->kind == TY_TASK || t->kind == TY_JOB) && !t->throws;
}

// The local variable that an lvalue belongs to.
static Symbol *variable(Node *e) {
  for (;; e = e->a) {
    if (e->kind == N_IDENT)
      return local_inferred(e->sym) ? e->sym : NULL;
    bool inside =
        e->kind == N_PAREN || e->kind == N_INDEX || e->kind == N_EXTENSION ||
        (e->kind == N_UNARY && (e->op == P_STAR || e->op == P_AMP)) ||
        (e->kind == N_BINARY && (e->op == P_PLUS || e->op == P_MINUS));
    if (!inside || !e->a)
      return NULL;
  }
}

static Throws *declared(Type *t) {
  t = canon(t);
  while (t->kind == TY_ARRAY || t->kind == TY_POINTER)
    t = canon(t->base);
  return t->throws;
}

Throws *call_throws(Unit *u, Node *call) {
  Type *f = canon(rvalue(u, call->a));
  if (f->kind == TY_POINTER)
    f = canon(f->base);
  return f->kind == TY_FUNC ? f->throws : NULL;
}

// The errors of a task, a job, or a pointer to such.
Throws *throws_of(Unit *u, Node *e) {
  Node *second;
  e = value_parts(e, &second);
  if (second)
    return throws_join(u, throws_of(u, e), throws_of(u, second));
  Symbol *s = variable(e);
  if (s)
    return entry(u, NULL, s, NULL);
  // spawn of a job
  if (e->kind == N_SPAWN && e->a->kind != N_CALL)
    return throws_of(u, e->a);
  if (e->kind == N_SPAWN || (e->kind == N_JOB && e->a))
    return call_throws(u, e->a);
  if (e->kind == N_JOB)
    return e->decl->type->throws;
  if (e->kind == N_ASSIGN)
    return throws_of(u, e->b);
  bool share = e->kind == N_CALL && e->a->kind == N_IDENT &&
               tok_is(u, e->a->tok, "fm_share") && e->b;
  if (share)
    return throws_of(u, e->b);
  return e->type ? declared(e->type) : NULL;
}

// Whether t is a task or job, or an array of them.
static bool holds_errors(Type *t) {
  t = canon(t);
  while (t->kind == TY_ARRAY || t->kind == TY_POINTER)
    t = canon(t->base);
  return t->kind == TY_TASK || t->kind == TY_JOB;
}

// The address of a local task, or of an array of tasks, is passed on. Then other code may store a
// task there. If a local pointer gets the address, these are the tasks that are stored through the
// pointer; otherwise the declared errors count.
static void share_throws(Unit *u, Node *from, Type *to, Symbol *into) {
  Node *second;
  from = value_parts(from, &second);
  if (second)
    share_throws(u, second, to, into);
  Symbol *s = canon(to)->kind == TY_POINTER ? variable(from) : NULL;
  if (!s || s == into)
    return;
  Throws *more =
      into && local_inferred(into) ? entry(u, NULL, into, NULL) : declared(to);
  s->throws = throws_join(u, more, s->throws);
}

void give_throws(Unit *u, Node *from, Type *to, Symbol *into) {
  if (!from->type || !holds_errors(to) || !holds_errors(from->type) ||
      !u->body->func)
    return;
  Throws *set = throws_of(u, from);
  share_throws(u, from, to, into);
  if (!set)
    return;
  if (into && local_inferred(into)) {
    into->throws = throws_join(u, set, into->throws);
    note_kept(u, into, from);
  } else {
    Thrown *k = add(u, set, first_token(from));
    k->fits = true;
    k->into = declared(to);
  }
}

void give_throws_to(Unit *u, Node *lvalue, Node *from) {
  give_throws(u, from, lvalue->type, variable(lvalue));
}

// `c ? f : g` of functions: the result may throw the errors of both.
Type *type_throwing_both(Unit *u, Type *composite, Type *a, Type *b) {
  Type *x = canon(a);
  Type *y = canon(b);
  if (x->kind != TY_FUNC || y->kind != TY_FUNC ||
      throws_equal(x->throws, y->throws))
    return composite;
  Type *r = NEW(&u->arena, Type);
  *r = *canon(composite);
  r->canon = r;
  r->unqual = NULL;
  r->throws = throws_join(u, x->throws, y->throws);
  return r;
}

// A pointer to functions must declare all errors that the function may throw.
void check_throws_fit(Unit *u, Node *from, Type *f, Type *to) {
  for (Throws *k = f->throws; k; k = k->next) {
    if (has(to->throws, k->type))
      continue;
    error_at(u,
             first_token(from),
             "this function may throw `%s`, and the type that is expected "
             "here, `%s`, does not declare it: add it to `throws(…)` there, or "
             "catch it in the function",
             k->type ? type_text(u, k->type) : "fm_error",
             type_text(u, to));
    return;
  }
}

// ---- at the end of a body ----
static bool is_taken(const Try *at, const Type *t);

// Whether a try inside the catch takes what its `throw;` throws.
static bool
is_taken_inside(const Rethrow *r, const Try *outside, const Type *t) {
  const Try *at = r->at;
  while (at && at != outside && at != outside->outer) {
    if (!at->scope && is_taken(at, t))
      return true;
    at = at->outer;
  }
  return false;
}

static bool is_taken(const Try *at, const Type *t) {
  Catch *k = at->catches;
  while (k && !(!k->type || (t && same(k->type, t))))
    k = k->next;
  if (!k)
    return false;
  const Rethrow *r = k->rethrows;
  while (r && is_taken_inside(r, at, t))
    r = r->next;
  return !r;
}

// The clauses of a scope take errors of its children, not those of its statement.
static bool escapes(const Thrown *k, const Type *t) {
  if (k->each && is_taken(k->each, t))
    return false;
  for (Try *at = k->at; at; at = at->outer)
    if (!at->scope && is_taken(at, t))
      return false;
  return true;
}

typedef void (*OnError)(Unit *u, Thrown *k, Type *t, void *arg);

static void each_type(Unit *u, Thrown *k, Throws *set, OnError fn, void *arg) {
  for (; set; set = set->next) {
    if (!set->sym) {
      fn(u, k, set->type, arg);
    } else if (!set->sym->visiting) {
      set->sym->visiting = true;
      each_type(u, k, set->sym->throws, fn, arg);
      set->sym->visiting = false;
    }
  }
}

static const char *name_of(Unit *u, Type *t) {
  return t ? type_text(u, t) : "fm_error";
}

static void judge(Unit *u, Thrown *k, Type *t, void *arg) {
  Type *f = arg;
  if (k->unawaited)
    return;
  if (k->fits) {
    if (!has(k->into, t))
      error_at(u,
               k->tok,
               "this may throw `%s`, and the type that it is stored in or "
               "passed as does not declare it: add `throws(%s)` to that type",
               name_of(u, t),
               name_of(u, t));
    return;
  }
  if (k->dropped) {
    error_at(u,
             k->tok,
             "%s may throw `%s`, and the error would be lost: put it inside a "
             "`scope`, keep the task and `await` it, or write `spawn detached`",
             k->dropped,
             name_of(u, t));
    return;
  }
  if (!escapes(k, t) || has(f->throws, t))
    return;
  error_at(u,
           k->tok,
           "`%s` may be thrown here and is neither caught nor declared: catch "
           "it, or add "
           "`throws(%s)` to the function",
           name_of(u, t),
           name_of(u, t));
}

// Reports the first of the errors.
static void name_unawaited(Unit *u, Thrown *k, Type *t, void *arg) {
  bool *told = arg;
  bool thrown =
      k->thrower && (!escapes(k, t) || has(canon(k->thrower->type)->throws, t));
  // thrown: the scope around throws the error, and a catch or declaration takes it
  if (*told || thrown)
    return;
  *told = true;
  const char *what =
      k->keeper
          ? arena_printf(&u->arena, "the task in `%s`", k->keeper->name->name)
          : "this task";
  warn_at(u,
          OWN_UNAWAITED_TASK,
          k->tok,
          "%s may throw `%s`, and is never awaited here: its error would be "
          "thrown when this activity ends; `await` the task, pass it on, or "
          "write `spawn detached`",
          what,
          name_of(u, t));
}

void warn_unawaited(Unit *u, Thrown *k) {
  bool told = !is_wanted(u, OWN_UNAWAITED_TASK, k->tok);
  Throws *set = k->keeper ? k->keeper->throws : k->set;
  each_type(u, k, set, name_unawaited, &told);
}

static void check_unawaited(Unit *u, Thrown *list) {
  for (; list; list = list->next)
    if (list->unawaited)
      warn_unawaited(u, list);
}

Thrown *thrown_in_order(Thrown *last) {
  Thrown *list = NULL;
  for (Thrown *k = last, *next; k; k = next) {
    next = k->next;
    k->next = list;
    list = k;
  }
  return list;
}

void check_thrown(Unit *u, Thrown *list, Type *f) {
  for (Thrown *k = list; k; k = k->next)
    each_type(u, k, k->set, judge, f);
  check_unawaited(u, list);
}

// The set of errors that leave a body inside a function (activate, job).
static void collect(Unit *u, Thrown *k, Type *t, void *arg) {
  Throws **set = arg;
  if (k->fits || k->dropped || k->unawaited)
    judge(u, k, t, NULL);
  else if (escapes(k, t) && !has(*set, t))
    *set = entry(u, t, NULL, *set);
}

Throws *thrown_by_body(Unit *u) {
  Throws *set = NULL;
  for (Thrown *k = u->body->thrown; k; k = k->next)
    each_type(u, k, k->set, collect, &set);
  check_unawaited(u, u->body->thrown);
  u->body->thrown = NULL;
  return set;
}

// ---- --dump=check ----
typedef struct ThrownDump {
  Type *f;
  Buf *out;
} ThrownDump;

static void dump_one(Unit *u, Thrown *k, Type *t, void *arg) {
  const ThrownDump *d = arg;
  const char *fate = k->fits        ? "is declared where the task is stored"
                     : k->unawaited ? "stays with a task that is not awaited"
                     : !escapes(k, t)
                         ? "is caught"
                         : "leaves the function, which declares it";
  buf_puts(d->out, "  ");
  dump_place(u, k->tok, d->out);
  buf_printf(d->out, "%s may be thrown here: it %s\n", name_of(u, t), fate);
}

static void dump_thrown_in(Unit *u, Item *it, Buf *out) {
  ThrownDump d = { it->type, out };
  dump_place(u, it->range.from, out);
  buf_printf(out,
             "%s: %s%s%s\n",
             it->sym->name->name,
             type_text(u, it->type),
             throws_text(u, it->type->throws),
             it->thrown ? "" : ": nothing is thrown");
  for (Thrown *k = it->thrown; k; k = k->next)
    each_type(u, k, k->set, dump_one, &d);
}

void dump_thrown(Unit *u, Buf *out) {
  for (Item *it = u->items; it; it = it->next)
    if (it->tree && !(tok_at(u, it->range.from)->flags & TF_SYSTEM))
      dump_thrown_in(u, it, out);
}
