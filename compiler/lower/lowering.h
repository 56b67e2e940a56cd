// lowering.h: shared by the files of this folder: the state of the lowering of one function, and
// the functions of each file. Functions named put_… add a statement at the end of the list that is
// being made (Lower.tail); functions named …_node return a new node and put nothing.
#ifndef FMCC_LOWER_LOWERING_H
#define FMCC_LOWER_LOWERING_H

#include "fmcc.h"

// A jump out of a region (regions.c), which is carried out after the cleanup of the region.
typedef struct Exit {
  Node *jump;
  int number; // the value of the variable Nest.why that selects this jump
  struct Exit *next;
} Exit;

// A construct around the statement that is being lowered.
typedef struct Nest {
  struct Nest *outer;
  enum {
    NEST_LOOP,
    NEST_SWITCH,
    NEST_ATOMIC,
    NEST_BLOCK,
    NEST_TRY,
    NEST_REGION,
    NEST_CLEANUP,
    NEST_SCOPE,
    NEST_SHIELD
  } kind;
  Node *node; // where it stands in the text; NULL: loop, switch
  // block: the number of the group of activities that share its variables; 0: none
  int group;
  // loop: the label that `continue` jumps to; NULL: it is C's own `continue`
  Ident *next;
  Ident *landing; // try, region: the label that errors jump to
  bool landed;    // try, region: some statement jumps to the landing
  Ident *after;   // region: the label at which its cleanup begins
  // region: variables of the generated code. why: how the region was left (regions.c); err: the
  // error by which it was left, or NULL
  Symbol *why, *err;
  Node *init;                // atomic: room for the call that makes it a shield
  Exit *exits, **exits_tail; // region: the jumps that leave it
  int nexits;
  bool falls;   // region: its end may be reached
  bool shields; // atomic: a cancel can unwind code in it, or the code around it
} Nest;

// A label of the body.
typedef struct LabelPlace {
  Ident *name;
  TokIndex tok;
  // the innermost region around the label; no jump from outside enters it
  Range region;
  bool taken; // its address is taken: a computed goto may lead to it
  struct LabelPlace *next;
} LabelPlace;

// The lowering of one function.
typedef struct Lower {
  Unit *u;
  Type *returned;     // the type that the function returns
  bool no_yields;     // inside an expression: no automatic yields
  bool local_labels;  // __label__ is used: labels may repeat
  LabelPlace *labels; // of the whole body
  // while find_labels() runs: the innermost region around the statement, and around the innermost
  // switch
  Range region, switch_region;
  // the returned value, while regions are left; NULL: not needed yet
  Symbol *ret;
  Symbol *caught; // the error of the catch around; NULL: none
  Async *a;       // of a plain function: only its temporaries
  bool plain;     // a plain function that uses the dialect
  Node **tail;    // where the next statement goes
  // the last statements of this list; NULL: nothing yet
  Node *last, *last_but_one;
  Nest *nest; // the innermost construct around the statement
} Lower;

typedef void (*Filler)(Lower *, Node *);

// The list of statements that is set aside while another one is made.
typedef struct Opened {
  Node **tail; // Lower.tail and Lower.last of the list set aside
  Node *last;
  Node *first; // the first statement of the new list
} Opened;

static inline bool has_pause(const Node *e) {
  return e && (e->flags & NF_PAUSE);
}

// ---- nodes.c: statements ----
// A TokIndex t is the token at whose line the new code stands.
void put_stmt(Lower *L, Node *s);
void put_expr(Lower *L, Node *e, TokIndex t);                   // e;
void put_assign(Lower *L, Symbol *to, Node *value, TokIndex t); // to = value;
void put_if(Lower *L, Node *cond, Node *list, TokIndex t); // if (cond) {list}
// A call of the runtime whose value is not used.
void put_rt(Lower *L, const char *name, TokIndex t, RtForm form, Node *args);
// Between these two, put_stmt() adds to a new list; close_list() returns the list.
void open_list(Lower *L, Opened *o);
Node *close_list(Lower *L, Opened *o);
// Calls fill(L, arg); returns the statements that it puts, as a list of their own.
Node *gather(Lower *L, Filler fill, Node *arg);
Node *block_of(Lower *L, Node *list, TokIndex t, TokIndex end); // {list}
TokIndex last_token(Node *s);

