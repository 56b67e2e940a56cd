// stress: channels (0, 1, 3, unbounded; closed and made anew) and a MVar against the model of model.h: values in order, and two lines.
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { CHANS = 5, VAR = CHANS - 1, MOST = 3, MANY = 1 << 12 }; // the last one is the MVar
typedef fm_chan(uint64_t) chan;
typedef fm_mvar(uint64_t) mvar;
static chan chans[VAR];
static mvar var;
static const size_t caps[CHANS] = { 0, 1, 3, FM_UNBOUNDED, 1 };

static struct Model {
  uint64_t values[MANY];                          // from at % MANY on
  size_t at, count;
  Line senders, receivers;
  bool closed;
} model[CHANS];
static uint64_t last;                             // the last value of all

// ---- the model ----
static void push(struct Model *m, uint64_t v) {
  CHECK(m->count < MANY, "the model is too small");
  m->values[(m->at + m->count++) % MANY] = v;
}

static uint64_t pop(struct Model *m) {
  m->count--;
  return m->values[m->at++ % MANY];
}

static bool model_send(const Actor *a, int i, uint64_t v) {
  struct Model *m = &model[i];
  Wait *w = first_but(&m->receivers, a);
  if (w)
    serve(w, v);
  else if (m->count < caps[i])
    push(m, v);
  else
    return false;
  return true;
}

static bool model_recv(const Actor *a, int i, uint64_t *v) {
  struct Model *m = &model[i];
  Wait *w = first_but(&m->senders, a);
  if (!m->count && !w)
    return false;
  if (!m->count) {
    *v = w->value;
  } else {
    *v = pop(m);
    if (w)
      push(m, w->value);
  }
  if (w)
    serve(w, 0);
  return true;
}

static void check_count(int i) {
  settle();
  size_t n = i == VAR ? (size_t)fm_mvar_full(&var) : fm_chan_count(&chans[i]);
  CHECK(n == model[i].count, "how many are in it");
}

static void begin_send(Actor *a, int arm, int i, uint64_t v) {
  if (model[i].closed)
    at_once_closed(a);
  else if (model_send(a, i, v))
    at_once(a, arm, 0);
  else
    wait_in(a, arm, &model[i].senders, v);
}

static void begin_recv(Actor *a, int arm, int i) {
  uint64_t v = 0;
  if (model_recv(a, i, &v))
    at_once(a, arm, v);
  else if (model[i].closed)
    at_once_closed(a);
  else
    wait_in(a, arm, &model[i].receivers, 0);
}

// ---- one at a time ----
static async void send_one(Actor *a, int i) {
  uint64_t v = ++last;
  defer over(a);
  begin(a);
  begin_send(a, 0, i, v);
  if (i == VAR) {
    fm_put(&var, v);
    ended(a, 0, 0);
    return;
  }
  try {
    fm_send(&chans[i], v);
    ended(a, 0, 0);
  } catch (struct fm_closed e) {
    (void)e;
    ended_closed(a);
  }
}

static async void recv_one(Actor *a, int i) {
  defer over(a);
  begin(a);
  begin_recv(a, 0, i);
  if (i == VAR) {
    uint64_t v = fm_take(&var);
    ended(a, 0, v);
    return;
  }
  try {
    uint64_t v = fm_recv(&chans[i]);
    ended(a, 0, v);
  } catch (struct fm_closed e) {
    (void)e;
    ended_closed(a);
  }
}

// ---- races ----
static async void race_some(Actor *a, int i, int j) {
  uint64_t v = 0, w = ++last;
  unsigned ms = 1 + draw(3);
  defer over(a);
  if (begin_race(a, ms)) {
    begin_recv(a, 0, i);
    if (undecided(a))
      begin_send(a, 1, j, w);
    if (undecided(a))
      begin_recv(a, 2, VAR);
  }
  try {
    race {
    case v = fm_recv(&chans[i]): ended(a, 0, v);
    case fm_send(&chans[j], w): ended(a, 1, 0);
    case v = fm_take(&var): ended(a, 2, v);
    case fm_sleep(ms): ended(a, ALARM, 0);
    }
  } catch (struct fm_closed e) {
    (void)e;
    ended_closed(a);
  }
}

static async void race_others(Actor *a, int i, int j) {
  uint64_t v = 0, w = ++last;
  defer over(a);
  if (begin_race(a, 0)) {
    begin_send(a, 0, VAR, w);
    if (undecided(a))
      begin_recv(a, 1, i);
    if (undecided(a))
      begin_recv(a, 2, j);
  }
  try {
    race {
    case fm_put(&var, w): ended(a, 0, 0);
    case v = fm_recv(&chans[i]): ended(a, 1, v);
    case v = 1 + fm_recv(&chans[j]): ended(a, 2, v - 1);
    }
  } catch (struct fm_closed e) {
    (void)e;
    ended_closed(a);
  }
}

