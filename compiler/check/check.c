// check.c: the type of every expression, from the types of its parts (C11 6.5, and GNU's
// additions). What makes no sense is an error only where we could not go on; constraint violations
// that the C compiler reports itself (and may take with a warning) are left to it. TY_ERROR fits
// everywhere and silences what follows from it.
#include "fmcc.h"

#include <stdlib.h>

static Type *scalar(Unit *u, TypeKind k) {
  return type_scalar(u, k);
}
static Type *size_type(Unit *u) {
  return scalar(u, u->opt.ilp32 ? TY_UINT : TY_ULONG);
}
static Type *diff_type(Unit *u) {
  return scalar(u, u->opt.ilp32 ? TY_INT : TY_LONG);
}
static bool unknown(Type *t) {
  return canon(t)->kind == TY_ERROR;
}

void flags_up(Node *e, Node *part) {
  if (part)
    e->flags |= part->flags & (NF_STMT_EXPR | NF_VM | NF_UNKNOWN | NF_PAUSE |
                               NF_CALLS | NF_LOWER);
}

static void give_type(Node *e, Type *t) {
  e->type = t;
  if (unknown(t))
    e->flags |= NF_UNKNOWN;
  if (type_is_vm(t))
    e->flags |= NF_VM;
}

Type *rvalue(Unit *u, Node *e) {
  if (!e->type)
    return scalar(u, TY_ERROR);
  Type *c = canon(e->type);
  if (c->kind == TY_ARRAY && u->body->async)
    note_address(e);
  if (c->kind == TY_ARRAY)
    return type_pointer(u, c->base);
  if (c->kind == TY_FUNC)
    return type_pointer(u, e->type);
  return type_unqual(u, e->type);
}

void used_as_value(Unit *u, Node *e) {
  if (u->body->async && e->type && canon(e->type)->kind == TY_ARRAY)
    note_address(e);
}

bool check_no_task(Unit *u, Node *e, TokIndex t) {
  if (!e->type || canon(e->type)->kind != TY_TASK)
    return true;
  error_at(u,
           t,
           "a `%s` is not a value; `await` gives its result",
           type_text(u, e->type));
  return false;
}

static bool is_null(Node *e);
static bool held(const Type *t) {
  return t->kind == TY_TASK || t->kind == TY_JOB;
}

// a pointer's, or NULL
static Type *function_behind(Type *t) {
  t = canon(t);
  if (t->kind == TY_POINTER)
    t = canon(t->base);
  return t->kind == TY_FUNC ? t : NULL;
}

static void wrong_value(Unit *u, Node *from, Type *to, const char *advice) {
  error_at(u,
           first_token(from),
           "a value of type `%s` is given where `%s` is expected%s",
           type_text(u, from->type),
           type_text(u, to),
           advice);
}

// Async, what they throw, and, since the C compiler sees no types of async functions, those.
bool check_functions(Unit *u, Node *from, Type *to) {
  if (!u->dialect || !from->type || from->kind == N_INIT_LIST)
    return true;
  Type *f = function_behind(from->type), *t = function_behind(to);
  if (!f || !t)
    return true;
  // at file scope as well
  if (f->is_async || t->is_async || f->throws)
    u->hold_errors = false;
  if (f->is_async != t->is_async) {
    error_at(u,
             from->tok,
             f->is_async ? "this is an async function, of type `%s`; a pointer "
                           "to a plain function is expected here"
                         : "this is a plain function, of type `%s`; a pointer "
                           "to an async function is expected here",
             type_text(u, from->type));
    return false;
  }
  if (f->is_async && !type_compatible(u, f, t)) {
    wrong_value(u, from, to, "");
    return false;
  }
  check_throws_fit(u, from, f, t);
  return true;
}

// Types of which a wrong one would be stored where the C compiler sees none: a and b are canonical.
static bool wrong_record(Type *a, Type *b) {
  if (a->kind == TY_ERROR || b->kind == TY_ERROR || held(a) || held(b))
    return false;
  if (type_is_void(b))
    return false;
  // GNU: also by a cast
  if (type_is_record(b) && (b->tag->transparent || b->kind == TY_UNION))
    return false;
  if (type_is_void(a) || type_is_record(a) != type_is_record(b))
    return true;
  return type_is_record(a) && a->tag != b->tag;
}

