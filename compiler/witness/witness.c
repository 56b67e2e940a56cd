// witness.c: the witness: the unit as plain C, for the C compiler's diagnostics.
//
//     async int f(int n) { auto t = spawn g(n); yield; return await t; }
//
// becomes, for its warnings and errors alone,
//
//     int f(int n) {
//       __auto_type t = (fm__w_maybe() ? (void)g(n) : (void)0, fm__w_task());
//       fm__w_yield();
//       return ((int (*)(int, ...))fm__w_any)(0, t);
//     }
//
// Every token of the user's stands at the line and column where he wrote it (place.c), so what the
// compiler says of this text needs no retelling. The text of the real functions is compiled without
// warnings (driver.c).
//
// While it parses, the parser marks what is to be read otherwise: tokens that are left out or
// replaced, and text before or after a token. Text of ours stands on lines marked as a system
// header's, so that nothing is said of it; where it is the head of an expression that the compiler
// may want to speak of (`await t` of a wrong type), it stands at the keyword's own place (loud).
//
// The order of events: what runs elsewhere or later (spawn, activate, job, defer) may run or not,
// so nothing after it is unreachable and nothing that it would do is certain. Variables that are
// shared with such a body are handed to an unknown function first: they may have any value.
#include "fmcc.h"

#include <stdlib.h>

typedef enum Where { BEFORE, INSTEAD, AFTER } Where;
typedef struct Mark {
  TokIndex tok, to; // INSTEAD: of the tokens up to `to`
  uint8_t where;
  bool loud;
  size_t order;
  const char *text;
} Mark;

static void mark(Unit *u, Mark m) {
  if (!u->opt.witness || u->errors)
    return;
  Mark *k = NEW(&u->arena, Mark);
  m.order = u->marks.len;
  *k = m;
  vec_push(&u->marks, k);
}

void witness_before(Unit *u, TokIndex t, const char *text) {
  mark(u, (Mark){ .tok = t, .where = BEFORE, .text = text });
}
void witness_after(Unit *u, TokIndex t, const char *text) {
  mark(u, (Mark){ .tok = t, .where = AFTER, .text = text });
}

void witness_instead(Unit *u, TokIndex from, TokIndex to, const char *text) {
  mark(u, (Mark){ .tok = from, .to = to, .where = INSTEAD, .text = text });
}

static void loud_instead(Unit *u, TokIndex t, const char *text) {
  mark(u,
       (Mark){ .tok = t,
               .to = t + 1,
               .where = INSTEAD,
               .loud = true,
               .text = text });
}

static bool wanted(Unit *u) {
  return u->opt.witness && !u->errors;
}

#define TEXT(...) arena_printf(&u->arena, __VA_ARGS__)

// The type as the body around can write it. NULL: it cannot, and there will be no witness.
static const char *type_there(Unit *u, Type *t, const char *name) {
  Buf b = { 0 };
  Printer p = { .u = u,
                .out = &b,
                .line = UINT32_MAX,
                .pragma = SIZE_MAX,
                .spell = true,
                .erased = true };
  print_type(&p, t, name, 0);
  const char *s = arena_text(&u->arena, b.data ? b.data : "", b.len);
  buf_free(&b);
  if (!p.unspeakable)
    return s;
  u->no_witness = true;
  return NULL;
}

// ---- expressions ----
// of a task, a job, an object; `run` as well
void witness_await(Unit *u, Node *n) {
  if (!wanted(u))
    return;
  Symbol **f = n->object;
  Type *f_type = type_new(u, TY_FUNC, type_unqual(u, n->type));
  f_type->variadic = true;
  f_type->params = NEW(&u->arena, Param);
  f_type->params->type = type_scalar(u, TY_INT);
  const char *type = type_there(u, f_type, "(*)");
  const char *used = "";
  for (int i = 0; f && i < 4; i++)
    if (f[i])
      used = TEXT("%s, %s", used, f[i]->name->name);
  if (!type)
    return;
  loud_instead(u, n->tok, TEXT("((%s)fm__w_any)(0,", type));
  witness_after(u, u->p - 1, TEXT("%s)", used));
}

