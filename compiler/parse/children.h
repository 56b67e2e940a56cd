// children.h: the parts of a node, by one table and one iterator, so that a walk over trees names
// only the kinds of nodes that it treats in a special way.
#ifndef FMCC_PARSE_CHILDREN_H
#define FMCC_PARSE_CHILDREN_H

#include "base/types.h"

// The kind of a part. A walk combines them with `|` to choose the parts that it visits.
enum {
  PART_NONE = 0,
  PART_VALUE = 1,      // an expression that is evaluated with the node
  PART_STATEMENT = 2,  // a statement that belongs to the node
  PART_TYPE = 4,       // an expression that only gives its type
  PART_DESIGNATOR = 8, // of an initialiser; the path of offsetof
  PART_BODY =
      16, // a body of its own: of an activate, an arm, a nested function
  PART_OTHER = 32, // where errors go; a branch that is not chosen
  PART_LIST = 64,  // the part is the first of a list of these
  PART_ALL = PART_LIST - 1
};

typedef struct NodeShape {
  const char *name;      // for --dump
  unsigned char part[4]; // what a, b, c and d are
} NodeShape;
extern const NodeShape node_shapes[];

typedef struct Children {
  Node *of;
  unsigned wanted; // PART_*
  bool backward;   // the last part first; lists stay in their order
  int next;        // the part to be looked at next
  int is;          // PART_* of the child that was given last
  Node *rest;      // of a list
  Decl *decls;     // of a declaration
} Children;
Children children(Node *n, unsigned wanted);
Children children_backward(Node *n, unsigned wanted);
Node *next_child(Children *c); // NULL: no more

#endif
