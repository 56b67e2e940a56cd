// lower-stmt.c: lowers the statements of a function, and the pass `lower` itself, which makes
// Async.body from Async.tree. The control flow of the source stays where it can. Automatic yields
// (auto-yields.c) stand between full expressions.
//
// A function lower_x(L, s) puts the statements that s becomes into the list that is being made.
#include "lower/lowering.h"

// ---- lists of statements ----
// The printer may print several C statements for s, so that s needs braces.
static bool prints_as_several(const Node *s) {
  return s->kind == N_DECL || s->kind == N_PAUSE || s->kind == N_CODE ||
         s->kind == N_YIELD || s->kind == N_TAIL;
}

Node *lower_sub(Lower *L, Node *s) {
  Node *list = gather(L, lower_stmt, s);
  if (list && !list->next && !prints_as_several(list))
    return list;
  return block_of(L, list, s->tok, last_token(s));
}

enum { MAX_CLEANUPS = 16 };

// Stores the variables of the declaration s that have the cleanup attribute in list; returns their
// number. Before s is lowered, because that may split the declaration.
static int with_cleanup(Node *s, Decl **list) {
  int n = 0;
  for (Decl *d = s->kind == N_DECL ? s->decl : NULL; d; d = d->next)
    if (d->cleanup && n < MAX_CLEANUPS)
      list[n++] = d;
  return n;
}

void lower_list_of(Lower *L, Node *s) {
  for (Node *next; s; s = next) {
    next = s->next;
    s->next = NULL;
    Node *d = after_labels(s);
    // the rest of the block is the region of the defer
    if (d && d->kind == N_DEFER) {
      if (d != s)
        put_labels(L, s);
      lower_defer(L, d, next);
      return;
    }
    Decl *cleanups[MAX_CLEANUPS];
    int n = with_cleanup(s, cleanups);
    lower_stmt(L, s);
    if (n) {
      lower_cleanups(L, s, cleanups, n, next);
      return;
    }
  }
}

static void block_items(Lower *L, Node *s) {
  if (L->nest->group)
    lower_joined(L, s, L->nest->group, s->a);
  else
    lower_list_of(L, s->a);
}

static void lower_block(Lower *L, Node *s) {
  Nest here = {
    .outer = L->nest, .kind = NEST_BLOCK, .node = s, .group = s->group
  };
  L->nest = &here;
  s->a = gather(L, block_items, s);
  L->nest = here.outer;
  put_stmt(L, s);
}

// ---- expressions as statements ----
static bool yields_after(const Node *call) {
  return pauses_there(call) && !never_returns(call);
}

// A call that pauses returns no value yet: a variable that others can see gets its value only when
// the call has ended.
static bool is_own(const Node *e) {
  const Local *k = e->kind == N_IDENT && e->sym ? e->sym->local : NULL;
  return k && !k->captured && !k->addressed;
}

// e is x = f(…), x is a local variable, and the result needs no conversion.
static bool assigns_directly(Lower *L, const Node *e) {
  if (e->kind != N_ASSIGN || e->op != P_ASSIGN || !is_pause_call(e->b))
    return false;
  bool object = e->b->kind == N_AWAIT && e->b->object;
  return !object && is_own(e->a) &&
         type_compatible(L->u, e->a->type, e->b->type);
}

// Puts an expression statement that contains no pause.
static void put_without_pause(Lower *L, Node *s) {
  lower_inside(L, s->a);
  Node *e = without_parentheses(s->a);
  if (e->kind == N_ATOMIC_EXPR && !type_is_void(e->type) &&
      s->op != EXPR_WANTED)
    s->a = to_void(L, e);
  put_stmt(L, s);
}

static void lower_expression(Lower *L, Node *s) {
  Node *e = s->a;
  if (!has_pause(e)) {
    put_without_pause(L, s);
    return;
  }
  // not if errors are handled in this function: the handler has to see x as it was before
  if (assigns_directly(L, e) && !landing_here(L)) {
    bool yields = yields_after(e->b);
    lower_parts(L, e->b);
    // nothing follows in this full expression, so the check after the call is the automatic yield
    Node *pause = pause_here(L, e->a, e->b);
    pause->op = yields ? PAUSE_YIELDS : 0;
    return;
  }
  Node *bare = without_parentheses(e);
  put_effect(L, e);
  if (L->last && L->last->kind == N_PAUSE && L->last->b == bare)
    L->last->op = yields_after(bare) ? PAUSE_YIELDS : 0;
}

static void lower_expr_stmt(Lower *L, Node *s) {
  bool called = calls(s->a);
  size_t temps = L->a->temps_used;
  yield_around(L, s->a, s->tok);
  lower_expression(L, s);
  if (called && L->a->auto_yield)
    put_auto_after(L, s->tok);
  L->a->temps_used = temps;
}

