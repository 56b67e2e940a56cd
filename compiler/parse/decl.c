// decl.c: declaration specifiers and declarations.
//
//     specs       = { storage | qualifier | type-specifier | function-specifier | attribute | alignas }
//     declaration = specs [ declarator [ asm ] [ attributes ] [ "=" initializer ] { "," … } ] ";"
//                 | specs declarator { old-style parameter declarations } "{" …       (the caller reads the body)
#include "fmcc.h"

// ---- which words begin a declaration ----
static bool type_keyword(TokenKind k) {
  switch (k) {
  case K_AUTO:
  case K_CHAR:
  case K_CONST:
  case K_DOUBLE:
  case K_ENUM:
  case K_EXTERN:
  case K_FLOAT:
  case K_INLINE:
  case K_INT:
  case K_LONG:
  case K_REGISTER:
  case K_RESTRICT:
  case K_SHORT:
  case K_SIGNED:
  case K_STATIC:
  case K_STRUCT:
  case K_TYPEDEF:
  case K_UNION:
  case K_UNSIGNED:
  case K_VOID:
  case K_VOLATILE:
  case K_ALIGNAS:
  case K_ATOMIC:
  case K_BOOL:
  case K_COMPLEX:
  case K_IMAGINARY:
  case K_NORETURN:
  case K_THREAD_LOCAL:
  case K_TYPEOF:
  case K_ATTRIBUTE:
  case K_AUTO_TYPE:
  case K_INT128:
  case K_ADDRSPACE:
  case K_NULLABILITY:
  case K_BITINT:
    return true;
  default:
    return k >= K_FLOAT16 && k <= K_DEC128;
  }
}

bool starts_type(Unit *u, TokIndex t) {
  Token *k = tok_at(u, t);
  if (k->kind == T_IDENT && k->id->word && starts_dialect_type(u, t))
    return true;
  if (k->kind == T_IDENT)
    return k->id->sym && k->id->sym->kind == S_TYPEDEF;
  if (k->kind == K_EXTENSION)
    return starts_type(u, t + 1);
  return type_keyword((TokenKind)k->kind) ||
         (k->kind == P_LBRACKET && kind_at(u, t + 1) == P_LBRACKET);
}

// ---- type specifiers ----
// The arithmetic words may come in any order: they are counted, then looked up.
typedef struct Words {
  // void bool char short int long float double signed …
  int v, b, c, s, i, l, f, d, sign, uns, complex, i128;
  TypeKind exact; // _Float16 … _Decimal128
  Type *type;     // typedef name, tag, typeof, _Atomic(T)
  unsigned quals;
  TokIndex tok;
  Range definition; // of a tag, with its braces
} Words;

static bool any_type(const Words *w) {
  return w->type || w->exact || w->v || w->b || w->c || w->s || w->i || w->l ||
         w->f || w->d || w->sign || w->uns || w->complex || w->i128;
}

static TypeKind integer_kind(const Words *w) {
  if (w->c)
    return w->uns ? TY_UCHAR : w->sign ? TY_SCHAR : TY_CHAR;
  if (w->s)
    return w->uns ? TY_USHORT : TY_SHORT;
  if (w->i128)
    return w->uns ? TY_UINT128 : TY_INT128;
  if (w->l >= 2)
    return w->uns ? TY_ULLONG : TY_LLONG;
  if (w->l)
    return w->uns ? TY_ULONG : TY_LONG;
  return w->uns ? TY_UINT : TY_INT;
}

static TypeKind arithmetic_kind(const Words *w) {
  if (w->v)
    return TY_VOID;
  if (w->b)
    return TY_BOOL;
  if (w->exact)
    return w->exact;
  if (w->f)
    return TY_FLOAT;
  if (w->d)
    return w->l ? TY_LDOUBLE : TY_DOUBLE;
  bool bare_complex = w->complex && !(w->c || w->s || w->i || w->l || w->i128 ||
                                      w->sign || w->uns);
  return bare_complex ? TY_DOUBLE : integer_kind(w);
}

static Type *words_type(Unit *u, const Words *w) {
  Type *t = w->type;
  if (t && w->uns && canon(t)->kind == TY_BITINT) {
    Type *r = type_new(u, TY_UBITINT, NULL);
    r->bits = canon(t)->bits;
    t = r;
  }
  if (!t)
    t = type_scalar(u, arithmetic_kind(w));
  if (w->complex)
    t = type_new(u, TY_COMPLEX, t);
  return type_qualify(u, t, w->quals);
}

