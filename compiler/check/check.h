// check.h: the types and values of expressions, which the parser asks for while it builds the tree;
// and the checks of a whole body: errors that are not caught, tasks that are not awaited.
#ifndef FMCC_CHECK_CHECK_H
#define FMCC_CHECK_CHECK_H

#include "base/types.h"

// ---- check.c: the type of every expression ----
Type *size_type(Unit *u);       // of sizeof
Type *rvalue(Unit *u, Node *e); // the type of e's value: decayed, unqualified
void used_as_value(Unit *u, Node *e); // an array here passes its address on
// For an operand or condition. Returns false if e is a task: an error was reported.
bool check_no_task(Unit *u, Node *e, TokIndex t);
void check_unary(Unit *u, Node *e);
void check_binary(Unit *u, Node *e);
void check_assign(Unit *u, Node *e);
void check_cond(Unit *u, Node *e);
void check_cast(Unit *u, Node *e);
void check_index(Unit *u, Node *e);
void check_member(Unit *u, Node *e, Ident *name);
void check_generic(Unit *u, Node *e);
bool is_null(Node *e);            // a null pointer constant, or 0
void give_type(Node *e, Type *t); // sets the flags that depend on it, too
void flags_up(Node *e,
              Node *part); // e gets flags of its part
static inline bool
unknown(Type *t) { // after an error, or of an unknown builtin
  return canon(t)->kind == TY_ERROR;
}

// ---- convert.c: whether a value fits where it is given ----
bool check_functions(Unit *u,
                     Node *from,
                     Type *to); // false: an error was reported
// An assignment: the checks that the C compiler cannot make, because it sees descriptors and
// handles.
void check_convert(Unit *u, Node *from, Type *to);
// An assignment, with the checks that the C compiler could make as well.
void check_given(Unit *u, Node *value, Type *to);
void check_given_list(Unit *u, Node *list, Type *array); // the elements
// A value in the macros of sync.h, agent.h and stream.h: its type is checked like that of an
// argument.
bool is_library_value(const Ident *id);
bool is_library_argument(const Ident *id);
// `*(T *)name`
bool is_through(const Node *e, const char *name);

// ---- names.c: names in expressions ----
void check_ident(Unit *u, Node *e, bool called);

// ---- call.c ----
void check_call(Unit *u, Node *e);
bool never_returns(const Node *e); // e calls a function that never returns
// The function that a call names. NULL: it is no call, or calls through a pointer.
const Symbol *called_symbol(const Node *call);

// ---- builtin.c ----
// A builtin whose type depends on its arguments. Returns false for an ordinary call.
bool check_builtin_call(Unit *u, Node *e);
// NULL: not a builtin. TY_ERROR: a builtin that is not in the tables.
Type *builtin_type(Unit *u, Ident *name);
// Whether the C compiler or a library calls a function of that name: it must stay a C function.
bool is_library_function(Unit *u, Ident *name);

// ---- literal.c ----
void check_number(Unit *u, Node *e);
void check_char(Unit *u, Node *e);
void check_string(Unit *u, Node *e);

// ---- fold.c: constants ----
void fold_unary(Unit *u, Node *e);
void fold_binary(Unit *u, Node *e);
void fold_cond(Unit *u, Node *e);
void fold_cast(Unit *u, Node *e);
void set_const(Unit *u, Node *e, int64_t v); // wrapped to e's type
int64_t wrap_int(Unit *u, Type *t, int64_t v);

