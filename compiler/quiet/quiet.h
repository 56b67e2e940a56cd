// quiet.h: async functions that cannot pause. This pass finds them before lowering, so that calls
// of them stay C calls and make no state.
#ifndef FMCC_QUIET_QUIET_H
#define FMCC_QUIET_QUIET_H

#include "base/types.h"

// Properties of an async function that is defined in this unit.
struct Quiet {
  // it cannot pause and throws nothing: calls of it are calls of its atomic version
  bool quiet;
  // quiet, without a long loop, and its callees are short as well: no yields are needed around it
  bool brief;
  // brief, and it reads only its own variables and constants: its result is always the same
  bool pure;
  bool called; // a function of this unit calls it by its name
  bool visiting;
  bool visited;
  int calls;     // brief: how many calls it contains, with those of its callees
  int64_t stack; // bytes of its variables, and of the deepest callee's
  // a bit for each parameter: a pointer that is only lent to the function
  uint64_t lent;
};

// ---- quiet.c ----
// The pass. In: trees. Out: Async.quiet; in calls of quiet functions NF_ATOMIC instead of NF_PAUSE;
// NF_CALLS only where §4 of the language asks for yields; Local.addressed only where the address
// may outlive a call.
void quiet_unit(Unit *u);
// The quiet function that is called. NULL: it is another function.
const Quiet *quiet_callee(const Node *call);
// Whether it calls a pure function, of this unit or of the C library.
bool is_pure_call(const Node *call);

// ---- loops.c ----
// Whether the loop ends whatever other activities do.
bool ends_by_itself(const Node *loop);
enum { MOST_TURNS = 64 };
// How many turns the loop has at most, where constants bound it; 0: perhaps more than MOST_TURNS.
int few_turns(const Node *loop);
// Whether e is a variable that only the function itself can reach, not a dereference.
bool is_own_value(const Node *e);

// ---- lent.c ----
// The parameters that are only lent to the function.
uint64_t lent_params(const Async *a);
// Counts the addresses of local variables that are only lent to the call. dropped: the value of the
// call is not used.
void count_lent(const Node *call, bool dropped);

// ---- library.c: functions of the C library ----
typedef struct LibraryCall {
  const char *name;
  uint8_t kind;  // LibraryKind
  uint64_t lent; // as in Quiet
} LibraryCall;
typedef enum LibraryKind {
  LIBRARY_OTHER, // it may take long
  LIBRARY_SHORT, // its time depends on its arguments only, and it does not wait
  LIBRARY_PURE,  // short, and it reads its arguments alone
  LIBRARY_RETURNS // short; its value may be its first argument
} LibraryKind;
const LibraryCall *library_call(const Node *call); // NULL: none of these

#endif