static bool arithmetic_word(Words *w, TokenKind k) {
  switch (k) {
  case K_VOID:
    w->v++;
    break;
  case K_BOOL:
    w->b++;
    break;
  case K_CHAR:
    w->c++;
    break;
  case K_SHORT:
    w->s++;
    break;
  case K_INT:
    w->i++;
    break;
  case K_LONG:
    w->l++;
    break;
  case K_FLOAT:
    w->f++;
    break;
  case K_DOUBLE:
    w->d++;
    break;
  case K_SIGNED:
    w->sign++;
    break;
  case K_UNSIGNED:
    w->uns++;
    break;
  case K_COMPLEX:
  case K_IMAGINARY:
    w->complex++;
    break;
  case K_INT128:
    w->i128++;
    break;
  case K_FLOAT16:
    w->exact = TY_FLOAT16;
    break;
  case K_FLOAT32:
    w->exact = TY_FLOAT32;
    break;
  case K_FLOAT64:
    w->exact = TY_FLOAT64;
    break;
  case K_FLOAT128:
    w->exact = TY_FLOAT128;
    break;
  case K_FLOAT32X:
    w->exact = TY_FLOAT32X;
    break;
  case K_FLOAT64X:
    w->exact = TY_FLOAT64X;
    break;
  case K_FLOAT80:
    w->exact = TY_LDOUBLE;
    break;
  case K_BF16:
    w->exact = TY_BF16;
    break;
  case K_DEC32:
    w->exact = TY_DEC32;
    break;
  case K_DEC64:
    w->exact = TY_DEC64;
    break;
  case K_DEC128:
    w->exact = TY_DEC128;
    break;
  default:
    return false;
  }
  return true;
}

static Type *parse_bitint(Unit *u) {
  int64_t n = 0;
  u->p++;
  expect(u, P_LPAREN, "after `_BitInt`");
  if (!parse_constant(u, &n) || n < 1 || n > UINT16_MAX)
    n = 64;
  expect(u, P_RPAREN, "after the width");
  Type *t = type_new(u, TY_BITINT, NULL);
  t->bits = (uint16_t)n;
  return t;
}

// Of an async function, or its address: the C compiler would take the type of its descriptor.
static void edit_typeof(Unit *u, Range r, Type *t) {
  Type *c = canon(t), *f = c->kind == TY_POINTER ? canon(c->base) : c;
  if (f->kind != TY_FUNC || !f->is_async)
    return;
  edit(u, r, f == c ? "const fm_fn" : "const fm_fn *");
  t->hoisted = true; // printed by its type
}

Type *parse_typeof(Unit *u) {
  TokIndex from = u->p++;
  expect(u, P_LPAREN, "after `typeof`");
  Type *t;
  if (starts_type(u, u->p)) {
    TypeName *n = parse_type_name(u);
    t = type_sugar(u, TY_TYPEOF, n->type);
    t->operand = n;
  } else {
    u->unevaluated++;
    Node *e = parse_for_type(u, parse_expr);
    u->unevaluated--;
    t = type_sugar(u, TY_TYPEOF, e->type);
    t->len_expr = e;
    t->hoisted = u->async != NULL;
  }
  expect(u, P_RPAREN, "to close `typeof`");
  bool statements = u->async && u->record_depth && t->len_expr &&
                    (t->len_expr->flags & NF_STMT_EXPR);
  // at file scope there can be none
  if (statements && t->base)
    edit(u, (Range){ from, u->p }, type_spelled(u, t->base));
  if (t->len_expr && t->base)
    edit_typeof(u, (Range){ from, u->p }, t);
  return t;
}

// _Atomic ( type )
static Type *atomic_type(Unit *u) {
  u->p += 2;
  TypeName *n = parse_type_name(u);
  expect(u, P_RPAREN, "to close `_Atomic`");
  return type_qualify(u, n->type, Q_ATOMIC);
}

// In clang's headers _Float32 and its like are typedef names; a declaration makes the word a name
// from here on.
static bool becomes_name(Unit *u, const Words *w) {
  TokenKind k = cur(u);
  if (k < K_FLOAT16 || k > K_DEC128 || !any_type(w) ||
      kind_at(u, u->p + 1) != P_SEMI)
    return false;
  if (w->complex && !w->exact && !w->f && !w->d)
    return false;
  Token *t = tok_at(u, u->p);
  t->id->keyword = 0;
  for (TokIndex i = u->p; i < u->ntoks; i++)
    if (u->toks[i].id == t->id)
      u->toks[i].kind = T_IDENT;
  return true;
}

