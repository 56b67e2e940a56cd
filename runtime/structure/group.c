// group.c: groups: at most so many children at once. A seat is a permit of the group's semaphore:
// fm_group_wait takes it, and the end of the child gives it back. To hear of that end, a record of
// the group stands in the ring of the child's waiters, as those of fm_all do (all.c). It has no
// hub, which distinguishes it from these.
#include "fm.h"

#include <fermata/group.h>

typedef struct fm__seat {
  fm_frame h;  // only because frames are pooled
  fm_node ear; // in the ring of waiters
  fm_group *group;
  size_t number; // of the child
  bool kept;     // its task: fm_group_next returns it
  struct fm__seat *next;
} seat;

static const uint32_t no_lines[] = { 0 };
static const fm_code code = {
  .name = "fm_group",
  .file = "fermata",
  .lines = no_lines,
  .nstates = 1,
  .size = sizeof(seat),
};

void fm_group_init(fm_group *g, size_t limit) {
  *g = (fm_group){ .fm__unlimited = limit == 0 };
  fm_sem_init(&g->fm__seats, 0);
  g->fm__seats.fm__n = limit;
  fm_sem_init(&g->fm__news, 0);
  g->fm__last = &g->fm__first;
}

void fm_group_on(fm_group *g, struct fm_pool *pool) {
  g->fm__pool = pool;
}

size_t fm_group_alive(const fm_group *g) {
  return g->fm__alive;
}

void fm_group_collect(fm_group *g) {
  g->fm__collects = true;
}

// ---- the end of a child ----
static void note_end(fm_group *g, seat *s) {
  s->next = NULL;
  *g->fm__last = s;
  g->fm__last = &s->next;
  fm_sem_post(&g->fm__news);
}

static void give_back(fm_group *g) {
  g->fm__alive--;
  if (!g->fm__unlimited)
    fm_sem_post(&g->fm__seats);
}

void fm__seat_hears(fm__runtime *d, fm_node *w) {
  seat *s = (seat *)(void *)((char *)w - offsetof(seat, ear));
  fm_group *g = s->group;
  give_back(g);
  if (s->kept)
    note_end(g, s);
  else
    fm__frame_free(&d->c, &s->h);
}

size_t fm__group_take(fm_group *g) {
  seat *s = g->fm__first;
  size_t number = s->number;
  g->fm__first = s->next;
  if (!g->fm__first)
    g->fm__last = &g->fm__first;
  fm__frame_free(fm__here(), &s->h);
  return number;
}

void fm_group_free(fm_group *g) {
  while (g->fm__first)
    fm__group_take(g);
  g->fm__kept = 0;
  fm_sem_init(&g->fm__news, 0);
}

// ---- spawn in(g) ----
static fm_task
spawn_there(fm_domain *c, fm_frame *root, unsigned how, const fm_group *g) {
  if (g->fm__pool)
    return fm__spawn_in_pool(c, root, how, g->fm__pool);
  return fm__spawn(c, root, how, (fm_activity){ 0 });
}

static void listen(seat *s, fm_node *a) {
  fm_node *ear = &s->ear;
  fm_node *last = fm__last_waiter(a);
  *ear = (fm_node){ .word = FM__HUB };
  ear->waits = (uintptr_t)a | FM__WJOIN;
  ear->link = last ? last->link : ear;
  if (last)
    last->link = ear;
  *fm__waiters(a) = (uintptr_t)ear;
}

fm_task
fm__spawn_in_group(fm_domain *c, fm_frame *root, unsigned how, fm_group *g) {
  fm__runtime *d = fm__runtime_of(c);
  if (!g->fm__promised)
    fm__fatal(d,
              "spawn in a group without a place: call fm_group_wait before, or "
              "write fm_group_spawn(g, f(x))");
  seat *s = (seat *)fm__frame_new(c, &code);
  s->group = g;
  s->number = g->fm__spawned++;
  s->kept = g->fm__collects && !(how & FM_SPAWN_DROP);
  g->fm__promised--;
  g->fm__alive++;
  g->fm__kept += s->kept;
  fm_task t = spawn_there(c, root, how & ~(unsigned)FM_SPAWN_IN, g);
  if (fm__is_valid(t.node, t.generation) && !(t.node->word & FM__ENDED))
    listen(s, t.node);
  else
    fm__seat_hears(d, &s->ear);
  return t;
}

uint64_t fm__random(uint64_t n) {
  return fm__draw(fm__runtime_of(fm__here()), n);
}
