// parse.c: the unit's loop over external declarations, recovery after errors, and the helpers of
// all parsers.
//
//     unit      = { external }
//     external  = ";" | asm "(" … ")" ";" | static-assert | specs [ declarators ] ";"
//               | function-definition
//
// A plain function's body is skipped, brace to brace, unless the mode asks for every body or a word
// of the dialect stands in it. An error inside a plain declaration is held back, because the C
// compiler reports it better; it is shown only if the translation fails for another reason.
#include "fmcc.h"

#include <ctype.h>

enum { MAX_DEPTH = 20000 };

// ---- helpers ----
bool accept(Unit *u, TokenKind k) {
  if (cur(u) != k)
    return false;
  u->p++;
  return true;
}

static const char *token_words(Unit *u, TokIndex t) {
  size_t n;
  if (kind_at(u, t) == T_EOF)
    return "the end of the file";
  const char *s = tok_text(u, t, &n);
  if (kind_at(u, t) == T_OTHER && (*s < ' ' || *s > '~'))
    return arena_printf(&u->arena, "byte 0x%02x", (unsigned char)*s);
  return arena_printf(&u->arena, "`%.*s`", (int)(n > 60 ? 60 : n), s);
}

static const char *kind_words(TokenKind k) {
  switch (k) {
  case P_LPAREN:
    return "`(`";
  case P_RPAREN:
    return "`)`";
  case P_LBRACE:
    return "`{`";
  case P_RBRACE:
    return "`}`";
  case P_LBRACKET:
    return "`[`";
  case P_RBRACKET:
    return "`]`";
  case P_SEMI:
    return "`;`";
  case P_COMMA:
    return "`,`";
  case P_COLON:
    return "`:`";
  case P_ASSIGN:
    return "`=`";
  case T_IDENT:
    return "a name";
  case T_STRING:
    return "a string";
  case K_WHILE:
    return "`while`";
  default:
    return "something else";
  }
}

// Adds a note about a declaration that hides a keyword of the dialect, if the error stands at that
// word.
static void note_hidden_keyword(Unit *u, TokIndex t) {
  for (TokIndex i = t > 1 ? t - 2 : 0; i <= t; i++) {
    Token *k = tok_at(u, i);
    if (!u->dialect || i < u->dialect_from || !k->id || !k->id->word ||
        (k->id->word & WORD_ALWAYS) || !k->id->sym)
      continue;
    note_at(u,
            k->id->sym->tok,
            "`%s` is an ordinary identifier here, because it is declared; "
            "write `__fm_%s` for the "
            "keyword",
            k->id->name,
            k->id->name);
    return;
  }
}

void expect(Unit *u, TokenKind k, const char *after) {
  if (accept(u, k))
    return;
  Token *t = tok_at(u, u->p);
  // a token is missing at the end of the line before
  bool new_line = u->p > 0 && ((t->flags & TF_BOL) || t->kind == T_EOF);
  if (t->kind == T_OTHER)
    error_at(u, u->p, "stray %s in the program", token_words(u, u->p));
  else if (new_line)
    error_after(u,
                u->p - 1,
                "expected %s %s, found %s",
                kind_words(k),
                after,
                token_words(u, u->p));
  else
    error_at(u,
             u->p,
             "expected %s %s, found %s",
             kind_words(k),
             after,
             token_words(u, u->p));
  note_hidden_keyword(u, u->p);
  longjmp(*u->recover, 1);
}

void deeper(Unit *u) {
  if (++u->depth > MAX_DEPTH)
    fail_at(u, u->p, "this is nested too deeply: split it");
}

Node *node_new(Unit *u, NodeKind k, TokIndex t) {
  Node *n = NEW(&u->arena, Node);
  n->kind = (uint8_t)k;
  n->tok = n->end = t;
  return n;
}

// Brackets of other kinds are not counted, so that one missing inside is found where it is missing;
// but a parenthesis does not reach beyond the block that it stands in.
TokIndex skip_balanced(Unit *u, TokIndex open) {
  TokenKind opens = kind_at(u, open);
  TokenKind closes = (TokenKind)(opens + 1);
  int depth = 0;
  int braces = 0;
  if (opens != P_LPAREN && opens != P_LBRACE && opens != P_LBRACKET)
    fail_at(u, open, "a parenthesis is expected here");
  for (TokIndex t = open;; t++) {
    TokenKind k = kind_at(u, t);
    if (k == opens)
      depth++;
    else if (k == closes && --depth == 0)
      return t + 1;
    else if (k == P_LBRACE)
      braces++;
    else if (k == P_RBRACE && opens != P_LBRACE)
      braces--;
    if (k == T_EOF || braces < 0)
      fail_at(u, open, "this %s is never closed", kind_words(opens));
  }
}