// A task or job is given, or wanted, and the other side is something else.
static bool wrong_task(Unit *u, Type *a, Type *b, const char *wanted) {
  if (a->kind == TY_ERROR || b->kind == TY_ERROR || !(held(a) || held(b)))
    return false;
  // the library takes all tasks and jobs
  if (strcmp(wanted, a->kind == TY_JOB ? "fm_job" : "fm_task") == 0)
    return false;
  return !type_compatible(u, a, b);
}

// false: it does not fit, and this was said
static bool convert(Unit *u, Node *from, Type *to) {
  if (!u->dialect || !from->type || from->kind == N_INIT_LIST)
    return true;
  if (!check_functions(u, from, to))
    return false;
  Type *a = canon(rvalue(u, from)), *b = canon(to);
  if (u->body->whole->strict && wrong_record(a, b)) {
    wrong_value(u, from, to, "");
    return false;
  }
  bool tagged = type_is_record(b) && b->tag->name;
  const char *wanted = tagged ? b->tag->name->name : "";
  if (!wrong_task(u, a, b, wanted))
    return true;
  // of a macro of the library's
  while (from->kind == N_PAREN)
    from = from->a;
  bool id = a->kind == TY_TASK && strcmp(wanted, "fm_activity") == 0;
  wrong_value(u,
              from,
              to,
              id ? "; `fm_id(…)` gives the activity of a task" : "");
  return false;
}

// Whether one pointer may be given for the other: qualifiers, signs and lengths of arrays are left
// to the C compiler.
static bool points_alike(Unit *u, Type *a, Type *b) {
  for (a = canon(a), b = canon(b);
       a->kind == b->kind && (a->kind == TY_ARRAY || a->kind == TY_POINTER);
       a = canon(a->base), b = canon(b->base))
    ;
  bool any = a->kind == TY_ERROR || b->kind == TY_ERROR || type_is_void(a) ||
             type_is_void(b);
  // the library takes all tasks and jobs
  if (any || held(a) || held(b))
    return true;
  if (type_is_integer(a) && type_is_integer(b))
    return type_size(u, a) == type_size(u, b);
  return type_compatible(u, type_unqual(u, a), type_unqual(u, b));
}

// where C would only warn
static void check_pointers(Unit *u, Node *value, Type *to) {
  if (!value->type || value->kind == N_INIT_LIST)
    return;
  Type *a = canon(rvalue(u, value)), *b = canon(to);
  bool pa = a->kind == TY_POINTER, pb = b->kind == TY_POINTER;
  if (a->kind == TY_ERROR || b->kind == TY_ERROR || is_null(value))
    return;
  if (type_is_record(a) || type_is_record(b) || type_is_void(a) ||
      (pa && b->kind == TY_BOOL))
    return;
  bool fits = pa && pb ? points_alike(u, a->base, b->base) : !pa && !pb;
  if (!fits)
    error_at(u,
             first_token(value),
             "a value of type `%s` is given where `%s` is expected",
             type_text(u, value->type),
             type_text(u, to));
}

void check_given(Unit *u, Node *value, Type *to) {
  if (convert(u, value, to))
    check_pointers(u, value, to);
}

// The macros of the library call a value that the program gives them, or that they give it, fm__v.
bool is_library_value(const Ident *id) {
  return strcmp(id->name, "fm__v") == 0;
}

static bool is_received(Node *e) {
  while (e->kind == N_PAREN)
    e = e->a;
  if (e->kind != N_STMT_EXPR)
    return false;
  Node *last = e->a->a;
  while (last && last->next)
    last = last->next;
  return last && last->kind == N_EXPR && last->a && last->a->kind == N_IDENT &&
         last->a->sym && is_library_value(last->a->sym->name);
}

void check_convert(Unit *u, Node *from, Type *to) {
  if (convert(u, from, to) && u->body->whole->strict && is_received(from))
    check_pointers(u, from, to);
}

static Node *bare(Node *e) {
  while (e->kind == N_PAREN || e->kind == N_EXTENSION)
    e = e->a;
  return e;
}

// An operand of arithmetic: a narrow bit-field is an int.
static Type *operand(Unit *u, Node *e) {
  Type *t = rvalue(u, e);
  Member *m = e->flags & NF_BITFIELD ? bare(e)->member : NULL;
  return m && type_is_integer(t) && m->width < 32 ? scalar(u, TY_INT) : t;
}