void witness_drop(Unit *u, TokIndex t) {
  witness_instead(u, t, t + 1, "");
}

// `spawn words f(x)`, `job f(x)`: the words have been marked; operand: the first token of the call.
void witness_begin(Unit *u, TokIndex keyword, TokIndex operand, bool job) {
  witness_instead(u, keyword, keyword + 1, "(");
  witness_before(u, operand, "fm__w_maybe() ? (void)");
  witness_after(u,
                u->p - 1,
                job ? " : (void)0, fm__w_job())" : " : (void)0, fm__w_task())");
}

// in (x), on (x): behind the parenthesis
void witness_place(Unit *u, TokIndex word) {
  witness_instead(u, word, word + 1, "(void)");
  witness_after(u, u->p - 1, ",");
}

// fm_complete(k, v)
void witness_completed(Unit *u, TokIndex from, TokIndex to, Type *t) {
  const char *type = wanted(u) ? type_there(u, t, "fm__v") : NULL;
  if (!type)
    return;
  witness_before(u, from, TEXT("({ %s =", type));
  witness_after(u, to, "; fm__v; })");
}

// ---- statements ----
void witness_yield(Unit *u, TokIndex t) {
  witness_instead(u, t, t + 1, "fm__w_yield()");
}

void witness_throw(Unit *u, Node *n) {
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  n->a ? "fm__w_throw(0," : "fm__w_throw(0");
  witness_before(u, n->end, ")");
}

// It runs at the end of its block: a variable that gets its value after it, has it then.
static bool set_after(Unit *u, TokIndex t, const Ident *name) {
  int depth = 0;
  for (; depth >= 0 && kind_at(u, t) != T_EOF; t++) {
    TokenKind k = kind_at(u, t);
    TokenKind next = kind_at(u, t + 1);
    TokenKind before = kind_at(u, t - 1);
    depth += (k == P_LBRACE) - (k == P_RBRACE);
    if (k != T_IDENT || tok_at(u, t)->id != name || before == P_DOT ||
        before == P_ARROW)
      continue;
    if (next == P_ASSIGN || before == P_AMP || next == P_DOT ||
        next == P_LBRACKET)
      return true;
  }
  return false;
}

static bool may_be_set(const Symbol *s) {
  bool automatic = s && s->kind == S_VAR && s->depth > 0 && !s->is_param &&
                   (s->storage == ST_NONE || s->storage == ST_AUTO);
  if (!automatic || type_is_vm(s->type) || type_has_const_member(s->type))
    return false;
  Type *t = canon(s->type);
  while (t->kind == TY_ARRAY)
    t = canon(t->base);
  return !(t->quals & Q_CONST);
}

static const char *set_there(Unit *u, TokIndex from, TokIndex to) {
  const char *list = "";
  for (TokIndex t = from; t < to; t++) {
    Ident *name = kind_at(u, t) == T_IDENT ? tok_at(u, t)->id : NULL;
    if (name && may_be_set(name->sym) && set_after(u, to, name))
      list = TEXT("%s __asm__(\"\" : \"=m\"(%s));", list, name->name);
  }
  return list;
}

void witness_defer(Unit *u, Node *n) {
  if (!wanted(u))
    return;
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  TEXT("{ if (fm__w_maybe()) {%s",
                       set_there(u, n->tok + 1, n->end + 1)));
  witness_after(u, n->end, "fm__w_end(); } }");
}

// other: `else`, or 0
void witness_scope(Unit *u, Node *n, TokIndex body, TokIndex other) {
  bool named = n->decl != NULL;
  witness_instead(u, n->tok, n->tok + 1, named ? "{ fm_activity" : "{");
  if (named)
    witness_drop(u, n->tok + 1);
  if (named)
    witness_instead(u,
                    n->tok + 3,
                    n->tok + 4,
                    "__attribute__((unused)) = fm__w_scope();");
  if (other) {
    witness_before(u, body, "if (fm__w_maybe()) {");
    witness_instead(u, other, other + 1, "} else {");
  }
  witness_after(u, n->end, other ? "} }" : "}");
}

