// epoll.c: watched descriptors in one epoll set of the kernel. Its cost does not depend on how many
// descriptors are idle, and in the long run a wait costs no system call of its own:
//
// A descriptor stays in the kernel's set after it was ready, edge-triggered: the kernel reports
// each new event once, and is silent while nothing waits. A watch whose owner has just got EAGAIN
// (FM_TRIED) wants exactly that, so the kernel needs no call. Any other watch asks for what is
// ready now, and registers once more (EPOLL_CTL_MOD looks again). The same is done if an event came
// meanwhile that nothing waited for: it may have come after the EAGAIN.
//
// A read from a connection that returned less than it could has taken all there was. If no event
// has come since, the next read need not be tried before it waits (FM_DRAINED). Should that ever be
// wrong, the doubt below corrects it.
//
// For messages (fm_recvfrom) nothing shows whether there are more. A watch with FM_STAYS makes the
// entry *level*: the kernel looks at each epoll_wait whether it can still be read, so a wait needs
// no try before it, and misses nothing. The kernel would report it again and again while nothing
// waits for it: an entry that was ignored twice in succession becomes edge-triggered for some time.
//
// The kernel reports a descriptor that is closed under this number as long as its description is
// open elsewhere, by dup or in a child. Nothing can take it out of the set then. Events have a tag,
// so that they are not taken for those of another one with that number. If nothing else comes any
// more, the set itself is renewed: a level entry of that sort would keep the domain from sleeping.
//
// The kernel forgets a descriptor that is closed. fm_close informs the driver; close(2) does not,
// and a wait for the next descriptor with that number would never end. So an entry that relies on
// an earlier registration is *doubtful*: if it is not ready after some ten milliseconds, by a look
// at the kernel that began then, it is registered again. That happens once in a wait, and only in
// long waits. For a descriptor whose events have come for a while it is done after a hundred
// milliseconds: a short wait's timer costs the kernel more than a long one's, usually because it is
// the first to end, and a busy connection would set it each time. A wait with a time limit takes
// the kernel some hundred nanoseconds more than one without, so a timerfd in the set ends the wait
// instead. It is set once for many waits.
#define _GNU_SOURCE
#include "core/forked.h"
#include "core/kernel.h"
#include "drivers/epoll.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum {
  BOTH = FM_READABLE | FM_WRITABLE,
  FIRST_ROOM = 64,
  AT_ONCE = 256,
  PROVEN = 4,
  PATIENCE = 2, // an event of a level entry is ignored so often
  CALM = 100,   // then the entry is not level for so many waits
  VAIN = 16,    // waits with stale events alone before the set is renewed
};

// Nanoseconds until a doubt is settled; of a proven descriptor.
static const uint64_t doubts[] = { 10000000, 100000000 };

// Some milliseconds behind, at a third of the cost.
#ifdef CLOCK_MONOTONIC_COARSE
enum { COARSE = CLOCK_MONOTONIC_COARSE };
#else
enum { COARSE = CLOCK_MONOTONIC };
#endif

static inline uint64_t clock_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t fm__clock(void) {
  return clock_of(CLOCK_MONOTONIC);
}

uint64_t fm__driver_now(void *ctx) {
  (void)ctx;
  return fm__clock();
}

// ---- fork ----
// A child shares the kernel's set with its parent: each would get events of the other, and change
// the events that the other waits for.
static inline void check_ours(const fm__epoll *e) {
  if (fm__unlikely(e->forks != fm__forks))
    fm__child_waits();
}

// ---- entries ----
static FM_COLD bool grow(fm__epoll *e, int fd) {
  size_t room = e->room ? e->room : FIRST_ROOM;
  while (room <= (size_t)fd)
    room *= 2;
  fm__descriptor *entries = fm__realloc(e->entries, room * sizeof *entries);
  if (!entries)
    return false;
  memset(entries + e->room, 0, (room - e->room) * sizeof *entries);
  // The first watch of each list points back into the table.
  for (size_t i = 0; i < e->room; i++)
    if (entries[i].watches)
      entries[i].watches->back = &entries[i].watches;
  e->entries = entries;
  uint8_t *hints = fm__realloc(e->driver->hints, room);
  if (!hints)
    return false;
  memset(hints + e->room, 0, room - e->room);
  e->driver->hints = hints;
  e->driver->hinted = e->room = room;
  return true;
}

static inline bool reach(fm__epoll *e, int fd) {
  return fm__likely((size_t)fd < e->room) || grow(e, fd);
}

static inline void link_watch(fm_watch **list, fm_watch *w) {
  w->next = *list;
  w->back = list;
  if (w->next)
    w->next->back = &w->next;
  *list = w;
}

