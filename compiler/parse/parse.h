// parse.h: tokens → trees and declarations. Expressions are typed and folded as they are built
// (check/check.h), because C cannot be parsed without its types.
#ifndef FMCC_PARSE_PARSE_H
#define FMCC_PARSE_PARSE_H

#include "base/ident.h"
#include "parse/lex.h"
#include "parse/tree.h"

// ---- parse.c: the unit, and the helpers of all parsers ----
void parse_unit(Unit *u); // → Unit.items
bool accept(Unit *u, TokenKind k);
void expect(Unit *u, TokenKind k, const char *after);
// The token after the bracket that closes the bracket at `open`.
TokIndex skip_balanced(Unit *u, TokIndex open);
// The meaning in the dialect of a word at which a statement or expression begins.
DialectWord word_at(Unit *u, TokIndex t);
// Enters one more level of nesting; an error beyond the limit.
void deeper(Unit *u);
#define NEST(u) deeper(u)
#define UNNEST(u) ((u)->depth--)
Node *node_new(Unit *u, NodeKind k, TokIndex t);

// ---- attr.c: attributes, in both spellings ----
typedef struct Attrs { // a run of attributes: those that matter to fmcc
  Range range;
  uint32_t align;
  bool packed;
  bool transparent;
  bool odd_layout;
  bool noreturn;
  // cleanup(f) in an async function: the token of f; 0: none
  TokIndex cleanup;
  int64_t vector_bytes; // vector_size; 0: none
  int vector_len;       // ext_vector_type (clang)
  const char *mode;     // machine mode without underscores
  AttrUse *uses;        // all of them
} Attrs;
void skip_attributes(Unit *u); // __attribute__ and [[…]], uninterpreted
bool attribute_named(Unit *u, TokIndex t, const char *name); // also as __name__
AttrUse *join_uses(AttrUse *a, AttrUse *b);                  // changes a
// Adds attributes to *at. Returns false if there were none.
bool parse_attributes(Unit *u, Attrs *at);
Type *apply_attributes(Unit *u, Type *t, const Attrs *at);
// Hides `noreturn` from the C compiler where t is, or points at, a function that throws or is
// async.
void hide_noreturn(Unit *u, Type *t, Range r);

// ---- specs.c and decl.c: specifiers and declarations ----
bool starts_type(Unit *u, TokIndex t); // a declaration specifier
Specs *parse_specs(Unit *u);
Type *parse_typeof(Unit *u);
Node *parse_static_assert(Unit *u);
// A declaration in a body: N_DECL, N_NESTED_FUNC or N_STATIC_ASSERT.
Node *parse_declaration(Unit *u);
Decl *parse_one_declarator(Unit *u); // specifiers and one declarator, no value

// ---- declarator.c: declarators, parameters, type names ----
// attrs: [[…]] after the name.
typedef struct Declarator {
  Type *type;
  Ident *name;
  TokIndex tok;
  Range range;
  Attrs attrs;
} Declarator;
typedef enum NameRule { NAME_REQUIRED, NAME_OPTIONAL } NameRule;
void parse_declarator(Unit *u, Type *base, Declarator *d, NameRule name);
TypeName *parse_type_name(Unit *u);
Type *param_adjust(Unit *u, Type *t);
void declare_params(Unit *u, Type *func);
void parse_params(Unit *u, Type *f); // "(" parameters ")" of a function

// ---- record.c: struct, union, enum ----
Type *parse_record(Unit *u, Attrs *at, bool *defines);
void write_tag(Unit *u, Tag *g, TokIndex at);
Type *parse_enum(Unit *u, Attrs *at, bool *defines);

// ---- stmt.c: statements and function bodies ----
// The compound statement of a function.
Node *parse_body(Unit *u, Decl *func, TokIndex open);
Node *parse_compound(Unit *u);
Node *parse_statement(Unit *u);
Node *parse_block_item(Unit *u); // a statement or declaration
Node *parse_asm(Unit *u);
Node *parse_condition(Unit *u, const char *after); // "(" expr ")"
// "for" "(" … ")": N_FOR without its statement; the caller leaves the scope that it enters
Node *parse_for_heading(Unit *u);

// ---- expr.c: expressions by precedence ----
Node *parse_expr(Unit *u);
// Parses an expression that is not evaluated: nothing in it pauses or throws.
Node *parse_for_type(Unit *u, Node *(*parse)(Unit *));
Node *parse_assign(Unit *u);
Node *parse_conditional(Unit *u);
Node *parse_cast(Unit *u);
// A conditional expression in which nothing may pause.
Node *parse_fixed(Unit *u);
// The precedence of a binary operator: 1 of ||, 10 of *. 0: k is no binary operator.
int precedence(TokenKind k);
// An integer constant expression. Returns false if its value is not known.
bool parse_constant(Unit *u, int64_t *v);