// ---- nodes.c: expressions ----
Node *make_node(Lower *L, NodeKind k, TokIndex t, Node *a, Node *b);
Node *code_node(Lower *L, TokIndex t, const char *text); // C text as it is
Node *nothing_node(Lower *L, TokIndex t);                // (void)0
Node *number_node(Lower *L, long v, TokIndex t);
Node *ident_node(Lower *L, Symbol *s, TokIndex t);
Node *value_node(Lower *L, Symbol *s, TokIndex t); // s; if it is NULL: (void)0
Node *unary_node(Lower *L, TokenKind op, Node *operand, Type *type);
Node *address_node(Lower *L, Symbol *s, TokIndex t);       // &s
Node *equals_node(Lower *L, Symbol *s, int v, TokIndex t); // s == v
Node *paren_node(Lower *L, Node *e);                       // (e)
Node *cast_node(Lower *L, Type *to, Node *e);              // (to)e
Node *to_void(Lower *L, Node *e);                          // (void)(e)
Node *not_node(Lower *L, Node *e);                         // !e
Node *truth_node(Lower *L, Node *e);                       // !!(e)
Node *assign_node(Lower *L, Node *to, Node *value, TokIndex t);
Node *argument_list(Node *a, Node *b); // links b after a; returns a
// A call of the runtime, of type void. The form says whether it gets the domain first.
Node *rt_call(Lower *L, const char *name, TokIndex t, RtForm form, Node *args);
// The same, of type int, with the domain first.
Node *int_call(Lower *L, const char *name, TokIndex t, Node *args);

// ---- nodes.c: temporaries, labels, states ----
// A temporary for the full expression that is being lowered.
Symbol *new_temp(Lower *L, Type *t, TokIndex tok);
Symbol *own_temp(Lower *L, Type *t, TokIndex tok);   // for the whole function
Ident *new_label(Lower *L);                          // a label's name
Node *label_node(Lower *L, Ident *name, TokIndex t); // name: ;
Node *goto_node(Lower *L, Ident *label, TokIndex t); // goto label;
// Adds a state to the function; returns its number.
int new_state(Async *a, TokIndex tok, Why why);

// ---- lower-expr.c ----
// Puts the pauses of e; returns the expression that is left.
Node *lower_expr(Lower *L, Node *e);
// Lowers the lengths of the arrays in a type.
void lower_lengths(Lower *L, Type *t);
// Lowers the statement expressions in e, an expression without pauses.
void lower_inside(Lower *L, Node *e);
// Lowers the arguments and the callee of a call that pauses.
void lower_parts(Lower *L, Node *call);
// Notes that the function may throw. call: the call that throws; NULL: another statement does.
void note_throwing(Lower *L, const Node *call);
// Puts the statement N_PAUSE, `dst = call` (dst NULL: `call`), and returns it.
Node *pause_here(Lower *L, Node *dst, Node *call);
// Evaluates e; its value is not wanted.
void put_effect(Lower *L, Node *e);
// Evaluates e, into `to` unless that is NULL.
void put_value(Lower *L, Node *e, Symbol *to);
// Returns a block that evaluates e, into `to` unless that is NULL.
Node *branch(Lower *L, Node *e, Symbol *to);
Node *without_parentheses(Node *e);
bool is_comparison(const Node *e);

// ---- auto-yields.c ----
bool in_atomic(Lower *L); // the statement stands in an atomic
// The statement stands in a scope that stands in an atomic, so that a cancel can unwind it there.
bool meets_cancels(Lower *L);
bool calls(const Node *e); // something in the expression calls a function
// Puts an automatic yield, unless one stands just before it, or this place is not reached.
void put_auto(Lower *L, TokIndex t);
// Puts an automatic yield after a full expression. If no other activity can notice the rest of the
// expression after its last pause, the check after the call serves instead: `x = f() + 1` becomes
// `t = f(); x = t + 1`.
void put_auto_after(Lower *L, TokIndex t);
// Puts an automatic yield before or after the full expression e, if e calls.
void yield_around(Lower *L, const Node *e, TokIndex t);
// Puts the automatic yield of a turn of a loop, if the function's loops have any.
void yield_in_loop(Lower *L, TokIndex t);
// Puts one yield after the condition of the `if` s, instead of one in each branch and one after the
// statement. Returns false if it put none, because the C compiler would warn of a condition that
// the user did not write.
bool yield_after_condition(Lower *L, Node *s);

// ---- lower-stmt.c ----
void lower_stmt(Lower *L, Node *s);    // puts the lowered statement
void lower_list_of(Lower *L, Node *s); // puts the statements of a list, lowered
// Returns the lowered statement as one statement: a block if it became several.
Node *lower_sub(Lower *L, Node *s);
// Makes Async.body from Async.tree; also for the activates inside.
void lower_async(Async *a);