// A statement in a try that may throw: it may be left before.
void witness_may_throw(Unit *u, TokIndex first, bool declares) {
  Try *t = u->body->tries;
  while (t && t->scope)
    t = t->outer;
  if (!wanted(u) || !t || (tok_at(u, first)->flags & TF_SYSTEM))
    return;
  if (!t->witness)
    t->witness = ++u->nwitness;
  switch (kind_at(u, first)) {
  case K_CASE:
  case K_DEFAULT:
  case K_ATTRIBUTE:
  case P_LBRACKET:
  case K_LABEL:
    return;
  case T_IDENT:
    if (kind_at(u, first + 1) == P_COLON)
      return;
    break;
  default:
    break;
  }
  const char *jump = TEXT("if (fm__w_maybe()) goto fm__w%d;", t->witness);
  if (declares)
    jump = TEXT("int fm__g%d __attribute__((unused)) = ({ %s 0; });",
                ++u->nwitness,
                jump);
  witness_before(u, first, jump);
}

// close: the parenthesis
void witness_catch(Unit *u, Node *n, bool first, TokIndex close) {
  const Decl *d = n->decl;
  const char *name = d->name ? d->name->name : "fm__e";
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  first ? "if (fm__w_maybe()) {" : "else if (fm__w_maybe()) {");
  witness_drop(u, n->tok + 1);
  if (!d->name)
    witness_before(u, close, name);
  witness_instead(u,
                  close,
                  close + 1,
                  TEXT("; fm__w_share(0, (void *)&%s);", name));
  witness_after(u, n->end, "}");
}

// finally: the word, or 0
void witness_try(Unit *u,
                 Node *n,
                 const Try *t,
                 TokIndex body_end,
                 TokIndex catches_end,
                 TokIndex finally) {
  if (!wanted(u))
    return;
  witness_instead(u, n->tok, n->tok + 1, "{");
  if (t->witness)
    witness_after(u,
                  body_end,
                  TEXT(" if (0) { fm__w%d: __attribute__((unused));",
                       t->witness));
  else if (n->b)
    witness_after(u, body_end, " if (fm__w_maybe()) {");
  if (t->witness || n->b)
    witness_after(u,
                  catches_end,
                  n->b ? " else fm__w_end(); }" : " fm__w_end(); }");
  if (finally)
    witness_drop(u, finally);
  witness_after(u, n->end, "}");
}

// ---- bodies inside functions ----
static const char *shared_with(Unit *u, const Async *a) {
  const char *list = "";
  for (size_t i = 0; i < a->shares.len; i++) {
    const Symbol *s = a->shares.at[i];
    if (s->storage != ST_REGISTER)
      list = TEXT("%s, (void *)&%s", list, s->name->name);
  }
  return *list ? TEXT("fm__w_share(0%s);", list) : "";
}

// a variable of the function around
void witness_shares(Async *a, Symbol *s) {
  for (size_t i = 0; i < a->shares.len; i++)
    if (a->shares.at[i] == s)
      return;
  vec_push(&a->shares, s);
}

// The labels of a body are its own. Where its function has the same ones elsewhere, that has to be
// said; elsewhere not, since clang then says nothing of unused ones.
static bool label_is_twice(Unit *u, const Ident *name) {
  int times = 0;
  for (size_t i = 0; i < u->body->whole->labels.len; i++)
    times += u->body->whole->labels.at[i] == name;
  return times > 1;
}

// it has been read
void witness_function(Unit *u) {
  for (size_t i = 0; i < u->body->whole->bodies.len; i++) {
    const Async *a = u->body->whole->bodies.at[i];
    const char *list = "";
    for (size_t k = 0; k < a->labels.len && !a->own_labels; k++) {
      const Ident *name = a->labels.at[k];
      if (label_is_twice(u, name))
        list = TEXT("%s%s%s", list, *list ? ", " : "__label__ ", name->name);
    }
    if (*list)
      witness_after(u, a->opens, TEXT("%s;", list));
  }
  u->body->whole->bodies.len = u->body->whole->labels.len = 0;
}

static void note_labels(Unit *u, Async *a, TokIndex body) {
  a->opens = body;
  vec_push(&u->body->whole->bodies, a);
}

