// dataflow.h: the dataflow engine: sets of variables flow through a lowered body, forward or
// backward. live.c and assigned.c are its analyses. A set has a bit for each variable
// (Local.index), and bits for other facts that an analysis follows. Where two paths meet, the
// result is the union of their sets.
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
  // returns true if it has walked the parts of the expression, false if the engine is to walk them
  bool (*expression)(Flow *f, Node *e, SetWord *set);
  // one declarator of a declaration
  void (*declarator)(Flow *f, Decl *d, SetWord *set);
  // the statements at which a function pauses; the rule walks their parts
  void (*pause)(Flow *f, Node *s, SetWord *set);
  void (*tail)(Flow *f, Node *s, SetWord *set);
  void (*yield)(Flow *f, Node *s, SetWord *set);
  void (*auto_yield)(Flow *f, Node *s, SetWord *set);
  // called before the engine walks a statement of any kind; or NULL
  void (*other)(Flow *f, Node *s, SetWord *set);
} FlowRules;

struct Flow {
  Async *a;
  const FlowRules *rules;
  size_t words; // the size of a set
  // the sets where break and continue lead, and at the labels of the switch around; or NULL
  SetWord *brk, *cont, *cases;
  bool has_default;       // the switch around has a `default`
  LabelSet *labels;       // the sets where gotos lead
  LabelSet **label_table; // the same, by name
  bool changed;       // one of these has grown: the body has to be walked again
  SetWord **by_state; // assigned.c: the set at each state
};

// ---- dataflow.c ----
SetWord *new_set(Flow *f); // an empty set
void empty_set(Flow *f, SetWord *set);
// Adds the members of `from`; returns true if `to` has grown.
bool add_set(Flow *f, SetWord *to, const SetWord *from);
void set_bit(SetWord *set, size_t i, bool value);
bool has_bit(const SetWord *set, size_t i);
// Walks over Async.body until nothing changes any more. start: the set where the walk begins.
void flow_through(Flow *f, const SetWord *start);
// Called by the rules for the parts that they walk themselves. e may be NULL.
void flow_expr(Flow *f, Node *e, SetWord *set);
void flow_exprs(Flow *f, Node *list, SetWord *set);
// Follows an error to its handler. jump: a goto, or NULL: the error leaves the function.
void flow_to(Flow *f, const Node *jump, SetWord *set);

#endif
