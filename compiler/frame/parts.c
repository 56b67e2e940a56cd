// parts.c: the pass `parts` cuts large functions into parts. C compilers take time that grows with
// the square of a function's pauses, or their cube, because all pauses and variables meet where the
// frame is stored and where it is loaded. So all variables of a function with many pauses live in
// its frame, and runs of its statements become C functions of some tens of pauses each:
//
//     f__fm_part0(domain, frame, entry)    the body, with calls of parts in place of statements
//     f__fm_part1 and so on                statements of one block each; they may have parts
//
// In: the lowered body, State.used. Out: N_PART nodes in the body; Async.parts; for each state and
// label the part whose text it stands in (State.part, Async.places). emit/print-parts.c prints the
// parts. A part is entered at its beginning, at a state or at a label, and it returns how it was
// left, so every jump still leads to its target.
#include "fmcc.h"

#include <limits.h>
#include <stdlib.h>

// A function is large if it has more states, or more states times variables.
enum {
  MANY_STATES = 1000,
  MANY_VALUES = 16384,
};

// The variable cannot live in the frame: it has a register of its own, or is a va_list.
static bool is_bound(Async *a, const Local *k) {
  if (is_va_list(a->u, k->sym->type))
    return true;
  TokIndex end = k->decl ? k->decl->post.to : 0;
  for (TokIndex t = k->decl ? k->decl->post.from : 0; t < end; t++)
    if (kind_at(a->u, t) == K_ASM)
      return true;
  return false;
}

bool is_large(Async *a) {
  int64_t states = a->nstates;
  int64_t locals = (int64_t)a->locals.len;
  int wanted = a->u->opt.part_size;
  if (begins_in_call(a) || a->has_va_list || states < 2)
    return false;
  bool many = states > MANY_STATES || states * locals > MANY_VALUES;
  if (wanted ? states <= wanted : !many)
    return false;
  FOR_EACH (Local, k, a->locals) {
    if (is_bound(a, k))
      return false;
  }
  return true;
}

// ---- cutting ----
typedef struct Cut {
  Async *a;
  int size; // about so many states are in a part
} Cut;
// Of a statement:
typedef struct Weight {
  int states; // in its own text, not in that of its parts
  bool cases; // it contains labels of a switch around it
} Weight;
typedef struct Entry { // a statement of a block
  Node *node;
  Weight weight;
} Entry;

// Cuts the blocks in s into parts; returns the weight of what is left. fixed: the statements see
// a declaration that cannot be moved, so they stay in the text of this part.
static Weight cut(Cut *c, Node *s, bool fixed);

static Weight plus(Weight x, Weight y) {
  return (Weight){ x.states + y.states, x.cases || y.cases };
}

// s declares a name that the statements after it must see: an object of file scope, or a variable
// that is declared where the source does (Local.placed). These statements stay in one part with s.
static bool is_seen_after(const Node *s) {
  if (s->kind != N_DECL)
    return false;
  for (const Decl *d = s->decl; d; d = d->next)
    if (d->name && d->sym && !d->sym->emitted &&
        (!d->sym->local || d->sym->local->placed))
      return true;
  return false;
}

// Returns how many of the first entries are to be one part.
static size_t run_length(const Cut *c, const Entry *e, size_t n) {
  int states = 0;
  for (size_t i = 0; i < n; i++) {
    int more = e[i].weight.states;
    if (e[i].weight.cases)
      return i ? i : 1;
    if (i && more && states + more > c->size)
      return i;
    states += more;
    if (is_seen_after(e[i].node))
      return n;
  }
  return n;
}

// Returns the entries as one part; with node NULL if they cannot be one, or are not worth it.
static Entry join(Cut *c, Entry *e, size_t n) {
  enum { WORTH_IT = 2 };
  Entry all = { NULL, { 0 } };
  for (size_t i = 0; i < n; i++)
    all.weight = plus(all.weight, e[i].weight);
  if (all.weight.cases || all.weight.states < WORTH_IT)
    return all;
  all.node = node_new(c->a->u, N_PART, e->node->tok);
  all.node->a = e->node;
  all.weight.states = 1;
  for (size_t i = 0; i < n; i++)
    e[i].node->next = i + 1 < n ? e[i + 1].node : NULL;
  return all;
}

