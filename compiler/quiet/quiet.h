// quiet.h: async functions that are C functions in all but name. What they are is found out before
// anything is lowered, so that calls of them stay in their expressions and make no state.
#ifndef FMCC_QUIET_QUIET_H
#define FMCC_QUIET_QUIET_H

#include "base/types.h"

// What is known of an async function that is defined in this unit.
struct Quiet {
  // it cannot pause and throws nothing: calls of it are calls of its atomic version
  bool quiet;
  // quiet, without a loop, and what it calls is short as well: no yields are needed around it
  bool brief;
  // brief, and all it reads is its own, or constant: it gives the same however often it is asked
  bool pure;
  bool visiting;
  bool visited;
  int calls;     // brief: how many calls it is made of, with those inside
  int64_t stack; // bytes of its variables, and of the deepest callee's
  // by parameter: a pointer that the function only looks through; neither it nor a copy remains
  uint64_t lent;
};

// ---- quiet.c ----
// The pass. In: trees. Out: Async.quiet; in calls of quiet functions NF_ATOMIC instead of NF_PAUSE;
// NF_CALLS only where §4 of the language asks for yields; Local.addressed only where the address
// may outlive a call.
void quiet_unit(Unit *u);
// of a call that is one of a quiet function, or of the C library; NULL: nothing is known of it
const Quiet *quiet_callee(const Node *call);
// a function of the C library that is short and keeps nothing; *lent: as in Quiet
bool is_pure_call(const Node *call);

// ---- loops.c ----
// The loop ends, whatever others do: no activity has to run for it to end.
bool ends_by_itself(const Node *loop);
// a variable of the function that nothing but the function can reach; no dereference
bool is_own_value(const Node *e);

// ---- lent.c ----
// which parameters the function only looks through
uint64_t lent_params(const Async *a);
// in a call: counts the addresses of local variables that are only lent to it. dropped: nobody
// wants the value of the call
void count_lent(const Node *call, bool dropped);

// ---- library.c: functions of the C library ----
typedef struct LibraryCall {
  const char *name;
  uint8_t kind;  // LibraryKind
  uint64_t lent; // as in Quiet
} LibraryCall;
typedef enum LibraryKind {
  LIBRARY_OTHER, // nothing is known of its time
  LIBRARY_SHORT, // it takes time for what its arguments hold, and does not wait
  LIBRARY_PURE,  // short, and it reads its arguments alone
  LIBRARY_RETURNS // short; its value may be its first argument
} LibraryKind;
const LibraryCall *library_call(const Node *call); // NULL: none of these

#endif
