// stream-list.c: listings of streams: their inputs, their state, and their last events.
//
// Cursors form trees, as their streams do; a subscription is the root of one. A record of a
// subscription that has ended is kept for a while.
#include "stream.h"

#include <string.h>

struct fm__streams {
  struct fm__seen_list live, ended; // subscriptions, oldest first
  size_t nended;
  size_t events, keep; // how many are kept
};

static struct fm__streams *here(void) {
  struct fm__streams **place = fm__streams_here();
  if (!*place) {
    *place = fm__stream_memory(sizeof **place);
    (*place)->events = (*place)->keep = 8;
  }
  return *place;
}

// ---- the trees ----
static struct fm__seen_list *list_of(const fm__seen *x) {
  return x->up ? &x->up->down : &here()->live;
}

static void append(struct fm__seen_list *list, fm__seen *x) {
  x->next = NULL;
  x->prev = list->last;
  *(x->prev ? &x->prev->next : &list->first) = x;
  list->last = x;
}

static void take_out(struct fm__seen_list *list, fm__seen *x) {
  *(x->prev ? &x->prev->next : &list->first) = x->next;
  *(x->next ? &x->next->prev : &list->last) = x->prev;
}

void fm__seen_open(fm__seen *x, fm__seen *up) {
  size_t room = here()->events;
  x->up = up;
  x->state = FM_STREAM_RUNNING;
  append(list_of(x), x);
  if (room && (!up || x->of->name)) {
    x->ring = fm__stream_memory(room * x->of->size + 1);
    x->room = room;
  }
}

void fm__seen_event(fm__seen *x, const void *v) {
  x->events++;
  if (!x->ring)
    return;
  fm__value_copy(x->ring + x->at * x->of->size, v, x->of->size);
  x->at = x->at + 1 == x->room ? 0 : x->at + 1;
}

void fm__seen_close(fm__seen *x) {
  take_out(list_of(x), x);
  fm__stream_free(x->ring);
  x->ring = NULL;
}

// ---- subscriptions that have ended ----
static void forget_oldest(struct fm__streams *all) {
  fm__seen *x = all->ended.first;
  take_out(&all->ended, x);
  all->nended--;
  fm__stream_drop(x->of);
  fm__stream_free(x->ring);
  fm__stream_free(x);
}

fm__seen *fm__seen_left(fm__seen *x) {
  fm__seen *left = fm__stream_copy(x, sizeof *x);
  fm__stream_keep(x->of);
  left->up = NULL;
  left->down = (struct fm__seen_list){ NULL, NULL };
  left->activity = (fm_activity){ 0 };
  left->ended = true;
  if (x->state == FM_STREAM_RUNNING) // it did not come to its end
    left->state = FM_STREAM_CANCELLED;
  if (x->ring)
    left->ring = fm__stream_copy(x->ring, x->room * x->of->size + 1);
  return left;
}

void fm__seen_keep(fm__seen *left) {
  struct fm__streams *all = here();
  append(&all->ended, left);
  all->nended++;
  while (all->nended > all->keep)
    forget_oldest(all);
}

void fm_stream_history(size_t events, size_t ended) {
  struct fm__streams *all = here();
  all->events = events;
  all->keep = ended;
  while (all->nended > all->keep)
    forget_oldest(all);
}

// ---- the next one ----
static const fm__seen *behind(const fm__seen *x) {
  if (x->down.first)
    return x->down.first;
  while (!x->next && x->up)
    x = x->up;
  return x->next || x->ended ? x->next : here()->ended.first;
}

static int depth(const fm__seen *x) {
  int n = 0;
  while ((x = x->up))
    n++;
  return n;
}

bool fm_stream_each(fm_stream_info *i) {
  const fm__seen *x = i->fm__at            ? behind(i->fm__at)
                      : here()->live.first ? here()->live.first
                                           : here()->ended.first;
  *i = (fm_stream_info){ .fm__at = x };
  if (!x)
    return false;
  i->name = x->of->name ? x->of->name : x->of->kind->name;
  i->state = x->state == FM_STREAM_RUNNING ? fm__activity_state(x->activity)
                                           : x->state;
  i->events = x->events;
  i->activity = x->activity;
  i->depth = depth(x);
  return true;
}

const char *fm_stream_state_name(enum fm_stream_state state) {
  static const char *const names[] = { "waiting", "running", "paused",
                                       "done",    "failed",  "cancelled" };
  return names[state];
}

// ---- past events ----
static size_t kept(const fm__seen *x) {
  return x->events < x->room ? (size_t)x->events : x->room;
}

// back 1: the last event.
static const char *past(const fm__seen *x, size_t back) {
  return x->ring + (x->at + x->room - back) % x->room * x->of->size;
}

size_t fm__seen_past(const fm__seen *x, void *to, size_t n) {
  char *out = to;
  size_t have = kept(x);
  if (n > have)
    n = have;
  for (size_t back = n; back; back--, out += x->of->size)
    memcpy(out, past(x, back), x->of->size);
  return n;
}

static void print_bytes(FILE *to, const char *v, size_t size) {
  uint64_t n = 0;
  bool number = size == 1 || size == 2 || size == 4 || size == 8;
  for (size_t i = 0; number && i < size; i++)
    n |= (uint64_t)(unsigned char)
             v[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : size - 1 - i]
         << 8 * i;
  if (number)
    fprintf(to, " 0x%llx", (unsigned long long)n);
  for (size_t i = 0; !number && i < size; i++)
    fprintf(to, "%s%02x", i ? "" : " ", (unsigned char)v[i]);
}

static void print_event(FILE *to, const fm__stream *of, const char *v) {
  if (!of->show.apply) {
    print_bytes(to, v, of->size);
    return;
  }
  fputc(' ', to);
  try {
    atomic of->show.apply(of->show.fn, of->show.ctx, v, NULL, to);
  } catch (fm_error *e) {
    fprintf(to, "(%s)", fm_error_name(e));
  }
}

void fm_stream_dump(FILE *to) {
  for (fm_stream_info i = { 0 }; fm_stream_each(&i);) {
    const fm__seen *x = i.fm__at;
    fprintf(to,
            "%*s%s: %s, %llu event%s",
            i.depth * 2,
            "",
            i.name,
            fm_stream_state_name(i.state),
            (unsigned long long)i.events,
            i.events == 1 ? "" : "s");
    for (size_t back = kept(x); back; back--) {
      fputs(back == kept(x) ? ":" : "", to);
      print_event(to, x->of, past(x, back));
    }
    fputc('\n', to);
  }
}