// ---- declarations ----
// The length of an array contains a pause.
static bool length_pauses(Decl *d) {
  for (Type *t = d->type; t && d->name; t = t->base)
    if (t->kind == TY_ARRAY && has_pause(t->len_expr))
      return true;
  return false;
}

static void put_decl(Lower *L, Node *s, Decl *d) {
  Node *n = node_new(L->u, N_DECL, s->tok);
  n->decl = d;
  n->end = s->end;
  put_stmt(L, n);
}

// int x = f(&x) + 1: the call of f becomes a statement before this declaration, and has to see x.
// So x is declared before the call, without a value.
static void declare_ahead(Lower *L, Node *s, Decl *d) {
  Decl *first = NEW(&L->u->arena, Decl);
  *first = *d;
  first->init = NULL;
  d->ahead = true;
  put_decl(L, s, first);
}

static bool declaration_pauses(Decl *d) {
  for (; d; d = d->next)
    if (has_pause(d->init) || length_pauses(d))
      return true;
  return false;
}

static void lower_declarator(Lower *L, Node *s, Decl *d) {
  if (d->name)
    lower_lengths(L, d->type);
  if (has_pause(d->init) && d->names_itself && !d->specs->auto_type)
    declare_ahead(L, s, d);
  if (d->init)
    d->init = lower_expr(L, d->init);
  put_decl(L, s, d);
}

// A declaration with a pause becomes a declaration for each declarator, in order.
static void lower_declaration(Lower *L, Node *s) {
  if (!declaration_pauses(s->decl)) {
    for (Decl *d = s->decl; d; d = d->next)
      lower_inside(L, d->init);
    put_stmt(L, s);
    return;
  }
  for (Decl *d = s->decl, *next; d; d = next) {
    next = d->next;
    d->next = NULL;
    lower_declarator(L, s, d);
  }
}

// A variably modified type is declared, whose lengths may be temporaries that are read later.
static bool vm_declared(Decl *d) {
  for (; d; d = d->next)
    if (d->type && type_is_vm(d->type))
      return true;
  return false;
}

static bool declaration_calls(Decl *d) {
  for (; d; d = d->next)
    if (calls(d->init) && d->specs->storage != ST_STATIC)
      return true;
  return false;
}

static void lower_decl(Lower *L, Node *s) {
  bool yields = L->a->auto_yield && declaration_calls(s->decl);
  size_t temps = L->a->temps_used;
  if (yields)
    put_auto(L, s->tok);
  lower_declaration(L, s);
  if (yields)
    put_auto_after(L, s->tok);
  if (!vm_declared(s->decl))
    L->a->temps_used = temps;
}

// ---- if ----
// As lower_sub(), for a branch of an `if`. called: the condition calls, so that an automatic yield
// comes first.
static Node *sub_after(Lower *L, Node *s, bool called) {
  if (!called || !L->a->auto_yield || in_atomic(L))
    return lower_sub(L, s);
  Opened o;
  open_list(L, &o);
  put_auto(L, s->tok);
  lower_stmt(L, s);
  return block_of(L, close_list(L, &o), s->tok, last_token(s));
}

// Returns the condition without needless parentheses: if a temporary has replaced a call in a
// comparison, C compilers take parentheses around it for a mistake.
static Node *condition_of_if(Node *e) {
  Node *inner = without_parentheses(e);
  return is_comparison(inner) && (inner->flags & NF_WAS_PAUSE) ? inner : e;
}

static void lower_if(Lower *L, Node *s) {
  bool called = calls(s->a) && L->a->auto_yield;
  size_t temps = L->a->temps_used;
  yield_around(L, s->a, s->tok);
  s->a = condition_of_if(lower_expr(L, s->a));
  if (called && yield_after_condition(L, s))
    called = false;
  L->a->temps_used = temps;
  s->b = sub_after(L, s->b, called);
  if (s->c)
    s->c = sub_after(L, s->c, called);
  put_stmt(L, s);
  if (called)
    put_auto(L, last_token(s));
}

// ---- other statements ----
static void lower_label(Lower *L, Node *s) {
  Node *body = after_labels(s);
  put_labels(L, s);
  if (body)
    lower_stmt(L, body);
}

static void lower_activate(Lower *L, Node *s) {
  Async *body = inner_async(L->a, s->decl);
  if (body)
    lower_async(body);
  if (s->b)
    s->b = lower_expr(L, s->b);
  put_stmt(L, s);
}

static void lower_asm(Lower *L, Node *s) {
  for (Node *o = s->asm_->operands; o; o = o->next)
    o->a = lower_expr(L, o->a);
  put_stmt(L, s);
}

