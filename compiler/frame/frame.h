// frame.h: an async function (Async), its variables (Local) and its pauses (State), and the passes
// of this folder. They decide which variables live in the frame all the time, which variables each
// pause stores in it, and which field each variable gets.
#ifndef FMCC_FRAME_FRAME_H
#define FMCC_FRAME_FRAME_H

#include "base/types.h"
#include "quiet/quiet.h"

struct Local { // a variable of an async function
  Symbol *sym;
  Decl *decl; // NULL: a parameter, a temporary, a literal
  Async *owner;
  // lives in the frame from the beginning; set by residents.c
  bool resident;
  // a resident only because the function is large: its address is not taken
  bool settled;
  bool addressed; // other code may use its address while the function pauses
  bool temp;      // a temporary that lowering made
  // how often its address is taken; how many of these are only lent to a call, see quiet/lent.c
  int addresses, lent;
  bool va_pointed; // a va_list whose address was taken by `&`
  uint8_t va;      // VaKind
  // it begins as 0, so that no C compiler warns that it may have no value
  bool zeroed;
  // no pause is in its scope: each version declares it where the source does
  bool placed;
  // a compound literal; it has storage of its own only if resident
  bool literal;
  bool begins; // its declaration gives it a value
  // while debug.c looks at what is visible: another variable has its name
  bool covered;
  bool captured; // an activate inside uses it
  // a hoisted declaration uses its type, so the C compiler must not call it unused
  bool mentioned;
  // it is assigned to after its declaration; valid after live.c
  bool changed;
  // it hides another local that some pause in its scope has to keep: it needs another name
  bool hides;
  // a block's declaration of an object of file scope hides it: it needs another name, too
  bool hidden;
  // in the resume version it is one with another of its name, which is declared before
  bool again;
  // in the resume version and in the frame: unique in the function
  const char *name;
  int index;      // in Async.locals
  int slot;       // the number of its field in the frame; -1: none
  uint32_t align; // the alignment that its declaration asks for; 0: its type's
  TokIndex scope_from;
  TokIndex scope_to;
  // of the first variable of a field: the end of the last scope of those that have the field
  TokIndex field_to;
};

// What a function does at a state.
typedef enum Why {
  WHY_START, // it begins
  WHY_CALL,  // it waits for a callee that has paused
  WHY_AFTER, // a callee has ended, and then the slice was over
  WHY_AWAIT, // it waits for a task
  WHY_YIELD, // `yield`
  WHY_AUTO,  // an automatic yield
  WHY_JOIN,  // it waits for activities: the end of a block or scope, a race
  WHY_TAIL,  // it waits for the callee of `return f(x);`, and keeps its frame
  WHY_THROW  // not a pause, only a place for backtraces
} Why;
struct State {
  TokIndex tok;
  // a set by Local.index: the variables that are needed after the pause
  uint64_t *live;
  // the label where the function goes on when its callee unwinds; NULL: the function is left
  Ident *landing;
  bool used; // the function can come to this state; set by live.c
  // the function may still wait, or start something, after it
  bool more;
  bool more_after; // WHY_CALL: the same if the call returns and throws nothing
  bool past;       // it may have waited before
  // a yield, an await or a wait of the library: usually no callee has a frame
  bool near;
  const BodyPart *part; // of a large function: the part whose text it stands in
  uint8_t why;          // Why
};

// Constructs that cannot be kept across a pause, because they belong to the C stack or to the code
// of one version.
typedef enum Still {
  STILL_NOTHING,
  STILL_ALLOCA,
  STILL_SETJMP,
  STILL_LABEL
} Still;

