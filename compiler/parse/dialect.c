// dialect.c: the dialect's expressions, statements and types that have no file of their own.
//
//     async-specifier = "async"        (belongs to the function type next to the specifiers)
//     task-type       = "task" "(" type ")"
//     unary           = "await" cast | "run" cast | "atomic" cast
//                     | "spawn" { "now" | "detached" | "contained"
//                               | ("in" | "on") "(" expr ")" } call
//     statement       = "yield" ";" | "atomic" statement
#include "fmcc.h"

// ---- types ----
// fm_completion ( type )
static bool starts_completion(Unit *u, TokIndex t) {
  return t >= u->dialect_from && kind_at(u, t + 1) == P_LPAREN &&
         tok_is(u, t, "fm_completion");
}

// `job (…)` is a type where a type stands in the parentheses and no block follows: `job (x) { … }`
// has variables there.
static bool names_type(Unit *u, TokIndex t) {
  return starts_type(u, t + 2) &&
         kind_at(u, skip_balanced(u, t + 1)) != P_LBRACE;
}

// task (…), job (…), fm_completion (…)
bool starts_held(Unit *u, TokIndex t) {
  DialectWord w = word_at(u, t);
  if (w == W_JOB)
    return kind_at(u, t + 1) == P_LPAREN && names_type(u, t);
  return (w == W_TASK && kind_at(u, t + 1) == P_LPAREN) ||
         starts_completion(u, t);
}

bool starts_dialect_type(Unit *u, TokIndex t) {
  DialectWord w = word_at(u, t);
  return starts_held(u, t) || w == W_ASYNC || w == W_ASYNCDIRECT;
}

Type *parse_task(Unit *u) {
  TokIndex from = u->p;
  DialectWord w = word_at(u, from);
  u->p += 2;
  bool hold = u->hold_errors; // the C compiler does not see this text
  u->hold_errors = false;
  if (cur(u) == P_RPAREN)
    fail_at(u, u->p, "the type of the result is expected here");
  Type *t = type_new(u,
                     w == W_TASK  ? TY_TASK
                     : w == W_JOB ? TY_JOB
                                  : TY_COMPLETION,
                     parse_type_name(u)->type);
  if (canon(t->base)->kind == TY_ARRAY || canon(t->base)->kind == TY_FUNC)
    error_at(u,
             from + 2,
             "a result cannot be of type `%s`: no function returns it",
             type_text(u, t->base));
  expect(u, P_RPAREN, "after the type");
  const char *held = w == W_TASK  ? "fm_task"
                     : w == W_JOB ? "fm_job"
                                  : "fm_completion";
  edit(u, (Range){ from, u->p }, held);
  witness_instead(u, from, u->p, held);
  if (at_throws(u))
    t->throws = parse_throws(u);
  u->hold_errors = hold;
  return t;
}

// A type that is defined among the parameters is known to one function only, but an async function
// becomes several functions.
static void refuse_definitions(Unit *u, Range r) {
  for (TokIndex t = r.from; t < r.to; t++) {
    TokenKind k = kind_at(u, t);
    TokIndex open = kind_at(u, t + 1) == T_IDENT ? t + 2 : t + 1;
    if ((k != K_STRUCT && k != K_UNION && k != K_ENUM) ||
        kind_at(u, open) != P_LBRACE)
      continue;
    u->hold_errors = false;
    error_at(u,
             t,
             "a type cannot be defined among the parameters of an async "
             "function: define it before");
    return;
  }
}

// The type of the declarator, with the plain function type `stop` replaced by an async one.
static Type *with_async(Unit *u, Type *t, Type *stop) {
  Type *r = NEW(&u->arena, Type);
  *r = t == stop ? *canon(t) : *t;
  r->canon = r;
  r->unqual = NULL;
  if (t == stop)
    r->is_async = true;
  else
    r->base = with_async(u, t->base, stop);
  return r;
}

void mark_async(Unit *u, Declarator *d, Type *stop) {
  Type *last = NULL;
  refuse_definitions(u, d->range);
  for (Type *t = d->type; t && t != stop; t = t->base)
    if (t->kind == TY_FUNC)
      last = t;
  Type *named = canon(stop); // `async handler h;`: handler is a typedef
  if (!last && named->kind == TY_FUNC && !named->is_async)
    d->type = with_async(u, d->type, stop);
  else if (last)
    last->is_async = true;
  if (last || named->kind == TY_FUNC)
    return;
  u->hold_errors = false;
  error_at(u,
           d->tok,
           "`async` applies to functions and to pointers to functions; this "
           "declares neither");
}

