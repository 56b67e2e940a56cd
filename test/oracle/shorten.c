// shorten.c: all programs that are one step shorter than a given one: a statement or a function is
// missing, a statement is replaced by a part of it, an expression by a number.
#include "shorten.h"

#include <stdlib.h>
#include <string.h>

typedef struct Edit {
  int at;     // which edit of all is made
  int number; // of those that were met
} Edit;

static bool turn(Edit *e) {
  return e->number++ == e->at;
}

static void remove_part(Node *list, int i) {
  core_free(list->part[i]);
  list->parts--;
  memmove(&list->part[i], &list->part[i + 1], sizeof *list->part * (size_t)(list->parts - i));
}

static bool is_expression(const Node *n) {
  return n->kind <= ALIVE;
}

// The part that can stand for the whole; 0: none.
static const Node *instead(const Node *n, int which) {
  if (n->kind == IF && which < 2 && n->part[1 + which]->kind != NONE)
    return n->part[1 + which];
  if ((n->kind == ATOMIC || n->kind == SHIELD || n->kind == SCOPE || n->kind == TRY) &&
      which == 0)
    return n->part[0];
  if (n->kind == LOOP && which == 0 && !core_has(n, BREAK))
    return n->part[0];
  return NULL;
}

// A part that need not be there. One clause of a try stays.
static bool is_optional(const Node *n, int i) {
  if (n->part[i]->kind == NONE)
    return false;
  if (n->kind == TRY && i)
    return (n->part[1]->kind != NONE) + (n->part[2]->kind != NONE) + (n->part[3]->kind != NONE) > 1;
  return (n->kind == IF && i == 2) || (n->kind == SCOPE && i);
}

static bool edit_part(Edit *e, Node *n, int i) {
  Node *part = n->part[i];
  if (is_expression(part) && (part->kind != INT || part->at[0] > 1) && turn(e)) {
    n->part[i] = core_node(INT, 1);
    return true;
  }
  if (is_optional(n, i) && turn(e)) {
    n->part[i] = core_node(NONE);
    return true;
  }
  for (int which = 0; which < 2; which++) {
    const Node *other = instead(part, which);
    if (other && turn(e)) {
      n->part[i] = core_copy(other);
      return true;
    }
  }
  return false;
}

static bool edit(Edit *e, Node *n) {
  int fewest = n->kind == RACE ? 2 : 1;
  // all statements but a few at the end, or at the beginning
  for (int keep = n->kind == BLOCK ? 0 : n->parts; 2 * keep < n->parts; keep = 2 * keep + 1) {
    if (turn(e)) {
      while (n->parts > keep)
        remove_part(n, 0);
      return true;
    }
    if (turn(e)) {
      while (n->parts > keep)
        remove_part(n, n->parts - 1);
      return true;
    }
  }
  for (int i = 0; (n->kind == BLOCK || n->kind == RACE) && i < n->parts; i++)
    if (n->parts >= fewest && turn(e)) {
      remove_part(n, i);
      return true;
    }
  if (n->kind == PROGRAM && n->parts > 1 && turn(e)) {
    remove_part(n, n->parts - 1);
    return true;
  }
  for (int i = 0; i < n->parts; i++)
    if (edit_part(e, n, i) || edit(e, n->part[i]))
      return true;
  return false;
}

// Every function that is called exists.
static bool calls_known(const Node *n, int functions) {
  static const char where[KINDS] = { [CALL] = 2, [CALLREF] = 2, [SUM] = 2, [TAIL] = 1,
                                     [TAILREF] = 1, [SPAWN] = 3,
                                     [DROP] = 2, [JOB] = 2, [ATOMICX] = 2 };
  if (where[n->kind] && n->at[where[n->kind] - 1] >= functions)
    return false;
  if (n->kind == SUM && n->at[2] >= functions)
    return false;
  if (n->kind == ARM && n->at[0] == ARM_CALL && n->at[2] >= functions)
    return false;
  for (int i = 0; i < n->parts; i++)
    if (!calls_known(n->part[i], functions))
      return false;
  return true;
}

Node *shorten(const Node *tree, int which) {
  Edit e = { .at = which };
  Node *copy = core_copy(tree);
  if (edit(&e, copy) && calls_known(copy, copy->parts))
    return copy;
  core_free(copy);
  return e.number > which ? core_copy(tree) : NULL;
}