// ---- the dialect's words ----
// Whether a keyword of the dialect may stand here. After `.`, `struct` or `goto`, and before `:`,
// the word is a name.
static bool word_position(Unit *u, TokIndex t) {
  switch (t ? kind_at(u, t - 1) : T_EOF) {
  case P_DOT:
  case P_ARROW:
  case K_STRUCT:
  case K_UNION:
  case K_ENUM:
  case K_GOTO:
    return false;
  default:
    return kind_at(u, t + 1) != P_COLON;
  }
}

DialectWord word_at(Unit *u, TokIndex t) {
  Token *k = tok_at(u, t);
  if (k->kind != T_IDENT || !k->id->word || t < u->dialect_from)
    return W_NONE;
  if (k->id->word & WORD_ALWAYS)
    return (DialectWord)(k->id->word & ~WORD_ALWAYS);
  return !k->id->sym && word_position(u, t) ? (DialectWord)k->id->word : W_NONE;
}

// Whether the token names an async function, a function that throws, or one of the library that
// fmcc checks.
static bool names_async(Unit *u, TokIndex t) {
  Token *k = tok_at(u, t);
  if (k->kind == T_IDENT && is_library_value(k->id))
    return true;
  if (k->kind != T_IDENT || !k->id->sym || k->id->sym->kind != S_FUNC)
    return false;
  if (is_completion_name(k->id))
    return true;
  Type *f = canon(k->id->sym->type);
  return f->is_async || f->throws;
}

static bool uses_words(Unit *u, Range r) {
  if (!u->dialect || r.to <= u->dialect_from)
    return false;
  // in a call through a pointer, no name shows that it throws
  if (u->throwing_pointers)
    return true;
  for (TokIndex t = r.from; t < r.to; t++)
    if (word_at(u, t) || names_async(u, t))
      return true;
  return false;
}

// ---- bodies ----
static bool wants_tree(Unit *u, Range body) {
  return u->opt.mode == TRANSLATE_REPRINT || u->opt.mode == TRANSLATE_ASSERT ||
         uses_words(u, body);
}

static Item *add_item(Unit *u, ItemKind kind, TokIndex from) {
  Item *it = NEW(&u->arena, Item);
  it->kind = kind;
  it->external = u->external;
  it->range = (Range){ from, u->p };
  *u->items_tail = it;
  u->items_tail = &it->next;
  return it;
}

static void define(Unit *u, Decl *d) {
  if (d->sym->defined && canon(d->type)->is_async) {
    u->hold_errors = false;
    error_at(u, d->tok, "`%s` is defined again here", d->name->name);
    note_at(u, d->sym->tok, "`%s` is declared here", d->name->name);
  }
  d->sym->defined = true;
}

// The tree of the body. The body stays entered.
static Node *
body_tree(Unit *u, Decl *d, Async *a, TokIndex open, bool dialect) {
  // the body of asyncdirect is that of a plain function
  Type *seen = d->type;
  if (d->direct)
    d->type = d->direct;
  u->hold_errors = false;
  body_enter(u, d->sym, a);
  u->body->whole->strict = dialect;
  u->body->atomic_depth = d->specs->is_atomic;
  Node *tree = parse_body(u, d, open);
  d->type = seen;
  return tree;
}

// Keeps the state of the body that the later passes need.
static void keep_body(Unit *u, Item *it, Decl *d, bool dialect) {
  it->type = d->direct ? d->direct : canon(d->type);
  if (dialect)
    it->thrown = u->body->thrown;
  it->kept = u->body->whole->kept;
  Async *owner = it->async ? it->async : it->plain;
  if (!owner)
    return;
  owner->item = it;
  owner->tree = it->tree;
  owner->jobs = u->body->whole->jobs;
  u->body->whole->jobs = (Vec){ 0 };
}

static Async *new_plain(Unit *u, Decl *d) {
  Async *a = NEW(&u->arena, Async);
  *a = (Async){
    .u = u,
    .decl = d,
    .type = d->direct ? d->direct : canon(d->type),
    .name = d->name->name,
    .external = u->external,
  };
  return a;
}

static void function_body(Unit *u, TokIndex from, Decl *d) {
  TokIndex open = u->p;
  Range body = { open, skip_balanced(u, open) };
  Async *a = canon(d->type)->is_async && !d->direct ? new_async(u, d) : NULL;
  int errors = u->errors;
  bool words = uses_words(u, body) || d->direct;
  Node *tree = NULL;
  if (a || words || wants_tree(u, body) || d->specs->is_atomic)
    tree = body_tree(u, d, a, open, a || words);
  u->p = body.to;
  Item *it = add_item(u, ITEM_FUNCTION, from);
  if (d->direct)
    it->direct = d;
  it->body = body;
  it->sym = d->sym;
  define(u, d);
  it->tree = tree;
  it->async = a;
  if (!a && (words || d->specs->is_atomic))
    it->plain = new_plain(u, d);
  keep_body(u, it, d, a || words);
  if (a)
    witness_recursion(u, it->range, d->name);
  witness_function(u);
  body_leave_all(u);
  it->failed = u->errors != errors;
}