Type *async_target(Type *t) {
  for (; t->kind == TY_POINTER || t->kind == TY_ARRAY || t->kind == TY_FUNC;
       t = t->base)
    if (t->kind == TY_FUNC && t->is_async)
      return t;
  return NULL;
}

// ---- calls ----
bool is_pause_call(const Node *e) {
  if (!(e->flags & NF_PAUSE))
    return false;
  if (e->kind == N_SPAWN)
    return e->op & SPAWN_NOW;
  if (e->kind == N_CALL)
    return (e->flags & NF_THROWS) || (e->flags & NF_ASYNC);
  return e->kind == N_AWAIT || e->kind == N_RUN;
}

TokIndex first_token(Node *e) {
  while (e->kind == N_CALL || e->kind == N_INDEX || e->kind == N_MEMBER ||
         e->kind == N_ARROW || e->kind == N_POSTFIX)
    e = e->a;
  return e->tok;
}

static void pauses(Unit *u, Node *e) {
  e->flags |= NF_PAUSE;
  u->body->npauses++;
}

// Notes the errors of a call.
static void may_throw(Unit *u, Node *e, Type *f) {
  // fm_all throws the errors of its tasks
  bool all = e->a->kind == N_IDENT && tok_is(u, e->a->tok, "fm_all") && e->b;
  Throws *set = all ? throws_of(u, e->b) : f->throws;
  if (!set && !all)
    return;
  e->flags |= NF_THROWS;
  note_thrown(u, set, first_token(e->a));
  u->body->nthrows++;
  // the call becomes a statement of its own, with a check after it
  pauses(u, e);
}

// Outside of bodies (in typeof, sizeof) the text is copied. There the atomic version stands for the
// function; if the function has no name, a pointer to a value of its type does.
static void edit_call(Unit *u, Node *e) {
  const Node *f = e->a;
  while (f->kind == N_PAREN)
    f = f->a;
  if (f->kind == N_IDENT && f->sym && f->sym->kind == S_FUNC)
    edit(u,
         (Range){ f->tok, f->tok + 1 },
         arena_printf(&u->arena, "%s__fm_atomic", f->sym->name->name));
  else
    edit(u,
         (Range){ first_token(e->a), e->end + 1 },
         arena_printf(&u->arena,
                      "(*(%s)0)",
                      type_spelled(u, type_pointer(u, e->type))));
}

// `async int (*f(int))(void)`: `async` belongs to the function that the result points to, as in a
// declaration of a pointer.
static void note_plain(Unit *u) {
  Type *t = u->body->func ? canon(u->body->func->type) : NULL;
  if (!t || t->kind != TY_FUNC || !async_target(t->base))
    return;
  note_at(
      u,
      u->body->func->tok,
      "`%s` is a plain function that returns a pointer to an async function; "
      "to make it async itself, give the pointer's type a name by `typedef`",
      u->body->func->name->name);
}

void check_async_call(Unit *u, Node *e, Type *f) {
  // spawn or run starts the call
  bool operand = first_token(e->a) == u->operand_at;
  if (f->is_async)
    e->flags |= NF_ASYNC;
  if (!operand)
    may_throw(u, e, f);
  if (!f->is_async || operand)
    return;
  if (u->body->atomic_depth) {
    e->flags |= NF_ATOMIC;
    // the call becomes a statement of its own: an unchecked error or a cancel may come
    if (!u->only_type)
      pauses(u, e);
  } else if (u->body->async) {
    pauses(u, e);
    if (!u->only_type && first_token(e->a) != u->await_at &&
        is_wanted(u, OWN_IMPLICIT_AWAIT, first_token(e->a)))
      warn_at(u,
              OWN_IMPLICIT_AWAIT,
              first_token(e->a),
              "this call may pause and is not marked with `await`");
  } else if (u->only_type) {
    if (!u->body->func)
      edit_call(u, e);
  } else if (u->body->func) {
    error_at(u,
             e->a->tok,
             "only async code can call an async function like this; here write "
             "`run`, `spawn detached` or `atomic` before the call, or make "
             "this function async");
    note_plain(u);
  } else {
    u->hold_errors = false;
    error_at(u,
             e->a->tok,
             "an async function cannot be called outside of functions");
  }
}

