// specs.c: declaration specifiers.
//
//     specs = { storage | qualifier | type-specifier | function-specifier | attribute | alignas }
#include "fmcc.h"

// ---- which words begin a declaration ----
// The keywords from K_FLOAT16 to K_DEC128 begin a declaration as well.
// clang-format off
static const bool type_keywords[K_COUNT] = {
  [K_AUTO] = true,
  [K_CHAR] = true,
  [K_CONST] = true,
  [K_DOUBLE] = true,
  [K_ENUM] = true,
  [K_EXTERN] = true,
  [K_FLOAT] = true,
  [K_INLINE] = true,
  [K_INT] = true,
  [K_LONG] = true,
  [K_REGISTER] = true,
  [K_RESTRICT] = true,
  [K_SHORT] = true,
  [K_SIGNED] = true,
  [K_STATIC] = true,
  [K_STRUCT] = true,
  [K_TYPEDEF] = true,
  [K_UNION] = true,
  [K_UNSIGNED] = true,
  [K_VOID] = true,
  [K_VOLATILE] = true,
  [K_ALIGNAS] = true,
  [K_ATOMIC] = true,
  [K_BOOL] = true,
  [K_COMPLEX] = true,
  [K_IMAGINARY] = true,
  [K_NORETURN] = true,
  [K_THREAD_LOCAL] = true,
  [K_TYPEOF] = true,
  [K_ATTRIBUTE] = true,
  [K_AUTO_TYPE] = true,
  [K_INT128] = true,
  [K_ADDRSPACE] = true,
  [K_NULLABILITY] = true,
  [K_BITINT] = true,
};
// clang-format on