// The value of a bit-field handed on (by assignment, comma, ++): for gcc it keeps its width, for
// clang not.
static void pass_bitfield(Unit *u, Node *e, Node *from) {
  if (!(from->flags & NF_BITFIELD))
    return;
  e->flags |= NF_ODD_BITFIELD;
  if (u->opt.clang)
    return;
  e->flags |= NF_BITFIELD;
  e->member = bare(from)->member;
}

static bool is_null(Node *e) {
  return (e->flags & NF_NULLPTR) ||
         ((e->flags & NF_CONST) && e->val == 0 && type_is_integer(e->type));
}

// ---- names ----
// `(lenght)x`, `(lenght *)x`: meant as a cast.
static bool looks_like_cast(Unit *u, TokIndex t) {
  if (t == 0 || kind_at(u, t - 1) != P_LPAREN)
    return false;
  if (kind_at(u, t + 1) == P_STAR)
    return kind_at(u, t + 2) == P_RPAREN;
  TokenKind k = kind_at(u, t + 2);
  return kind_at(u, t + 1) == P_RPAREN &&
         (k == T_IDENT || k == T_NUMBER || k == T_CHAR || k == T_STRING);
}

static void undeclared(Unit *u, Node *e, Ident *name) {
  if (looks_like_cast(u, e->tok))
    fail_unknown_type(u, e->tok);
  error_undeclared(u, e->tok, name->name);
  declare(u, S_VAR, name, scalar(u, TY_ERROR), e->tok);
  give_type(e, scalar(u, TY_ERROR));
}

// __func__ and its older names
static bool function_name(Unit *u, Node *e, Ident *id) {
  bool is = strcmp(id->name, "__func__") == 0 ||
            strcmp(id->name, "__FUNCTION__") == 0 ||
            strcmp(id->name, "__PRETTY_FUNCTION__") == 0;
  if (!is)
    return false;
  Ident *function = written_function(u);
  int64_t n = function ? (int64_t)function->len : 0;
  give_type(e,
            type_array(u, type_qualify(u, scalar(u, TY_CHAR), Q_CONST), n + 1));
  if (u->body->async)
    edit(u,
         (Range){ e->tok, e->tok + 1 },
         arena_printf(&u->arena, "\"%s\"", function ? function->name : ""));
  // clang's pretty name has the whole signature
  e->type->incomplete = u->opt.clang && id->name[2] == 'P';
  e->flags |= NF_LVALUE;
  return true;
}

static Type *implicit_function(Unit *u, Ident *name) {
  Type *t = builtin_type(u, name);
  if (t && !unknown(t))
    return t;
  t = type_new(u, TY_FUNC, scalar(u, TY_INT));
  t->oldstyle = true;
  return t;
}

// a name that nothing has declared, but that the compilers know by themselves
static Symbol *builtin_symbol(Unit *u, Node *e, Ident *name) {
  bool reserved = name->len > 2 && name->name[0] == '_' && name->name[1] == '_';
  Type *t = reserved ? builtin_type(u, name) : NULL;
  return t ? declare(u, S_BUILTIN, name, t, e->tok) : NULL;
}

// a call declares what it calls, as in C90, but not in the dialect
static Symbol *implicit_symbol(Unit *u, Node *e, Ident *name) {
  if (u->body->whole->strict && !builtin_type(u, name))
    return NULL;
  Symbol *s = declare(u, S_FUNC, name, implicit_function(u, name), e->tok);
  s->implicit = true;
  return s;
}

static Symbol *symbol_of(Unit *u, Node *e, Ident *name, bool called) {
  Symbol *s = name->sym;
  if (!s)
    s = builtin_symbol(u, e, name);
  if (!s && called)
    s = implicit_symbol(u, e, name);
  return s;
}

static void mention(Unit *u, Node *e, Symbol *s) {
  e->sym = s;
  s->mentions++;
  // for text that is printed as written
  if (s->emitted)
    edit(u, (Range){ e->tok, e->tok + 1 }, s->emitted);
  note_use(u, s, e->tok);
  note_mention(u, e);
  if (s->thread_local_)
    note_thread_local(u, e);
}