static void note_definition(Unit *u, Words *w, TokIndex from) {
  TokIndex t = from;
  while (t < u->p && kind_at(u, t) != P_LBRACE)
    t++;
  if (t < u->p)
    w->definition = (Range){ from, u->p };
}

// One type specifier or qualifier; false: the token is none.
static bool type_specifier(Unit *u, Words *w, Attrs *at, bool *defines) {
  TokenKind k = cur(u);
  if (k == K_CONST || k == K_VOLATILE || k == K_RESTRICT) {
    w->quals |= k == K_CONST      ? Q_CONST
                : k == K_VOLATILE ? Q_VOLATILE
                                  : Q_RESTRICT;
    u->p++;
  } else if (k == K_ATOMIC && kind_at(u, u->p + 1) == P_LPAREN &&
             !any_type(w)) {
    w->type = atomic_type(u);
  } else if (k == K_ATOMIC) {
    w->quals |= Q_ATOMIC;
    u->p++;
  } else if (k == K_STRUCT || k == K_UNION) {
    TokIndex from = u->p;
    w->type = parse_record(u, at, defines);
    note_definition(u, w, from);
  } else if (k == K_ENUM) {
    TokIndex from = u->p;
    w->type = parse_enum(u, at, defines);
    note_definition(u, w, from);
  } else if (k == K_TYPEOF) {
    Thrown *thrown = u->thrown; // what stands there is not evaluated
    w->type = parse_typeof(u);
    u->thrown = thrown;
  } else if (k == K_BITINT) {
    w->type = parse_bitint(u);
  } else if (k == T_IDENT && !any_type(w) && starts_held(u, u->p)) {
    w->type = parse_task(u);
  } else if (k == T_IDENT && !any_type(w) && starts_type(u, u->p)) {
    w->type = type_sugar(u, TY_TYPEDEF, tok_at(u, u->p)->id->sym->type);
    w->type->sym = tok_at(u, u->p)->id->sym;
    if (w->type->sym->emitted)
      edit(u, (Range){ u->p, u->p + 1 }, w->type->sym->emitted);
    u->p++;
  } else if (!becomes_name(u, w) && arithmetic_word(w, k)) {
    u->p++;
  } else {
    return false;
  }
  return true;
}

// ---- specifiers ----
static bool storage_word(Unit *u, Specs *s) {
  switch (cur(u)) {
  case K_TYPEDEF:
    s->storage = ST_TYPEDEF;
    break;
  case K_EXTERN:
    s->storage = ST_EXTERN;
    break;
  case K_STATIC:
    s->storage = ST_STATIC;
    break;
  case K_AUTO:
    s->storage = ST_AUTO;
    break;
  case K_REGISTER:
    s->storage = ST_REGISTER;
    break;
  case K_INLINE:
    s->is_inline = true;
    break;
  case K_NORETURN:
    s->is_noreturn = true;
    break;
  case K_THREAD_LOCAL:
    s->thread_local_ = true;
    break;
  case K_EXTENSION:
    s->extension = true;
    break;
  case K_AUTO_TYPE:
    s->auto_type = true;
    break;
  case K_NULLABILITY:
  case K_ADDRSPACE:
    s->verbatim = true;
    break;
  default:
    return false;
  }
  u->p++;
  return true;
}

static void parse_alignas(Unit *u, Specs *s) {
  int64_t v = 0;
  u->p++;
  expect(u, P_LPAREN, "after `_Alignas`");
  if (starts_type(u, u->p))
    v = type_align(u, parse_type_name(u)->type);
  else
    parse_constant(u, &v);
  expect(u, P_RPAREN, "to close `_Alignas`");
  if (v > s->attr_align)
    s->attr_align = (uint32_t)v;
  s->verbatim = true;
}

// `async` or `atomic` as a specifier, not as the name being declared.
static bool async_word(Unit *u, Specs *s, const Words *w) {
  DialectWord word = word_at(u, u->p);
  if (word != W_ASYNC && word != W_ASYNCDIRECT && (word != W_ATOMIC || u->func))
    return false;
  switch (any_type(w) ? kind_at(u, u->p + 1) : T_EOF) {
  case P_SEMI:
  case P_COMMA:
  case P_ASSIGN:
  case P_LBRACKET:
  case P_RPAREN:
  case P_COLON:
  case P_LPAREN:
    return false;
  default:
    break;
  }
  witness_drop(u, u->p);
  // atomic int f(int): plain C may call it
  if (word == W_ATOMIC)
    edit(u, (Range){ u->p, u->p + 1 }, "");
  u->p++;
  if (word == W_ATOMIC)
    return s->is_atomic = true;
  s->is_direct = word == W_ASYNCDIRECT;
  return s->is_async = true;
}

