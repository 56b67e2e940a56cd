// lowering.h: what the files of this folder share: the state of one lowering, and the functions of
// each file.
#ifndef FMCC_LOWER_LOWERING_H
#define FMCC_LOWER_LOWERING_H

#include "fmcc.h"

// A jump that goes on after the cleanup of a region.
typedef struct Exit {
  Node *jump;
  int number; // Nest.why
  struct Exit *next;
} Exit;

// A construct that encloses the statement at hand.
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
  // block: the number of its activities that share variables; 0: none
  int group;
  // loop: where `continue` goes; NULL: it is C's own
  Ident *next;
  Ident *landing; // try, region: where errors go
  bool landed;    // try, region: some errors go there
  Ident *after;   // region: where its cleanup begins
  // region: how it is left (0: at its end, 1: by an error, 2…: by a jump), and the error
  Symbol *why, *err;
  // region: the statement that sets both; atomic: room for the call that makes it a shield
  Node *init;
  Exit *exits, **exits_tail; // region: the jumps that leave it
  int nexits;
  bool falls;   // region: its end may be reached
  bool shields; // atomic: a cancel can be met in it, or in the code around it
} Nest;

// A label of the body.
typedef struct LabelPlace {
  Ident *name;
  TokIndex tok;
  Range region; // no jump from outside enters it
  bool taken;   // its address is taken: a computed goto may lead to it
  struct LabelPlace *next;
} LabelPlace;

// The lowering of one function.
typedef struct Lower {
  Unit *u;
  Type *returned;     // the function's
  bool no_yields;     // inside an expression
  bool local_labels;  // __label__ is used: labels may repeat
  LabelPlace *labels; // of the whole body
  // while labels are looked for: the innermost region around them; around the switch
  Range region, switch_region;
  Symbol *ret;    // the value of a return that has something to do first
  Symbol *caught; // the error of the catch around; NULL: none
  Async *a;       // of a plain function: only its temporaries
  bool plain;
  Node **tail; // where the next statement goes
  Node *last,
      *last_but_one; // the last statements of this list; NULL: nothing yet
  Nest *nest;
} Lower;

typedef void (*Filler)(Lower *, Node *);

// A list of statements that is put aside while another one is made.
typedef struct Opened {
  Node **tail;
  Node *last;
  Node *first;
} Opened;

static inline bool has_pause(const Node *e) {
  return e && (e->flags & NF_PAUSE);
}

// ---- nodes.c: statements ----
void put_stmt(Lower *L, Node *s); // at the end of the list at hand
void put_expr(Lower *L, Node *e, TokIndex t);
void put_assign(Lower *L, Symbol *to, Node *value, TokIndex t);
void put_if(Lower *L, Node *cond, Node *list, TokIndex t);
void put_rt(Lower *L, const char *name, TokIndex t, RtForm form, Node *args);
// From here on, put_stmt() adds to a list of its own; close_list() returns it.
void open_list(Lower *L, Opened *o);
Node *close_list(Lower *L, Opened *o);
// The statements that `fill` puts, as a list of their own.
Node *gather(Lower *L, Filler fill, Node *arg);
Node *block_of(Lower *L, Node *list, TokIndex t, TokIndex end);
TokIndex last_token(Node *s);

// ---- nodes.c: expressions ----
Node *make_node(Lower *L, NodeKind k, TokIndex t, Node *a, Node *b);
Node *code_node(Lower *L, TokIndex t, const char *text);
Node *nothing_node(Lower *L, TokIndex t); // (void)0
Node *number_node(Lower *L, long v, TokIndex t);
Node *ident_node(Lower *L, Symbol *s, TokIndex t);
// The variable; of NULL: (void)0.
Node *value_node(Lower *L, Symbol *s, TokIndex t);
Node *unary_node(Lower *L, TokenKind op, Node *operand, Type *type);
Node *address_node(Lower *L, Symbol *s, TokIndex t);       // &s
Node *equals_node(Lower *L, Symbol *s, int v, TokIndex t); // s == v
Node *paren_node(Lower *L, Node *e);                       // (e)
Node *cast_node(Lower *L, Type *to, Node *e);              // (to)e
Node *to_void(Lower *L, Node *e);                          // (void)(e)
Node *not_node(Lower *L, Node *e);                         // !e
Node *truth_node(Lower *L, Node *e);                       // !!(e)
Node *assign_node(Lower *L, Node *to, Node *value, TokIndex t);
Node *argument_list(Node *a, Node *b);
// A call of the runtime; domain: the domain is its first argument.
Node *rt_call(Lower *L, const char *name, TokIndex t, RtForm form, Node *args);

// ---- nodes.c: temporaries, labels, states ----
// A temporary for the full expression that is being lowered.
Symbol *new_temp(Lower *L, Type *t, TokIndex tok);
Symbol *own_temp(Lower *L, Type *t, TokIndex tok); // for the whole function
Ident *new_label(Lower *L);
Node *label_node(Lower *L, Ident *name, TokIndex t);
Node *goto_node(Lower *L, Ident *label, TokIndex t);
int new_state(Async *a, TokIndex tok, Why why);