// ---- throws.c: which errors may be thrown, and whether each is caught or declared ----
struct Throws { // a set of errors
  Type *type;   // a structure, canonical; NULL: any error, unless sym is set
  Symbol *sym;  // the errors of that local task or job
  Throws *next;
};
struct Rethrow { // a `throw;`
  Try *at;       // the innermost try or scope around it
  Rethrow *next;
};
struct Catch {
  Type *type;        // NULL: all
  Rethrow *rethrows; // those in its block
  Catch *next;
};
// A try or scope around the code that is being parsed.
struct Try {
  Try *outer;
  Catch *catches;
  Catch **tail;
  bool scope;
  int witness;
};
struct Thrown { // a place that may throw
  Throws *set;
  Try *at;
  Try *each; // the scope whose clauses `catch each` take it first, or NULL
  TokIndex tok;
  bool fits;           // a task or job is stored in a place that declares
  Throws *into;        // only these errors
  const char *dropped; // the error would be lost: what drops it; else NULL
  // an expression drops a task: a warning
  bool unawaited;
  Symbol *keeper; // in Unit.kept: the variable that holds the task
  // the function in which a scope throws the error at `at`; NULL: no scope
  Symbol *thrower;
  Thrown *next;
};
Type *type_throwing_both(Unit *u, Type *composite, Type *a, Type *b);
bool at_throws(Unit *u);
Throws *parse_throws(Unit *u);
Throws *throws_one(Unit *u, Type *t);
const char *throws_text(Unit *u, const Throws *set); // ` throws(…)`, or nothing
bool throws_equal(const Throws *a, const Throws *b);
void note_thrown(Unit *u, Throws *set, TokIndex tok);
void note_rethrown(Unit *u);
void note_dropped(Unit *u, Throws *set, TokIndex tok, const char *what);
Throws *call_throws(Unit *u, Node *call);
Throws *throws_of(Unit *u, Node *e); // the errors of a task or job
// A task or job is stored. into: a variable, or NULL.
void give_throws(Unit *u, Node *from, Type *to, Symbol *into);
void give_throws_to(Unit *u, Node *lvalue, Node *from);
void check_throws_fit(Unit *u, Node *from, Type *f, Type *to);
// Checks the places of a function of type f. list: in the order of the text.
void check_thrown(Unit *u, Thrown *list, Type *f);
// last: the place that was noted last. Changes the list.
Thrown *thrown_in_order(Thrown *last);
void dump_thrown(Unit *u, Buf *out); // --dump=check
Throws *thrown_by_body(Unit *u);     // the errors of an activate or job
void note_unawaited(Unit *u, Throws *set, TokIndex tok);
void warn_unawaited(Unit *u, Thrown *k); // if it throws anything

// ---- functions.c: what is known of a function only when it has been read ----
void check_unit(Unit *u);

// ---- unawaited.c: tasks whose errors would be lost ----
// The expressions that can give the value of e.
Node *value_parts(Node *e, Node **second);
void drop_value(Unit *u, Node *e); // the value of e is not used
// Called before the `;` of an expression: whether it is the value of a statement expression.
bool is_value_of_block(Unit *u);
void forget_use(Node *e); // this mention of a variable does not count as a use
// A task is stored in a variable.
void note_kept(Unit *u, Symbol *into, Node *from);
void check_kept(Unit *u, Thrown *list); // of a function

// ---- blocking.c: libc functions that wait, called in async code ----
void redirect_call(Unit *u, Node *call);
bool includes_posix(Unit *u); // <fermata/posix.h>
// e mentions a variable of the thread.
void note_thread_local(Unit *u, Node *e);

// ---- varargs.c: `...` and va_list in async functions ----
typedef enum VaKind {
  VA_NO_LIST,
  VA_LIST,
  VA_HOLDER // a structure or array with one in it
} VaKind;
typedef enum VaOperation {
  VA_NONE,
  VA_START,
  VA_COPY,
  VA_END,
} VaOperation;
VaOperation va_operation(const Node *call);
bool is_va_start(const Node *f); // it is that name
// The list of va_start, va_arg, va_end. NULL: it is no local variable.
Symbol *va_list_variable(const Node *call);
bool is_va_list(Unit *u, Type *t);
void check_va_call(Unit *u, Node *e);
void note_va_address(Unit *u, Node *e); // `&e`
void refuse_va_capture(Unit *u, Symbol *s, TokIndex t);
void check_begun(Unit *u, TokIndex t, Node *call); // by spawn, run, job
bool begins_in_call(const Async *a);               // it cannot begin in a frame
// Whether a parameter of the function type f is a va_list.
bool takes_va_list(Unit *u, const Type *f);
void refuse_variadic(Async *a);
void find_va_lists(Async *a);
// Whether a va_list or `...` is needed after the pause s.
bool holds_va(const Async *a, const State *s);
void refuse_va_pauses(Async *a); // after the liveness is known

#endif
