// declarator.c: declarators, parameters and type names.
//
//     declarator = { "*" { qualifier | attribute } } direct
//     direct     = ( name | "(" [ attributes ] declarator ")" | nothing )
//                  { "[" … "]" | "(" parameters ")" }
//
// The brackets after a parenthesised declarator belong to the type inside the parentheses, so they
// are read first; the inside is then read once, with the finished type.
#include "fmcc.h"

Type *param_adjust(Unit *u, Type *t) {
  Type *c = canon(t);
  if (c->kind == TY_FUNC)
    return type_pointer(u, t);
  if (c->kind != TY_ARRAY)
    return t;
  return type_qualify(u, type_pointer(u, c->base), c->array_quals);
}

// ---- pointers ----
static unsigned one_qualifier(TokenKind k) {
  return k == K_CONST      ? Q_CONST
         : k == K_VOLATILE ? Q_VOLATILE
         : k == K_RESTRICT ? Q_RESTRICT
         : k == K_ATOMIC   ? Q_ATOMIC
                           : 0;
}

static Type *pointers(Unit *u, Type *t) {
  while (accept(u, P_STAR)) {
    t = type_pointer(u, t);
    unsigned quals = 0;
    Attrs at = { 0 };
    for (;; u->p++) {
      if (parse_attributes(u, &at))
        u->p--;
      else if (one_qualifier(cur(u)))
        quals |= one_qualifier(cur(u));
      else if (cur(u) != K_NULLABILITY && cur(u) != K_ADDRSPACE)
        break;
    }
    t->attrs = at.range;
    t->uses = at.uses;
    t = type_qualify(u, t, quals);
  }
  return t;
}

// ---- arrays ----
static void set_length(Unit *u, Type *t, Node *e) {
  t->len_expr = e;
  if (e->flags & NF_CONST)
    t->len = e->val < 0 ? -1 : e->val;
  else if (u->scope_depth > 0)
    t->vla = true; // at file scope: a constant that fmcc cannot fold
}

static Type *array_suffix(Unit *u, Type *base) {
  Type *t = type_array(u, base, -1);
  for (;; u->p++) {
    if (cur(u) == K_STATIC)
      t->is_static = true;
    else if (one_qualifier(cur(u)))
      t->array_quals |= (uint8_t)one_qualifier(cur(u));
    else if (cur(u) == K_ATTRIBUTE) {
      skip_attributes(u);
      u->p--;
    } else
      break;
  }
  if (accept(u, P_RBRACKET)) {
    t->incomplete = true;
    return t;
  }
  if (cur(u) == P_STAR && kind_at(u, u->p + 1) == P_RBRACKET) {
    u->p += 2;
    t->star = t->vla = true;
    return t;
  }
  set_length(u, t, parse_assign(u));
  expect(u, P_RBRACKET, "after the array's length");
  return t;
}

// `a[2][3]`: the suffixes after the first make the element type of the first.
static Type *suffixes(Unit *u, Type *base);

// Skips attributes between two suffixes. Attributes after the last suffix belong to the declarator.
static bool more_suffixes(Unit *u) {
  TokIndex back = u->p;
  skip_attributes(u);
  if (cur(u) == P_LPAREN || cur(u) == P_LBRACKET)
    return true;
  u->p = back;
  return false;
}

static Type *array_and_more(Unit *u, Type *base) {
  TokIndex open = u->p - 1;
  TokIndex after = skip_balanced(u, open);
  TokIndex inside = u->p;
  u->p = after;
  Type *element = more_suffixes(u) ? suffixes(u, base) : base;
  after = u->p;
  u->p = inside;
  Type *t = array_suffix(u, element);
  u->p = after;
  return t;
}

// ---- parameters ----
// An async function as a parameter becomes a pointer to it. The C compiler sees a descriptor, not a
// function, so it would not do that.
static void adjust_async(Unit *u, Specs *s, Declarator *d) {
  if (canon(d->type)->kind != TY_FUNC || !canon(d->type)->is_async)
    return;
  d->type = type_pointer(u, d->type);
  // the type is a typedef name
  if (!s->is_async)
    edit(u, s->range, "const fm_fn *");
}

typedef enum {
  OF_PARAMETER,
  OF_TYPE_NAME,
} Declared;