// One round over a block: runs of statements become parts. Returns how many entries are left.
static size_t cut_round(Cut *c, Entry *e, size_t n) {
  size_t out = 0;
  for (size_t i = 0, len; i < n; i += len) {
    len = run_length(c, e + i, n - i);
    Entry part = join(c, e + i, len);
    if (part.node) {
      e[out++] = part;
      continue;
    }
    memmove(e + out, e + i, len * sizeof *e);
    out += len;
  }
  return out;
}

static int total(const Entry *e, size_t n) {
  int states = 0;
  for (size_t i = 0; i < n; i++)
    states += e[i].weight.states;
  return states;
}

// Links the statements of the entries; returns the first.
static Node *linked(Entry *e, size_t n) {
  for (size_t i = 0; i < n; i++)
    e[i].node->next = i + 1 < n ? e[i + 1].node : NULL;
  return n ? e->node : NULL;
}

// As cut(), for the statements of a block.
static Weight cut_list(Cut *c, Node **list, bool fixed) {
  size_t n = 0;
  Weight all = { 0 };
  bool seen = fixed;
  for (Node *s = *list; s; s = s->next)
    n++;
  Entry *e = xmalloc((n + 1) * sizeof *e);
  n = 0;
  for (Node *s = *list; s; s = s->next) {
    e[n] = (Entry){ s, cut(c, s, seen) };
    all = plus(all, e[n++].weight);
    seen |= is_seen_after(s);
  }
  // a declaration before the labels of a switch: the statements that see it cannot be one part
  if (fixed || (seen && all.cases))
    seen = fixed = true;
  for (int before = INT_MAX;
       !fixed && all.states > c->size && all.states < before;) {
    before = all.states;
    n = cut_round(c, e, n);
    all.states = total(e, n);
  }
  *list = linked(e, n);
  free(e);
  return all;
}

// Returns the weight of a statement at which the function pauses.
static Weight cut_pauses(const Cut *c, const Node *s) {
  const State *states = c->a->states;
  Weight w = { s->val && states[s->val].used, false };
  if (s->kind == N_PAUSE && has_second_state(s))
    w.states += states[s->val + 1].used;
  return w;
}

static Weight cut(Cut *c, Node *s, bool fixed) {
  Weight w = { 0 };
  if (!s)
    return w;
  switch (s->kind) {
  case N_COMPOUND:
    return cut_list(c, &s->a, fixed);
  case N_IF:
    return plus(cut(c, s->b, fixed), cut(c, s->c, fixed));
  case N_WHILE:
  case N_DO:
    return cut(c, s->b, fixed);
  case N_SWITCH:
    w = cut(c, s->b, fixed);
    w.cases = false;
    return w;
  case N_FOR:
    return cut(c, s->d, fixed || (s->a && is_seen_after(s->a)));
  case N_CASE:
  case N_DEFAULT:
    w = cut(c, s->c, fixed);
    w.cases = true;
    return w;
  case N_LABEL:
    return cut(c, s->c, fixed);
  case N_PAUSE:
  case N_YIELD:
  case N_AUTO:
  case N_TAIL:
    return cut_pauses(c, s);
  default:
    return w;
  }
}

// ---- the parts in which states and labels stand ----
typedef struct Places {
  Async *a;
  BodyPart *now; // the part whose text is being walked
} Places;

// Notes the parts, states and labels in s.
static void places(Places *w, Node *s);

static void place_list(Places *w, Node *s) {
  for (; s; s = s->next)
    places(w, s);
}

static BodyPart *add_part(Async *a, BodyPart *around, Node *n) {
  BodyPart *k = NEW(&a->u->arena, BodyPart);
  *k = (BodyPart){
    .node = n,
    .around = around,
    .index = (int)a->parts.len,
    .labels_from = (int)a->places.len,
  };
  vec_push(&a->parts, k);
  return k;
}

static void place_part(Places *w, Node *n) {
  BodyPart *around = w->now;
  BodyPart *k = add_part(w->a, around, n);
  n->val = k->index;
  w->now = k;
  place_list(w, n->a);
  k->labels_to = (int)w->a->places.len;
  k->index_to = (int)w->a->parts.len;
  w->now = around;
}

static void place_label(Places *w, const Node *s) {
  PartLabel *k = NEW(&w->a->u->arena, PartLabel);
  *k = (PartLabel){ s->name, w->now, (int)w->a->places.len };
  vec_push(&w->a->places, k);
}