// A run of statements of a large function that is a C function of its own; or its body.
struct BodyPart {
  Node *node;                 // N_PART; of the first: the body
  const BodyPart *around;     // NULL: it is the body
  int index;                  // in Async.parts
  int index_to;               // after the last part inside it
  int labels_from, labels_to; // in Async.places; with those of parts inside
  // The states in it or in parts inside it, and those that land there, are among these.
  int states_from, states_to;
  int lands_from, lands_to;
};
// The part whose text a label stands in.
typedef struct PartLabel {
  const Ident *label;
  const BodyPart *part;
  int index; // in Async.places
} PartLabel;

// An async function; or the body of an activate, arm, job or thunk, which becomes one.
struct Async {
  Unit *u;
  Decl *decl;
  Type *type;       // canonical TY_FUNC
  const char *name; // in generated names
  Item *item;       // of the definition; NULL: of a body inside one
  int external;     // Unit.external
  Node *tree;       // the body as it was parsed
  Range text;       // its tokens
  Node *body;       // lowered; NULL: it was not
  Vec locals;       // Local *
  Vec fields;       // Local *: by Local.slot, the first that has it
  // Hoisted *: types and static objects that move to file scope, in order
  Vec hoisted;
  int nhoisted;
  const char **slot_names; // by slot: the frame's fields; NULL: not made yet
  const char *shape;       // see emit/shapes.c; "": none; NULL: not made yet
  State *states;
  int nstates, cap_states;
  int ntemps;
  int nlabels;
  // Symbol *: temporaries that lowering made; the first temps_used are in use
  Vec temps;
  size_t temps_used;
  bool frame_on_entry; // something is resident
  bool frame_late;     // with that: the call version makes it at `entry`
  bool lands;          // code of its own runs when a callee unwinds
  // something in it can throw, if only an unchecked error
  bool throws_inside;
  bool of_library; // reports name the place of its caller
  // how many statements jump to a landing, without inline operations of the library
  int landings;
  bool inlines; // some inline operations do
  // its atomic version runs the resume version in a contained activity
  bool contained;
  bool arm;  // of a race: its body is one expression
  bool each; // the clauses `catch each` of a scope
  // a job's or thunk's body: variables of the function around are not its own
  bool boundary;
  // a thunk's body: it is called through a pointer, as any function is
  bool function;
  bool infers; // a job's body: the type that it returns is not known yet
  Vec jobs;    // Async *: the bodies of jobs and thunks in it
  // of an activate's body: the function around it; else NULL
  Async *up;
  Vec inner; // Async *: the bodies of its activates
  // of an activate's body: the outermost loop of `up` around it; 0: none
  TokIndex loop;
  // and the innermost scope of `up` of which it uses a variable; -1: none
  int share_depth;
  // blocks that wait for activities which share their variables
  int ngroups;
  // it has automatic yields around calls; in each turn of a loop
  bool auto_yield, loop_yield;
  Quiet quiet;   // valid after quiet.c
  bool one_body; // the versions call and resume share one text, f__fm_body
  // it has its frame on entry and many pauses: the call version enters the resume version
  bool one_version;
  // its resume version seldom runs, and not for long: it is compiled for size
  bool seldom;
  // with one body: pauses that are not near keep all variables that any pause keeps
  bool keeps_all;
  bool large; // all its variables live in the frame; it is cut into parts
  Vec parts;  // BodyPart *, each before those inside it
  Vec places; // PartLabel *, of all labels outside of expressions, in order
  PartLabel **by_label;
  Node *entry; // N_ENTRY: where the check on entry stands; NULL: it comes first
  // the automatic yield that the check on entry makes; 0: none
  TokIndex entry_yield;
  // for the witness: Symbol * of the functions around, Ident *
  Vec shares, labels;
  bool own_labels; // __label__ stands in it
  bool asm_jumps;  // an `asm goto` does
  int witness;     // the number of the label at its end in the witness; 0: none
  // of a body inside a function: its brace; with `each`: `catch`
  TokIndex opens;
  // the first alloca, setjmp or label address, and which of them; 0: none
  TokIndex still;
  uint8_t still_is;  // Still
  TokIndex label_at; // the address of a label that was read last, or 0
  bool has_va_list;  // a variable of that type, or `...`
  Local *varargs;    // stands for `...`, not in `locals`; or NULL
};

