// agent.c: asking, and agents that are started again when they fail.
#include "library.h"

#include <string.h>

static async void wait_within(fm__reply *r, uint64_t ms) throws(struct fm_timeout) {
  fm__waiter w;
  race {
  case fm__reply_wait(r, NULL, &w):
    return;
  case fm_sleep(ms):
    throw (struct fm_timeout){ ms };
  }
}

async void fm__ask(fm__mailbox *m, const void *message, fm__reply *r, const void *answer, void *to, size_t size, uint64_t ms)
    throws(struct fm_timeout) {
  fm__waiter w;
  defer fm__ask_over(r);
  fm__mailbox_post(m, message);
  if (ms == FM_NO_LIMIT)
    fm__reply_wait(r, NULL, &w);
  else
    wait_within(r, ms);
  memcpy(to, answer, size);
}

async void fm__agent_run(fm__agent *a, async void (*body)(void *self, void *arg) throws(fm_error), void *self, void *arg, unsigned restarts)
    throws(fm_error) {
  for (unsigned n = 0;; n++, a->restarts++) {
    try {
      body(self, arg);
      return;
    } catch (fm_error *e) {
      (void)e;
      if (restarts != FM_ALWAYS && n >= restarts)
        throw;
    }
    fm_checkpoint();
  }
}