// ---- external declarations ----
static void top_asm(Unit *u) {
  while (cur(u) == K_ASM || cur(u) == K_VOLATILE || cur(u) == K_INLINE ||
         cur(u) == K_GOTO)
    u->p++;
  if (cur(u) != P_LPAREN)
    expect(u, P_LPAREN, "after `asm`");
  u->p = skip_balanced(u, u->p);
  expect(u, P_SEMI, "after this assembler text");
}

// Whether d declares an async function without defining it.
static bool declares_async(Decl *d) {
  return d && d->sym && d->sym->kind == S_FUNC && canon(d->type)->is_async;
}

static void declaration_item(Unit *u, TokIndex from, Node *n) {
  Item *it = add_item(u, ITEM_OTHER, from);
  if (n->kind == N_DECL && declares_async(n->decl))
    it->decl = n;
  for (Decl *d = it->decl ? n->decl : NULL; d; d = d->next)
    if (!declares_async(d)) {
      u->hold_errors = false;
      error_at(u,
               d->tok,
               "give this a declaration of its own, because the declarator "
               "before it is an async function");
    }
}

static void external(Unit *u) {
  TokIndex from = u->p;
  if (accept(u, P_SEMI))
    return;
  if (cur(u) == K_ASM ||
      (cur(u) == K_EXTENSION && kind_at(u, u->p + 1) == K_ASM)) {
    accept(u, K_EXTENSION);
    top_asm(u);
    return;
  }
  Node *n = parse_declaration(u);
  bool body = n->kind == N_NESTED_FUNC;
  if ((body || n->kind == N_DECL) && n->decl->direct)
    witness_direct(u, from, n->decl, body);
  if (n->kind == N_NESTED_FUNC)
    function_body(u, from, n->decl);
  else
    declaration_item(u, from, n);
}

// The next declaration that begins at the left margin. Where braces do not balance, the layout
// shows where a declaration ends.
static TokIndex next_at_margin(Unit *u, TokIndex t) {
  for (; kind_at(u, t) != T_EOF; t++) {
    uint32_t pos = tok_at(u, t)->pos;
    TokenKind before = t ? kind_at(u, t - 1) : P_SEMI;
    bool margin = pos == 0 || u->text[pos - 1] == '\n';
    if (margin && (before == P_SEMI || before == P_RBRACE) &&
        (kind_at(u, t) == T_IDENT || starts_type(u, t)))
      break;
  }
  return t;
}

// The brackets that are open at a token, in code that may have errors.
typedef struct Nesting {
  int braces;
  int parens; // and square brackets
} Nesting;

// A closing brace ends every parenthesis that is open before it.
static void note_bracket(Nesting *n, TokenKind k) {
  if (k == P_LPAREN || k == P_LBRACKET)
    n->parens++;
  if ((k == P_RPAREN || k == P_RBRACKET) && n->parens > 0)
    n->parens--;
  if (k == P_LBRACE)
    n->braces++;
  if (k == P_RBRACE && n->braces > 0)
    n->braces--;
  if (k == P_RBRACE)
    n->parens = 0;
}

// A `;`, or a brace after which a new line begins a declaration.
static bool ends_declaration(Unit *u, TokIndex t) {
  if (kind_at(u, t) == P_SEMI)
    return true;
  if (kind_at(u, t) != P_RBRACE)
    return false;
  TokenKind next = kind_at(u, t + 1);
  return next == T_EOF ||
         ((tok_at(u, t + 1)->flags & TF_BOL) && next != P_SEMI);
}

// After an error: moves to the end of the declaration that began at `from`.
static void resync(Unit *u, TokIndex from) {
  TokIndex failed = u->p > from ? u->p : from + 1;
  Nesting open = { 0 };
  TokIndex t = from;
  for (; kind_at(u, t) != T_EOF; t++) {
    note_bracket(&open, kind_at(u, t));
    if (!open.braces && !open.parens && ends_declaration(u, t)) {
      u->p = t + 1;
      return;
    }
  }
  u->p = open.braces || open.parens ? next_at_margin(u, failed) : t;
}

static bool must_report(Unit *u) {
  return u->opt.mode == TRANSLATE_REPRINT || u->opt.mode == TRANSLATE_ASSERT;
}

static void external_or_recover(Unit *u) {
  jmp_buf here;
  TokIndex from = u->p;
  Scope *scope = u->scope;
  u->recover = &here;
  u->hold_errors = !must_report(u);
  u->depth = 0;
  u->external++;
  if (setjmp(here) == 0) {
    external(u);
  } else {
    while (u->scope != scope)
      scope_leave(u);
    body_leave_all(u);
    u->record_depth = u->unevaluated = u->only_type = 0;
    if (uses_words(u, (Range){ from, u->p }))
      diags_release(u);
    resync(u, from);
  }
  u->hold_errors = false;
}

void parse_unit(Unit *u) {
  while (cur(u) != T_EOF &&
         !(u->opt.max_errors && u->errors >= u->opt.max_errors))
    external_or_recover(u);
}