// The operand of spawn and run: a call that is started elsewhere, or (for run) a task.
Node *parse_operand(Unit *u) {
  TokIndex keep = u->operand_at;
  u->operand_at = u->p;
  Node *e = parse_cast(u);
  u->operand_at = keep;
  return e;
}

static bool begins_call(Node *e) {
  return e->kind == N_CALL && (e->flags & NF_ASYNC);
}

static Node *await_expr(Unit *u) {
  Node *n = node_new(u, N_AWAIT, u->p++);
  NEST(u);
  u->await_at = u->p;
  n->a = parse_cast(u);
  UNNEST(u);
  Type *t = canon(rvalue(u, n->a));
  // `await f(x)` is `f(x)`
  if (begins_call(n->a) && !(n->a->flags & NF_AWAITED)) {
    n->a->flags |= NF_AWAITED;
    witness_drop(u, n->tok);
    return n->a;
  }
  flags_up(n, n->a);
  bool held = t->kind == TY_TASK || t->kind == TY_JOB;
  if (!held && t->kind != TY_ERROR) {
    await_object(u, n);
    witness_await(u, n);
    return n;
  }
  n->type = held ? t->base : type_scalar(u, TY_ERROR);
  witness_await(u, n);
  note_thrown(u, throws_of(u, n->a), n->tok);
  if (u->body->atomic_depth)
    n->flags |= NF_ATOMIC;
  // in atomic code it cannot pause, but it may throw
  if (u->body->async || u->body->atomic_depth)
    pauses(u, n);
  else {
    error_at(u,
             n->tok,
             "`await` can be used only in an async function; here write `run` "
             "before the task");
    note_plain(u);
  }
  return n;
}

static bool is_activity(Node *e) {
  Type *t = canon(e->type);
  return t->kind == TY_ERROR ||
         (type_is_record(t) && t->tag->name &&
          strcmp(t->tag->name->name, "fm_activity") == 0);
}

static bool points_at(Node *e, const char *tag) {
  Type *t = canon(e->type);
  if (t->kind == TY_ERROR)
    return true;
  if (t->kind != TY_POINTER)
    return false;
  t = canon(t->base);
  return type_is_record(t) && t->tag->name &&
         strcmp(t->tag->name->name, tag) == 0;
}

bool is_pool(Node *e) {
  return points_at(e, "fm_pool");
}

bool is_group(Node *e) {
  return points_at(e, "fm_group");
}

// The place of the child: its parent in the tree (`in`), or its domain (`on`).
static void spawn_place(Unit *u, Node *n, unsigned flag) {
  TokIndex word = u->p;
  u->p += 2;
  n->b = parse_expr(u);
  rvalue(u, n->b);
  flags_up(n, n->b);
  if (flag == SPAWN_IN && !is_activity(n->b) && !is_group(n->b))
    error_at(
        u,
        first_token(n->b),
        "a value of type `%s` is not an activity; `fm_id` gives that of a task",
        type_text(u, n->b->type));
  if (flag == SPAWN_ON && !is_pool(n->b) && !points_at(n->b, "fm_domain"))
    error_at(u,
             first_token(n->b),
             "a value of type `%s` is neither a domain nor a pool: `spawn on` "
             "needs a `fm_domain "
             "*` or `fm_pool *`",
             type_text(u, n->b->type));
  expect(u,
         P_RPAREN,
         flag == SPAWN_IN ? "after the activity" : "after the domain");
  witness_place(u, word);
}

// With `on` another thread runs the activity: so it cannot run at once (`now`), be contained in an
// atomic of this domain, or have a parent here (`in`).
static void check_words(Unit *u, Node *n, unsigned how) {
  static const struct {
    unsigned flag;
    const char *why;
  } others[] = { { SPAWN_NOW,
                   "`spawn now on (…)`: an activity of another domain cannot "
                   "run here first" },
                 { SPAWN_CONTAINED,
                   "`spawn contained on (…)`: an atomic contains only "
                   "activities of its own domain" },
                 { SPAWN_IN,
                   "`spawn in (…) on (…)`: the parent of an activity in "
                   "another domain is the current "
                   "one, or none: `detached`" } };
  for (size_t i = 0; (how & SPAWN_ON) && i < 3; i++)
    if (how & others[i].flag)
      error_at(u, n->tok, "%s", others[i].why);
}

