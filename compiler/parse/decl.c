// decl.c: declarations.
//
//     declaration = specs [ declarator [ asm ] [ attributes ] [ "=" initializer ] { "," … } ] ";"
//                 | specs declarator { old-style parameter declarations } "{" …
//
// The caller reads the body of a function. specs.c reads the specifiers.
#include "fmcc.h"

// The type of a typedef with an alignment of its own.
static Type *typedef_type(Unit *u, Decl *d, uint32_t align) {
  if (!align)
    return d->type;
  Type *t = type_sugar(u, TY_TYPEDEF, d->type);
  *t = *d->type;
  t->align = align;
  if (d->type->canon == d->type)
    t->canon = t;
  return t;
}

// typedef struct { … } T;
static void name_the_nameless(Decl *d) {
  Type *t = canon(d->type);
  bool tagged =
      t->kind == TY_STRUCT || t->kind == TY_UNION || t->kind == TY_ENUM;
  if (tagged && !t->quals && !t->tag->typedef_sym)
    t->tag->typedef_sym = d->sym;
}

// struct { … } x; at file scope
static void settle_the_nameless(Decl *d) {
  Tag *g = canon(d->specs->base)->tag;
  if (g && !g->name && !g->home_sym)
    g->home_sym = d->sym;
}

static void
disagree(Unit *u, Decl *d, Symbol *old, const char *here, const char *before) {
  u->hold_errors = false;
  error_at(u, d->tok, "`%s` is declared %s here", d->name->name, here);
  note_at(u, old->tok, "`%s` is declared %s before", d->name->name, before);
}

// Reports errors that the C compiler would report about generated names.
static void check_again(Unit *u, Decl *d, SymKind kind, Symbol *old) {
  // clang-format off
  static const char *const kinds[] = {
    [S_VAR] = "as a variable",
    [S_FUNC] = "as a function",
    [S_TYPEDEF] = "as a type",
    [S_ENUMCONST] = "as a constant",
  };
  // clang-format on
  bool async = canon(d->type)->is_async;
  bool was_async = canon(old->type)->is_async;
  if (old->kind != kind && (async || was_async) && old->kind < COUNT(kinds) &&
      kinds[old->kind])
    disagree(u, d, old, kinds[kind], kinds[old->kind]);
  else if (kind == S_FUNC && async && was_async &&
           d->specs->storage == ST_STATIC && old->storage != ST_STATIC)
    disagree(u, d, old, "static", "without `static`");
}

static void disagree_on_type(Unit *u, Decl *d, Symbol *old) {
  const char *name = d->name->name;
  u->hold_errors = false;
  error_at(
      u, d->tok, "`%s` is declared as `%s` here", name, type_text(u, d->type));
  note_at(u,
          old->tok,
          "`%s` is declared as `%s` before",
          name,
          type_text(u, old->type));
}

static const char *throws_words(Unit *u, const Type *f) {
  const char *text = throws_text(u, f->throws);
  return *text ? text : " without `throws`";
}

static void disagree_on_throws(Unit *u, Decl *d, Symbol *old) {
  const char *name = d->name->name;
  u->hold_errors = false;
  error_at(u,
           d->tok,
           "`%s` is declared%s here",
           name,
           throws_words(u, canon(d->type)));
  note_at(u,
          old->tok,
          "`%s` is declared%s before",
          name,
          throws_words(u, canon(old->type)));
}

// A function is declared again. The C compiler sees only descriptors, so it cannot compare async
// and throws.
static void check_same_function(Unit *u, Decl *d, Symbol *old) {
  Type *now = canon(d->type);
  Type *before = canon(old->type);
  bool known = before->kind == TY_FUNC;
  if (known && before->is_async != now->is_async)
    disagree(u,
             d,
             old,
             now->is_async ? "async" : "as a plain function",
             now->is_async ? "as a plain function" : "async");
  else if (now->is_async && !type_compatible(u, old->type, d->type))
    disagree_on_type(u, d, old);
  if (known && !throws_equal(before->throws, now->throws))
    disagree_on_throws(u, d, old);
}