// The declarator of a parameter or of a type name, which may have no name.
static Specs *specs_and_declarator(Unit *u, Declarator *d, Declared what) {
  Specs *s = parse_specs(u);
  parse_declarator(u, s->base, d, NAME_OPTIONAL);
  if (s->is_async)
    mark_async(u, d, s->base);
  if (what == OF_PARAMETER)
    adjust_async(u, s, d);
  if (s->is_async)
    edit_declarator(u, s, d);
  return s;
}

static Param *one_param(Unit *u) {
  TokIndex from = u->p;
  Declarator d;
  specs_and_declarator(u, &d, OF_PARAMETER);
  Attrs at = { 0 };
  if (cur(u) == K_ASM)
    u->p = skip_balanced(u, u->p + 1);
  parse_attributes(u, &at);
  Param *p = NEW(&u->arena, Param);
  *p = (Param){ .written = apply_attributes(u, d.type, &at),
                .name = d.name,
                .tok = d.tok,
                .range = { from, u->p } };
  p->type = param_adjust(u, p->written);
  if (p->name) {
    p->sym = declare(u, S_VAR, p->name, p->type, p->tok);
    p->sym->is_param = true;
  }
  return p;
}

static bool only_void(Param *p) {
  return p && !p->next && !p->name && type_is_void(p->type);
}

// f(a, b) in the old style: the types follow after the parenthesis.
static void old_names(Unit *u, Type *f) {
  f->oldstyle = true;
  Param **tail = &f->params;
  do {
    if (cur(u) != T_IDENT)
      expect(u, T_IDENT, "in this list of parameters");
    Param *p = NEW(&u->arena, Param);
    *p = (Param){
      .name = tok_at(u, u->p)->id,
      .tok = u->p,
      .type = type_scalar(u, TY_INT),
      .written = type_scalar(u, TY_INT),
    };
    *tail = p;
    tail = &p->next;
    u->p++;
  } while (accept(u, P_COMMA));
  expect(u, P_RPAREN, "after the parameters");
}

static void prototype(Unit *u, Type *f) {
  Param **tail = &f->params;
  TokIndex from = u->p;
  size_t mark = u->body->whole->mentions.len;
  scope_enter(u);
  for (;;) {
    if (accept(u, P_ELLIPSIS)) {
      f->variadic = true;
      break;
    }
    *tail = one_param(u);
    tail = &(*tail)->next;
    // GNU: `int n; int a[n]` declares n ahead; these are not the parameters yet
    if (accept(u, P_SEMI)) {
      f->params = NULL;
      tail = &f->params;
    } else if (!accept(u, P_COMMA)) {
      break;
    }
  }
  scope_leave(u);
  detach(u, mark, from);
  expect(u, P_RPAREN, "after the parameters");
  if (only_void(f->params))
    f->params = NULL;
}

void parse_params(Unit *u, Type *f) {
  expect(u, P_LPAREN, "before the parameters");
  if (!accept(u, P_RPAREN))
    prototype(u, f);
}

static Type *function_suffix(Unit *u, Type *returned) {
  Type *f = type_new(u, TY_FUNC, returned);
  if (accept(u, P_RPAREN)) {
    f->oldstyle = true;
    return f;
  }
  bool names = cur(u) == T_IDENT && !starts_type(u, u->p);
  if (names)
    old_names(u, f);
  else
    prototype(u, f);
  return f;
}

static Type *function_and_more(Unit *u, Type *base) {
  TokIndex open = u->p - 1;
  TokIndex after = skip_balanced(u, open);
  TokIndex inside = u->p;
  u->p = after;
  Type *returned = more_suffixes(u) ? suffixes(u, base) : base;
  if (word_at(u, u->p) == W_THROW && kind_at(u, u->p + 1) == P_LPAREN) {
    u->hold_errors = false;
    fail_at(u, u->p, "errors are declared by `throws(…)`; did you mean that?");
  }
  Throws *throws = at_throws(u) ? parse_throws(u) : NULL;
  after = u->p;
  u->p = inside;
  Type *f = function_suffix(u, returned);
  f->throws = throws;
  u->p = after;
  return f;
}

static Type *suffixes(Unit *u, Type *base) {
  NEST(u);
  Type *t = base;
  // `[[` begins an attribute, not an array
  if (cur(u) == P_LBRACKET && kind_at(u, u->p + 1) == P_LBRACKET)
    t = base;
  else if (accept(u, P_LBRACKET))
    t = array_and_more(u, base);
  else if (accept(u, P_LPAREN))
    t = function_and_more(u, base);
  UNNEST(u);
  return t;
}