static void unlink_watch(fm_watch *w) {
  *w->back = w->next;
  if (w->next)
    w->next->back = w->back;
}

// ---- doubts ----
// Most waits are over soon. So whether an entry is still doubtful is checked only when its time has
// come: beginning and ending a doubt cost little, and each descriptor in use passes through the
// list once in that time.
static FM_COLD void list(fm__epoll *e, int fd) {
  fm__descriptor *at = &e->entries[fd];
  int k = at->proofs >= PROVEN;
  at->listed = true;
  at->again = false;
  // The clock may be some milliseconds behind: then the doubt is settled a little early.
  at->due = clock_of(COARSE) + doubts[k];
  e->timed = false;
  at->newer = -1;
  *(e->lists[k].newest < 0 ? &e->lists[k].oldest
                           : &e->entries[e->lists[k].newest].newer) = fd;
  e->lists[k].newest = fd;
}

static inline void doubt(fm__epoll *e, int fd) {
  fm__descriptor *at = &e->entries[fd];
  at->doubtful = at->again = true;
  if (fm__unlikely(!at->listed))
    list(e, fd);
}

static inline void be_sure(fm__epoll *e, int fd) {
  e->entries[fd].doubtful = false;
}

// ---- what the kernel is asked for ----
static int control(fm__epoll *e, int op, int fd, unsigned events) {
  const fm__descriptor *at = &e->entries[fd];
  struct epoll_event event = { .events = at->level ? 0 : EPOLLET,
                               .data.u64 =
                                   (uint64_t)at->tag << 32 | (uint32_t)fd };
  if (events & FM_READABLE)
    event.events |= EPOLLIN | EPOLLRDHUP;
  if (events & FM_WRITABLE)
    event.events |= EPOLLOUT;
  return epoll_ctl(e->fd, op, fd, &event) == 0 ? 0 : errno;
}

// A descriptor that is new, or its number is. What was known of the kind is of the former one.
static int control_new(fm__epoll *e, int fd, unsigned events) {
  fm__descriptor *at = &e->entries[fd];
  if (at->registered)
    e->driver->hints[fd] = 0;
  if (!++at->tag)
    at->tag++;
  int err = control(e, EPOLL_CTL_ADD, fd, events);
  // Closed, and here again by dup: it is in the set still.
  return err == EEXIST ? control(e, EPOLL_CTL_MOD, fd, events) : err;
}

// 0, or an errno. Events once asked for stay: writability is reported only where an activity has
// ever waited for it.
static FM_COLD int tell(fm__epoll *e, int fd, unsigned events) {
  fm__descriptor *at = &e->entries[fd];
  uint8_t *hints = &e->driver->hints[fd];
  int saved = errno;
  int err = ENOENT;
  bool stays = events & FM_STAYS;
  check_ours(e);
  events = (events & BOTH) | at->registered;
  at->level = stays && events == FM_READABLE && !at->edge && !e->shared;
  if (at->registered)
    err = control(e, EPOLL_CTL_MOD, fd, events);
  if (err == ENOENT)
    err = control_new(e, fd, events);
  at->registered = err ? 0 : (uint8_t)events;
  at->level &= !err;
  at->missed = at->proofs = at->ignored = 0;
  *hints = (*hints & (FM_STREAM | FM_ASKED | FM_BURST)) |
           (at->registered & FM_READABLE ? FM_TOLD : 0) |
           (at->level ? FM_LEVEL : 0);
  be_sure(e, fd);
  errno = saved;
  return err;
}

// ---- watches ----
static inline void add_watch(fm__epoll *e, fm_watch *w) {
  link_watch(&e->entries[w->fd].watches, w);
  e->watches++;
}

static FM_COLD int watch_anew(fm__epoll *e, fm_watch *w) {
  if (w->fd < 0)
    return EBADF;
  if (!reach(e, w->fd))
    return ENOMEM;
  int err = tell(e, w->fd, w->events & (BOTH | FM_STAYS));
  if (!err)
    add_watch(e, w);
  return err;
}

// Whether the watch can rely on the entry's registration, which is edge-triggered or level.
static inline bool
suits(const fm__epoll *e, fm__descriptor *at, const fm_watch *w) {
  bool tried = w->events & FM_TRIED;
  if (fm__likely(!(w->events & FM_STAYS))) {
    if (at->level) // for some time; the last wait may have been in vain
      at->edge = CALM;
    return tried && !at->level;
  }
  if (at->edge)
    at->edge--;
  return at->level ||
         (tried && (at->edge || e->shared || at->registered != FM_READABLE));
}

