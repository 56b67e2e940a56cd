// objects.c: what reports say of the object that an activity waits for, after what it waits for:
//
//     waits at queue.c:31 for a mutex: `lock`, held by #4 writer since queue.c:52
//     waits at queue.c:18 for a value from a channel: `jobs`; #3 worker waits for it, too
//
// An object with a fixed place in memory has the name of its variable, from the table of symbols.
// One that lives in a frame is named by the activity whose frame that is. Any other one has its
// address, so that two lines about one object can be recognised. Where a channel or mailbox of
// these was initialised follows.
//
// Searches are bounded: a report about very many activities names the objects of the first ones.
#include "report/objects.h"
#include "report/stack.h"
#include "wait/park.h"

enum { BUDGET = 200000 };
static _Thread_local size_t budget; // steps that are left in this report

void fm__objects_begin(void) {
  budget = BUDGET;
}

static bool may_step(void) {
  return budget && budget--;
}

// ---- which object ----
// NULL: not known
static fm__queue *queue_of(const fm_node *a) {
  fm_node *at = a->link;
  while (!fm__is_end(at))
    if (!may_step() || !at)
      return NULL;
    else
      at = at->link;
  return fm__queue_at(at);
}

// The activity that has it in one of its frames; NULL: none is known.
static const fm_node *frame_holder(fm__runtime *d, const void *object) {
  int depth = 0;
  uintptr_t p = (uintptr_t)object;
  for (fm_node *a = &d->host; (a = fm__tree_next(&d->host, a, &depth));) {
    if (a->word & (FM__REGION | FM__BODY | FM__ENDED))
      continue;
    for (const fm_frame *f = a->leaf; f; f = fm__caller(f)) {
      if (!may_step())
        return NULL;
      if ((uintptr_t)f <= p && p < (uintptr_t)f + f->code->size)
        return a;
    }
  }
  return NULL;
}

// true: it has a name of its own.
static bool print_name(FILE *to, fm__runtime *d, const void *object) {
  enum { ONE = 192 }; // bytes: a larger variable has several objects
  fm__symbols *all = fm__symbols_take();
  size_t offset;
  size_t size;
  const char *name =
      all ? fm__object_at(all, (uintptr_t)object, &offset, &size) : NULL;
  const fm_node *a = name ? NULL : frame_holder(d, object);
  if (name) {
    fprintf(to, size > ONE ? "in `%s`" : "`%s`", name);
  } else if (a) {
    fputs("a variable of ", to);
    fm__print_who(to, d, a);
  } else {
    fprintf(to, "%p", object);
  }
  if (all)
    fm__symbols_release();
  return name && size <= ONE;
}

// " since FILE:LINE", or the name of the function.
static void print_code_place(FILE *to, const char *what, uintptr_t where) {
  fm__symbols *all = where ? fm__symbols_take() : NULL;
  fm__function f;
  fm__source_line l;
  uintptr_t at = where - 1;
  if (!all)
    return;
  if (fm__function_at(all, at, &f) && f.name[0] &&
      strncmp(f.name, "fm_", 3) != 0) {
    if (fm__line_at(all, at, &l) && *l.file != '<')
      fprintf(to, "%s %s:%llu", what, l.file, (unsigned long long)l.line);
    else
      fprintf(to, "%s %.*s", what, (int)f.length, f.name);
  }
  fm__symbols_release();
}

// ---- channels ----
// The channel whose queue q is; NULL: it is that of another kind of object.
static const fm__chan *chan_of(const fm__wait_kind *kind, const fm__queue *q) {
  bool sends = kind == &fm__sending || kind == &fm__putting;
  if (!sends && kind != &fm__receiving && kind != &fm__taking &&
      kind != &fm__getting)
    return NULL;
  size_t offset =
      sends ? offsetof(fm__chan, senders) : offsetof(fm__chan, receivers);
  return (const fm__chan *)(const void *)((const char *)q - offset);
}

static void print_made(FILE *to, const fm__chan *c) {
  if (c)
    print_code_place(to, ", initialised at", c->made);
}

// ---- mutexes ----
static void print_since(FILE *to, const fm_mutex *m) {
  const fm_code *code = m->fm__code;
  if (!code)
    print_code_place(to, " since", m->fm__where);
  else if (code->lines && m->fm__where < code->nstates)
    fprintf(to, " since %s:%u", code->file, code->lines[m->fm__where]);
}

static void print_holder(FILE *to, fm__runtime *d, const fm_mutex *m) {
  fm_activity owner = m->fm__owner;
  if (!owner.node)
    return;
  fputs(", held by ", to);
  if (owner.node == &d->host)
    fputs("plain code", to);
  else if (fm__is_remote(owner))
    fputs("an activity of another domain", to);
  else if (fm__is_valid(owner.node, owner.generation) &&
           !(owner.node->word & FM__ENDED))
    fm__print_who(to, d, owner.node);
  else
    fprintf(to, "#%llu (ended)", (unsigned long long)owner.generation);
  print_since(to, m);
}

// ---- who else waits for it ----
static void
print_others(FILE *to, fm__runtime *d, const fm__queue *q, const fm_node *me) {
  enum { FEW = 3 };
  size_t others = 0;
  for (const fm_node *a = q->first; a && !fm__is_end(a); a = a->link) {
    if (!may_step())
      return;
    if (a == me || fm__is_request(a) || fm__is_listener(a))
      continue;
    if (others++ >= FEW)
      continue;
    fputs(others == 1 ? "; " : ", ", to);
    fm__print_who(to, d, a);
  }
  if (others > FEW)
    fprintf(to, " and %zu more", others - FEW);
  if (others)
    fputs(others == 1 ? " waits for it, too" : " wait for it, too", to);
}

void fm__object_print(FILE *to, fm__runtime *d, const fm_node *a) {
  const fm__wait_kind *kind = fm__wait_kind_of(a);
  if (kind->drop != fm__waiter_drop)
    return;
  const fm__queue *q = queue_of(a);
  if (!q || q == d->never)
    return;
  const fm_mutex *m =
      FM__IS_LINKED(fm__mutex_of) ? fm__mutex_of(kind, q) : NULL;
  fputs(": ", to);
  bool named = print_name(to, d, q);
  if (!named)
    print_made(to, chan_of(kind, q));
  if (m)
    print_holder(to, d, m);
  if (!q->first)
    fputs(", which was initialised again since", to);
  print_others(to, d, q, a);
}

// ---- for top/ ----
static uint32_t at_most(size_t n) {
  return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

const fm_node *fm__object_queue(const fm_node *a,
                                bool *fills,
                                uint32_t *filled,
                                uint32_t *cap) {
  const fm__wait_kind *kind = fm__wait_kind_of(a);
  if (kind->drop != fm__waiter_drop)
    return NULL;
  fm_node *next = a->link;
  while (next && !fm__is_end(next) &&
         (fm__is_request(next) || fm__is_listener(next)))
    next = next->link;
  const fm__chan *c =
      next && fm__is_end(next) ? chan_of(kind, fm__queue_at(next)) : NULL;
  if (c) {
    *fills = true;
    *filled = at_most(c->tail - c->head);
    *cap = at_most(c->cap);
  }
  return next;
}