// ---- at once ----
static void try_send(int i) {
  uint64_t v[MOST] = { last + 1, last + 2, last + 3 };
  size_t n = i == VAR ? 1 : 1 + draw(MOST), sent = 0, said;
  last += MOST;
  settle();
  while (sent < n && !model[i].closed && model_send(NULL, i, v[sent]))
    sent++;
  if (n > 1)
    said = fm_try_send_n(&chans[i], v, n);
  else
    said = i == VAR ? fm_try_put(&var, v[0]) : fm_try_send(&chans[i], v[0]);
  CHECK(said == sent, "how many could be sent at once");
}

static void try_recv(int i) {
  uint64_t v[MOST], want[MOST];
  size_t n = i == VAR ? 1 : 1 + draw(MOST), got = 0, said;
  settle();
  while (got < n && model_recv(NULL, i, &want[got]))
    got++;
  if (n > 1)
    said = fm_try_recv_n(&chans[i], v, n);
  else
    said = i == VAR ? fm_try_take(&var, v) : fm_try_recv(&chans[i], v);
  CHECK(said == got, "how many could be received at once");
  CHECK(memcmp(v, want, got * sizeof *v) == 0, "other values");
}

// ---- several ----
// Of one that sends several, the next one is sent when it goes on, of which nobody is told: so only one at a time does so, and how many it
// has sent tells where it is.
static struct { Actor *who; int chan; uint64_t values[MOST]; size_t n, seen, sent; } batch;

static void batch_on(void) {
  Actor *a = batch.who;
  while (a && batch.seen < batch.sent) {
    CHECK(a->state == SERVED && !a->closed, "it went on, but was not served");
    CHECK(!is_held(a), "it runs, and is paused");
    if (++batch.seen == batch.n)
      return;                                     // it still has to say so
    a->state = QUIET;
    begin_send(a, 0, batch.chan, batch.values[batch.seen]);
  }
}

static void batch_over(Actor *a) {
  settle();
  batch.who = NULL;
  over(a);
}

static async void send_several(Actor *a, int i) {
  if (batch.who)
    return;
  begin(a);
  batch.n = 1 + draw(MOST);
  batch.seen = batch.sent = 0;
  batch.chan = i;
  for (size_t k = 0; k < batch.n; k++)
    batch.values[k] = ++last;
  batch.who = a;
  defer batch_over(a);
  begin_send(a, 0, i, batch.values[0]);
  try {
    fm_send_n(&chans[i], batch.values, batch.n, &batch.sent);
    CHECK(batch.sent == batch.n, "how many were sent");
    ended(a, 0, 0);
  } catch (struct fm_closed e) {
    (void)e;
    ended_closed(a);
    CHECK(batch.sent < batch.n, "how many were sent");
  }
}

// The first one is waited for, the others are taken when it goes on.
static async void recv_several(Actor *a, int i) {
  uint64_t v[MOST], want[MOST];
  size_t n = 1 + draw(MOST), got, k = 1;
  defer over(a);
  begin(a);
  begin_recv(a, 0, i);
  try {
    got = fm_recv_n(&chans[i], v, n);
    ended(a, 0, v[0]);
    while (k < n && model_recv(a, i, &want[k]))
      k++;
    CHECK(got == k && memcmp(v + 1, want + 1, (k - 1) * sizeof *v) == 0, "other values");
  } catch (struct fm_closed e) {
    (void)e;
    ended_closed(a);
  }
}

// ---- closing; a closed one is soon made anew: nobody waits for it ----
static void close_one(int i) {
  struct Model *m = &model[i];
  settle();
  if (m->closed) {
    CHECK(fm_chan_closed(&chans[i]) && !m->senders.first && !m->receivers.first, "closed, and someone waits");
    m->closed = false;
    m->count = 0;
    fm_chan_free(&chans[i]);
    fm_chan_init(&chans[i], caps[i]);
    return;
  }
  m->closed = true;
  while (m->receivers.first)
    serve_closed(m->receivers.first);
  while (m->senders.first)
    serve_closed(m->senders.first);
  fm_chan_close(&chans[i]);
}

static async void step(Actor *a) {
  int i = (int)draw(CHANS), j = (int)draw(VAR), k = (int)draw(VAR);
  switch (draw(16)) {
  case 0: case 1: case 2: send_one(a, i); break;
  case 3: case 4: case 5: recv_one(a, i); break;
  case 6: case 7: case 8: race_some(a, j, k); break;
  case 9: race_others(a, j, k); break;
  case 10: try_send(i); break;
  case 11: case 12: try_recv(i); break;
  case 13: send_several(a, j); break;
  case 14: recv_several(a, j); break;
  default:
    if (model[j].closed || !draw(10))
      close_one(j);
  }
  check_count(i);
}

static async void play(void) {
  uint64_t v = 0, want = 0;
  catch_up = batch_on;
  for (int i = 0; i < VAR; i++)
    fm_chan_init(&chans[i], caps[i]);
  fm_mvar_init(&var);
  drive();
  for (int i = 0; i < CHANS; i++) {
    CHECK(!model[i].senders.first && !model[i].receivers.first, "someone waits");
    while (model_recv(NULL, i, &want))
      CHECK((i == VAR ? fm_try_take(&var, &v) : fm_try_recv(&chans[i], &v)) && v == want, "what is left");
    check_count(i);
    if (i != VAR)
      fm_chan_free(&chans[i]);
  }
}