int fm__epoll_watch(fm__epoll *e, fm_watch *w) {
  if (fm__unlikely((size_t)w->fd >= e->room))
    return watch_anew(e, w);
  fm__descriptor *at = &e->entries[w->fd];
  if (fm__unlikely(!suits(e, at, w) ||
                   w->events & BOTH & (~(unsigned)at->registered | at->missed)))
    return watch_anew(e, w);
  doubt(e, w->fd);
  add_watch(e, w);
  return 0;
}

void fm__epoll_unwatch(fm__epoll *e, fm_watch *w) {
  unlink_watch(w);
  e->watches--;
  if (!e->entries[w->fd].watches)
    be_sure(e, w->fd);
}

// Takes the watches that want one of the events out first: `ready` may begin and end others. No
// events: all of them.
static size_t call_ready(fm__epoll *e, int fd, unsigned events) {
  fm_watch *taken = NULL;
  fm_watch *next;
  fm_watch *w;
  size_t n = 0;
  for (w = e->entries[fd].watches; w; w = next) {
    next = w->next;
    if (events && !(w->events & events))
      continue;
    unlink_watch(w);
    link_watch(&taken, w);
  }
  while ((w = taken)) {
    unlink_watch(w);
    e->watches--;
    w->ready(w, events & w->events);
    n++;
  }
  return n;
}

// A new descriptor will soon have hints.
void fm__epoll_forget(fm__epoll *e, int fd) {
  if (fd < 0 || !reach(e, fd))
    return;
  be_sure(e, fd);
  fm__descriptor *at = &e->entries[fd];
  // Its description may stay open elsewhere. A child leaves its parent's set alone.
  if (at->level && e->forks == fm__forks)
    control(e, EPOLL_CTL_DEL, fd, 0);
  at->registered = at->missed = at->proofs = at->edge = 0;
  at->level = false;
  e->driver->hints[fd] = 0;
  call_ready(e, fd, 0);
}

// ---- waiting ----
// Sees to it that a wait ends then, or sooner. false: there is no timer.
static FM_COLD bool set_timer(fm__epoll *e, uint64_t due) {
  struct itimerspec t = {
    .it_value = { (time_t)(due / 1000000000u), (long)(due % 1000000000u) },
  };
  if (e->timer < 0 || e->shared ||
      timerfd_settime(e->timer, TFD_TIMER_ABSTIME, &t, NULL) < 0)
    return false;
  e->armed = due;
  return true;
}

static inline bool arm(fm__epoll *e, uint64_t due) {
  return (e->armed && e->armed <= due) || set_timer(e, due);
}

// FM_FOREVER: there are no doubts.
static uint64_t first_due(const fm__epoll *e) {
  uint64_t due = FM_FOREVER;
  for (int k = 0; k < 2; k++) {
    int oldest = e->lists[k].oldest;
    if (oldest >= 0 && e->entries[oldest].due < due)
      due = e->entries[oldest].due;
  }
  return due;
}

// A doubt needs no exact time, so the clock is read exactly only for a wait that has to end at one.
uint64_t fm__epoll_before(fm__epoll *e, uint64_t until) {
  check_ours(e);
  e->looked = clock_of(until && until != FM_FOREVER ? CLOCK_MONOTONIC : COARSE);
  uint64_t due = first_due(e);
  e->timed = due == FM_FOREVER || arm(e, due);
  return e->timed || due >= until ? until : due;
}

// EPERM: a file has its number, which is always ready.
static void settle(fm__epoll *e, int fd) {
  fm__descriptor *at = &e->entries[fd];
  if (at->again) {
    list(e, fd);
    return;
  }
  int err = tell(e, fd, at->level ? FM_STAYS : 0);
  if (err) // closed, and no other has its number
    call_ready(e, fd, err == EPERM ? BOTH : 0);
}

static inline bool is_due(const fm__epoll *e, int k, uint64_t time) {
  int fd = e->lists[k].oldest;
  return fd >= 0 && time >= e->entries[fd].due;
}

static FM_COLD void settle_list(fm__epoll *e, int k, uint64_t time) {
  while (is_due(e, k, time)) {
    int fd = e->lists[k].oldest;
    fm__descriptor *at = &e->entries[fd];
    at->listed = false;
    e->lists[k].oldest = at->newer;
    if (at->newer < 0)
      e->lists[k].newest = -1;
    if (at->proofs < PROVEN && (at->again || !at->doubtful))
      at->proofs++;
    if (at->doubtful)
      settle(e, fd);
  }
}

