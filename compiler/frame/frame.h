// frame.h: a function that pauses, its variables and its pauses: what each pause must keep, and
// which variables live in the frame all the time.
#ifndef FMCC_FRAME_FRAME_H
#define FMCC_FRAME_FRAME_H

#include "base/types.h"
#include "quiet/quiet.h"

struct Local { // a variable of an async function
  Symbol *sym;
  Decl *decl; // NULL: a parameter, a temporary, a literal
  Async *owner;
  // lives in the frame: an array, or its address is taken
  bool resident;
  // a resident only because the function is large: its address is not taken
  bool settled;
  // addressed: somebody may have its address while the function pauses
  bool addressed, temp;
  // how often its address is taken; how many of these are only lent to a call, see quiet/lent.c
  int addresses, lent;
  bool va_pointed; // a va_list whose address was taken by `&`
  uint8_t va;      // VaKind
  // it begins as 0, so that no compiler doubts that it has a value
  bool zeroed;
  // no pause is in its scope: each version declares it where the source does
  bool placed;
  // a compound literal; it has storage of its own only if resident
  bool literal;
  bool begins; // its declaration gives it a value
  // while debug.c looks at what is visible: another one has its name
  bool covered;
  bool captured; // an activate inside uses it
  // what is hoisted asks for its type: no compiler is to call it unused
  bool mentioned;
  // it is assigned to after its declaration; valid after live.c
  bool changed;
  // another local that some pause in its scope has to keep: it needs another name
  bool hides;
  // by a block's declaration of what lies outside: it needs another name, too
  bool hidden;
  // in the resume version it is one with another of its name, which is declared before
  bool again;
  // in the resume version and in the frame: unique in the function
  const char *name;
  int index;      // in Async.locals
  int slot;       // frame field; -1: none
  uint32_t align; // what its declaration asks for; 0: its type's
  TokIndex scope_from;
  TokIndex scope_to;
  // of the first variable of a field: the end of the last scope of those that have the field
  TokIndex field_to;
};

typedef enum Why {
  WHY_START,
  WHY_CALL,
  WHY_AFTER,
  WHY_AWAIT,
  WHY_YIELD,
  WHY_AUTO,
  WHY_JOIN,
  WHY_TAIL,
  WHY_THROW // not a pause, only a place for backtraces
} Why;
struct State {
  TokIndex tok;
  uint64_t *live; // by Local.index, what is needed after the pause
  // where it goes on when what it waits for unwinds; NULL: the function is left
  Ident *landing;
  bool used;
  // the function may still wait, or start something, after it
  bool more;
  bool past; // it may have waited before
  // a yield, an await or a wait of the library: mostly no call below it has a frame
  bool near;
  const BodyPart *part; // of a large function: in whose text it stands
  uint8_t why;
};

// What cannot be kept across a pause, because it is part of the C stack or of one version's code.
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
typedef struct PartLabel { // of a label
  const Ident *label;
  const BodyPart *part;
  int index; // in Async.places
} PartLabel;