static void refuse_word(Unit *u) {
  DialectWord w = word_at(u, u->p);
  // the C compiler would not know what is meant
  if (w == W_THROWS || misspells_async(u, u->p))
    u->hold_errors = false;
  if (misspells_async(u, u->p))
    fail_at(u,
            u->p,
            "unknown type name `%s`: did you mean `async`?",
            tok_at(u, u->p)->id->name);
  if (w == W_THROWS)
    fail_at(
        u,
        u->p,
        "`throws` stands after the parameters: `async int f(int x) throws(…)`");
  if (w && w != W_ASYNC && w != W_TASK && w != W_JOB)
    fail_at(u, u->p, "`%s` cannot stand here", word_name(w));
}

static void no_type(Unit *u, Specs *s, TokIndex from) {
  s->implicit_int = !s->auto_type;
  bool plausible = u->p > from || cur(u) == T_IDENT || cur(u) == P_STAR ||
                   cur(u) == P_LPAREN;
  bool unknown = cur(u) == T_IDENT && kind_at(u, u->p + 1) == T_IDENT;
  if (unknown)
    fail_unknown_type(u, u->p);
  // a stray character
  if (cur(u) == T_OTHER)
    expect(u, T_IDENT, "to be declared");
  if (!plausible)
    fail_at(u, u->p, "a declaration is expected here");
}

Specs *parse_specs(Unit *u) {
  Specs *s = NEW(&u->arena, Specs);
  Words w = { .tok = u->p };
  Attrs at = { 0 };
  TokIndex from = u->p;
  bool defines = false;
  for (;;) {
    if (storage_word(u, s) || async_word(u, s, &w))
      continue;
    if (cur(u) == K_ALIGNAS)
      parse_alignas(u, s);
    else if (parse_attributes(u, &at))
      s->verbatim = true;
    else if (!type_specifier(u, &w, &at, &defines))
      break;
  }
  // as in C23
  if (!any_type(&w) && s->storage == ST_AUTO && from >= u->dialect_from) {
    s->auto_type = true;
    s->storage = ST_NONE;
    for (TokIndex t = from; t < u->p; t++)
      if (kind_at(u, t) == K_AUTO)
        witness_instead(u, t, t + 1, "__auto_type");
  }
  // after a type the word is a name being declared
  if (!any_type(&w) && !s->auto_type)
    refuse_word(u);
  if (!any_type(&w))
    no_type(u, s, from);
  s->range = (Range){ from, u->p };
  s->verbatim |= defines;
  s->defines = defines;
  s->definition = w.definition;
  s->opaque_type = at.mode || at.vector_bytes || at.vector_len;
  s->base = apply_attributes(u, words_type(u, &w), &at);
  if (at.align > s->attr_align)
    s->attr_align = at.align;
  s->cleanup = at.cleanup;
  s->uses = at.uses;
  s->is_noreturn |= at.noreturn;
  return s;
}

// ---- declarations ----
// a typedef may carry an alignment
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

// What the C compiler would say of the generated names.
static void check_again(Unit *u, Decl *d, SymKind kind, Symbol *old) {
  static const char *const kinds[] = { [S_VAR] = "as a variable",
                                       [S_FUNC] = "as a function",
                                       [S_TYPEDEF] = "as a type",
                                       [S_ENUMCONST] = "as a constant" };
  bool async = canon(d->type)->is_async, was_async = canon(old->type)->is_async;
  if (old->kind != kind && (async || was_async) &&
      old->kind < sizeof kinds / sizeof *kinds && kinds[old->kind])
    disagree(u, d, old, kinds[kind], kinds[old->kind]);
  else if (kind == S_FUNC && async && was_async &&
           d->specs->storage == ST_STATIC && old->storage != ST_STATIC)
    disagree(u, d, old, "static", "without `static`");
}