// ---- primary.c ----
Node *parse_primary(Unit *u);
// Whether the block itself, not a block in it, declares an array of variable length.
bool declares_vm(const Node *list);

// ---- init.c ----
Node *parse_initializer(Unit *u);
// Functions and tasks in it. member: of a structure or a literal.
enum { OF_VARIABLE = false, OF_MEMBER = true };
void check_initializer(Unit *u, Type *t, Node *init, bool member);
// Gives `T x[] = …` its length.
Type *init_complete(Unit *u, Type *t, Node *init);

// ---- dialect.c: the dialect's types, expressions and statements ----
// The message about a word of the dialect in a plain function.
#define ONLY_ASYNC \
  "`%s` can be used only in an async function: declare this function `async`"
// The same values as FM_SPAWN_* in abi.h.
enum {
  SPAWN_NOW = 1,
  SPAWN_DETACHED = 2,
  SPAWN_CONTAINED = 4,
  SPAWN_DROP = 8,
  SPAWN_IN = 16,
  SPAWN_ARM = 32,
  SPAWN_ON = 64
};
// Whether a declaration begins here with `async …` or `task (…)`.
bool starts_dialect_type(Unit *u, TokIndex t);
// task ( type ), job ( type ), fm_completion ( type )
Type *parse_task(Unit *u);
bool starts_held(Unit *u, TokIndex t); // whether such a type begins at t
// `async` belongs to the function type next to the specifiers
void mark_async(Unit *u, Declarator *d, Type *stop);
// The async function type inside the type of a declarator, or NULL.
Type *async_target(Type *t);
// await, spawn, run, atomic. NULL: the word is not used as a keyword.
Node *parse_dialect_expr(Unit *u, DialectWord w);
// yield, atomic. NULL: the same.
Node *parse_dialect_stmt(Unit *u, DialectWord w);
// The operand of spawn, run, job: a call that is started elsewhere, a task, a job.
Node *parse_operand(Unit *u);
bool is_pool(Node *e);  // whether e points at a pool of domains
bool is_group(Node *e); // whether e points at a group of activities
void check_async_call(Unit *u, Node *e, Type *f);
TokIndex first_token(Node *e); // of a call: the first token of the callee
// Whether e calls the version of an async function that can pause.
bool is_pause_call(const Node *e);

// ---- edits.c: texts that replace tokens in the output ----
// In the output, `text` replaces these tokens.
void edit(Unit *u, Range r, const char *text);
// Edits the declarator of a pointer to an async function, outside bodies.
void edit_declarator(Unit *u, Specs *s, Declarator *d);
// The edit that begins there, or NULL.
const char *edit_at(Unit *u, TokIndex t, TokIndex *to);
// The i-th edit in the order of the text; NULL: no more.
const char *edit_number(Unit *u, size_t i, Range *r);

// ---- dialect-errors.c: errors, cleanup, scopes, shields ----
Node *throw_stmt(Unit *u), *try_stmt(Unit *u), *defer_stmt(Unit *u),
    *shield_stmt(Unit *u), *scope_stmt(Unit *u);
void refuse_stray_catch(Unit *u); // at `catch`, where a statement may begin
// A variable that the source does not declare in the usual way: that of `catch` or `scope`.
Decl *hidden_decl(Unit *u, Type *type, Ident *name, TokIndex tok);

// ---- dialect-bodies.c: bodies inside a function that run as activities of their own ----
Node *activate_stmt(Unit *u), *job_expr(Unit *u), *thunk_expr(Unit *u);
// The function that such a body becomes. what: a part of its name.
Decl *body_decl(Unit *u, TokIndex tok, const char *what, Type *returned);
// The body has its own variables only, or it also uses those of the function around it.
Async *enter_body(Unit *u, Decl *d);
Async *enter_sharing_body(Unit *u, Decl *d);
Throws *leave_body(Unit *u); // returns the set of errors that it throws
// The name of the user's function that is being parsed.
Ident *written_function(Unit *u);

// ---- dialect-race.c ----
Node *race_stmt(Unit *u);
// *(T *)name(domain, sizeof(T)): a value that the list of arms keeps
Node *arm_value(Unit *u, const char *name, Type *t, TokIndex tok);

// ---- awaitable.c: what can be awaited besides tasks and jobs ----
Node *await_object(Unit *u, Node *n);
// Reads a call of fm_complete or fm_fail. Returns false if it is another call.
bool check_completion(Unit *u, Node *e);
bool is_completion_name(const Ident *id);

// ---- asyncdirect.c ----
// asyncdirect: d->type becomes the type that callers see.
void split_direct(Unit *u, Decl *d);
void emit_direct(Unit *u, Item *it, Buf *out);

#endif