// ---- lower-loops.c, lower-jumps.c ----
void lower_while(Lower *L, Node *s); // also do
void lower_for(Lower *L, Node *s);
void lower_switch(Lower *L, Node *s);
void lower_return(Lower *L, Node *s);
void lower_jump(Lower *L, Node *s); // break, continue
void lower_goto(Lower *L, Node *s);
void lower_computed_goto(Lower *L, Node *s);

// ---- tail.c: -Wtail-call ----
// Warns that `return call;` is no tail call: its value is converted.
void warn_converted_tail(Lower *L, Node *s, Node *call);
// The same, because a construct around it ends after the call.
void warn_enclosed_tail(Lower *L, Node *s);

// ---- labels.c ----
// Returns the body of an activate or an arm of the function; NULL: it was refused.
Async *inner_async(Async *a, const Decl *d);
// Gives each activate in s the block that waits for its activity.
void find_groups(Async *a, Node *s, Nest *nest);
// Notes the labels in s in Lower.labels.
void find_labels(Lower *L, Node *s);
// Sets LabelPlace.taken. After find_labels().
void find_taken_labels(Lower *L, const Node *body);
// Returns the statement after the labels of s; NULL: there is none.
Node *after_labels(Node *s);
// Puts the labels of s without the statement after them.
void put_labels(Lower *L, Node *s);
// Returns the innermost loop, or loop or switch, around the statement; NULL: there is none.
Nest *loop_around(Lower *L, bool switches);
// Returns the innermost construct that encloses the statement and the label; NULL: there is none.
Nest *nest_around(Lower *L, TokIndex label);

// ---- reachable.c ----
// The end of the statement is not reached: it ends in a jump, or in a call that does not return.
bool ends(const Node *s);
// Another activity may run while these statements do.
bool may_pause(Node *list);
// They start activities that may run before their end, at an automatic yield.
bool children_may_run(Node *list);

// ---- regions.c ----
// Returns a goto to the code that gets errors thrown here; NULL: they leave the function.
Node *landing(Lower *L, TokIndex t);
bool landing_here(Lower *L); // a try or region is around the statement
bool leaving_costs(
    Lower *L); // a region is around: a return runs its cleanup first
// Puts a call of the runtime that waits.
void put_wait(Lower *L, const char *name, TokIndex t, Node *args, Why why);
Type *error_pointer(Lower *L);                       // fm_error *
void put_rethrow(Lower *L, Symbol *err, TokIndex t); // throws err on
void put_caught(Lower *L, Symbol *err, TokIndex t);  // err = fm__caught(c)
// if (0) { name: list }
void put_landing(Lower *L, Ident *name, Node *list, TokIndex t);
// The statements put between open_region() and end_region() are the body of the region. Those
// between end_region() and go_on() are its cleanup. go_on() puts the errors and jumps that go on
// after the cleanup.
void open_region(Lower *L, Nest *n, Node *place);
void end_region(Lower *L, Nest *n, TokIndex t);
void go_on(Lower *L, Nest *n, TokIndex t);
// if (the region was left by an error) { list }
void put_if_error(Lower *L, Nest *region, Node *list, TokIndex t);
// Puts the statement s of a finally or defer. An error that s throws replaces the error by which
// the region was left. If the region was left by a cancel, the cancel goes on and carries the error
// of s. A cleanup that may pause is shielded.
void put_cleanup(Lower *L, Nest *region, Node *s);
// Puts a jump to the cleanup of the innermost region inside `until`, the construct that contains
// the target (NULL: the function). Returns false if there is none: `jump` itself can stand.
bool leave_first(Lower *L, Node *jump, Nest *until);

// ---- lower-exit.c, lower-race.c, lower-errors.c ----
// rest: the statements that follow in the block.
void lower_defer(Lower *L, Node *s, Node *rest);
// list: the n variables of the declaration that have the cleanup attribute.
void lower_cleanups(Lower *L, Node *decl, Decl **list, int n, Node *rest);
// Puts the statements `rest`, and then the wait for the activities of the group.
void lower_joined(Lower *L, Node *block, int group, Node *rest);
void lower_atomic(Lower *L, Node *s);
// An atomic expression in which something waits or throws; returns its value.
Node *lower_atomic_expr(Lower *L, Node *e);
// Makes the atomic around the statement, if there is one, a shield as well.
void atomic_shields(Lower *L);
void lower_shield(Lower *L, Node *s);
void lower_scope(Lower *L, Node *s);
// `within`, a call with a limit of time; returns its value.
Node *lower_within(Lower *L, Node *e);
void lower_race(Lower *L, Node *s);
void lower_try(Lower *L, Node *s);
void lower_throw(Lower *L, Node *s);

#endif
