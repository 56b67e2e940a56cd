// agent.c: asking, and agents that are started again when they fail.
#include "library.h"

#include <string.h>

static async void wait_within(fm__reply *r, uint64_t ms)
    throws(struct fm_timeout) {
  fm__waiter w;
  race {
  case fm__reply_wait(r, NULL, &w):
    return;
  case fm_sleep(ms):
    throw(struct fm_timeout){ ms };
  }
}

async void fm__ask(fm__mailbox *m,
                   const void *message,
                   fm__reply *r,
                   const void *answer,
                   void *to,
                   size_t size,
                   uint64_t ms) throws(struct fm_timeout, struct fm_gone) {
  fm__waiter w;
  const char *error;
  defer fm__ask_over(r);
  fm__ask_post(m, message, r);
  if (ms == FM_NO_LIMIT)
    fm__reply_wait(r, NULL, &w);
  else
    wait_within(r, ms);
  if (fm__ask_failed(r, &error))
    throw(struct fm_gone){ error };
  memcpy(to, answer, size);
}

// ---- agents ----
typedef async void (*Body)(void *self, void *arg) throws(fm_error);

// Activities that it has started end with it, and a child's error is its own.
static async void live(Body body, void *self, void *arg) throws(fm_error) {
  scope body(self, arg);
}

// An agent that fails at once, again and again, must not bury every other message: see
// fm__error_of_restarted.
typedef struct Failures {
  const char *type, *file; // of the last failure
  int line;
  unsigned again; // how often the same one came before
} Failures;

static void count(Failures *f, const fm_error *e) {
  Failures now = { fm_error_name(e), fm_error_file(e), fm_error_line(e), 0 };
  if (f->type && !strcmp(f->type, now.type) && !strcmp(f->file, now.file) &&
      f->line == now.line)
    now.again = f->again + 1;
  *f = now;
}

async void fm__agent_run(fm__mailbox *m,
                         fm__agent *a,
                         Body body,
                         void *self,
                         void *arg,
                         unsigned restarts) throws(fm_error) {
  Failures failures = { 0 };
  fm__duty duty;
  fm__duty_begins(&duty, m);
  defer fm__duty_ends(&duty);
  for (unsigned n = 0;; n++, a->restarts++) {
    duty.error = NULL;
    try {
      live(body, self, arg);
      return;
    } catch (fm_error *e) {
      fm__duty_fails(&duty, fm_error_name(e));
      if (restarts != FM_ALWAYS && n >= restarts)
        throw;
      count(&failures, e);
      fm__error_of_restarted(e, failures.again);
    }
    // An agent that fails before it waits lets the others run, too.
    yield;
  }
}