// (x, y): x = x would be the new one on both sides.
static const char *
copies_there(Unit *u, Node *names, const Param *q, const char **second) {
  const char *first = *second = "";
  for (Node *c = names; c && q; c = c->next, q = q->next) {
    const char *name = q->name->name;
    int k = ++u->nwitness;
    if (q->copied && type_is_vm(q->copied)) {
      *second = TEXT(
          "%s __typeof__(%s) fm__c%d; (void)fm__c%d;", *second, name, k, k);
    } else if (q->copied) {
      const char *type = type_there(u, q->copied, TEXT("fm__c%d", k));
      const char *again = type_there(u, q->copied, name);
      if (!type)
        return first;
      first = TEXT("%s %s; fm__w_share(0, (void *)&fm__c%d, (void *)%s);",
                   first,
                   type,
                   k,
                   name);
      *second = TEXT("%s %s; fm__w_share(0, (void *)&%s, (void *)fm__c%d);",
                     *second,
                     again,
                     name,
                     k);
    } else {
      const char *type = type_there(u, q->type, TEXT("fm__c%d", k));
      const char *again = type_there(u, q->type, name);
      if (!type)
        return first;
      first = TEXT("%s %s = %s;", first, type, name);
      *second =
          TEXT("%s %s __attribute__((unused)) = fm__c%d;", *second, again, k);
    }
  }
  return first;
}

// activate [ &id ] ( names ) { body }
void witness_activate(Unit *u,
                      Node *n,
                      Async *a,
                      TokIndex bracket,
                      TokIndex copies,
                      TokIndex body) {
  if (!wanted(u))
    return;
  const char *second;
  const char *first = copies_there(u, n->c, a->type->params, &second);
  witness_instead(u, n->tok, n->tok + 1, "{");
  if (bracket) {
    witness_instead(u, n->tok + 1, n->tok + 2, "*(");
    witness_instead(u, bracket, bracket + 1, ") = fm_self();");
  }
  if (copies < body)
    witness_instead(u, copies, body, "");
  witness_before(
      u,
      body,
      TEXT("%s%s if (fm__w_maybe()) {%s", shared_with(u, a), first, second));
  note_labels(u, a, body);
  witness_after(u,
                n->end,
                a->witness
                    ? TEXT("fm__w%d: __attribute__((unused)); } }", a->witness)
                    : "} }");
}

static const char *leaves(Unit *u, Async *a) {
  if (!a->witness)
    a->witness = ++u->nwitness;
  return TEXT("goto fm__w%d", a->witness);
}

// `return;` and `return e;` in such a body.
void witness_return(Unit *u, Node *n, bool infers) {
  Async *a = u->body->async;
  if (!wanted(u) || !a || (!a->up && !a->boundary))
    return;
  const char *jump = leaves(u, a);
  if (!n->a) {
    witness_instead(u, n->tok, n->tok + 1, jump);
    return;
  }
  Type *t = canon(u->body->func->type)->base;
  bool is_void = type_is_void(t);
  const char *type = is_void  ? ""
                     : infers ? "__auto_type fm__r ="
                              : type_there(u, t, "fm__r =");
  if (!type)
    return;
  bool comma = n->a->kind == N_BINARY && n->a->op == P_COMMA;
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  TEXT("{ %s%s", type, comma ? "(" : ""));
  if (comma)
    witness_before(u, n->end, ")");
  witness_after(u,
                n->end,
                TEXT("%s%s; }",
                     is_void ? "" : "fm__w_share(0, (void *)&fm__r); ",
                     jump));
}

static const char *label_at_end(Unit *u, const Async *a) {
  return a->witness ? TEXT("fm__w%d: __attribute__((unused));", a->witness)
                    : "";
}

// job ( names ) { body }
void witness_job(Unit *u, Node *n, Async *a, TokIndex body) {
  if (!wanted(u))
    return;
  const char *second;
  const char *first = copies_there(u, n->c, a->type->params, &second);
  witness_instead(u, n->tok, body, "");
  witness_before(u, n->tok, TEXT("({%s if (fm__w_maybe()) {%s", first, second));
  note_labels(u, a, body);
  witness_after(u, u->p - 1, TEXT("%s } fm__w_job(); })", label_at_end(u, a)));
}

