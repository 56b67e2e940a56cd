// agent.c: asking, and agents that are started again when they fail.
#include "library.h"

#include <string.h>

static async void wait_within(fm__reply *r, uint64_t ms)
    throws(struct fm_timeout) {
  fm__far_waiter w;
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
  fm__far_waiter w;
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

async void fm__agent_run_with(fm__mailbox *m,
                              fm__agent *a,
                              Body body,
                              void *self,
                              void *arg,
                              struct fm_restart how) throws(fm_error) {
  fm__restarts restarts = { .how = how };
  fm__duty duty;
  fm__duty_begins(&duty, m);
  defer {
    fm__duty_ends(&duty);
    fm__restarts_free(&restarts);
  }
  for (;; a->restarts++) {
    duty.error = NULL;
    restarts.last = fm_now();
    try {
      live(body, self, arg);
      return;
    } catch (fm_error *e) {
      fm__duty_fails(&duty, fm_error_name(e));
      bool again = fm__restart(&restarts);
      fm__restart_report(&restarts,
                         e,
                         again,
                         "an agent, which is started again");
      if (!again)
        throw;
    }
    fm__restart_delay(&restarts);
  }
}

async void fm__agent_run(fm__mailbox *m,
                         fm__agent *a,
                         Body body,
                         void *self,
                         void *arg,
                         unsigned restarts) throws(fm_error) {
  int times = restarts > INT32_MAX ? -1 : (int)restarts;
  fm__agent_run_with(
      m, a, body, self, arg, (struct fm_restart){ .times = times });
}
