// tree.c: the tree of activities as a whole: walks over it, and what is done to it when the
// outermost run ends.
#include "fm.h"

// ---- walks ----
// By the links alone: a tree may be deeper than any stack.
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

fm_node *fm__tree_step(const fm_node *top, fm_node *at, bool below) {
  if (below && at->child)
    return at->child;
  while (at != top && at->next == at->parent->child)
    at = at->parent;
  return at == top ? NULL : at->next;
}

// ---- the end of the outermost run ----
static const char NO_ONE[] = "which nobody has awaited";

static void drop_result(fm__runtime *d, fm_node *a, fm_frame *f) {
  fm__error_unwanted(d, a, fm__take_unseen(f), NO_ONE);
  if (--f->spare == 0)
    fm__result_free(d, f);
}

static void drop_region(fm__runtime *d, fm_node *a) {
  fm_node *owner = a->owner;
  owner->waiters = 0;
  owner->word &= ~(uint64_t)FM__INNER;
  if (a->word & FM__RACE)
    fm__claim_abandon(fm__claim_of(a));
  else
    fm__error_unwanted(d, owner, a->errors, "in a scope that did not end");
}

static void drop_frames(fm__runtime *d, fm_node *a) {
  if (fm__waits_kind(a) == FM__WOBJECT)
    fm__wait_drop(d, a);
  if (fm__waits_kind(a) == FM__WRESULT)
    drop_result(d,
                a,
                (fm_frame *)(a->waits & ~(uintptr_t)(FM__WKIND | FM__ARMED)));
  for (fm_frame *f = a->leaf, *parent; f; f = parent) {
    parent = fm__caller(f);
    fm__result_free(d, f);
  }
}

static void drop(fm__runtime *d, fm_node *a) {
  if (a->word & FM__ENDED && !(a->word & FM__REGION)) {
    drop_result(d, a, a->leaf);
  } else if (a->word & FM__REGION) {
    drop_region(d, a);
  } else {
    drop_frames(d, a);
  }
  a->waiters = 0;
  a->waits = 0;
  fm__release(d, a);
}

void fm__report_kept(fm__runtime *d) {
  fm_node *first = d->host.child;
  fm_node *a = first;
  if (a)
    do {
      if (a->word & FM__ENDED)
        fm__error_unwanted(d, a, fm__take_unseen(a->leaf), NO_ONE);
      a = a->next;
    } while (a != first);
}

// Activities that still live end without running, children before their parents. Ended activities
// whose tasks plain code still holds stay.
void fm__drop_all(fm__runtime *d) {
  fm_node *host = &d->host;
  fm__inbox_drain(d);
  d->dropping = true;
  fm__sort_children(host);
  while (host->child && !(host->child->prev->word & FM__ENDED)) {
    fm_node *a = host->child->prev;
    while (a->child)
      a = a->child;
    drop(d, a);
  }
  d->dropping = false;
  fm__set_head(&d->base, NULL);
  if (FM__IS_LINKED(fm__deadlines_drop))
    fm__deadlines_drop(d);
  fm__guests_drop(d);
}

// The newest child is the last of the ring. true: no cancel has marked it.
bool fm__has_unmarked(fm__runtime *d) {
  return fm__sort_children(&d->host) &&
         !(d->host.child->prev->word & FM__CANCELLED);
}

// Until nothing can go on, or a new activity has to be cancelled too. Some activities wait for
// things that no cancel ends.
static void run_all(fm__runtime *d) {
  for (;;) {
    if (fm__run_next(d, &d->base, NULL))
      continue;
    if (d->base.external && !fm__has_unmarked(d))
      fm__idle(d, &d->base);
    else
      return;
  }
}

// Cancels the activities that still live, and lets them unwind; also those that they make
// meanwhile. Activities that wait in vain are dropped.
void fm__unwind_all(fm__runtime *d) {
  do {
    fm__cancel_below(d, &d->host);
    run_all(d);
  } while (fm__has_unmarked(d));
  d->current = NULL;
  fm__drop_all(d);
}

// ---- the current activity; whether one lives ----
fm_activity fm_self(void) {
  fm__runtime *d = fm__runtime_here();
  if (!d || !d->current || d->current == &d->host)
    return (fm_activity){ 0 };
  return (fm_activity){ d->current, fm__generation(d->current) };
}

bool fm_alive(fm_activity a) {
  if (fm__is_remote(a)) {
    uint64_t word = fm__remote_word(a);
    return word && !(word & FM__ENDED);
  }
  return fm__is_valid(a.node, a.generation) && !(a.node->word & FM__ENDED);
}
