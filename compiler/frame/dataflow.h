// dataflow.h: sets that flow through a lowered body, forward or backward: the one engine under
// live.c and assigned.c. A set has a bit for each variable (Local.index), and some for what else an
// analysis wants to know. Where ways meet, sets are united.
#ifndef FMCC_FRAME_DATAFLOW_H
#define FMCC_FRAME_DATAFLOW_H

#include "base/types.h"

typedef uint64_t SetWord;
typedef struct Flow Flow;
typedef struct LabelSet LabelSet;

// What an analysis does with a set, which is what holds before the node (backward: after it) and
// becomes what holds on its other side.
typedef struct FlowRules {
  bool backward;
  // true: that was all; false: the parts of the expression are to be walked, too
  bool (*expression)(Flow *f, Node *e, SetWord *set);
  // of a declaration
  void (*declarator)(Flow *f, Decl *d, SetWord *set);
  // a pause or yield, what starts an activity, asm; likewise
  bool (*statement)(Flow *f, Node *s, SetWord *set);
} FlowRules;

struct Flow {
  Async *a;
  const FlowRules *rules;
  size_t words; // of a set
  // what holds where break and continue lead, and at the labels of the switch around; or NULL
  SetWord *brk, *cont, *cases;
  bool has_default;
  LabelSet *labels;   // what holds where a goto leads
  bool changed;       // one of these has grown: the body has to be walked again
  SetWord **by_state; // assigned.c: what holds at each state
};

// ---- dataflow.c ----
SetWord *new_set(Flow *f); // empty
void empty_set(Flow *f, SetWord *set);
bool add_set(Flow *f, SetWord *to, const SetWord *from); // true: it has grown
void set_bit(SetWord *set, size_t i, bool value);
bool has_bit(const SetWord *set, size_t i);
// Walks over Async.body until nothing changes any more; start: what holds where the walk begins.
void flow_through(Flow *f, const SetWord *start);
// For the rules: parts that they walk themselves; NULL: nothing.
void flow_expr(Flow *f, Node *e, SetWord *set);
void flow_exprs(Flow *f, Node *list, SetWord *set);
// the way of an error to its handler; jump: a goto, or NULL: it leaves the function
void flow_to(Flow *f, const Node *jump, SetWord *set);

#endif
