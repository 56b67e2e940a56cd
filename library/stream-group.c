// stream-group.c: group_by: the values of a stream, by a key, as streams of their own.
//
// The input is `keyed`: each value comes with its key. A pump pulls it, and puts each value into
// the ring of its group, where the stream that the program's function made of the group takes it.
// The operator waits for all these streams at once, like merge_map. Where a ring is full, the input
// waits. A group that nothing can consume any more drops its values.
#include "stream.h"

#include <string.h>

enum { ROOM = 16 }; // values that a group holds

typedef struct Group { // the data of its stream
  fm__chan ring;
} Group;

typedef struct Groups { // the state of a cursor
  fm__hub hub;
  bool started, over; // over: the input has ended
  size_t live;        // streams of groups that have not ended
  fm__table keys;
  fm__stream **group; // for each key; one reference
} Groups;

static Groups *groups(fm__cursor *c) {
  return (Groups *)(void *)c->state;
}

static Group *group_of(const fm__stream *s) {
  return (Group *)(void *)s->data;
}

// ---- keyed: a key, then a value ----
static async bool keyed_next(fm__cursor *c, void *out) throws(fm_error) {
  const fm__stream *s = c->seen.of;
  char *value = (char *)out + s->at;
  if (!fm__cursor_next(c->in[0], value))
    return false;
  fm__use(s, value, NULL, out);
  return true;
}

static const fm__kind keyed_kind = { .name = "keyed",
                                     .opens = true,
                                     .next = keyed_next };

fm__stream *fm__stream_keyed(fm__stream *in, size_t key, const fm__user *f) {
  size_t at = (key + 15) / 16 * 16;
  size_t size = at + (fm__stream_owned(in)->size + 15) / 16 * 16;
  fm__stream *s = fm__with(fm__stream_on(&keyed_kind, size, in), f);
  s->number = key;
  s->at = at;
  return s;
}

// ---- the stream of a group ----
static async bool group_next(fm__cursor *c, void *out) throws(fm_error) {
  fm__waiter w;
  try {
    fm__chan_recv(&group_of(c->seen.of)->ring,
                  out,
                  &w,
                  c->seen.of->size,
                  FM__FAR_FROM(&w, out));
    return true;
  } catch (struct fm_closed closed) {
    (void)closed;
    return false;
  }
}

// Two references: that of the operator, and that of this cursor, which goes.
static async void group_close(fm__cursor *c) {
  if (c->seen.of->references <= 2)
    fm__chan_close(&group_of(c->seen.of)->ring);
}

static const fm__kind group_kind = { .name = "group",
                                     .next = group_next,
                                     .close = group_close };

static fm__stream *group_new(size_t size) {
  fm__stream *s = fm__stream_new(&group_kind, size, 0);
  s->data = fm__stream_memory(sizeof(Group));
  fm__chan_init(&group_of(s)->ring, size, ROOM);
  return s;
}

// ---- the operator ----
static void remember(Groups *g, const void *key, fm__stream *group) {
  fm__table_add(&g->keys, key);
  g->group = fm__stream_grown(g->group, g->keys.room * sizeof *g->group);
  g->group[g->keys.n - 1] = group;
}

static async void begin_group(fm__cursor *c, const char *pair)
    throws(fm_error) {
  Groups *g = groups(c);
  const fm__stream *keyed = c->seen.of->in[0];
  fm__stream *group = group_new(keyed->in[0]->size);
  fm__stream *made = NULL;
  remember(g, pair, group);
  size_t n = g->keys.n; // more than 0, which is the input's tag
  fm__use(c->seen.of, pair, &(fm__stream *){ fm__stream_keep(group) }, &made);
  fm__pump_start(fm__pump_new(&g->hub, made, (unsigned)n));
  g->live++;
}

// In the activity of the pump that pulls the input.
static async void give(fm__pump *p) throws(fm_error) {
  fm__cursor *c = p->hub->owner;
  Groups *g = groups(c);
  const fm__stream *keyed = c->seen.of->in[0];
  fm__waiter w;
  size_t i = fm__table_find(&g->keys, p->value);
  if (i == g->keys.n)
    begin_group(c, p->value);
  fm__stream *group = g->group[i];
  if (group->references == 1) // only the operator's
    return;
  char *value = p->value + keyed->at;
  try {
    fm__chan_send(&group_of(group)->ring,
                  value,
                  &w,
                  group->size,
                  FM__FAR_FROM(&w, value));
  } catch (struct fm_closed closed) {
    (void)closed;
  }
}

static void close_rings(Groups *g) {
  for (size_t i = 0; i < g->keys.n; i++)
    fm__chan_close(&group_of(g->group[i])->ring);
}

static async void start(fm__cursor *c) {
  Groups *g = groups(c);
  fm__hub_init(&g->hub, c);
  g->keys.size = c->seen.of->in[0]->number;
  g->started = true;
  fm__pump *p = fm__pump_new(&g->hub, fm__stream_keep(c->seen.of->in[0]), 0);
  p->give = give;
  fm__pump_start(p);
}

static async bool grouped_next(fm__cursor *c, void *out) throws(fm_error) {
  Groups *g = groups(c);
  if (!g->started)
    start(c);
  while (!g->over || g->live) {
    fm__pump *p = fm__hub_wait(&g->hub);
    if (p->state == FM__PUMP_FULL) {
      fm__pump_take(p, out);
      return true;
    }
    if (p->tag == 0) {
      g->over = true;
      close_rings(g);
      continue;
    }
    fm__chan_close(&group_of(g->group[p->tag - 1])->ring);
    fm__pump_close(p);
    g->live--;
  }
  return false;
}

static async void grouped_close(fm__cursor *c) {
  Groups *g = groups(c);
  if (g->started)
    fm__hub_close(&g->hub);
  close_rings(g);
  for (size_t i = 0; i < g->keys.n; i++) {
    fm__chan_free(&group_of(g->group[i])->ring);
    fm__stream_drop(g->group[i]);
  }
  fm__stream_free(g->group);
  fm__table_free(&g->keys);
}

static const fm__kind grouped_kind = {
  .name = "group_by",
  .state = sizeof(Groups),
  .next = grouped_next,
  .close = grouped_close,
};

fm__stream *
fm__stream_group_by(fm__stream *keyed, size_t size, const fm__user *f) {
  return fm__with(fm__stream_on(&grouped_kind, size, keyed), f);
}