// __fm_thunk ( parameters ) { body }
void witness_thunk(Unit *u, Node *n, Async *a, TokIndex body) {
  const char *set = "";
  if (!wanted(u))
    return;
  witness_instead(u, n->tok, n->tok + 1, "({ if (fm__w_maybe()) {");
  witness_drop(u, n->tok + 1);
  for (Param *q = a->type->params; q; q = q->next) {
    if (q->next)
      witness_instead(u, q->range.to, q->range.to + 1, ";");
    if (q->name)
      set = TEXT("%s, (void *)&%s", set, q->name->name);
    else
      u->no_witness = true;
  }
  if (a->type->params)
    witness_instead(u, body - 1, body, TEXT("; fm__w_share(0%s);", set));
  else
    witness_instead(u, n->tok + 1, body, "");
  note_labels(u, a, body);
  witness_after(u, u->p - 1, TEXT("%s } (void *)0; })", label_at_end(u, a)));
}

// ---- race ----
void witness_race(Unit *u, TokIndex t) {
  witness_instead(u, t, t + 1, "switch (fm__w_arm())");
}

// case [ lvalue = ] expr : { statement }; colon: that token; last: of the arm
void witness_arm(Unit *u, Node *n, int number, TokIndex colon, TokIndex last) {
  const char *drops = n->b ? "" : "(void)("; // a value that no one wants
  witness_instead(u,
                  n->tok,
                  n->tok + 1,
                  number ? TEXT("case %d: { %s", number, drops)
                         : TEXT("default: { %s", drops));
  witness_instead(u, colon, colon + 1, n->b ? "; {" : "); {");
  // gcc speaks of unused variables at the end of their block, which has to be loud.
  mark(u, (Mark){ .tok = last, .where = AFTER, .loud = true, .text = "}" });
  witness_after(u, last, "break; }");
}

// ---- asyncdirect ----
// asyncdirect T f(x, fm_completion(T) *k) { body }  →  T f(x); static void f__fm_direct(x,
// fm_completion *k) { body }
void witness_direct(Unit *u, TokIndex from, const Decl *d, bool body) {
  if (!wanted(u))
    return;
  Type *seen = type_new(u, TY_FUNC, canon(d->type)->base);
  *seen = *canon(d->type);
  seen->canon = seen;
  seen->is_async = false;
  const char *type = type_there(u, seen, d->name->name);
  if (!type)
    return;
  if (!body) {
    witness_instead(u, from, u->p - 1, type);
    return;
  }
  witness_instead(u,
                  from,
                  d->specs->range.to,
                  TEXT("%s; static __attribute__((unused)) void", type));
  for (TokIndex t = d->specs->range.to; t < d->tok; t++)
    witness_drop(u, t);
  witness_instead(u, d->tok, d->tok + 1, TEXT("%s__fm_direct", d->name->name));
}

// An activity may call itself for ever: a tail call needs no space, and a spawn is no call.
void witness_recursion(Unit *u, Range definition, const Ident *name) {
  int times = 0;
  for (TokIndex t = definition.from; t < definition.to; t++)
    times += tok_at(u, t)->id == name;
  if (times < 2)
    return;
  witness_before(u,
                 definition.from,
                 "\n#pragma GCC diagnostic push\n#pragma GCC diagnostic "
                 "ignored \"-Winfinite-recursion\"\n");
  witness_after(u, definition.to - 1, "\n#pragma GCC diagnostic pop\n");
}

// ---- the text ----
static int by_token(const void *a, const void *b) {
  const Mark *x = *(Mark *const *)a;
  const Mark *y = *(Mark *const *)b;
  if (x->tok != y->tok)
    return x->tok < y->tok ? -1 : 1;
  if (x->where != y->where)
    return x->where < y->where ? -1 : 1;
  int order = x->order < y->order ? -1 : x->order > y->order;
  // the outer of two was finished later
  return x->where == BEFORE ? -order : order;
}