// the same object or function again: the types add up
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
  if (kind == S_FUNC && canon(old->type)->kind == TY_FUNC &&
      canon(old->type)->is_async != canon(d->type)->is_async) {
    bool async = canon(d->type)->is_async;
    disagree(u,
             d,
             old,
             async ? "async" : "as a plain function",
             async ? "as a plain function" : "async");
  } else if (kind == S_FUNC && canon(d->type)->is_async &&
             !type_compatible(u, old->type, d->type)) {
    u->hold_errors = false;
    error_at(u,
             d->tok,
             "`%s` is declared as `%s` here",
             d->name->name,
             type_text(u, d->type));
    note_at(u,
            old->tok,
            "`%s` is declared as `%s` before",
            d->name->name,
            type_text(u, old->type));
  }
  if (kind == S_FUNC && canon(old->type)->kind == TY_FUNC &&
      !throws_equal(canon(old->type)->throws, canon(d->type)->throws)) {
    u->hold_errors = false;
    error_at(u,
             d->tok,
             "`%s` is declared%s here",
             d->name->name,
             *throws_text(u, canon(d->type)->throws)
                 ? throws_text(u, canon(d->type)->throws)
                 : " without `throws`");
    note_at(u,
            old->tok,
            "`%s` is declared%s before",
            d->name->name,
            *throws_text(u, canon(old->type)->throws)
                ? throws_text(u, canon(old->type)->throws)
                : " without `throws`");
  }
  if (kind == S_TYPEDEF)
    old->type = type_compatible(u, old->type, d->type) ? old->type : d->type;
  else if (type_compatible(u, old->type, d->type))
    old->type = type_composite(u, d->type, old->type);
  else
    old->type = kind == S_FUNC && u->opt.clang
                    ? type_scalar(u, TY_ERROR)
                    : d->type; // clang has overloaded functions
  return old;
}