// ---- declarators ----
// Whether the parenthesis at u->p opens a declarator, not the parameters of a nameless function.
static bool opens_declarator(Unit *u, NameRule name) {
  if (cur(u) != P_LPAREN)
    return false;
  TokIndex back = u->p++;
  skip_attributes(u);
  TokenKind k = cur(u);
  bool nested =
      k == P_STAR || k == P_LPAREN || k == P_CARET ||
      (k == P_LBRACKET && name == NAME_OPTIONAL) ||
      (k == T_IDENT && !(name == NAME_OPTIONAL && starts_type(u, u->p)));
  u->p = back;
  return nested;
}

// Attributes right after a parenthesis belong to the pointer, which prints them.
static void mark_paren(Type *inner, Type *stop, Range attrs) {
  Type *last = NULL;
  for (Type *t = inner; t && t != stop; t = t->base)
    if (t->kind == TY_POINTER)
      last = t;
  if (last)
    last->paren_attrs = attrs;
}

static void direct(Unit *u, Type *base, Declarator *d, NameRule name) {
  if (opens_declarator(u, name)) {
    TokIndex open = u->p;
    u->p = skip_balanced(u, open);
    Type *t = suffixes(u, base);
    TokIndex after = u->p;
    u->p = open + 1;
    Attrs at = { 0 };
    parse_attributes(u, &at);
    parse_declarator(u, t, d, name);
    skip_attributes(u); // of the last suffix
    mark_paren(d->type, t, at.range);
    expect(u, P_RPAREN, "after this declarator");
    u->p = after;
    return;
  }
  if (cur(u) == T_IDENT) {
    bool keyword =
        word_at(u, u->p) && (tok_at(u, u->p)->id->word & WORD_ALWAYS);
    if (keyword)
      fail_at(u,
              u->p,
              "`%s` is a keyword: it cannot be declared",
              tok_at(u, u->p)->id->name);
    d->name = tok_at(u, u->p)->id;
    d->tok = u->p++;
    if (cur(u) == P_LBRACKET && kind_at(u, u->p + 1) == P_LBRACKET)
      parse_attributes(u, &d->attrs);
  } else if (name == NAME_REQUIRED) {
    expect(u, T_IDENT, "to be declared");
  } else {
    d->tok = u->p;
  }
  d->type = suffixes(u, base);
}

void parse_declarator(Unit *u, Type *base, Declarator *d, NameRule name) {
  NEST(u);
  TokIndex from = u->p;
  *d = (Declarator){ 0 };
  Type *t = pointers(u, base);
  skip_attributes(u);
  direct(u, t, d, name);
  d->range = (Range){ from, u->p };
  for (Type *k = d->type;
       k != base &&
       (k->kind == TY_POINTER || k->kind == TY_ARRAY || k->kind == TY_FUNC);
       k = k->base)
    u->throwing_pointers |=
        k->kind == TY_POINTER && k->base->kind == TY_FUNC && k->base->throws;
  UNNEST(u);
}

TypeName *parse_type_name(Unit *u) {
  TypeName *n = NEW(&u->arena, TypeName);
  TokIndex from = u->p;
  Declarator d;
  Specs *s = specs_and_declarator(u, &d, OF_TYPE_NAME);
  Attrs at = { 0 };
  bool attrs = parse_attributes(u, &at);
  n->type = apply_attributes(u, d.type, &at);
  n->range = (Range){ from, u->p };
  n->verbatim = s->verbatim || attrs;
  n->defines = s->defines;
  if (d.name && s->implicit_int && !d.name->sym)
    fail_unknown_type(u, d.tok);
  if (d.name)
    error_at(u,
             d.tok,
             "a type is expected here, without a name; remove `%s`",
             d.name->name);
  return n;
}

// The parameters as variables of the function's body.
void declare_params(Unit *u, Type *func) {
  for (Param *p = func->params; p; p = p->next) {
    if (!p->name)
      continue;
    p->sym = declare(u, S_VAR, p->name, p->type, p->tok);
    p->sym->is_param = true;
    if (p->copied)
      p->sym->type = p->copied;
    if (u->body->async)
      new_local(u, p->sym)->captured = p->copied != NULL;
  }
}