// ---- lower-expr.c ----
Node *lower_expr(Lower *L, Node *e); // the expression without its pauses
// Lowers the lengths of the arrays in a type.
void lower_lengths(Lower *L, Type *t);
// An expression without pauses: lowers the statement expressions in it.
void lower_inside(Lower *L, Node *e);
// Lowers the arguments and the callee of a call that pauses.
void lower_parts(Lower *L, Node *call);
// A pause or throw is put: the function may throw. call: NULL if it is not a call.
void note_throwing(Lower *L, const Node *call);
Node *
pause_here(Lower *L, Node *dst, Node *call); // puts the N_PAUSE and returns it
void put_effect(Lower *L, Node *e); // evaluates e; its value is not wanted
// Evaluates e, into `to` unless that is NULL.
void put_value(Lower *L, Node *e, Symbol *to);
// A block that evaluates e, into `to` unless that is NULL.
Node *branch(Lower *L, Node *e, Symbol *to);
Node *without_parentheses(Node *e);
bool is_comparison(const Node *e);

// ---- auto-yields.c ----
bool in_atomic(Lower *L);
bool meets_cancels(Lower *L); // in a scope that stands in an atomic
bool calls(const Node *e);    // something in the expression calls a function
// A yield; none if there is one just before it, or if this place is not reached.
void put_auto(Lower *L, TokIndex t);
// A yield after a full expression. If no other activity can notice the rest of the expression
// after its last pause, the check after the call serves: `x = f() + 1` becomes t = f(); x = t + 1.
void put_auto_after(Lower *L, TokIndex t);
// A yield before or after the full expression e, if e calls.
void yield_around(Lower *L, const Node *e, TokIndex t);
void yield_in_loop(Lower *L, TokIndex t); // on the way back
// One yield after the condition of the `if` s, where its value is known, instead of one in each
// branch and after the statement. False: it has to be there, because the C compiler would warn of
// a condition that the user did not write.
bool yield_after_condition(Lower *L, Node *s);

// ---- lower-stmt.c ----
void lower_stmt(Lower *L, Node *s);    // puts the lowered statement
void lower_list_of(Lower *L, Node *s); // puts the statements of a list
Node *lower_sub(Lower *L, Node *s);    // a statement that must stay one
void lower_async(
    Async *a); // Async.tree becomes Async.body; also of the activates inside

// ---- lower-loops.c, lower-jumps.c ----
void lower_while(Lower *L, Node *s); // also do
void lower_for(Lower *L, Node *s);
void lower_switch(Lower *L, Node *s);
void lower_return(Lower *L, Node *s);
void lower_jump(Lower *L, Node *s); // break, continue
void lower_goto(Lower *L, Node *s);
void lower_computed_goto(Lower *L, Node *s);

// ---- tail.c: -Wtail-call ----
void warn_converted_tail(Lower *L, Node *s, Node *call);
void warn_enclosed_tail(Lower *L, Node *s);

// ---- labels.c ----
// The body of an activate or arm of the function; NULL: it was refused.
Async *inner_async(Async *a, const Decl *d);
void find_groups(Async *a, Node *s, Nest *nest);
void find_labels(Lower *L, Node *s);
void find_taken_labels(Lower *L, const Node *body); // after find_labels()
Node *after_labels(Node *s);        // the statement; NULL: there is none
void put_labels(Lower *L, Node *s); // without the statement
Nest *loop_around(Lower *L, bool switches); // or switch
Nest *nest_around(Lower *L, TokIndex label);

// ---- reachable.c ----
// The end of the statement is not reached: a jump, or a call that does not return.
bool ends(const Node *s);
bool may_pause(Node *list); // another activity may run meanwhile

// ---- regions.c ----
// A goto to the handler of errors from here; NULL: errors leave the function.
Node *landing(Lower *L, TokIndex t);
bool landing_here(Lower *L);  // a try or region is around
bool leaving_costs(Lower *L); // a return from here has something to do first
// A call of the runtime that waits.
void put_wait(Lower *L, const char *name, TokIndex t, Node *args, Why why);
Type *error_pointer(Lower *L); // fm_error *
void put_rethrow(Lower *L, Symbol *err, TokIndex t);
void put_caught(Lower *L, Symbol *err, TokIndex t); // err = fm__caught(c)
// if (0) { name: list }
void put_landing(Lower *L, Ident *name, Node *list, TokIndex t);
// The statements put between open_region() and end_region() are the body of the region, those
// between end_region() and go_on() its cleanup.
void open_region(Lower *L, Nest *n, Node *place);
void end_region(Lower *L, Nest *n, TokIndex t);
void go_on(Lower *L, Nest *n, TokIndex t);
// if (the region was left by an error) { list }
void put_if_error(Lower *L, Nest *region, Node *list, TokIndex t);
// The statement of a finally or defer. An error that it throws replaces the error on its way; a
// cancel goes on, and carries that error. A cleanup that may pause is shielded.
void put_cleanup(Lower *L, Nest *region, Node *s);
// True: the jump has to leave a region first, and is put; `until`: where it leads.
bool leave_first(Lower *L, Node *jump, Nest *until);

// ---- lower-exit.c, lower-race.c, lower-errors.c ----
void lower_defer(Lower *L, Node *s, Node *rest);
// Variables with the attribute.
void lower_cleanups(Lower *L, Node *decl, Decl **list, int n, Node *rest);
void lower_joined(Lower *L, Node *block, int group, Node *rest);
void lower_atomic(Lower *L, Node *s);
// An atomic in which something waits or throws; its value.
Node *lower_atomic_expr(Lower *L, Node *e);
void atomic_shields(
    Lower *L); // the atomic around, if there is one, becomes a shield
void lower_shield(Lower *L, Node *s);
void lower_scope(Lower *L, Node *s);
Node *lower_within(Lower *L, Node *e); // its value
void lower_race(Lower *L, Node *s);
void lower_try(Lower *L, Node *s);
void lower_throw(Lower *L, Node *s);

#endif