// ---- async.c: called while bodies are parsed ----
// Makes the Async of an async function, and adds it to Unit.asyncs.
Async *new_async(Unit *u, Decl *d);
void async_free(Async *a);
// Calls fn for every function that was lowered.
void each_async(Unit *u, void (*fn)(Async *a));
// Makes the Local of a variable that is declared in the body being parsed.
Local *new_local(Unit *u, Symbol *s);
// Notes that the body being parsed declares an object or function of file scope, which may hide
// variables of the body.
void note_hidden(Unit *u, const Symbol *s);
// Notes a name in a body, which may be a variable of a function around an activate.
void note_use(Unit *u, Symbol *s, TokIndex t);
// Gives a compound literal a variable, because it is an object whose address may be taken.
void name_literal(Unit *u, Node *e);
// Note that the address of the variable in e, or of the variable k, is taken.
void note_address(Node *e);
void note_address_of(Local *k);
// Returns the variable's name in the call version: the user's, unless that hides another variable
// or is hidden.
const char *call_name(const Local *k);

// ---- the passes: residents.c, live.c, forms.c, fields.c, parts.c ----
void residents_unit(Unit *u);
void live_unit(Unit *u);
void forms_unit(Unit *u);
void fields_unit(Unit *u);
void parts_unit(Unit *u);

// ---- live.c, fields.c: the variables that each pause must keep ----
// After the N_PAUSE s the slice may end, and the function is left although its call has ended.
bool may_end_slice(const Node *s);
// There the N_PAUSE s has a second state. The others let the runtime hold the value of the call
// (abi.h, FM_HELD). After residents_unit().
bool has_second_state(const Node *s);
// The variable is needed after the pause. After live_unit().
bool live_at(const State *s, const Local *k);
// The variable has a field, which is stored at the pause. After fields_unit().
bool kept_at(const Async *a, int state, const Local *k);
// Both pauses store the same variables.
bool keep_the_same(const Async *a, int state, int other);
// s is a variable of this function that pauses may have to keep.
bool is_tracked(const Symbol *s);

// ---- parts.c: large functions ----
// The function is to be cut into parts. Before its residents are chosen.
bool is_large(Async *a);
// Returns the place of a label; NULL: there is none, or it is inside an expression.
const PartLabel *part_label(const Async *a, const Ident *label);
// `other` is the part, or stands inside it.
bool part_contains(const BodyPart *part, const BodyPart *other);
// Returns the part in the text of `from` that contains `to`, or `from` itself if both are the same;
// NULL: `to` is outside.
const BodyPart *part_towards(const BodyPart *from, const BodyPart *to);

// ---- block-labels.c: functions with many labels ----
// Declares the labels that lowering made in the blocks that use them.
void settle_labels(Async *a);

// ---- assigned.c ----
// Removes variables that cannot have a value yet from State.live.
void forget_unassigned(Async *a);

// ---- debug.c: names for debuggers ----
// With -g, if the C compiler does not optimise.
bool for_debugging(const Unit *u);
// Adds the variables that the user can see at each pause to State.live.
void keep_visible(Async *a);
// Decides which variables keep the user's names in the resume version. text: the body's tokens.
void name_locals(Async *a, Range text);
void print_names(Printer *p, Async *a);         // struct f__fm_names
void print_pointer_types(Printer *p, Async *a); // f__fm_at_x
// Prints pointers to the residents, by the user's names.
void print_pointers(Printer *p, Async *a);
// Prints the assignment to the pointer of an array of variable length, whose memory is there now.
void print_pointer_again(Printer *p, Local *k);
// The parameter gets another name in the call version, because a pointer has its name.
bool moves_to_frame(Printer *p, Param *q);

#endif