// All watches that were ready at that time have been called.
void fm__epoll_settle(fm__epoll *e, uint64_t time) {
  for (int k = 0; k < 2; k++)
    if (fm__unlikely(is_due(e, k, time)))
      settle_list(e, k, time);
}

// Rounded up, so that it is not too early.
static int milliseconds(uint64_t ns) {
  uint64_t ms = ns / 1000000 + (ns % 1000000 != 0);
  return ms < 1 << 30 ? (int)ms : 1 << 30;
}

static inline int
wait_ms(const fm__epoll *e, struct epoll_event *got, int milliseconds) {
#if defined SYS_epoll_wait && defined FM__CALLS_KERNEL
  return (int)
      fm__kernel(SYS_epoll_wait, e->fd, (long)got, AT_ONCE, milliseconds, 0, 0);
#else
  return epoll_wait(e->fd, got, AT_ONCE, milliseconds);
#endif
}

// To the nanosecond where the kernel can: Linux 5.11. MemorySanitizer does not know that system
// call.
static FM_COLD int
wait_kernel(fm__epoll *e, struct epoll_event *got, uint64_t until) {
  if (until == FM_FOREVER)
    return wait_ms(e, got, -1);
  if (until <= e->looked)
    return wait_ms(e, got, 0);
  uint64_t ns = until - e->looked;
#if defined SYS_epoll_pwait2 && !defined FM_MSAN
  struct timespec t = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
  if (sizeof(long) == 8 && !e->coarse) {
    long n = syscall(SYS_epoll_pwait2, e->fd, got, AT_ONCE, &t, NULL, 0);
    if (n >= 0 || errno != ENOSYS)
      return (int)n;
    e->coarse = true; // valgrind complains of each one
  }
#endif
  return wait_ms(e, got, milliseconds(ns));
}

static unsigned events_of(uint32_t got) {
  if (got & (EPOLLERR | EPOLLHUP))
    return BOTH;
  return (got & (EPOLLIN | EPOLLRDHUP) ? FM_READABLE : 0u) |
         (got & EPOLLOUT ? FM_WRITABLE : 0u);
}

// Nothing wants the event of a level entry, and it will come again.
static FM_COLD void ignore(fm__epoll *e, int fd) {
  fm__descriptor *at = &e->entries[fd];
  if (++at->ignored < PATIENCE)
    return;
  at->edge = CALM;
  tell(e, fd, 0);
}

static size_t came_to_all(fm__epoll *e, int fd, unsigned events) {
  fm__descriptor *at = &e->entries[fd];
  unsigned wanted = 0;
  for (fm_watch *w = at->watches; w; w = w->next)
    wanted |= w->events & events;
  if (at->level && !wanted) {
    ignore(e, fd);
    return 0;
  }
  at->ignored = 0;
  at->missed |= (uint8_t)(events & ~wanted);
  if (at->missed & FM_READABLE)
    e->driver->hints[fd] &= (uint8_t)~FM_TOLD;
  return wanted ? call_ready(e, fd, events) : 0;
}

// The eventfd or the timer. Edge-triggered too: the count is not read, and nothing needs it.
static FM_COLD void came_to_us(fm__epoll *e, int fd) {
  if (fd != e->timer)
    return;
  e->fired = e->armed;
  e->armed = 0;
  e->timed = false;
}

static inline size_t came(fm__epoll *e, const struct epoll_event *event) {
  unsigned events = events_of(event->events);
  int fd = (int)(uint32_t)event->data.u64;
  if (fm__unlikely(!(event->data.u64 >> 32))) {
    came_to_us(e, fd);
    return 0;
  }
  fm__descriptor *at = &e->entries[fd];
  fm_watch *w = at->watches;
  if (fm__unlikely(event->data.u64 >> 32 != at->tag || !at->registered)) {
    e->stale++;
    return 0;
  }
  uint8_t *hints = &e->driver->hints[fd];
  at->doubtful = false;
  *hints &= (uint8_t)~FM_DRAINED;
  if (fm__unlikely(event->events & (EPOLLRDHUP | EPOLLHUP)) && !at->level) {
    // This stays so, and is not reported again: a reader that gets less than it asked for must
    // look.
    at->missed |= FM_READABLE;
    *hints &= (uint8_t)~FM_TOLD;
  }
  if (!w || w->next || events & ~w->events)
    return came_to_all(e, fd, events);
  at->watches = NULL; // usually there is one watch, and it wants what has come
  at->ignored = 0;
  e->watches--;
  w->ready(w, events);
  return 1;
}

// ---- another set in place of this one ----
// A program that was started without standard input or output must not take our descriptor for one.
int fm__above_standard(int fd) {
  if (fd < 0 || fd > STDERR_FILENO)
    return fd;
  int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(fd);
  return moved;
}

