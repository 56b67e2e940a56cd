// inbox.c: how other threads reach a domain. Messages are pushed onto a list without a lock, and
// taken off all at once by the domain's thread, in the order in which they came: at the end of a
// turn (FM__INBOX tells the loop), when the queue looks at the driver, and when nothing is ready.
//
// A domain that waits in its driver says so in `sleeping`, and then looks at the inbox once more.
// Who posts first pushes, then looks at `sleeping`. All of that is sequentially consistent: one of
// the two sees the other.
//
// A message may be the last thing that keeps its domain alive. So who posts is counted before the
// message can be seen, and the end of a domain waits until the count is 0.
#include "fm.h"

// stands in the inbox of a domain that takes no more
static fm__msg closed;

bool fm__inbox_post(fm__runtime *d, fm__msg *m) {
  atomic_fetch_add(&d->posting, 1);
  fm__msg *first = atomic_load(&d->inbox);
  do {
    if (first == &closed) {
      atomic_fetch_sub(&d->posting, 1);
      return false;
    }
    m->next = first;
  } while (!atomic_compare_exchange_weak(&d->inbox, &first, m));
  if (!first) { // else someone is about to tell, or has told
    atomic_fetch_or(&d->attention, FM__INBOX);
    if (atomic_load(&d->sleeping))
      d->driver->wake(d->driver->ctx);
  }
  atomic_fetch_sub(&d->posting, 1); // from here on d may be gone
  return true;
}

static fm__msg *reversed(fm__msg *m) {
  fm__msg *list = NULL;
  while (m) {
    fm__msg *next = m->next;
    m->next = list;
    list = m;
    m = next;
  }
  return list;
}

bool fm__inbox_drain(fm__runtime *d) {
  if (atomic_load_explicit(&d->attention, memory_order_relaxed) & FM__INBOX)
    atomic_fetch_and(&d->attention, ~(unsigned)FM__INBOX);
  fm__msg *first = atomic_load_explicit(&d->inbox, memory_order_relaxed);
  if (!first || first == &closed)
    return false;
  for (fm__msg *m = reversed(atomic_exchange(&d->inbox, NULL)), *next; m;
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
