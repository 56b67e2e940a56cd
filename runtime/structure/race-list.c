// race-list.c: races whose arms are listed before they start: those of a `for`, and those of `race
// fair`. For each arm the list has its number in the source, the values that the variables of its
// loop have in its turn, and its task once it has started. It belongs to the node of the race,
// which has no room for a pointer: as in deadline.c, `handles` is an index into a table.
//
// One arm is the current one: the one that was listed, started or found to be the winner last. Its
// values are read in the order in which they were kept.
#include "structure/structure.h"
#include "wait/park.h"

typedef struct Listed {
  int which;
  size_t values; // where they begin in `kept`
  fm_task task;
} Listed;

typedef struct fm__arms {
  Listed *arm;
  size_t count;
  size_t room;
  size_t current;
  size_t first, started; // a fair race begins with the arm `first`
  bool fair;
  char *kept; // values of all arms
  size_t kept_bytes;
  size_t kept_room;
  size_t at;     // where the next value of the current arm is
  uint32_t idle; // without a race: the next such list plus 1, or 0
} fm__arms;

// ---- the table ----
static fm__arms *new_list(fm__runtime *d) {
  if (d->listed_count == d->listed_room) {
    d->listed_room = d->listed_room ? 2 * d->listed_room : 16;
    d->listed = fm__buffer_new(d,
                               d->listed,
                               d->listed_room * sizeof(struct fm__arms *));
  }
  fm__arms *l = fm__buffer_new(d, NULL, sizeof *l);
  *l = (fm__arms){ 0 };
  d->listed[d->listed_count++] = l;
  d->listed_idle = d->listed_count;
  return l;
}

// The arm itself asks, too, when it begins.
static fm__arms *list_here(fm__runtime *d) {
  fm_node *s = fm__race_here(d);
  if (!(s->word & FM__RACE))
    s = s->parent;
  return d->listed[s->handles - 1];
}

void fm__arms_free(fm__runtime *d, fm_node *s) {
  fm__arms *l = d->listed[s->handles - 1];
  enum { KEPT = 64 }; // large ones are freed, the others serve the next race
  if (l->room > KEPT) {
    fm__buffer_free(l->arm);
    fm__buffer_free(l->kept);
    *l = (fm__arms){ 0 };
  }
  l->idle = d->listed_idle;
  d->listed_idle = s->handles;
  s->handles = 0;
}

// ---- listing ----
void fm__arms_list(fm_domain *c, int fair) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = fm__race_here(d);
  if (!d->listed_idle)
    new_list(d);
  s->handles = d->listed_idle;
  fm__arms *l = d->listed[s->handles - 1];
  d->listed_idle = l->idle;
  l->count = l->current = l->started = l->kept_bytes = 0;
  l->fair = fair;
}

void fm__arm_list(fm_domain *c, int which) {
  fm__runtime *d = fm__runtime_of(c);
  fm__arms *l = list_here(d);
  if (l->count == l->room) {
    l->room = l->room ? 2 * l->room : 8;
    l->arm = fm__buffer_new(d, l->arm, l->room * sizeof *l->arm);
  }
  l->arm[l->count++] = (Listed){ .which = which, .values = l->kept_bytes };
}

// All values are aligned to 16 bytes.
static size_t rounded(size_t size) {
  return (size + 15) & ~(size_t)15;
}

void *fm__arm_keeps(fm_domain *c, size_t size) {
  fm__runtime *d = fm__runtime_of(c);
  fm__arms *l = list_here(d);
  size_t at = l->kept_bytes;
  size_t end = at + rounded(size);
  if (end > l->kept_room) {
    l->kept_room = 2 * end;
    l->kept = fm__buffer_new(d, l->kept, l->kept_room);
  }
  l->kept_bytes = end;
  return l->kept + at;
}

// ---- starting ----
static void make_current(fm__arms *l, size_t i) {
  l->current = i;
  l->at = l->arm[i].values;
}

int fm__arms_next(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm__arms *l = list_here(d);
  if (l->started == l->count || !fm__race_open(c))
    return -1;
  if (l->started == 0)
    l->first = l->fair ? fm__draw(d, l->count) : 0;
  make_current(l, (l->first + l->started++) % l->count);
  return l->arm[l->current].which;
}

void fm__arm_started(fm_domain *c, fm_task t) {
  fm__arms *l = list_here(fm__runtime_of(c));
  l->arm[l->current].task = t;
}

void *fm__arm_kept(fm_domain *c, size_t size) {
  fm__arms *l = list_here(fm__runtime_of(c));
  size_t at = l->at;
  l->at += rounded(size);
  return l->kept + at;
}

// ---- the winner ----
int fm__arms_winner(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm__arms *l = list_here(d);
  fm_node *winner = fm__race_here(d)->winner;
  for (size_t i = 0; i < l->count; i++) {
    fm_task t = l->arm[i].task;
    if (t.node == winner && fm__is_valid(winner, t.generation)) {
      make_current(l, i);
      return l->arm[i].which;
    }
  }
  return -1;
}

fm_task fm__arms_task(fm_domain *c) {
  fm__arms *l = list_here(fm__runtime_of(c));
  return l->arm[l->current].task;
}

void fm__arms_end(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm__race_over(d, fm__race_here(d));
}