static int make_set(void) {
  return fm__above_standard(epoll_create1(EPOLL_CLOEXEC));
}

static bool watch_own(const fm__epoll *e, int fd) {
  struct epoll_event event = { .events = EPOLLIN | EPOLLET,
                               .data.u64 = (uint32_t)fd };
  return epoll_ctl(e->fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static bool watch_wakes(fm__epoll *e) {
  e->armed = 0;
  e->timed = false;
  if (e->timer >= 0 && !watch_own(e, e->timer)) {
    close(e->timer);
    e->timer = -1;
  }
  return watch_own(e, e->wakes);
}

// Without a descriptor for it, the next time.
static FM_COLD void renew(fm__epoll *e) {
  int fd = make_set();
  e->vain = 0;
  if (fd < 0)
    return;
  close(e->fd);
  e->fd = fd;
  watch_wakes(e);
  for (size_t i = 0; i < e->room; i++) {
    fm__descriptor *at = &e->entries[i];
    unsigned was = at->registered;
    at->registered = 0;
    if (was && tell(e, (int)i, was) && at->watches)
      call_ready(e, (int)i, 0);
  }
}

void fm__epoll_share(fm__epoll *e) {
  e->shared = true;
  renew(e);
}

static void note_stale(fm__epoll *e, int n) {
  e->vain = e->stale == n ? e->vain + 1 : 0;
  e->stale = 0;
  if (e->vain >= VAIN && !e->shared)
    renew(e);
}

// The latest time of which is known that the last wait has seen all that was ready then.
static inline uint64_t time_of_look(fm__epoll *e) {
  uint64_t time = e->fired > e->looked ? e->fired : e->looked;
  e->fired = 0;
  return time;
}

static inline size_t
all_came(fm__epoll *e, const struct epoll_event *got, int n) {
  size_t ready = 0;
  for (int i = 0; i < n; i++)
    ready += came(e, &got[i]);
  if (fm__unlikely(e->stale))
    note_stale(e, n);
  return ready;
}

static FM_COLD void interrupted(int saved) {
  if (errno == EINTR)
    fm_watch_interrupted();
  errno = saved;
}

// With a look at the clock: for a time limit, or for doubts.
static FM_COLD size_t wait_by_clock(fm__epoll *e, uint64_t until) {
  struct epoll_event got[AT_ONCE];
  uint64_t bound = fm__epoll_before(e, until);
  int saved = errno;
  int n = wait_kernel(e, got, bound);
  if (n < 0)
    interrupted(saved);
  size_t ready = all_came(e, got, n);
  if (n >= 0 && n < AT_ONCE)
    fm__epoll_settle(e, n || bound < e->looked ? time_of_look(e) : bound);
  return ready;
}

// Most waits have no limit, and the timer will end them if a doubt is due.
size_t fm__epoll_wait(fm__epoll *e, uint64_t until) {
  struct epoll_event got[AT_ONCE];
  if (fm__unlikely(!e->timed || (until && until != FM_FOREVER)))
    return wait_by_clock(e, until);
  check_ours(e);
  int saved = errno;
  int n = wait_ms(e, got, until ? -1 : 0);
  if (fm__unlikely(n < 0))
    interrupted(saved);
  size_t ready = all_came(e, got, n);
  if (fm__unlikely(e->fired) && n < AT_ONCE)
    fm__epoll_settle(e, time_of_look(e));
  return ready;
}

void fm__epoll_wake(fm__epoll *e) {
  uint64_t one = 1;
  int saved = errno;
  ssize_t n = write(e->wakes, &one, sizeof one);
  (void)n;
  errno = saved;
}

// ---- its life ----
bool fm__epoll_open(fm__epoll *e, fm_driver *driver) {
  fm__count_forks();
  *e = (fm__epoll){
    .driver = driver,
    .fd = make_set(),
    .wakes = fm__above_standard(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
    .timer = fm__above_standard(
        timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
    .lists = { { -1, -1 }, { -1, -1 } },
    .forks = fm__forks
  };
  if (grow(e, FIRST_ROOM - 1) && e->fd >= 0 && e->wakes >= 0 && watch_wakes(e))
    return true;
  fm__epoll_close(e);
  return false;
}

void fm__epoll_close(fm__epoll *e) {
  if (e->fd >= 0)
    close(e->fd);
  if (e->wakes >= 0)
    close(e->wakes);
  if (e->timer >= 0)
    close(e->timer);
  fm__free(e->entries);
  fm__free(e->driver->hints);
}