void check_ident(Unit *u, Node *e, bool called) {
  Ident *name = tok_at(u, e->tok)->id;
  if (!name->sym && function_name(u, e, name))
    return;
  Symbol *s = symbol_of(u, e, name, called);
  if (!s) {
    undeclared(u, e, name);
    return;
  }
  if (s->kind == S_TYPEDEF)
    fail_at(u, e->tok, "`%s` is a type; a value is expected here", name->name);
  mention(u, e, s);
  give_type(e, s->type);
  if (s->kind == S_ENUMCONST)
    set_const(u, e, s->value);
  else if (s->kind == S_VAR)
    e->flags |= NF_LVALUE;
}

// ---- unary ----
// What pauses becomes a variable of ours, and the C compiler would let it be changed.
static void check_place(Unit *u, Node *e, const char *what) {
  Node *k = e;
  while (k->kind == N_PAREN || k->kind == N_EXTENSION || k->kind == N_MEMBER)
    k = k->a;
  bool value = k->kind == N_CALL || k->kind == N_AWAIT ||
               k->kind == N_STMT_EXPR || k->kind == N_COND ||
               k->kind == N_ATOMIC_EXPR;
  if (value && (k->flags & NF_PAUSE) && canon(e->type)->kind != TY_ARRAY &&
      canon(e->type)->kind != TY_ERROR)
    error_at(u,
             first_token(e),
             "this is a value, not a variable: it cannot be %s",
             what);
}

static bool is_async_function(const Node *e) {
  return canon(e->type)->kind == TY_FUNC && canon(e->type)->is_async;
}

static void address_of(Unit *u, Node *e) {
  note_address(e->a);
  note_va_address(u, e->a);
  // it is an array
  if (is_async_function(e->a) && !u->body->func)
    edit(u, (Range){ e->tok, e->tok + 1 }, "&*");
  give_type(e, type_pointer(u, e->a->type));
}

static void dereference(Unit *u, Node *e) {
  Type *t = canon(rvalue(u, e->a));
  if (t->kind == TY_POINTER) {
    give_type(e, t->base);
    e->flags |= NF_LVALUE;
    // *f, with f an array, would be the descriptor
    if (is_async_function(e) && !u->body->func)
      edit(u, (Range){ e->tok, e->tok + 1 }, "");
    return;
  }
  if (t->kind != TY_ERROR)
    error_at(u,
             e->tok,
             "a value of type `%s` is not a pointer: it cannot be dereferenced",
             type_text(u, e->a->type));
  give_type(e, scalar(u, TY_ERROR));
}

// what comparing two such vectors gives
static Type *vector_of_ints(Unit *u, Type *v) {
  Type *c = canon(v);
  bool wide = u->opt.clang || u->opt.ilp32;
  switch (type_size(u, c->base)) {
  case 1:
    return type_vector(u, scalar(u, u->opt.clang ? TY_CHAR : TY_SCHAR), c->len);
  case 2:
    return type_vector(u, scalar(u, TY_SHORT), c->len);
  case 4:
    return type_vector(u, scalar(u, TY_INT), c->len);
  case 8:
    return type_vector(u, scalar(u, wide ? TY_LLONG : TY_LONG), c->len);
  default:
    return scalar(u, TY_ERROR);
  }
}

static void arithmetic_unary(Unit *u, Node *e) {
  Type *t =
      check_no_task(u, e->a, e->tok) ? operand(u, e->a) : scalar(u, TY_ERROR);
  Type *c = canon(t);
  if (e->op == P_BANG)
    give_type(e,
              c->kind == TY_VECTOR ? vector_of_ints(u, c) : scalar(u, TY_INT));
  else if (e->op == K_REAL || e->op == K_IMAG)
    give_type(e, c->kind == TY_COMPLEX ? c->base : t);
  else
    give_type(e, type_is_integer(t) ? type_promote(u, t) : t);
  if ((e->op == K_REAL || e->op == K_IMAG) && (e->a->flags & NF_LVALUE))
    e->flags |= NF_LVALUE;
  if (e->op != P_BANG)
    e->flags |= e->a->flags & NF_ODD_BITFIELD;
  fold_unary(u, e);
}

// of the arrays in a type that is written in e
static void lengths_up(Node *e, Type *t) {
  for (Type *k = type_is_vm(t) ? t : NULL; k; k = k->base)
    if (k->kind == TY_ARRAY && k->len_expr)
      flags_up(e, k->len_expr);
}

