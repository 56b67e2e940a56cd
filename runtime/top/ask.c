// ask.c: what the server asks of a domain: a shot, a cancel, a pause, the backtrace of an activity.
// The question is a message in the domain's inbox. The domain's loop answers it between two turns;
// an activity that computes is asked to end its slice. Both sides hold the question: a domain that
// answers late finds it still there.
#define _GNU_SOURCE
#include "top/top.h"
#include "top/wake.h"

#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

// Posted for each answer. If the file of the socket was lost, there may be two servers (open.c).
// The other one may take what this one waits for: so it looks now and then.
static sem_t answers;
static const uint64_t STEP = 10000000; // nanoseconds
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) {
  sem_init(&answers, 0, 0);
}

void fm__top_ask_unref(fm__top_ask *q) {
  if (atomic_fetch_sub(&q->references, 1) != 1)
    return;
  if (q->shot)
    fm__top_shot_free(q->shot);
  free(q->text); // of open_memstream
  fm__free(q);
}

// ---- in the domain ----
static fm_node *node_of(fm__runtime *d, uint64_t number) {
  int depth = 0;
  for (fm_node *a = &d->host; (a = fm__tree_next(&d->host, a, &depth));)
    if (fm__generation(a) == number)
      return a;
  return NULL;
}

static char *detail(fm__runtime *d, const fm_node *a) {
  char *text = NULL;
  size_t n;
  FILE *to = open_memstream(&text, &n);
  if (!to)
    return NULL;
  fm__print_backtrace(to, d, a);
  fclose(to);
  return text;
}

// Whether it has had an effect.
static bool act(fm__runtime *d, fm__top_ask *q, fm_node *a) {
  uint64_t was = a->word;
  fm_activity id = { a, q->number };
  switch (q->what) {
  case FM__ASK_CANCEL:
    fm__cancel_target(d, a, (struct fm_cancelled){ .file = "fermata top" });
    return !(was & (FM__CANCELLED | FM__ENDED));
  case FM__ASK_PAUSE:
    fm_pause(id);
    d->viewed.paused |= d->stopped != 0;
    return a->word & FM__STOPPED && !(was & FM__STOPPED);
  case FM__ASK_RESUME:
    fm_resume(id);
    return was & FM__STOPPED;
  default:
    q->text = detail(d, a);
    return true;
  }
}

static void answer(fm__runtime *d, fm__top_ask *q) {
  if (q->what == FM__ASK_SHOT) {
    q->shot = fm__top_shot_take(d);
  } else if (q->what == FM__ASK_FORGET) {
    fm__counts_free(d);
  } else {
    fm_node *a = node_of(d, q->number);
    q->outcome = !a             ? FM__TOP_GONE
                 : act(d, q, a) ? FM__TOP_DONE
                                : FM__TOP_WITHOUT_EFFECT;
  }
}

static void on_message(fm__runtime *d, fm__msg *m) {
  fm__top_ask *q = (fm__top_ask *)(void *)m;
  if (!d->closing)
    answer(d, q);
  atomic_store(&q->answered, true);
  sem_post(&answers);
  fm__top_ask_unref(q);
}

// ---- in the server ----
static bool post(fm__runtime *d, void *x) {
  fm__top_ask *q = x;
  atomic_fetch_add(&q->references, 1);
  if (!fm__inbox_post_by(d, &q->msg, fm__wake_from_server)) {
    atomic_fetch_sub(&q->references, 1);
    return false;
  }
  // with FERMATA_TICK=off slices do not end, whoever asks
  if (d->tick)
    fm__end_slice(d);
  return true;
}

fm__top_ask *
fm__top_asks(uint64_t domain, enum fm__top_what what, uint64_t number) {
  pthread_once(&once, prepare);
  fm__top_ask *q = fm__alloc(sizeof *q);
  if (!q)
    return NULL;
  *q = (fm__top_ask){ .msg.fn = on_message, .what = what, .number = number };
  atomic_init(&q->references, 1);
  if (fm__top_with(domain, post, q))
    return q;
  fm__top_ask_unref(q);
  return NULL;
}

bool fm__top_answered(fm__top_ask *q, uint64_t until) {
  while (!atomic_load(&q->answered)) {
    uint64_t now = fm__clock();
    struct timespec t;
    if (now >= until)
      return false;
    uint64_t rest = until - now < STEP ? until - now : STEP;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t ns = (uint64_t)t.tv_nsec + rest;
    t.tv_sec += (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    sem_timedwait(&answers, &t);
  }
  return true;
}
