// tree.c: the tree of activities as a whole: walks over it, what is done to it when the outermost run ends, and the names
// that activities may have. (Cancel and pause, which act on subtrees, will hang in here.)
#include "fm.h"

#include <string.h>

// ---- walks ----
// The next one in preorder below `top`, by the links alone: a tree may be deeper than any stack.
fm_node *fm__tree_next(const fm_node *top, fm_node *at, int *depth) {
  if (at->child) {
    ++*depth;
    return at->child;
  }
  while (at != top && at->next == at->parent->child) {
    at = at->parent;
    --*depth;
  }
  return at == top ? NULL : at->next;
}

// ---- unwinding ----
static void drop_result(fm__domain *d, fm_frame *f) {
  if (--f->spare == 0)
    fm__frame_free(&d->c, f);
}

static void drop_frames(fm__domain *d, fm_node *a) {
  if (a->word & FM__ENDED) {
    drop_result(d, a->leaf);
    return;
  }
  a->waiters = 0;
  if (fm__kind(a) == FM__WRESULT)
    drop_result(d, fm__what(a));
  a->waits = 0;
  for (fm_frame *f = a->leaf, *parent; f; f = parent) {
    parent = f->parent;
    fm__frame_free(&d->c, f);
  }
}

// What still lives when the outermost run ends ends unrun; children before their parents. What has ended and whose task is
// still held by plain code stays. (Here they will be cancelled, and the loop will run until they have unwound.)
void fm__unwind(fm__domain *d) {
  fm_node *host = &d->host;
  fm__sort_children(host);
  while (host->child && !(host->child->prev->word & FM__ENDED)) {
    fm_node *a = host->child->prev;
    while (a->child)
      a = a->child;
    drop_frames(d, a);
    fm__release(d, a);
  }
  fm__set_head(&d->base, NULL);
}

// ---- names ----
typedef struct fm__name {
  struct fm__name *next;                          // in its bucket
  const fm_node *node;                            // whose word has FM__NAMED
  char text[];
} fm__name;

static fm__name **bucket(fm__domain *d, const fm_node *a) {
  return &d->names[(uintptr_t)a / sizeof *a % FM__NAMES];
}

// The node may be idle by now.
void fm__name_drop(fm__domain *d, fm_node *a) {
  fm__name **at = bucket(d, a), *name;
  while ((*at)->node != a)
    at = &(*at)->next;
  name = *at;
  *at = name->next;
  fm__free(name);
}

static const char *own_name(fm__domain *d, const fm_node *a) {
  fm__name *name = *bucket(d, a);
  while (name->node != a)
    name = name->next;
  return name->text;
}

const char *fm__name_of(fm__domain *d, const fm_node *a) {
  fm_frame *f = a->leaf;
  if (a->word & FM__NAMED)
    return own_name(d, a);
  while (f && f->parent)
    f = f->parent;
  return f ? f->code->name : "plain code";
}

void fm_set_name(fm_activity a, const char *text) {
  fm__domain *d = fm__of(fm__here());
  size_t n;
  fm__name *name, **at;
  if (!fm__fresh(a.node, a.generation))
    return;
  if (a.node->word & FM__NAMED) {
    a.node->word &= ~(uint64_t)FM__NAMED;
    fm__name_drop(d, a.node);
  }
  if (!text)
    return;
  n = strlen(text) + 1;
  if (!(name = fm__alloc(sizeof *name + n)))
    fm__out_of_memory("name", "", n);
  at = bucket(d, a.node);
  name->next = *at;
  name->node = a.node;
  memcpy(name->text, text, n);
  *at = name;
  a.node->word |= FM__NAMED;
}

// ---- who is who ----
fm_activity fm_self(void) {
  fm__domain *d = fm__domain_here();
  if (!d || !d->current || d->current == &d->host)
    return (fm_activity){ 0 };
  return (fm_activity){ d->current, fm__generation(d->current) };
}

bool fm_alive(fm_activity a) {
  return fm__fresh(a.node, a.generation) && !(a.node->word & FM__ENDED);
}