static void size_of(Unit *u, Node *e) {
  bool type = e->kind == N_SIZEOF_TYPE || e->kind == N_ALIGNOF_TYPE,
       align = e->kind == N_ALIGNOF || e->kind == N_ALIGNOF_TYPE;
  Type *t = type ? e->tname->type : e->a->type;
  int64_t n = align ? type_align(u, t) : type_size(u, t);
  if (canon(t)->kind == TY_FUNC && canon(t)->is_async) {
    u->hold_errors = false;
    error_at(u, e->tok, "a function has no %s", align ? "alignment" : "size");
  }
  e->type = size_type(u);
  e->flags &= (uint16_t) ~(NF_PAUSE | NF_CALLS); // the operand is not evaluated
  // but for the lengths of a variable array
  if (type)
    lengths_up(e, t);
  if (type_is_vm(t))
    e->flags |= NF_VM;
  // an object's own alignment is not in its type
  if (align && (!type || u->opt.ilp32))
    n = -1;
  if (n >= 0)
    set_const(u, e, n);
}

void check_unary(Unit *u, Node *e) {
  flags_up(e, e->a);
  switch (e->kind) {
  case N_SIZEOF:
  case N_SIZEOF_TYPE:
  case N_ALIGNOF:
  case N_ALIGNOF_TYPE:
    size_of(u, e);
    return;
  case N_POSTFIX:
  case N_PREFIX:
    check_place(u, e->a, "changed");
    give_type(e, rvalue(u, e->a));
    pass_bitfield(u, e, e->a);
    return;
  default:
    break;
  }
  if (e->op == P_AMP) {
    check_place(u, e->a, "pointed at");
    address_of(u, e);
  } else if (e->op == P_STAR)
    dereference(u, e);
  else
    arithmetic_unary(u, e);
}

// ---- binary ----
static bool comparison(TokenKind op) {
  return op >= P_LT && op <= P_NE;
}

static Type *vector_operation(Unit *u, TokenKind op, Type *a, Type *b) {
  Type *v = canon(a)->kind == TY_VECTOR ? a : b;
  return comparison(op) || op == P_ANDAND || op == P_OROR ? vector_of_ints(u, v)
                                                          : type_unqual(u, v);
}

static Type *pointer_arithmetic(Unit *u, Node *e, Type *a, Type *b) {
  bool pa = canon(a)->kind == TY_POINTER, pb = canon(b)->kind == TY_POINTER;
  if (e->op == P_MINUS && pa && pb)
    return diff_type(u);
  if ((e->op == P_PLUS || e->op == P_MINUS) && pa && type_is_integer(b))
    return a;
  if (e->op == P_PLUS && pb && type_is_integer(a))
    return b;
  error_at(u,
           e->tok,
           "this operator cannot take operands of types `%s` and `%s`",
           type_text(u, e->a->type),
           type_text(u, e->b->type));
  return scalar(u, TY_ERROR);
}

static bool is_logical(TokenKind op) {
  return op == P_ANDAND || op == P_OROR;
}

static Type *binary_type(Unit *u, Node *e) {
  Type *a = operand(u, e->a), *b = operand(u, e->b);
  TokenKind op = (TokenKind)e->op;
  bool asks = is_logical(op) || comparison(op);
  if (asks &&
      !(check_no_task(u, e->a, e->tok) && check_no_task(u, e->b, e->tok)))
    return scalar(u, TY_ERROR);
  if (unknown(a) || unknown(b))
    return scalar(u, is_logical(op) ? TY_INT : TY_ERROR);
  if (canon(a)->kind == TY_VECTOR || canon(b)->kind == TY_VECTOR)
    return vector_operation(u, op, a, b);
  if (asks)
    return scalar(u, TY_INT);
  if ((op == P_SHL || op == P_SHR) && type_is_integer(a))
    return type_promote(u, a);
  if (type_is_arith(a) && type_is_arith(b))
    return type_arith(u, a, b);
  return pointer_arithmetic(u, e, a, b);
}

void check_binary(Unit *u, Node *e) {
  flags_up(e, e->a);
  flags_up(e, e->b);
  if (e->op == P_COMMA) {
    drop_value(u, e->a);
    give_type(e, rvalue(u, e->b));
    pass_bitfield(u, e, e->b);
    e->flags |= e->b->flags & NF_ODD_BITFIELD;
    return;
  }
  give_type(e, binary_type(u, e));
  if (!comparison((TokenKind)e->op) && e->op != P_ANDAND && e->op != P_OROR)
    e->flags |= (e->a->flags | e->b->flags) & NF_ODD_BITFIELD;
  fold_binary(u, e);
}