static void lower_yield(Lower *L, Node *s) {
  if (s->flags & NF_PAUSE) {
    s->val = new_state(L->a, s->tok, WHY_YIELD);
    s->d = landing(L, s->tok);
    if (s->d)
      L->a->states[s->val].landing = s->d->name;
  }
  if (meets_cancels(L))
    put_wait(L, "fm__atomic_checkpoint", s->tok, NULL, WHY_THROW);
  else
    put_stmt(L, s);
}

// A defer that is not in a block has no statements after it.
static void lower_last_defer(Lower *L, Node *s) {
  lower_defer(L, s, NULL);
}

// The function that lowers each kind of statement. Other kinds stay as they are.
// clang-format off
static const Filler lowerers[N_PART + 1] = {
  [N_ACTIVATE] = lower_activate,
  [N_ASM] = lower_asm,
  [N_ATOMIC] = lower_atomic,
  [N_BREAK] = lower_jump,
  [N_CASE] = lower_label,
  [N_COMPOUND] = lower_block,
  [N_CONTINUE] = lower_jump,
  [N_DECL] = lower_decl,
  [N_DEFAULT] = lower_label,
  [N_DEFER] = lower_last_defer,
  [N_DO] = lower_while,
  [N_EXPR] = lower_expr_stmt,
  [N_FOR] = lower_for,
  [N_GOTO] = lower_goto,
  [N_GOTO_COMPUTED] = lower_computed_goto,
  [N_IF] = lower_if,
  [N_LABEL] = lower_label,
  [N_RACE] = lower_race,
  [N_RETURN] = lower_return,
  [N_SCOPE] = lower_scope,
  [N_SHIELD] = lower_shield,
  [N_SWITCH] = lower_switch,
  [N_THROW] = lower_throw,
  [N_TRY] = lower_try,
  [N_WHILE] = lower_while,
  [N_YIELD] = lower_yield,
};
// clang-format on

void lower_stmt(Lower *L, Node *s) {
  Filler lower = lowerers[s->kind];
  if (lower)
    lower(L, s);
  else
    put_stmt(L, s);
}

// ---- functions ----
// A function that never pauses (Async.still) has no automatic yields.
static void drop_yields(Async *a) {
  if (a->still)
    a->auto_yield = a->loop_yield = false;
}

// Sets Symbol.steady if the function neither throws nor meets a cancel. Not for a weak function:
// another definition may replace it.
static void note_steady(Async *a) {
  Symbol *f = a->decl->sym;
  if (!f || f->kind != S_FUNC || a->up || a->boundary)
    return;
  f->steady = !a->throws_inside && !a->type->throws && !a->inner.len &&
              !has_attribute(a->u, f, "weak");
}

void lower_async(Async *a) {
  Node *body = a->tree;
  Lower L = {
    .u = a->u,
    .a = a,
    .returned = a->type->base,
  };
  a->text = (Range){ body->tok,
                     body->kind == N_COMPOUND ? body->end + 1 : body->tok };
  drop_yields(a);
  new_state(a, body->tok, WHY_START); // state 0 is the beginning
  find_groups(a, body, NULL);
  find_labels(&L, body);
  find_taken_labels(&L, body);
  a->body = gather(&L, lower_stmt, body);
  note_steady(a);
  if (a->nstates < UINT16_MAX) // the runtime uses two more numbers
    return;
  error_at(
      a->u,
      a->decl->tok,
      "this function has more than %d places at which it can pause: split it",
      UINT16_MAX - 2);
  a->body = NULL;
}

// Returns the lowered body of a plain function that uses the dialect.
static Node *lower_plain(Async *a) {
  Node *body = a->tree;
  Lower L = {
    .u = a->u,
    .a = a,
    .returned = a->type->base,
    .plain = true,
  };
  find_labels(&L, body);
  find_taken_labels(&L, body);
  if (a->decl->specs->is_atomic) { // the whole body is an atomic
    Node *n = make_node(&L, N_ATOMIC, body->tok, body, NULL);
    n->end = body->end;
    body = block_of(&L, n, body->tok, body->end);
  }
  return gather(&L, lower_stmt, body);
}

static void lower_jobs(Async *owner) {
  FOR_EACH (Async, body, owner->jobs) {
    lower_async(body);
  }
}

void lower_unit(Unit *u) {
  for (Item *it = u->items; it; it = it->next) {
    Async *a = it->async ? it->async : it->plain;
    if (!a || it->failed)
      continue;
    u->external = it->external;
    lower_jobs(a);
    if (it->async)
      lower_async(a);
    else
      it->tree = lower_plain(a);
  }
}