static bool type_keyword(TokenKind k) {
  return type_keywords[k] || (k >= K_FLOAT16 && k <= K_DEC128);
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
typedef enum Word {
  NO_WORD,
  VOID,
  BOOL,
  CHAR,
  SHORT,
  INT,
  LONG,
  FLOAT,
  DOUBLE,
  SIGNED,
  UNSIGNED,
  COMPLEX,
  INT128,
  WORD_COUNT
} Word;

typedef struct Words {
  int count[WORD_COUNT];
  int total;
  TypeKind exact; // _Float16 … _Decimal128
  Type *type;     // typedef name, tag, typeof, _Atomic(T)
  unsigned quals;
  TokIndex tok;
  Range definition; // of a tag, with its braces
} Words;

// clang-format off
static const uint8_t word_of[K_COUNT] = {
  [K_VOID] = VOID,
  [K_BOOL] = BOOL,
  [K_CHAR] = CHAR,
  [K_SHORT] = SHORT,
  [K_INT] = INT,
  [K_LONG] = LONG,
  [K_FLOAT] = FLOAT,
  [K_DOUBLE] = DOUBLE,
  [K_SIGNED] = SIGNED,
  [K_UNSIGNED] = UNSIGNED,
  [K_COMPLEX] = COMPLEX,
  [K_IMAGINARY] = COMPLEX,
  [K_INT128] = INT128,
};
// clang-format on

// clang-format off
static const uint8_t exact_type[K_COUNT] = {
  [K_FLOAT16] = TY_FLOAT16,
  [K_FLOAT32] = TY_FLOAT32,
  [K_FLOAT64] = TY_FLOAT64,
  [K_FLOAT128] = TY_FLOAT128,
  [K_FLOAT32X] = TY_FLOAT32X,
  [K_FLOAT64X] = TY_FLOAT64X,
  [K_FLOAT80] = TY_LDOUBLE,
  [K_BF16] = TY_BF16,
  [K_DEC32] = TY_DEC32,
  [K_DEC64] = TY_DEC64,
  [K_DEC128] = TY_DEC128,
};
// clang-format on

static bool any_type(const Words *w) {
  return w->type || w->exact || w->total;
}

static TypeKind integer_kind(const Words *w) {
  bool uns = w->count[UNSIGNED];
  if (w->count[CHAR])
    return uns ? TY_UCHAR : w->count[SIGNED] ? TY_SCHAR : TY_CHAR;
  if (w->count[SHORT])
    return uns ? TY_USHORT : TY_SHORT;
  if (w->count[INT128])
    return uns ? TY_UINT128 : TY_INT128;
  if (w->count[LONG] >= 2)
    return uns ? TY_ULLONG : TY_LLONG;
  if (w->count[LONG])
    return uns ? TY_ULONG : TY_LONG;
  return uns ? TY_UINT : TY_INT;
}

static TypeKind arithmetic_kind(const Words *w) {
  if (w->count[VOID])
    return TY_VOID;
  if (w->count[BOOL])
    return TY_BOOL;
  if (w->exact)
    return w->exact;
  if (w->count[FLOAT])
    return TY_FLOAT;
  if (w->count[DOUBLE])
    return w->count[LONG] ? TY_LDOUBLE : TY_DOUBLE;
  bool bare_complex = w->total && w->total == w->count[COMPLEX];
  return bare_complex ? TY_DOUBLE : integer_kind(w);
}

static Type *words_type(Unit *u, const Words *w) {
  Type *t = w->type;
  if (t && w->count[UNSIGNED] && canon(t)->kind == TY_BITINT) {
    Type *r = type_new(u, TY_UBITINT, NULL);
    r->bits = canon(t)->bits;
    t = r;
  }
  if (!t)
    t = type_scalar(u, arithmetic_kind(w));
  if (w->count[COMPLEX])
    t = type_new(u, TY_COMPLEX, t);
  return type_qualify(u, t, w->quals);
}

static bool arithmetic_word(Words *w, TokenKind k) {
  if (exact_type[k]) {
    w->exact = (TypeKind)exact_type[k];
    return true;
  }
  if (!word_of[k])
    return false;
  w->count[word_of[k]]++;
  w->total++;
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

// typeof an async function, or of its address: the C compiler would take the type of the
// descriptor.
static void edit_typeof(Unit *u, Range r, Type *t) {
  Type *c = canon(t);
  Type *f = c->kind == TY_POINTER ? canon(c->base) : c;
  if (f->kind != TY_FUNC || !f->is_async)
    return;
  edit(u, r, f == c ? "const fm_fn" : "const fm_fn *");
  t->hoisted = true; // the type is printed, not the text
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
    t->hoisted = u->body->async != NULL;
  }
  expect(u, P_RPAREN, "to close `typeof`");
  bool statements = u->body->async && u->record_depth && t->len_expr &&
                    (t->len_expr->flags & NF_STMT_EXPR);
  // a statement expression cannot stand at file scope
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
  if (w->count[COMPLEX] && !w->exact && !w->count[FLOAT] && !w->count[DOUBLE])
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

// const, volatile, restrict, _Atomic without parentheses
static bool qualifier(Unit *u, Words *w) {
  static const uint8_t quals[K_COUNT] = {
    [K_CONST] = Q_CONST,
    [K_VOLATILE] = Q_VOLATILE,
    [K_RESTRICT] = Q_RESTRICT,
    [K_ATOMIC] = Q_ATOMIC,
  };
  if (!quals[cur(u)])
    return false;
  w->quals |= quals[cur(u)];
  u->p++;
  return true;
}

static Type *tag_type(Unit *u, Words *w, Attrs *at, bool *defines) {
  TokIndex from = u->p;
  bool is_enum = cur(u) == K_ENUM;
  Type *t = is_enum ? parse_enum(u, at, defines) : parse_record(u, at, defines);
  note_definition(u, w, from);
  return t;
}

static Type *typedef_name(Unit *u) {
  Symbol *s = tok_at(u, u->p)->id->sym;
  Type *t = type_sugar(u, TY_TYPEDEF, s->type);
  t->sym = s;
  if (s->emitted)
    edit(u, (Range){ u->p, u->p + 1 }, s->emitted);
  u->p++;
  return t;
}

// A type that is not made of arithmetic words. NULL: none begins here.
static Type *other_type(Unit *u, Words *w, Attrs *at, bool *defines) {
  switch (cur(u)) {
  case K_STRUCT:
  case K_UNION:
  case K_ENUM:
    return tag_type(u, w, at, defines);
  case K_TYPEOF: {
    Thrown *thrown = u->body->thrown; // the operand of typeof is not evaluated
    Type *t = parse_typeof(u);
    u->body->thrown = thrown;
    return t;
  }
  case K_BITINT:
    return parse_bitint(u);
  case K_ATOMIC:
    if (kind_at(u, u->p + 1) == P_LPAREN && !any_type(w))
      return atomic_type(u);
    return NULL;
  case T_IDENT:
    if (!any_type(w) && starts_held(u, u->p))
      return parse_task(u);
    if (!any_type(w) && starts_type(u, u->p))
      return typedef_name(u);
    return NULL;
  default:
    return NULL;
  }
}

// One type specifier or qualifier. Returns false if the token is another one.
static bool type_specifier(Unit *u, Words *w, Attrs *at, bool *defines) {
  Type *t = other_type(u, w, at, defines);
  if (t) {
    w->type = t;
    return true;
  }
  if (qualifier(u, w))
    return true;
  if (becomes_name(u, w) || !arithmetic_word(w, cur(u)))
    return false;
  u->p++;
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
  if (word != W_ASYNC && word != W_ASYNCDIRECT &&
      (word != W_ATOMIC || u->body->func))
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
  // atomic int f(int): plain C may call the function
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
  // the message of the C compiler would not help
  if (w == W_THROWS || misspells_async(u, u->p))
    u->hold_errors = false;
  if (misspells_async(u, u->p))
    fail_at(u,
            u->p,
            "unknown type name `%s`: did you mean `async`?",
            tok_at(u, u->p)->id->name);
  if (w == W_THROWS)
    fail_at(u,
            u->p,
            "`throws` has to follow the parameters: `async int f(int x) "
            "throws(…)`");
  refuse_bare_type(u, u->p);
  if (w && w != W_ASYNC && w != W_TASK && w != W_JOB)
    fail_at(u, u->p, "the keyword `%s` cannot be used here", word_name(w));
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

// `auto x = …`: as in C23, the value gives the type.
static void infer_type(Unit *u, Specs *s, TokIndex from) {
  s->auto_type = true;
  s->storage = ST_NONE;
  for (TokIndex t = from; t < u->p; t++)
    if (kind_at(u, t) == K_AUTO)
      witness_instead(u, t, t + 1, "__auto_type");
}

static void all_specs(Unit *u, Specs *s, Words *w, Attrs *at) {
  for (;;) {
    if (storage_word(u, s) || async_word(u, s, w))
      continue;
    if (cur(u) == K_ALIGNAS)
      parse_alignas(u, s);
    else if (parse_attributes(u, at))
      s->verbatim = true;
    else if (!type_specifier(u, w, at, &s->defines))
      break;
  }
}

static void without_type(Unit *u, Specs *s, TokIndex from) {
  if (s->storage == ST_AUTO && from >= u->dialect_from)
    infer_type(u, s, from);
  // after a type the word is a name being declared
  if (!s->auto_type)
    refuse_word(u);
  no_type(u, s, from);
}

Specs *parse_specs(Unit *u) {
  Specs *s = NEW(&u->arena, Specs);
  Words w = { .tok = u->p };
  Attrs at = { 0 };
  TokIndex from = u->p;
  all_specs(u, s, &w, &at);
  if (!any_type(&w))
    without_type(u, s, from);
  s->range = (Range){ from, u->p };
  s->verbatim |= s->defines;
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