static Type *joined_type(Unit *u, Decl *d, SymKind kind, Symbol *old) {
  bool fits = type_compatible(u, old->type, d->type);
  if (kind == S_TYPEDEF)
    return fits ? old->type : d->type;
  if (fits)
    return type_composite(u, d->type, old->type);
  // clang has overloaded functions
  bool overloaded = kind == S_FUNC && u->opt.clang;
  return overloaded ? type_scalar(u, TY_ERROR) : d->type;
}

// The same object or function is declared again: its type is the composite type.
static Symbol *redeclare(Unit *u, Decl *d, SymKind kind) {
  Symbol *old = d->name->sym;
  if (!in_this_scope(u, old))
    return NULL;
  check_again(u, d, kind, old);
  if (old->kind != kind)
    return NULL;
  old->own |= !(tok_at(u, d->tok)->flags & TF_SYSTEM);
  if (canon(old->type)->kind == TY_ERROR)
    return old;
  if (kind == S_FUNC)
    check_same_function(u, d, old);
  old->type = joined_type(u, d, kind, old);
  return old;
}

// The attributes of a function: those of this declaration, and those of all its declarations.
// Several declarators may share the specifiers, so their attributes are copied.
static void gather_attributes(Unit *u, Decl *d, AttrUse *own) {
  AttrUse **end = &d->uses;
  AttrUse *lists[] = { d->specs->uses, own };
  for (int i = 0; i < 2; i++)
    for (AttrUse *k = lists[i]; k; k = k->next) {
      AttrUse *copy = NEW(&u->arena, AttrUse);
      AttrUse *again = NEW(&u->arena, AttrUse);
      *copy = *again = *k;
      copy->next = NULL;
      *end = copy;
      end = &copy->next;
      again->next = d->sym->uses;
      d->sym->uses = again;
    }
  if (canon(d->type)->is_async)
    check_async_attributes(u, d);
}

// cleanup(f): f is called with the address of the variable when the block is left, as by a `defer`.
static void note_cleanup(Unit *u, Decl *d, TokIndex name) {
  if (!name || !tok_at(u, name)->id)
    return;
  d->cleanup = tok_at(u, name)->id->sym;
  Type *f = d->cleanup ? canon(d->cleanup->type) : NULL;
  if (!f || f->kind != TY_FUNC)
    return;
  // the call at the end of the block may pause
  if (f->is_async)
    u->body->npauses++;
  if (f->is_async && !u->body->async)
    error_at(u,
             name,
             "`%s` is async: it can clean up only in an async function",
             d->cleanup->name->name);
  if (u->body->whole->nested && f->throws)
    error_at(u,
             name,
             "`%s` throws: it cannot clean up in a nested function",
             d->cleanup->name->name);
  u->body->natomics++;
  note_thrown(u, f->throws, d->tok);
}

static SymKind declared_kind(const Decl *d) {
  if (d->specs->storage == ST_TYPEDEF)
    return S_TYPEDEF;
  return canon(d->type)->kind == TY_FUNC ? S_FUNC : S_VAR;
}

