// block-labels.c: declares labels in blocks (`__label__`), in functions for which lowering made
// many labels. gcc walks over all labels of a function whenever one of its blocks ends: it took six
// times as long to parse a function with 3,000 tries as one with 1,500. So each label that lowering
// made belongs to the innermost block that contains all jumps to it.
// In: lowered functions. Out: N_LOCAL_LABELS nodes with val 1 at the head of blocks. Only atomic
// versions and plain functions print them: in other versions a resume may jump to any label.
#include "fmcc.h"

#include <stdlib.h>

enum { MANY_LABELS = 200 };

typedef struct Block {
  Node *node;
  struct Block *around;
  int depth; // how many blocks are around it
} Block;

typedef struct BlockLabel {
  Ident *label;
  // the innermost block that contains the label and all jumps to it
  Block *owner;
} BlockLabel;

typedef struct BlockLabels {
  Async *a;
  Block *now;     // the block that is being walked
  BlockLabel *at; // by number, from 1
} BlockLabels;

// Returns the number of a label that lowering made (new_label()); 0: it is one of the user's.
static int number_of(const BlockLabels *w, const Ident *label) {
  if (!label || strncmp(label->name, "fm__c", 5) != 0)
    return 0;
  int n = atoi(label->name + 5);
  return n > 0 && n <= w->a->nlabels ? n : 0;
}

static Block *block_around_both(Block *x, Block *y) {
  while (x != y) {
    if (x->depth >= y->depth)
      x = x->around;
    else
      y = y->around;
  }
  return x;
}

// Notes a label or a jump to it in the current block.
static void note_label(BlockLabels *w, Ident *label) {
  int n = number_of(w, label);
  if (!n)
    return;
  BlockLabel *k = &w->at[n];
  k->label = label;
  k->owner = k->owner ? block_around_both(k->owner, w->now) : w->now;
}

static void walk(BlockLabels *w, Node *n) {
  Block *around = w->now;
  if (n->kind == N_LABEL || n->kind == N_GOTO)
    note_label(w, n->name);
  if (n->kind == N_COMPOUND) {
    w->now = NEW(&w->a->u->arena, Block);
    *w->now = (Block){ n, around, around->depth + 1 };
  }
  Children c = children(n, PART_ALL & ~PART_BODY);
  for (Node *k; (k = next_child(&c));)
    walk(w, k);
  w->now = around;
}

// Puts the declaration of the label at the head of its block.
static void declare_label(Async *a, const BlockLabel *k) {
  // labels of the body itself need no declaration
  if (!k->owner || k->owner->depth < 2)
    return;
  Node *block = k->owner->node, *n = node_new(a->u, N_LOCAL_LABELS, block->tok);
  n->val = 1;
  n->name = k->label;
  n->next = block->a;
  block->a = n;
}

void settle_labels(Async *a) {
  Block outside = { 0 };
  // --part-size is for tests, which try this with few labels
  int many = a->u->opt.part_size ? 1 : MANY_LABELS;
  if (a->nlabels < many || a->own_labels)
    return;
  BlockLabels w = { .a = a, .now = &outside };
  w.at = arena_alloc(&a->u->arena, ((size_t)a->nlabels + 1) * sizeof *w.at);
  walk(&w, a->body);
  for (int i = a->nlabels; i > 0; i--)
    declare_label(a, &w.at[i]);
}