// If the program has declared the name `on`, `spawn on(x)` is a call, unless another call follows.
static bool is_on(Unit *u, TokIndex t) {
  TokenKind next = kind_at(u, skip_balanced(u, t + 1));
  return !tok_at(u, t)->id->sym || next == T_IDENT || next == P_STAR;
}

// `spawn now (f)(x)` starts f. But if the program has declared the name `now`, `spawn now(x)` calls
// that function.
static bool is_bare(Unit *u, TokIndex t) {
  if (kind_at(u, t + 1) != P_LPAREN || !tok_at(u, t)->id->sym)
    return true;
  return kind_at(u, skip_balanced(u, t + 1)) == P_LPAREN;
}

static unsigned spawn_words(Unit *u, Node *n) {
  static const struct {
    const char *word;
    unsigned flag;
    // clang-format off
  } words[] = {
    { "now", SPAWN_NOW },
    { "detached", SPAWN_DETACHED },
    { "contained", SPAWN_CONTAINED },
    { "in", SPAWN_IN },
    { "on", SPAWN_ON },
  };
  // clang-format on
  unsigned how = 0;
  for (size_t i = 0; i < 5; i++) {
    if (cur(u) != T_IDENT || !tok_is(u, u->p, words[i].word))
      continue;
    bool paren = words[i].flag == SPAWN_IN || words[i].flag == SPAWN_ON;
    if (paren ? kind_at(u, u->p + 1) != P_LPAREN : !is_bare(u, u->p))
      continue;
    if (words[i].flag == SPAWN_ON && !is_on(u, u->p))
      continue;
    how |= words[i].flag;
    if (paren)
      spawn_place(u, n, words[i].flag);
    else
      witness_drop(u, u->p++);
    i = (size_t)-1; // they may come in any order
  }
  refuse_spawn_word(u, u->p);
  check_words(u, n, how);
  return how;
}

static Node *spawn_expr(Unit *u) {
  Node *n = node_new(u, N_SPAWN, u->p++);
  n->op = (uint8_t)spawn_words(u, n);
  TokIndex operand = u->p;
  if (cur(u) == P_LBRACE)
    fail_at(u,
            n->tok,
            "`spawn` needs a call after it; `activate { … }` runs a block as "
            "an activity");
  if (cur(u) == P_SEMI)
    fail_argument(u, n->tok, n->tok, NEEDS_CALL);
  NEST(u);
  n->a = parse_operand(u);
  UNNEST(u);
  witness_begin(u, n->tok, operand, "fm__w_task()");
  bool job = canon(rvalue(u, n->a))->kind == TY_JOB;
  if (!begins_call(n->a) && !job)
    fail_argument(u, n->tok, n->tok, NEEDS_CALL);
  if (!begins_call(n->a) && !job)
    fail_at(u,
            n->tok,
            "`spawn` needs a call of an async function, or a job, after it%s",
            n->a->kind == N_CALL ? "; this function is a plain one" : "");
  if (!u->body->async && !(n->op & SPAWN_DETACHED))
    error_at(u,
             n->tok,
             "plain code has no activity that could be the parent: write "
             "`spawn detached`");
  if (!job)
    check_begun(u, n->tok, n->a);
  flags_up(n, job ? n->a : n->a->a);
  for (Node *a = job ? NULL : n->a->b; a; a = a->next)
    flags_up(n, a);
  n->type =
      type_new(u, TY_TASK, job ? canon(rvalue(u, n->a))->base : n->a->type);
  // if the child runs out of stack, its parent has to leave the stack as well
  if ((n->op & SPAWN_NOW) && u->body->async && !u->body->atomic_depth)
    pauses(u, n);
  return n;
}