typedef struct Reader {
  Unit *u;
  Place *p;
  size_t i;
} Reader; // i: of the marks

// the next, if it is such a one
static Mark *mark_at(const Reader *r, TokIndex t, Where where) {
  Mark *m = r->i < r->u->marks.len ? r->u->marks.at[r->i] : NULL;
  return m && m->tok == t && m->where == where ? m : NULL;
}

// Of several the outermost, which was marked last.
static Mark *instead_at(Reader *r, TokIndex t) {
  Mark *found = NULL;
  for (Mark *m; (m = mark_at(r, t, INSTEAD)); r->i++)
    if (!found || m->to >= found->to)
      found = m;
  return found;
}

// what stands in that range, but for what closes behind it
static void skip_inner(Reader *r, const Mark *swallows) {
  while (r->i < r->u->marks.len) {
    const Mark *m = r->u->marks.at[r->i];
    if (m->tok >= swallows->to ||
        (m->tok == swallows->to - 1 && m->where == AFTER &&
         m->order > swallows->order))
      return;
    r->i++;
  }
}

// A `case` or `default` after a comment that says `fall through`, which the preprocessor has
// dropped. An arm of `race` has marks of its own, and never falls through.
static bool falls_by_comment(Reader *r, TokIndex t) {
  Unit *u = r->u;
  if (!t || u->opt.clang ||
      (kind_at(u, t) != K_CASE && kind_at(u, t) != K_DEFAULT))
    return false;
  TokenKind before = kind_at(u, t - 1);
  if (before != P_SEMI && before != P_RBRACE && before != P_COLON)
    return false;
  return !mark_at(r, t, BEFORE) && !mark_at(r, t, INSTEAD) &&
         says_fall_through(u, t);
}

// → the next
static TokIndex one_token(Reader *r, TokIndex t) {
  Unit *u = r->u;
  TokIndex last = t;
  if (falls_by_comment(r, t))
    place_ours(r->p, t, "__attribute__((fallthrough));", false);
  for (Mark *m; (m = mark_at(r, t, BEFORE)); r->i++)
    place_ours(r->p, t, m->text, false);
  Mark *m = instead_at(r, t);
  if (m) {
    place_ours(r->p, t, m->text, m->loud);
    last = m->to - 1;
    if (last > t)
      skip_inner(r, m);
  } else {
    place_token(r->p, t);
  }
  for (Mark *a; r->i < u->marks.len && (a = u->marks.at[r->i])->tok == last &&
                a->where == AFTER;
       r->i++)
    place_ours(r->p, last, a->text, a->loud);
  return last + 1;
}

static const char prologue[] =
    "_Bool fm__w_maybe(void); int fm__w_arm(void); extern void "
    "(*fm__w_any)(void); void "
    "fm__w_share(int, ...); void fm__w_yield(void);\n"
    "__attribute__((noreturn)) void fm__w_throw(int, ...); "
    "__attribute__((noreturn)) void "
    "fm__w_end(void);\n";
static const char prologue_of_header[] = // where <fermata.h> is included
    "fm_task fm__w_task(void); fm_job fm__w_job(void); fm_activity "
    "fm__w_scope(void);\n";

void emit_witness(Unit *u, Buf *out) {
  Place p = { .u = u, .out = out };
  Reader r = { u, &p, 0 };
  if (u->marks.len)
    qsort(u->marks.at, u->marks.len, sizeof *u->marks.at, by_token);
  for (TokIndex t = 0; kind_at(u, t) != T_EOF;) {
    if (t >= u->dialect_from && !p.begun) {
      p.begun = true;
      place_header(&p, prologue);
      if (intern(u, "fm_activity", 11)->sym)
        place_header(&p, prologue_of_header);
    }
    TokIndex next = r.i < u->marks.len ? ((Mark *)u->marks.at[r.i])->tok
                                       : (TokIndex)u->ntoks - 1;
    if (next > t && !p.begun && next > u->dialect_from)
      next = u->dialect_from;
    TokIndex raw = place_system(&p, t, next); // as they stand
    t = raw > t ? raw : one_token(&r, t);
  }
  buf_putc(out, '\n');
  place_free(&p);
}
