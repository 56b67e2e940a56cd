// inbox.c: how other threads reach a domain. A thread pushes its message onto a list without a
// lock. The domain's thread takes all messages at once, in the order in which they came: at the end
// of a turn (the loop sees FM__INBOX), when the loop looks at the driver, and when nothing is
// ready.
//
// A domain that waits in its driver sets `sleeping`, and then looks at the inbox once more. A
// thread that posts pushes first, and then reads `sleeping`. All of that is sequentially
// consistent: one of the two sees the other.
//
// A message may be the last thing that keeps its domain alive. So threads that post are counted
// before the message can be seen, and the end of a domain waits until the count is 0.
#include "fm.h"

// Stands in the inbox of a domain that takes no more messages.
static fm__msg closed;

static void wake_driver(fm__runtime *d) {
  d->driver->wake(d->driver->ctx);
}

bool fm__inbox_post(fm__runtime *d, fm__msg *m) {
  return fm__inbox_post_by(d, m, wake_driver);
}

bool fm__inbox_post_by(fm__runtime *d,
                       fm__msg *m,
                       void (*wake)(fm__runtime *)) {
  atomic_fetch_add(&d->posting, 1);
  fm__msg *first = atomic_load(&d->inbox);
  do {
    if (first == &closed) {
      atomic_fetch_sub(&d->posting, 1);
      return false;
    }
    m->next = first;
  } while (!atomic_compare_exchange_weak(&d->inbox, &first, m));
  if (!first) { // else another thread has set the flag, or is about to
    atomic_fetch_or(&d->attention, FM__INBOX);
    if (atomic_load(&d->sleeping))
      wake(d);
  }
  atomic_fetch_sub(&d->posting, 1); // from here on d may be gone
  return true;
}

bool fm__inbox_drain(fm__runtime *d) {
  if (atomic_load_explicit(&d->attention, memory_order_relaxed) & FM__INBOX)
    atomic_fetch_and(&d->attention, ~(unsigned)FM__INBOX);
  fm__msg *first = atomic_load_explicit(&d->inbox, memory_order_relaxed);
  if (!first || first == &closed)
    return false;
  for (fm__msg *m = fm__oldest_first(atomic_exchange(&d->inbox, NULL)), *next;
       m;
       m = next) {
    next = m->next;
    m->fn(d, m);
  }
  return true;
}

void fm__inbox_close(fm__runtime *d) {
  for (fm__msg *none = NULL;
       !atomic_compare_exchange_strong(&d->inbox, &none, &closed);
       none = NULL)
    fm__inbox_drain(d);
  while (atomic_load(&d->posting))
    fm__spin(d);
}