void check_assign(Unit *u, Node *e) {
  check_place(u, e->a, "assigned to");
  used_as_value(u, e->b);
  if (e->op == P_ASSIGN || type_is_void(e->b->type))
    check_convert(u, e->b, e->a->type);
  if (e->op == P_ASSIGN)
    give_throws_to(u, e->a, e->b);
  if (e->op == P_ASSIGN && canon(e->a->type)->kind == TY_TASK)
    forget_use(e->a);
  flags_up(e, e->a);
  flags_up(e, e->b);
  give_type(e, rvalue(u, e->a));
  pass_bitfield(u, e, e->a);
}

// ---- ?: ----
// two pointers: composite target with both targets' qualifiers
static Type *pointed_union(Unit *u, Type *a, Type *b) {
  Type *x = canon(a)->base, *y = canon(b)->base;
  unsigned quals = canon(x)->quals | canon(y)->quals;
  Type *to = type_is_void(x)   ? x
             : type_is_void(y) ? y
             : type_compatible(u, type_unqual(u, x), type_unqual(u, y))
                 ? type_throwing_both(u, type_composite(u, x, y), x, y)
                 : scalar(u, TY_VOID);
  return type_pointer(u, type_qualify(u, to, quals));
}

static Type *cond_pointers(Unit *u, Node *x, Node *y, Type *a, Type *b) {
  bool pa = canon(a)->kind == TY_POINTER, pb = canon(b)->kind == TY_POINTER;
  if (pa && (is_null(y) || !pb))
    return a;
  if (pb && (is_null(x) || !pa))
    return b;
  return pointed_union(u, a, b);
}

void check_cond(Unit *u, Node *e) {
  Node *yes = e->b ? e->b : e->a, *no = e->c;
  check_no_task(u, e->a, first_token(e->a));
  flags_up(e, e->a);
  flags_up(e, yes);
  flags_up(e, no);
  Type *a = operand(u, yes), *b = operand(u, no);
  e->flags |= (yes->flags | no->flags) & NF_ODD_BITFIELD;
  if (unknown(a) || unknown(b))
    give_type(e, scalar(u, TY_ERROR));
  else if (canon(rvalue(u, e->a))->kind == TY_VECTOR)
    give_type(e, a);
  else if (type_is_void(a) || type_is_void(b))
    give_type(e, scalar(u, TY_VOID));
  else if (type_is_arith(a) && type_is_arith(b))
    give_type(e, type_arith(u, a, b));
  else if (canon(a)->kind == TY_POINTER || canon(b)->kind == TY_POINTER)
    give_type(e, cond_pointers(u, yes, no, a, b));
  else
    give_type(e, a);
  fold_cond(u, e);
}

// ---- casts, subscripts, members ----
// (int)2.5 is a constant too
static void fold_float_cast(Unit *u, Node *e) {
  Node *n = bare(e->a);
  if (n->kind != N_NUMBER || !type_is_real_float(n->type) ||
      !type_is_integer(e->type))
    return;
  const char *text = u->text + tok_at(u, n->tok)->pos;
  TypeKind k = (TypeKind)canon(n->type)->kind;
  long double d = k == TY_FLOAT    ? strtof(text, NULL)
                  : k == TY_DOUBLE ? strtod(text, NULL)
                                   : strtold(text, NULL);
  if (canon(e->type)->kind == TY_BOOL)
    set_const(u, e, d != 0);
  else if (k <= TY_LDOUBLE && d < 9e18L)
    set_const(u, e, (int64_t)d);
}

void check_cast(Unit *u, Node *e) {
  if (!type_is_void(e->tname->type) && canon(e->a->type)->kind == TY_TASK)
    error_at(u, e->tok, "a `%s` cannot be cast", type_text(u, e->a->type));
  if (type_is_void(e->tname->type))
    drop_value(u, e->a);
  used_as_value(u, e->a);
  flags_up(e, e->a);
  lengths_up(e, e->tname->type);
  give_type(e, type_unqual(u, e->tname->type));
  fold_cast(u, e);
  fold_float_cast(u, e);
  Type *t = canon(e->type);
  if (t->kind == TY_POINTER && type_is_void(t->base) &&
      !canon(t->base)->quals && is_null(e->a))
    e->flags |= NF_NULLPTR;
}