static void place_state(Places *w, const Node *s) {
  if (!s->val) // it makes no state
    return;
  w->a->states[s->val].part = w->now;
  if (s->kind == N_PAUSE && has_second_state(s))
    w->a->states[s->val + 1].part = w->now;
}

static void places(Places *w, Node *s) {
  if (!s)
    return;
  switch (s->kind) {
  case N_PART:
    place_part(w, s);
    break;
  case N_COMPOUND:
    place_list(w, s->a);
    break;
  case N_IF:
    places(w, s->b);
    places(w, s->c);
    break;
  case N_WHILE:
  case N_DO:
  case N_SWITCH:
    places(w, s->b);
    break;
  case N_FOR:
    places(w, s->d);
    break;
  case N_LABEL:
    place_label(w, s);
    places(w, s->c);
    break;
  case N_CASE:
  case N_DEFAULT:
    places(w, s->c);
    break;
  case N_PAUSE:
  case N_YIELD:
  case N_AUTO:
  case N_TAIL:
    place_state(w, s);
    break;
  default:
    break;
  }
}

static int by_label(const void *x, const void *y) {
  const Ident *a = (*(PartLabel *const *)x)->label;
  const Ident *b = (*(PartLabel *const *)y)->label;
  return a < b ? -1 : a > b;
}

// ---- the states that concern a part ----
// Extends the range *from … *to, so that it contains the other one.
static void widen(int *from, int *to, int other_from, int other_to) {
  bool empty = *from == *to;
  if (other_from == other_to)
    return;
  *from = empty || other_from < *from ? other_from : *from;
  *to = empty || other_to > *to ? other_to : *to;
}

// Sets the ranges of states of all parts. In Async.parts, a part stands before the parts inside it.
static void find_ranges(Async *a) {
  for (int i = 1; i < a->nstates; i++) {
    const State *s = &a->states[i];
    BodyPart *k = a->parts.at[s->part->index];
    widen(&k->states_from, &k->states_to, i, i + 1);
    const PartLabel *at = s->landing ? part_label(a, s->landing) : NULL;
    k = a->parts.at[at ? at->part->index : 0];
    if (s->landing)
      widen(&k->lands_from, &k->lands_to, i, i + 1);
  }
  for (size_t i = a->parts.len; i-- > 1;) {
    const BodyPart *k = a->parts.at[i];
    BodyPart *around = a->parts.at[k->around->index];
    widen(&around->states_from,
          &around->states_to,
          k->states_from,
          k->states_to);
    widen(&around->lands_from, &around->lands_to, k->lands_from, k->lands_to);
  }
}

static void cut_parts(Async *a) {
  enum { SIZE = 64 };
  if (!a->large)
    return;
  Cut c = { a, a->u->opt.part_size ? a->u->opt.part_size : SIZE };
  Places w = { a, add_part(a, NULL, a->body) };
  cut(&c, a->body, a->asm_jumps || a->own_labels || a->still);
  places(&w, a->body);
  if (a->parts.len == 1)
    a->places.len = 0; // there is one part: no jump leaves it
  w.now->labels_to = (int)a->places.len;
  w.now->index_to = (int)a->parts.len;
  for (int i = 0; i < a->nstates; i++)
    if (!a->states[i].part)
      a->states[i].part = w.now;
  a->by_label =
      arena_alloc(&a->u->arena, (a->places.len + 1) * sizeof *a->by_label);
  memcpy(a->by_label, a->places.at, a->places.len * sizeof *a->by_label);
  qsort(a->by_label, a->places.len, sizeof *a->by_label, by_label);
  find_ranges(a);
}

void parts_unit(Unit *u) {
  each_async(u, cut_parts);
  each_async(u, settle_labels);
}

const PartLabel *part_label(const Async *a, const Ident *label) {
  PartLabel key = { .label = label };
  PartLabel *k = &key;
  PartLabel **found = a->places.len ? bsearch(&k,
                                              a->by_label,
                                              a->places.len,
                                              sizeof *a->by_label,
                                              by_label)
                                    : NULL;
  return found ? *found : NULL;
}

bool part_contains(const BodyPart *part, const BodyPart *other) {
  return part->index <= other->index && other->index < part->index_to;
}

const BodyPart *part_towards(const BodyPart *from, const BodyPart *to) {
  if (!part_contains(from, to))
    return NULL;
  while (to != from && to->around != from)
    to = to->around;
  return to;
}
