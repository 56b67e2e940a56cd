// lowering.h: what the files of the lowering share: lower-expr.c (expressions), lower-stmt.c
// (statements, automatic yields), labels.c (what has to be known before) and lower-exit.c
// (everything that is to be done when code is left).
#ifndef FMCC_LOWER_LOWERING_H
#define FMCC_LOWER_LOWERING_H

#include "fmcc.h"

// a jump that goes on when a region has been cleaned up
typedef struct Exit {
  Node *jump;
  int number;
  struct Exit *next;
} Exit;

typedef struct Nest { // what encloses a statement
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
  // block: its activities that share variables, + 1; 0: none
  int group;
  // loop: where `continue` goes, or NULL: it is C's own
  Ident *next;
  Ident *landing; // try, region: where errors go
  bool landed;    // some do
  Ident *after;   // region: where its cleanup begins
  // region: how it is left (0: its end, 1: an error, 2…: a jump); the error
  Symbol *why, *err;
  // region: the statement that sets both, once it is known that they are needed
  Node *init;
  // atomic: room for that which makes it a shield
  Exit *exits, **exits_tail;
  int nexits;
  bool falls; // region: its end may be reached
  // atomic: a cancel can be met in it, or in what it stands in
  bool shields;
} Nest;

// region: no jump from outside enters it
typedef struct LabelPlace {
  Ident *name;
  TokIndex tok;
  Range region;
  bool taken; // its address is: a computed goto may lead here
  struct LabelPlace *next;
} LabelPlace;
typedef struct Lower {
  Unit *u;
  Type *returned;     // the function's
  bool no_yields;     // inside an expression
  bool local_labels;  // __label__ is used: labels may repeat
  LabelPlace *labels; // of the whole body
  // while labels are looked for: the innermost region around; around the switch
  Range region, switch_region;
  // the value of a return that has something to do first
  Symbol *ret;
  Symbol *caught; // the error of the catch around; NULL: none
  Async *a;       // of a plain function it only has the temporaries
  bool plain;
  Node **tail;               // where the next statement goes
  Node *last, *last_but_one; // what was put there last; NULL: nothing yet
  Nest *nest;
} Lower;

// ---- lower-expr.c ----
Node *lower_expr(Lower *L, Node *e); // an expression, without its pauses
// of the arrays of variable length in a type
void lower_lengths(Lower *L, Type *t);
// one without pauses: statement expressions in it
void lower_inside(Lower *L, Node *e);
// arguments and callee of one that pauses
void lower_parts(Lower *L, Node *call);
// a pause or throw that is put: perhaps an error comes of it; call: NULL if it is none
void note_throwing(Lower *L, const Node *call);
Node *pause_here(Lower *L, Node *dst, Node *call); // the N_PAUSE that is put
void put_effect(Lower *L, Node *e); // evaluate e; its value is not wanted
// evaluate e, into `to` unless that is NULL
void put_value(Lower *L, Node *e, Symbol *to);
Node *truth(Lower *L, Node *e); // !!(e)
static inline bool has_pause(const Node *e) {
  return e && (e->flags & NF_PAUSE);
}
typedef void (*Filler)(Lower *, Node *);
// the statements that `fill` puts, as a list of their own
Node *gather(Lower *L, Filler fill, Node *arg);
void put_stmt(Lower *L, Node *s);
Node *make_node(Lower *L, NodeKind k, TokIndex t, Node *a, Node *b);
Node *code_node(Lower *L, TokIndex t, const char *text);
Node *ident_node(Lower *L, Symbol *s, TokIndex t);
Node *assign_stmt(Lower *L, Node *to, Node *value, TokIndex t);
// for the full expression that is being lowered
Symbol *new_temp(Lower *L, Type *t, TokIndex tok);
Symbol *own_temp(Lower *L, Type *t, TokIndex tok); // for good
Ident *new_label(Lower *L);
Node *label_node(Lower *L, Ident *name, TokIndex t);
int new_state(Async *a, TokIndex tok, Why why);
typedef struct Opened {
  Node **tail, *last, *first;
} Opened;
// what is put from here on is a list of its own
void open_list(Lower *L, Opened *o);
Node *close_list(Lower *L, Opened *o);
Node *block_of(Lower *L, Node *list, TokIndex t, TokIndex end);
Node *to_void(Lower *L, Node *e); // (void)(e)
TokIndex last_token(Node *s);

// ---- lower-stmt.c ----
void lower_stmt(Lower *L, Node *s);    // a statement, to L->tail
void lower_list_of(Lower *L, Node *s); // statements
Node *lower_sub(Lower *L, Node *s);    // a statement that must stay one
void lower_async(Async *a); // Async.tree; with the bodies of its activates
bool in_atomic(Lower *L);
bool meets_cancels(Lower *L); // in a scope that stands in an atomic

// ---- tail.c: -Wtail-call ----
void warn_converted_tail(Lower *L, Node *s, Node *call);
void warn_enclosed_tail(Lower *L, Node *s);

// ---- labels.c ----
void find_groups(Async *a, Node *s, Nest *nest);
void find_labels(Lower *L, Node *s);
void find_taken_labels(Lower *L, const Node *body); // after that
Node *behind_labels(Node *s);       // the statement; NULL: there is none
void put_labels(Lower *L, Node *s); // without the statement
Nest *loop_around(Lower *L, bool switches); // or switch
Nest *nest_around(Lower *L, TokIndex label);

// ---- lower-exit.c ----
// a goto to where errors from here go, or NULL: they leave the function
Node *landing(Lower *L, TokIndex t);
Node *rt_call(Lower *L, const char *name, TokIndex t, bool domain, Node *args);
// as a statement
void put_rt(Lower *L, const char *name, TokIndex t, bool domain, Node *args);
// as a pause
void put_wait(Lower *L, const char *name, TokIndex t, Node *args, Why why);
// by a jump, or a call that does not return; in doubt, it does not
bool ends(const Node *s);
// an error from here, or a return, has something to do first
bool landing_here(Lower *L);
bool leaving_costs(Lower *L); // a return from here has something to do first
// the jump has something to do first: it is put; false: put it yourself
bool leave_first(Lower *L, Node *jump, Nest *until);
void lower_defer(Lower *L, Node *s, Node *rest);
// of variables with the attribute
void lower_cleanups(Lower *L, Node *decl, Decl **list, int n, Node *rest);
void lower_joined(Lower *L, Node *block, int group, Node *rest);
void lower_try(Lower *L, Node *s);
void lower_throw(Lower *L, Node *s);
void lower_shield(Lower *L, Node *s);
void lower_scope(Lower *L, Node *s);
void lower_race(Lower *L, Node *s);
Node *lower_object(Lower *L, Node *e); // awaitable.c
void lower_atomic(Lower *L, Node *s);
// one in which something waits or throws; its value
Node *lower_atomic_expr(Lower *L, Node *e);
// a block that evaluates e, into `to` unless that is NULL
Node *branch(Lower *L, Node *e, Symbol *to);

#endif