// The attributes of a function, of this declaration and in all of them; specifiers are shared by
// several.
static void gather_attributes(Unit *u, Decl *d, AttrUse *own) {
  AttrUse **end = &d->uses;
  AttrUse *lists[] = { d->specs->uses, own };
  for (int i = 0; i < 2; i++)
    for (AttrUse *k = lists[i]; k; k = k->next) {
      AttrUse *copy = NEW(&u->arena, AttrUse), *again = NEW(&u->arena, AttrUse);
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

// Its function is called with the variable's address when the block is left, as if by a `defer`.
static void note_cleanup(Unit *u, Decl *d, TokIndex name) {
  if (!name || !tok_at(u, name)->id)
    return;
  d->cleanup = tok_at(u, name)->id->sym;
  Type *f = d->cleanup ? canon(d->cleanup->type) : NULL;
  if (!f || f->kind != TY_FUNC)
    return;
  // when its block is left
  if (f->is_async)
    u->npauses++;
  if (f->is_async && !u->async)
    error_at(u,
             name,
             "`%s` is async: it can clean up only in an async function",
             d->cleanup->name->name);
  if (u->nested && f->throws)
    error_at(u,
             name,
             "`%s` throws: it cannot clean up in a function inside a function",
             d->cleanup->name->name);
  u->natomics++;
  note_thrown(u, f->throws, d->tok);
}

static void declare_one(Unit *u, Decl *d, const Attrs *at) {
  Specs *s = d->specs;
  SymKind kind = s->storage == ST_TYPEDEF          ? S_TYPEDEF
                 : canon(d->type)->kind == TY_FUNC ? S_FUNC
                                                   : S_VAR;
  if (kind == S_TYPEDEF)
    d->type =
        typedef_type(u,
                     d,
                     at->align > s->attr_align ? at->align : s->attr_align);
  d->sym = redeclare(u, d, kind);
  if (!d->sym)
    d->sym = declare(u, kind, d->name, d->type, d->tok);
  // what is declared static once
  bool stays = kind == S_FUNC && d->sym->storage == ST_STATIC;
  if ((s->storage != ST_NONE || !d->sym->storage) && !stays)
    d->sym->storage = s->storage;
  d->sym->outside |= !s->is_inline || s->storage == ST_EXTERN;
  d->sym->thread_local_ |= s->thread_local_;
  d->sym->noreturn |= kind == S_FUNC && (s->is_noreturn || at->noreturn);
  if (kind == S_FUNC)
    gather_attributes(u, d, at->uses);
  if (s->is_noreturn || at->noreturn)
    hide_noreturn(u, d->type, (Range){ s->range.from, d->post.to });
  if (kind == S_FUNC && canon(d->type)->is_async && u->func &&
      (cur(u) != P_LBRACE || !u->async))
    error_at(u,
             d->tok,
             "an async function has to be declared outside of functions");
  // C's main starts it
  if (kind == S_FUNC && canon(d->type)->is_async &&
      strcmp(d->name->name, "main") == 0)
    d->sym->emitted = "fm__user_main";
  if (kind == S_TYPEDEF)
    name_the_nameless(d);
  if (kind == S_VAR && d->sym->depth == 0)
    settle_the_nameless(d);
  if (kind == S_TYPEDEF && canon(d->type)->kind == TY_FUNC &&
      canon(d->type)->throws)
    u->throwing_pointers = true;
  // also by typeof
  for (Type *t = canon(d->type);
       kind == S_VAR && (t->kind == TY_POINTER || t->kind == TY_ARRAY);
       t = canon(t->base))
    u->throwing_pointers |=
        canon(t->base)->kind == TY_FUNC && canon(t->base)->throws;
  note_cleanup(u, d, at->cleanup ? at->cleanup : s->cleanup);
  if (!u->async)
    return;
  bool kept =
      kind == S_VAR && s->storage != ST_STATIC && s->storage != ST_EXTERN;
  if (kept && !d->sym->local)
    new_local(u, d->sym)->scope_from = s->range.from;
  if (kept)
    d->sym->local->decl = d;
  else if (kind == S_TYPEDEF || (kind == S_VAR && s->storage == ST_STATIC))
    hoist_decl(u, d);
  else if (!kept)
    note_hidden(u, d->sym);
  if (d->cleanup && d->sym->local)
    d->sym->local->addressed = true;
  if (kept)
    d->sym->local->align =
        at->align > s->attr_align ? at->align : s->attr_align;
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

// tasks, also in lists
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

// A value in it that is not constant since some length is not.
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

// from: where its initialiser begins
static void check_static(Unit *u, Decl *d, TokIndex from) {
  if (d->init->flags & NF_PAUSE)
    error_at(u,
             first_token(d->init),
             "a static variable is initialised before the program runs: its "
             "value cannot pause");
  Node *length = u->async ? variable_length(d->init) : NULL;
  if (length)
    error_at(u,
             first_token(length),
             "a static variable is initialised before the program runs: this "
             "length is not known then");
  if (u->async && u->async->label_at >= from)
    error_at(u,
             u->async->label_at,
             "a static variable of an async function cannot hold the address "
             "of a label: the "
             "function is made into several; leave out `static`");
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
  d->init = parse_initializer(u);
  if (d->specs->storage == ST_STATIC)
    check_static(u, d, from);
  // its type comes from the value: that cannot name it
  d->names_itself =
      !d->specs->auto_type && names(u, (Range){ from, u->p }, d->name);
  if (d->specs->auto_type && d->init->type)
    d->type = d->sym->type = rvalue(u, d->init);
  if (!d->specs->auto_type)
    (u->strict && is_library_value(d->name)
         ? check_given
         : check_convert)(u, d->init, d->type);
  if (d->init->kind == N_INIT_LIST)
    check_initializer(u, d->type, d->init, false);
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
           "`atomic` belongs to functions, and this declares none; an atomic "
           "variable is `_Atomic`");
}

// `char *__attribute__((noinline)) f(void)`: they are the function's, not those of what it returns.
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
  parse_declarator(u, s->base, &r, false);
  if (s->is_async)
    mark_async(u, &r, s->base);
  if (s->is_async && !u->async)
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

// The declarations between an old-style function's parentheses and its body.
static void old_style_params(Unit *u, Type *f) {
  scope_enter(u);
  while (cur(u) != P_LBRACE) {
    Specs *s = parse_specs(u);
    while (cur(u) != P_SEMI) {
      Declarator d;
      parse_declarator(u, s->base, &d, false);
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
  size_t mark = u->mentions.len;
  if (cur(u) == K_STATIC_ASSERT ||
      (cur(u) == K_EXTENSION && kind_at(u, u->p + 1) == K_STATIC_ASSERT)) {
    accept(u, K_EXTENSION);
    return parse_static_assert(u);
  }
  Specs *s = parse_specs(u);
  bool hoisted =
      u->async && (s->storage == ST_STATIC || s->storage == ST_TYPEDEF);
  if (cur(u) != P_SEMI) {
    Node *n = declarators(u, s, from);
    if (hoisted)
      detach(u, mark, from);
    return n;
  }
  Node *n = node_new(u, N_DECL, from); // only a tag, or nothing
  n->decl = NEW(&u->arena, Decl);
  n->decl->specs = s;
  n->end = u->p++;
  return n;
}