static Node *run_expr(Unit *u) {
  Node *n = node_new(u, N_RUN, u->p++);
  NEST(u);
  n->a = parse_operand(u);
  UNNEST(u);
  Type *t = canon(rvalue(u, n->a));
  bool call = begins_call(n->a);
  if (u->body->async)
    error_at(u,
             n->tok,
             "`run` starts a scheduler; in async code call the function "
             "directly, or `await` the task");
  if (!call && t->kind != TY_TASK && t->kind != TY_JOB)
    fail_at(
        u,
        n->tok,
        "`run` needs a call of an async function, a task or a job after it");
  if (call)
    check_begun(u, n->tok, n->a);
  n->type = call ? n->a->type : t->base;
  if (call)
    witness_drop(u, n->tok);
  else
    witness_await(u, n);
  note_thrown(u, call ? call_throws(u, n->a) : throws_of(u, n->a), n->tok);
  pauses(u, n); // a check for an error follows it
  return n;
}

static Node *atomic_expr(Unit *u) {
  Node *n = node_new(u, N_ATOMIC_EXPR, u->p++);
  witness_drop(u, n->tok);
  u->body->atomic_depth++;
  NEST(u);
  n->a = parse_cast(u);
  UNNEST(u);
  u->body->atomic_depth--;
  n->end = u->p - 1;
  n->type = rvalue(u, n->a);
  flags_up(n, n->a);
  return n;
}

// "__fm_within" "(" milliseconds "," value "," what happens when it is late ")": fm_within
static Node *within_expr(Unit *u) {
  Node *n = node_new(u, N_WITHIN, u->p++);
  if (!u->body->async)
    fail_at(u, n->tok, ONLY_ASYNC, "fm_within");
  u->body->async->contained = true;
  u->body->natomics++;
  u->body->npauses++;
  expect(u, P_LPAREN, "after `fm_within`");
  n->a = parse_assign(u);
  expect(u, P_COMMA, "after the time limit");
  n->b = parse_assign(u);
  TokIndex late = u->p;
  expect(u, P_COMMA, "after the call that is limited");
  n->c = parse_assign(u);
  n->end = u->p;
  expect(u, P_RPAREN, "after the arguments of `fm_within`");
  n->type = rvalue(u, n->b);
  flags_up(n, n->b);
  n->flags |= NF_PAUSE;
  witness_within(u, n, late);
  return n;
}

Node *parse_dialect_expr(Unit *u, DialectWord w) {
  switch (w) {
  case W_AWAIT:
    return await_expr(u);
  case W_SPAWN:
    return spawn_expr(u);
  case W_RUN:
    return run_expr(u);
  case W_ATOMIC:
    return atomic_expr(u);
  case W_JOB:
    return job_expr(u);
  case W_THUNK:
    return thunk_expr(u);
  case W_WITHIN:
    return within_expr(u);
  default:
    return NULL;
  }
}

// ---- statements ----
static Node *yield_stmt(Unit *u) {
  Node *n = node_new(u, N_YIELD, u->p++);
  witness_yield(u, n->tok);
  size_t len;
  const char *text = tok_text(u, u->p, &len);
  if (cur(u) != P_SEMI && cur(u) != T_EOF)
    fail_at(u,
            u->p,
            "`yield` takes no value: expected `;` after it, found `%.*s`",
            (int)len,
            text);
  expect(u, P_SEMI, "after `yield`");
  if (!u->body->async && !u->body->atomic_depth) {
    error_at(u, n->tok, ONLY_ASYNC, "yield");
    note_plain(u);
  }
  if (u->body->async && !u->body->atomic_depth)
    pauses(u, n);
  return n;
}

static Node *atomic_stmt(Unit *u) {
  Node *n = node_new(u, N_ATOMIC, u->p++);
  witness_drop(u, n->tok);
  u->body->natomics++;
  u->body->atomic_depth++;
  n->a = parse_statement(u);
  u->body->atomic_depth--;
  n->end = u->p - 1;
  return n;
}

Node *parse_dialect_stmt(Unit *u, DialectWord w) {
  // clang-format off
  static Node *(*const parsers[W_COUNT])(Unit *) = {
    [W_ACTIVATE] = activate_stmt,
    [W_YIELD] = yield_stmt,
    [W_ATOMIC] = atomic_stmt,
    [W_THROW] = throw_stmt,
    [W_TRY] = try_stmt,
    [W_DEFER] = defer_stmt,
    [W_SHIELD] = shield_stmt,
    [W_SCOPE] = scope_stmt,
    [W_RACE] = race_stmt,
  };
  // clang-format on
  if (w == W_CATCH)
    refuse_stray_catch(u);
  return parsers[w] ? parsers[w](u) : NULL;
}