static uint32_t larger(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

// Adds the properties of this declaration to those of the earlier ones.
static void add_to_symbol(Decl *d, SymKind kind, const Attrs *at) {
  Specs *s = d->specs;
  // a function that was declared static stays static
  bool stays = kind == S_FUNC && d->sym->storage == ST_STATIC;
  if ((s->storage != ST_NONE || !d->sym->storage) && !stays)
    d->sym->storage = s->storage;
  d->sym->outside |= !s->is_inline || s->storage == ST_EXTERN;
  d->sym->thread_local_ |= s->thread_local_;
  d->sym->noreturn |= kind == S_FUNC && (s->is_noreturn || at->noreturn);
}

static void declare_async(Unit *u, Decl *d) {
  if (u->body->func && (cur(u) != P_LBRACE || !u->body->async))
    error_at(u,
             d->tok,
             "an async function has to be declared outside of functions: move "
             "this to "
             "file scope");
  // the generated main starts the user's
  if (strcmp(d->name->name, "main") == 0)
    d->sym->emitted = "fm__user_main";
  else if (is_library_function(u, d->name))
    d->sym->emitted = arena_printf(&u->arena, "%s__fm_fn", d->name->name);
}

// Notes pointers to functions that throw, also those declared by typeof.
static void note_throwing(Unit *u, Decl *d, SymKind kind) {
  Type *t = canon(d->type);
  if (kind == S_TYPEDEF && t->kind == TY_FUNC && t->throws)
    u->throwing_pointers = true;
  if (kind != S_VAR)
    return;
  for (; t->kind == TY_POINTER || t->kind == TY_ARRAY; t = canon(t->base))
    u->throwing_pointers |=
        canon(t->base)->kind == TY_FUNC && canon(t->base)->throws;
}

// A variable in the body of an async function.
static void declare_local(Unit *u, Decl *d, SymKind kind, uint32_t align) {
  Specs *s = d->specs;
  bool is_static = s->storage == ST_STATIC;
  bool kept = kind == S_VAR && !is_static && s->storage != ST_EXTERN;
  if (!kept && (kind == S_TYPEDEF || (kind == S_VAR && is_static)))
    hoist_decl(u, d);
  else if (!kept)
    note_hidden(u, d->sym);
  if (kept && !d->sym->local)
    new_local(u, d->sym)->scope_from = s->range.from;
  if (d->cleanup && d->sym->local)
    note_address_of(d->sym->local);
  if (!kept)
    return;
  d->sym->local->decl = d;
  d->sym->local->align = align;
}

static void declare_one(Unit *u, Decl *d, const Attrs *at) {
  Specs *s = d->specs;
  SymKind kind = declared_kind(d);
  uint32_t align = larger(at->align, s->attr_align);
  if (kind == S_TYPEDEF)
    d->type = typedef_type(u, d, align);
  d->sym = redeclare(u, d, kind);
  if (!d->sym)
    d->sym = declare(u, kind, d->name, d->type, d->tok);
  add_to_symbol(d, kind, at);
  if (kind == S_FUNC)
    gather_attributes(u, d, at->uses);
  if (s->is_noreturn || at->noreturn)
    hide_noreturn(u, d->type, (Range){ s->range.from, d->post.to });
  if (kind == S_FUNC && canon(d->type)->is_async)
    declare_async(u, d);
  if (kind == S_TYPEDEF)
    name_the_nameless(d);
  if (kind == S_VAR && d->sym->depth == 0)
    settle_the_nameless(d);
  note_throwing(u, d, kind);
  note_cleanup(u, d, at->cleanup ? at->cleanup : s->cleanup);
  if (u->body->async)
    declare_local(u, d, kind, align);
}

static void after_declarator(Unit *u, Decl *d, Attrs *at) {
  TokIndex from = u->p;
  for (;;) {
    if (parse_attributes(u, at))
      continue;
    if (cur(u) != K_ASM)
      break;
    u->p++;
    if (cur(u) != P_LPAREN)
      expect(u, P_LPAREN, "after `asm`");
    d->label.from = u->p + 1;
    u->p = skip_balanced(u, u->p);
    d->label.to = u->p - 1;
  }
  d->post = (Range){ from, u->p };
  d->type = apply_attributes(u, d->type, at);
  if (at->transparent && canon(d->type)->kind == TY_UNION)
    canon(d->type)->tag->transparent = true;
}

// Tasks that a variable gets as its value, also in brace lists.
static void give_inits(Unit *u, Node *init, Type *t, Symbol *into) {
  if (init->kind != N_INIT_LIST) {
    give_throws(u, init, t, into);
    return;
  }
  for (Node *k = init->a; k; k = k->next)
    if (k->kind == N_INIT ? k->a != NULL : k->type != NULL)
      give_inits(u, k->kind == N_INIT ? k->a : k, t, into);
}

static bool names(Unit *u, Range r, const Ident *name) {
  for (TokIndex t = r.from; t < r.to; t++) {
    bool member =
        t > 0 && (kind_at(u, t - 1) == P_DOT || kind_at(u, t - 1) == P_ARROW);
    if (kind_at(u, t) == T_IDENT && tok_at(u, t)->id == name && !member)
      return true;
  }
  return false;
}

// A value in the initialiser that is not constant, because an array length in it is variable.
static Node *variable_length(Node *init) {
  if (init->kind == N_INIT)
    return variable_length(init->a);
  if (init->kind != N_INIT_LIST)
    return (init->flags & NF_VM) && !(init->flags & NF_CONST) ? init : NULL;
  Node *found = NULL;
  for (Node *k = init->a; k && !found; k = k->next)
    found = variable_length(k);
  return found;
}

// from: the first token of the initialiser.
static void check_static(Unit *u, Decl *d, TokIndex from) {
  if (d->init->flags & NF_PAUSE)
    error_at(u,
             first_token(d->init),
             "a static variable is initialised before the program runs: its "
             "value cannot pause");
  Node *length = u->body->async ? variable_length(d->init) : NULL;
  if (length)
    error_at(u,
             first_token(length),
             "a static variable is initialised before the program runs: this "
             "length is not known then");
  if (u->body->async && u->body->async->label_at >= from)
    error_at(u,
             u->body->async->label_at,
             "a static variable of an async function cannot hold the address "
             "of a label, because the function becomes several C functions: "
             "leave out `static`");
}

static void initialise(Unit *u, Decl *d) {
  if (cur(u) != P_ASSIGN && d->specs->auto_type)
    error_at(u,
             d->tok,
             "`auto` needs a value from which the type of `%s` can be inferred",
             d->name->name);
  if (!accept(u, P_ASSIGN))
    return;
  TokIndex from = u->p;
  bool given = u->body->whole->strict && is_library_argument(d->name);
  if (given && cur(u) == P_SEMI)
    fail_argument(u, u->p, d->tok, "too few arguments to");
  d->init = parse_initializer(u);
  if (given && cur(u) == P_COMMA)
    fail_argument(u, u->p + 1, d->tok, "too many arguments to");
  if (d->specs->storage == ST_STATIC)
    check_static(u, d, from);
  // with `auto` the value cannot name the variable
  d->names_itself =
      !d->specs->auto_type && names(u, (Range){ from, u->p }, d->name);
  if (d->specs->auto_type && d->init->type)
    d->type = d->sym->type = rvalue(u, d->init);
  if (!d->specs->auto_type)
    (given ? check_given : check_convert)(u, d->init, d->type);
  if (given)
    check_given_list(u, d->init, d->type);
  if (d->init->kind == N_INIT_LIST)
    check_initializer(u, d->type, d->init, OF_VARIABLE);
  give_inits(u, d->init, d->type, d->sym);
  Type *t = init_complete(u, d->type, d->init);
  if (t != d->type)
    d->sym->type = t;
}

static void check_atomic(Unit *u, const Declarator *d) {
  if (canon(d->type)->kind == TY_FUNC)
    return;
  u->hold_errors = false;
  error_at(u,
           d->tok,
           "`atomic` applies to functions, and this declares none; an atomic "
           "variable is `_Atomic`");
}

// `char *__attribute__((noinline)) f(void)`: the attributes belong to the
// function, not to the type that it returns.
static AttrUse *take_pointer_attributes(Type *f) {
  AttrUse *uses = NULL;
  if (canon(f)->kind != TY_FUNC || !canon(f)->is_async)
    return NULL;
  for (Type *t = f->base; t && t->kind == TY_POINTER; t = t->base) {
    uses = join_uses(t->uses, uses);
    t->uses = NULL;
    t->attrs = (Range){ 0 };
  }
  return uses;
}

static Decl *one_declarator(Unit *u, Specs *s, Attrs *first) {
  Decl *d = NEW(&u->arena, Decl);
  Declarator r;
  Attrs at = *first;
  d->specs = s;
  parse_declarator(u, s->base, &r, NAME_REQUIRED);
  if (s->is_async)
    mark_async(u, &r, s->base);
  if (s->is_async && !u->body->async)
    name_definition(u, s, r.name);
  if (s->is_atomic)
    check_atomic(u, &r);
  if (s->is_async && (s->storage == ST_TYPEDEF || !canon(r.type)->is_async))
    edit_declarator(u, s, &r);
  d->type = d->written = r.type;
  d->name = r.name;
  d->tok = r.tok;
  d->range = r.range;
  if (s->is_direct)
    split_direct(u, d);
  d->pre = first->range;
  if (r.attrs.align > at.align)
    at.align = r.attrs.align;
  at.noreturn |= r.attrs.noreturn;
  at.uses = join_uses(take_pointer_attributes(d->type),
                      join_uses(r.attrs.uses, at.uses));
  after_declarator(u, d, &at);
  declare_one(u, d, &at);
  return d;
}

Decl *parse_one_declarator(Unit *u) {
  Attrs at = { 0 };
  Specs *s = parse_specs(u);
  parse_attributes(u, &at);
  return one_declarator(u, s, &at);
}

// The declarations between an old-style function's parentheses and its body.
static void old_style_params(Unit *u, Type *f) {
  scope_enter(u);
  while (cur(u) != P_LBRACE) {
    Specs *s = parse_specs(u);
    while (cur(u) != P_SEMI) {
      Declarator d;
      parse_declarator(u, s->base, &d, NAME_REQUIRED);
      skip_attributes(u);
      for (Param *p = f->params; p; p = p->next) {
        if (p->name != d.name)
          continue;
        p->written = d.type;
        p->type = param_adjust(u, d.type);
        declare(u, S_VAR, p->name, p->type, d.tok);
      }
      if (!accept(u, P_COMMA))
        break;
    }
    expect(u, P_SEMI, "after this parameter's declaration");
  }
  scope_leave(u);
}

static bool starts_body(Unit *u, Decl *d) {
  if (canon(d->type)->kind != TY_FUNC || d->specs->storage == ST_TYPEDEF)
    return false;
  if (cur(u) == P_LBRACE)
    return true;
  bool old = canon(d->type)->oldstyle && canon(d->type)->params &&
             starts_type(u, u->p);
  if (old)
    old_style_params(u, d->type);
  return old;
}

static Node *declarators(Unit *u, Specs *s, TokIndex from) {
  Node *n = node_new(u, N_DECL, from);
  Decl **tail = &n->decl;
  do {
    Attrs at = { 0 };
    parse_attributes(u, &at);
    Decl *d = *tail = one_declarator(u, s, &at);
    if (d == n->decl && starts_body(u, d)) {
      n->kind = N_NESTED_FUNC;
      return n;
    }
    initialise(u, d);
    if (s->auto_type && cur(u) == P_COMMA)
      witness_instead(u, u->p, u->p + 1, "; __auto_type");
    tail = &d->next;
  } while (accept(u, P_COMMA));
  n->end = u->p;
  expect(u, P_SEMI, "after this declaration");
  return n;
}

Node *parse_static_assert(Unit *u) {
  Node *n = node_new(u, N_STATIC_ASSERT, u->p++);
  expect(u, P_LPAREN, "after `_Static_assert`");
  n->a = parse_fixed(u);
  if (accept(u, P_COMMA))
    n->b = parse_expr(u);
  expect(u, P_RPAREN, "to close `_Static_assert`");
  n->end = u->p;
  expect(u, P_SEMI, "after `_Static_assert (…)`");
  return n;
}

Node *parse_declaration(Unit *u) {
  TokIndex from = u->p;
  size_t mark = u->body->whole->mentions.len;
  if (cur(u) == K_STATIC_ASSERT ||
      (cur(u) == K_EXTENSION && kind_at(u, u->p + 1) == K_STATIC_ASSERT)) {
    accept(u, K_EXTENSION);
    return parse_static_assert(u);
  }
  Specs *s = parse_specs(u);
  bool hoisted =
      u->body->async && (s->storage == ST_STATIC || s->storage == ST_TYPEDEF);
  if (cur(u) != P_SEMI) {
    Node *n = declarators(u, s, from);
    if (hoisted)
      detach(u, mark, from);
    return n;
  }
  Node *n =
      node_new(u, N_DECL, from); // a declaration of a tag, or an empty one
  n->decl = NEW(&u->arena, Decl);
  n->decl->specs = s;
  n->end = u->p++;
  return n;
}