struct Async { // an async function
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
  const char **slot_names; // by slot: the frame's fields, once asked for
  const char *shape; // see emit/shapes.c; "": none; NULL: not asked for yet
  State *states;
  int nstates, cap_states;
  int ntemps;
  int nlabels;
  // Symbol *: temporaries that lowering made; the first temps_used are in use
  Vec temps;
  size_t temps_used;
  bool frame_on_entry; // something is resident
  bool lands;          // something is to be done when a call unwinds
  // something in it can throw, if only an unchecked error
  bool throws_inside;
  bool of_library; // reports name where its caller stands
  // how many ways lead there but those of inline operations
  int landings;
  bool inlines; // there are some of these
  bool thunk;   // its atomic version runs the others, contained
  bool arm;     // of a race: its body is one expression
  bool each;    // the clauses `catch each` of a scope
  // a job's or thunk's body: variables of the function around are not its own
  bool boundary;
  // a thunk's body: it is called through a pointer, as any function is
  bool function;
  bool infers; // a job's body: what it returns is not yet known
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
  // yields by itself: around calls; on the way back in loops
  bool auto_yield, loop_yield;
  Quiet quiet;   // valid after quiet.c
  bool one_body; // call and resume are entries to the same code
  // it has its frame on entry and many pauses: the call version enters the resume version
  bool one_version;
  // its resume version is seldom entered and soon left: it is made small
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
  int witness;     // the label at its end; 0: none
  TokIndex
      opens; // of a body inside a function: its brace; with `each`: `catch`
  // the first alloca, setjmp or label address, and which of them; 0: none
  TokIndex still;
  uint8_t still_is;  // Still
  TokIndex label_at; // the address of a label that was read last, or 0
  bool has_va_list;  // a variable of that type, or `...`
  Local *varargs;    // stands for `...`, not in `locals`; or NULL
};

// ---- async.c: what is noted while bodies are parsed ----
Async *new_async(Unit *u, Decl *d);
void async_free(Async *a);
// fn is applied to every function that was lowered
void each_async(Unit *u, void (*fn)(Async *a));
// for a variable declared in the body being parsed
Local *new_local(Unit *u, Symbol *s);
// of an object or function of file scope, declared in the body being parsed
void note_hidden(Unit *u, const Symbol *s);
// a name in a body: perhaps a variable of a function around an activate
void note_use(Unit *u, Symbol *s, TokIndex t);
// a compound literal is an object: give it a variable, in case that must stand still
void name_literal(Unit *u, Node *e);
// its address is taken: the variable inside has to stand still
void note_address(Node *e);
void note_address_of(Local *k);
// in the call version: as declared, unless that hides another or is hidden
const char *call_name(const Local *k);

// ---- the passes: residents.c, live.c, forms.c, fields.c, parts.c ----
void residents_unit(Unit *u);
void live_unit(Unit *u);
void forms_unit(Unit *u);
void fields_unit(Unit *u);
void parts_unit(Unit *u);

// ---- live.c: what each pause must keep ----
// this N_PAUSE has a second state, after the call, for the end of a slice
bool has_second_state(const Node *s);
// after live_unit(): that pause keeps the variable
bool live_at(const State *s, const Local *k);
// after fields_unit(): it has a field, which is stored at that pause
bool kept_at(const Async *a, int state, const Local *k);
bool keep_the_same(const Async *a, int state, int other); // two pauses
// a variable of this function that pauses may have to keep
bool is_tracked(const Symbol *s);

// ---- parts.c: large functions ----
bool is_large(Async *a); // before it is known what lives in the frame
// NULL: none, or inside an expression
const PartLabel *part_label(const Async *a, const Ident *label);
// `from` itself, or the part in its text that leads there; NULL: it is outside
// other is part, or stands inside it
bool part_contains(const BodyPart *part, const BodyPart *other);
const BodyPart *part_towards(const BodyPart *from, const BodyPart *to);

// ---- block-labels.c: functions with many labels ----
void settle_labels(Async *a);

// ---- assigned.c: what cannot have a value yet ----
void forget_unassigned(Async *a); // in State.live: what cannot have a value yet

// ---- debug.c: what a debugger can know ----
bool for_debugging(const Unit *u); // -g, and the C compiler does not optimise
void keep_visible(Async *a); // adds to State.live what the user can see there
// which variables keep their own names side by side; text: the body
void name_locals(Async *a, Range text);
void print_names(Printer *p, Async *a);         // struct f__fm_names
void print_pointer_types(Printer *p, Async *a); // f__fm_at_x
void print_pointers(Printer *p, Async *a);      // to what lives in the frame
void print_pointer_again(Printer *p, Local *k);
// the parameter is called otherwise, since a pointer has its name
bool moves_to_frame(Printer *p, Param *q);

#endif