void check_index(Unit *u, Node *e) {
  flags_up(e, e->a);
  flags_up(e, e->b);
  Type *a = canon(rvalue(u, e->a)), *b = canon(rvalue(u, e->b));
  Type *p = a->kind == TY_POINTER || a->kind == TY_VECTOR ? a : b;
  e->flags |= NF_LVALUE;
  if (p->kind == TY_POINTER || p->kind == TY_VECTOR) {
    give_type(e, p->base);
    return;
  }
  if (a->kind != TY_ERROR && b->kind != TY_ERROR)
    error_at(u,
             e->tok,
             "a value of type `%s` is neither an array nor a pointer: it has "
             "no elements",
             type_text(u, e->a->type));
  give_type(e, scalar(u, TY_ERROR));
}

// Of a function of the library that is a macro. Once: what the macro goes on to do with its copy is
// no further error.
static void wrong_kind(Unit *u, Node *e, Type *record, const char *wanted) {
  Node *of = bare(e->a);
  error_at(u,
           e->end,
           "%s is expected here, not a value of type `%s`",
           wanted,
           type_text(u, record));
  if (of->kind == N_IDENT && of->sym &&
      strncmp(of->sym->name->name, "fm__", 4) == 0)
    of->sym->type = scalar(u, TY_ERROR);
}

static void no_member(Unit *u, Node *e, Type *record, Ident *name) {
  if (!type_is_record(record))
    error_at(u,
             e->tok,
             "a value of type `%s` has no members%s",
             type_text(u, e->a->type),
             e->kind == N_MEMBER && canon(rvalue(u, e->a))->kind == TY_POINTER
                 ? "; use `->` with a pointer"
                 : "");
  else if (!canon(record)->tag->complete)
    error_at(u,
             e->tok,
             "`%s` is declared but not defined here: its members are not known",
             type_text(u, record));
  else if (library_kind(name->name))
    wrong_kind(u, e, record, library_kind(name->name));
  else
    error_at(u,
             e->end,
             "`%s` has no member named `%s`",
             type_text(u, record),
             name->name);
}

// the structure on the left of `.` or `->`, or what else stands there
static Type *left_of_member(Unit *u, Node *e) {
  if (e->kind != N_ARROW)
    return canon(e->a->type);
  Type *t = canon(rvalue(u, e->a));
  if (type_is_record(t))
    error_at(u,
             e->tok,
             "a value of type `%s` is not a pointer; use `.` with it",
             type_text(u, e->a->type));
  return t->kind == TY_POINTER ? canon(t->base) : t;
}

static void mark_bitfield(Unit *u, Node *e, const Member *m) {
  e->flags |= NF_BITFIELD;
  if (int_bits(u, m->type) > 32 && m->width >= 32)
    e->flags |= NF_ODD_BITFIELD;
}

void check_member(Unit *u, Node *e, Ident *name) {
  flags_up(e, e->a);
  Type *t = left_of_member(u, e);
  if (t->kind == TY_ERROR || t->kind == TY_VECTOR) { // clang's v.xyz
    give_type(e, scalar(u, TY_ERROR));
    return;
  }
  bool has_members = type_is_record(t) && t->tag->complete;
  Member *m = has_members ? type_member(t, name, NULL) : NULL;
  if (!m) {
    no_member(u, e, t, name);
    give_type(e, scalar(u, TY_ERROR));
    return;
  }
  e->member = m;
  give_type(e, type_qualify(u, m->type, t->quals & ~(unsigned)Q_ATOMIC));
  if (e->kind == N_ARROW || (e->a->flags & NF_LVALUE))
    e->flags |= NF_LVALUE;
  if (m->width >= 0)
    mark_bitfield(u, e, m);
}

// ---- _Generic ----
void check_generic(Unit *u, Node *e) {
  Type *t = rvalue(u, e->a);
  Node *taken = NULL;
  for (Node *a = e->b; a; a = a->next) {
    if (!a->tname)
      taken = taken ? taken : a;
    else if (!unknown(t) && canon(a->tname->type)->quals == 0 &&
             type_compatible(u, t, a->tname->type))
      taken = a;
  }
  if (!taken || unknown(t)) {
    for (Node *a = e->b; a; a = a->next)
      flags_up(e, a->a);
    give_type(e, scalar(u, TY_ERROR));
    return;
  }
  taken->op = ASSOC_CHOSEN;
  give_type(e, taken->a->type);
  e->flags |= taken->a->flags;
  e->val = taken->a->val;
}
