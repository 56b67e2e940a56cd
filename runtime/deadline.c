// deadline.c: fm_cancel_after: timers that cancel an activity or scope. Nothing in an activity tells that it has a deadline,
// so that its end costs no more; the deadlines of those that have ended are found and dropped now and then.
#define FM_LIBRARY                                // the program's code uses the frames that are made here
#include "fm.h"

typedef struct fm__deadline {
  fm_frame h;                                     // only because frames are pooled
  fm__timer timer;
  fm_activity target;
  struct fm__deadline *next, *prev;               // of all
} deadline;

static const uint32_t no_lines[] = { 0 };
static const fm_code code = { NULL, "fm_cancel_after", "fermata", no_lines, 1, sizeof(deadline), 0, 0, 0 };

static void forget(fm__domain *d, deadline *dl) {
  if (dl->prev)
    dl->prev->next = dl->next;
  else
    d->deadlines = dl->next;
  if (dl->next)
    dl->next->prev = dl->prev;
  d->ndeadlines--;
  fm__frame_free(&d->c, &dl->h);
}

static void prune(fm__domain *d, bool all) {
  for (deadline *dl = d->deadlines, *next; dl; dl = next) {
    next = dl->next;
    if (!all && fm_alive(dl->target))
      continue;
    fm__timer_unset(d, &dl->timer);
    forget(d, dl);
  }
}

// Asked only when there is nothing else to wait for.
bool fm__has_deadlines(fm__domain *d) {
  prune(d, false);
  return d->deadlines;
}

void fm__deadlines_drop(fm__domain *d) {
  prune(d, true);
  d->prune_at = 0;
}

static void expire(fm__domain *d, fm__timer *t) {
  deadline *dl = (deadline *)(void *)((char *)t - offsetof(deadline, timer));
  fm_activity target = dl->target;
  forget(d, dl);
  (fm_cancel)(target);
}

static void remember(fm__domain *d, deadline *dl) {
  dl->prev = NULL;
  if ((dl->next = d->deadlines))
    dl->next->prev = dl;
  d->deadlines = dl;
  d->ndeadlines++;
}

// When their number has doubled, those of the ended are dropped: constant time for each.
void fm_cancel_after(fm_activity a, uint64_t ms) {
  enum { FEW = 64 };
  fm__domain *d = fm__of(fm__here());
  deadline *dl;
  if (!fm_alive(a))
    return;
  if (d->ndeadlines >= FEW && d->ndeadlines >= d->prune_at) {
    prune(d, false);
    d->prune_at = d->ndeadlines * 2;
  }
  dl = (deadline *)fm__frame_new(&d->c, &code);
  dl->target = a;
  dl->timer.fire = expire;
  remember(d, dl);
  fm__timer_set(d, &dl->timer, fm__later(fm__time(d), fm__nanoseconds(ms)));
}
