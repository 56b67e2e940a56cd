// dataflow.h: sets that flow through a lowered body, forward or backward: the one engine under
// live.c and assigned.c. A set has a bit for each variable (Local.index), and bits for other facts
// that an analysis follows. Where ways meet, the result is the union of their sets.
#ifndef FMCC_FRAME_DATAFLOW_H
#define FMCC_FRAME_DATAFLOW_H

#include "base/types.h"

typedef uint64_t SetWord;
typedef struct Flow Flow;
typedef struct LabelSet LabelSet;

// The rules of an analysis. A rule gets the set that holds before the node (backward: after it) and
// makes it the set that holds on the other side of the node.
typedef struct FlowRules {
  bool backward;
  // true: the rule has walked the parts of the expression; false: the engine is to walk them
  bool (*expression)(Flow *f, Node *e, SetWord *set);
  // one declarator of a declaration
  void (*declarator)(Flow *f, Decl *d, SetWord *set);
  // the statements at which a function pauses; the rule walks their parts
  void (*pause)(Flow *f, Node *s, SetWord *set);
  void (*tail)(Flow *f, Node *s, SetWord *set);
  void (*yield)(Flow *f, Node *s, SetWord *set);
  void (*auto_yield)(Flow *f, Node *s, SetWord *set);
  // before the engine walks any statement; NULL: nothing
  void (*other)(Flow *f, Node *s, SetWord *set);
} FlowRules;

struct Flow {
  Async *a;
  const FlowRules *rules;
  size_t words; // of a set
  // the sets where break and continue lead, and at the labels of the switch around; or NULL
  SetWord *brk, *cont, *cases;
  bool has_default;
  LabelSet *labels; // the sets where gotos lead
  LabelSet **label_table;
  bool changed;       // one of these has grown: the body has to be walked again
  SetWord **by_state; // assigned.c: the set at each state
};

// ---- dataflow.c ----
SetWord *new_set(Flow *f); // empty
void empty_set(Flow *f, SetWord *set);
bool add_set(Flow *f, SetWord *to, const SetWord *from); // true: it has grown
void set_bit(SetWord *set, size_t i, bool value);
bool has_bit(const SetWord *set, size_t i);
// Walks over Async.body until nothing changes any more; start: the set where the walk begins.
void flow_through(Flow *f, const SetWord *start);
// For the rules, which walk these parts themselves; NULL: nothing.
void flow_expr(Flow *f, Node *e, SetWord *set);
void flow_exprs(Flow *f, Node *list, SetWord *set);
// The way of an error to its handler; jump: a goto, or NULL: the error leaves the function.
void flow_to(Flow *f, const Node *jump, SetWord *set);

#endif
