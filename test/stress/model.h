// model.h: what the programs model-*.c share: actors that do random operations on one kind of object, someone who cancels, pauses
// and resumes them at random, and the part of the model that all objects have in common.
//
// In one domain the order of all that happens is known: an operation of the library and the step of the model that goes with it are
// done without a pause in between (automatic yields are off here), so the model says exactly who is to be served next, and with what.
// It was written from the documentation alone, and looks at nothing of the library but what programs see:
//   * who waits stands in a line, and is served in its order; what it is given is its own from that step on;
//   * a cancel, or a deadline, takes who has not been served out of the line in that step: it unwinds, and has had no effect;
//   * of a race the first arm to be served wins, and the others are out of their lines in that step;
//   * who is paused is served as the others, but does nothing before it is resumed;
//   * the clock of the virtual driver stands still while anybody is ready: so whoever is served goes on at that very time.
// A program gives `step`, one random operation, and `play`, which makes the objects, calls `drive`, and looks at what is left.
//     model-NAME OPERATIONS SEED
#ifndef MODEL_H
#define MODEL_H

#include <fermata.h>
#include <fermata/time.h>

#include <stdlib.h>
#include <string.h>

#pragma fermata auto_yield off

enum { ACTORS = 12, ARMS = 3, ALARM = ARMS };     // ALARM: the arm that is fm_sleep, after all the others

// ---- lines of those that wait ----
typedef struct Wait {
  struct Wait *next, *prev;
  struct Line *line;                              // NULL: in none
  struct Actor *who;
  int arm;
  uint64_t value;                                 // what it brings
} Wait;
typedef struct Line { Wait *first, *last; } Line;

typedef struct Actor {
  enum { QUIET, WAITS, SERVED, UNWINDS } state;
  Wait waits[ARMS];
  int arm;                                        // SERVED: which one won
  uint64_t value;                                 // SERVED: what it was given
  bool closed;                                    // SERVED: but by closing
  uint64_t alarm, alarm_set;                      // WAITS: when fm_sleep wins the race (FOREVER: there is none); its number among all timers
  uint64_t since;                                 // SERVED, UNWINDS: from when on it can go on; moved by a resume
  fm_activity id, scope;
  bool lives, scoped;                             // scoped: it is in `scope`
  bool cancelled, scope_cancelled;
  bool paused, scope_paused;
  bool raced;                                     // `scope` stands for an arm of a race that is cancelled by fm_sleep
  uint64_t deadline, deadline_set;                // of the scope
} Actor;

#define FOREVER UINT64_MAX
static Actor actors[ACTORS];
static long budget, done_ops;
static uint64_t seed;
static uint64_t timers;                           // how many have been set
static uint64_t now;                              // the time of what the model is at

static inline unsigned draw(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

#define CHECK(ok, ...) do { if (!(ok)) wrong(__FILE__, __LINE__, #ok, __VA_ARGS__); } while (0)
static inline void wrong(const char *file, int line, const char *what, const char *why) {
  printf("%s:%d: %s: %s (operation %ld)\n", file, line, why, what, done_ops);
  fm_dump(stdout);
  exit(1);
}

static inline void line_add(Line *l, Wait *w) {
  w->line = l;
  w->next = NULL;
  w->prev = l->last;
  *(l->last ? &l->last->next : &l->first) = w;
  l->last = w;
}

static void (*on_front)(Line *l);                 // of the program, may be NULL: the first one leaves

static inline void line_leave(Wait *w) {
  if (!w->line)
    return;
  if (on_front && w->line->first == w)
    on_front(w->line);
  *(w->next ? &w->next->prev : &w->line->last) = w->prev;
  *(w->prev ? &w->prev->next : &w->line->first) = w->next;
  w->line = NULL;
}

// The first that is not an arm of the same race.
static inline Wait *first_but(const Line *l, const Actor *a) {
  Wait *w = l->first;
  while (w && w->who == a)
    w = w->next;
  return w;
}

// ---- what becomes of who waits ----
static inline void leave_all(Actor *a, int state) {
  for (int i = 0; i < ARMS; i++)
    line_leave(&a->waits[i]);
  a->state = state;
  a->since = now;
  a->alarm = FOREVER;
}

static inline void serve(Wait *w, uint64_t value) {
  Actor *a = w->who;
  leave_all(a, SERVED);
  a->arm = w->arm;
  a->value = value;
  a->closed = false;
}

static inline void serve_closed(Wait *w) {
  serve(w, 0);
  w->who->closed = true;
}

static inline bool is_cancelled(const Actor *a) {
  return a->cancelled || (a->scoped && a->scope_cancelled);
}

static inline bool is_held(const Actor *a) {
  return a->paused || (a->scoped && a->scope_paused);
}

// Of the program; both may be NULL.
static void (*catch_up)(void);                    // what the library did meanwhile without its being told
static bool (*on_cancel)(Actor *a);               // it waits, and is cancelled; true: that does not end its wait
static void (*on_left)(void);                     // somebody has left lines without being served there
static bool (*on_alarm)(Actor *a);                // its alarm is due; true: that does not end its wait
static uint64_t (*next_change)(void);             // when the objects themselves do something next; FOREVER: never
static void (*change)(void);                      // what they do then

static inline void interrupt(Actor *a) {
  if (a->state != WAITS || (on_cancel && on_cancel(a)))
    return;
  leave_all(a, UNWINDS);
  if (on_left)
    on_left();
}

static inline void cancelled_scope(Actor *a) {    // which lifts its pause
  a->scope_cancelled = true;
  if (a->scope_paused && !a->paused)
    a->since = now;
  a->scope_paused = false;
  interrupt(a);
}

static inline void alarm_wins(Actor *a) {
  leave_all(a, SERVED);
  a->arm = ALARM;
  a->closed = false;
  if (on_left)
    on_left();
}

// The next timer whose time has come: first come by time, then by when it was set.
static inline Actor *next_timer(uint64_t until, bool *is_alarm) {
  Actor *next = NULL;
  uint64_t at = 0, set = 0;
  for (Actor *a = actors; a < actors + ACTORS; a++)
    for (int alarm = 0; alarm < 2; alarm++) {
      bool on = alarm ? a->state == WAITS : a->scoped && !a->scope_cancelled;
      uint64_t t = alarm ? a->alarm : a->deadline, k = alarm ? a->alarm_set : a->deadline_set;
      if (!on || t > until || (next && (t > at || (t == at && k > set))))
        continue;
      next = a, at = t, set = k;
      *is_alarm = alarm;
    }
  return next;
}

// All that time alone has brought about. Each step of the model begins with it.
static inline void settle(void) {
  bool is_alarm = false;
  for (;;) {
    Actor *a = next_timer(fm_now(), &is_alarm);
    uint64_t at = a ? is_alarm ? a->alarm : a->deadline : FOREVER;
    uint64_t own = next_change ? next_change() : FOREVER;
    if (own <= fm_now() && own <= at) {
      now = own;
      change();
    } else if (!a) {
      break;
    } else {
      now = at;
      if (!is_alarm)
        cancelled_scope(a);
      else if (!(on_alarm && on_alarm(a)))
        alarm_wins(a);
    }
  }
  now = fm_now();
  if (catch_up)
    catch_up();
}

static inline uint64_t timer_in(unsigned ms, uint64_t *set) {
  *set = ++timers;
  return fm_now() + ms * 1000000ull;
}

// ---- the steps of an operation ----
static inline void begin(Actor *a) {
  settle();
  CHECK(a->state == QUIET, "it is at another operation");
  CHECK(!is_held(a), "it runs, and is paused");
  a->alarm = FOREVER;
  a->closed = false;
  done_ops++;
}

// It could not be done at once. Who is cancelled does not even wait.
static inline void wait_in(Actor *a, int arm, Line *l, uint64_t value) {
  Wait *w = &a->waits[arm];
  if (is_cancelled(a)) {
    a->state = UNWINDS;
    a->since = now;
    return;
  }
  w->who = a;
  w->arm = arm;
  w->value = value;
  a->state = WAITS;
  line_add(l, w);
}

static inline void at_once(Actor *a, int arm, uint64_t value) {
  leave_all(a, SERVED);
  a->arm = arm;
  a->value = value;
}

static inline void at_once_closed(Actor *a) {
  at_once(a, 0, 0);
  a->closed = true;
}

// A race: with an alarm (ms 0: none). Whoever is cancelled starts no arm.
static inline bool begin_race(Actor *a, unsigned ms) {
  begin(a);
  if (is_cancelled(a)) {
    a->state = UNWINDS;
    a->since = now;
    return false;
  }
  a->alarm = ms ? timer_in(ms, &a->alarm_set) : FOREVER;
  return true;
}
#define undecided(a) ((a)->state == QUIET || (a)->state == WAITS)

static inline void goes_on(Actor *a) {
  settle();
  CHECK(!is_held(a), "it runs, and is paused");
  CHECK(now == a->since, "it did not go on when it could");
}

// The operation is over: as the model said?
static inline void ended(Actor *a, int arm, uint64_t value) {
  goes_on(a);
  CHECK(a->state == SERVED, "it was not its turn");
  CHECK(!a->closed, "it is closed");
  CHECK(a->arm == arm, "another arm has won");
  CHECK(arm == ALARM || a->value == value, "another value");
  a->state = QUIET;
}

static inline void ended_closed(Actor *a) {
  goes_on(a);
  CHECK(a->state == SERVED && a->closed, "it is not closed");
  a->state = QUIET;
}

// To be deferred around each operation that may wait.
static inline void over(Actor *a) {
  if (a->state == QUIET)
    return;
  goes_on(a);
  CHECK(a->state == UNWINDS, "it unwinds, though it was not cancelled before it was served");
  a->state = QUIET;
}

// ---- actors ----
#ifndef CHILDREN
#define CHILDREN false                            // the program's operations leave none in the scope
#endif
static async void step(Actor *a);                 // one operation

static async void rest(void) {
  switch (draw(6)) {
  case 0: fm_sleep(1 + draw(2)); break;
  case 1: case 2: yield; break;
  case 3: fm_checkpoint(); break;
  }
}

static inline void scope_begins(Actor *a, fm_activity s, unsigned ms) { // ms 0: it has no deadline
  a->scope = s;
  a->scoped = true;
  a->scope_cancelled = a->scope_paused = a->raced = false;
  a->deadline = ms ? timer_in(ms, &a->deadline_set) : FOREVER;
  if (ms)
    fm_cancel_after(s, ms);
}

static inline void scope_ends(Actor *a) {
  settle();
  CHECK(!is_held(a), "it runs, and is paused");
  a->scoped = false;
}

static async void steps_in_scope(Actor *a) {
  bool expired = false, done = false;
  scope (s) {
    scope_begins(a, s, draw(2) ? 1 + draw(3) : 0);
    defer scope_ends(a);
    for (int i = 1 + (int)draw(3); i > 0; i--) {
      step(a);
      if (draw(2))
        rest();
    }
    done = true;
  } else {
    expired = true;
  }
  // A cancel that came when the body had met its last pause has cut nothing of it short; but perhaps a child.
  CHECK(expired ? a->scope_cancelled && (!done || CHILDREN) : done, "else of a scope");
}

static async void act(Actor *a) {
  defer a->lives = false;
  while (budget > 0) {
    budget--;
    if (draw(3))
      step(a);
    else
      steps_in_scope(a);
    rest();
  }
}

static inline void start(Actor *a) {
  memset(a, 0, sizeof *a);
  a->alarm = a->deadline = FOREVER;
  a->lives = true;
  auto t = spawn detached act(a);
  a->id = fm_id(t);
  fm_detach(t);
}

// ---- who disturbs them ----
static inline void cancel_actor(Actor *a) {
  if (is_held(a))
    a->since = now;                          // a cancel lifts all pauses below it
  a->cancelled = true;
  a->paused = a->scope_paused = false;
  interrupt(a);
  fm_cancel(a->id);
}

static inline void cancel_scope(Actor *a) {
  if (!a->scoped || a->raced || a->scope_cancelled)
    return;
  cancelled_scope(a);
  fm_cancel(a->scope);
}

static inline void pause_or_resume(Actor *a, bool pause) {
  bool held = is_held(a);
  if (a->cancelled)
    return;
  if (a->scoped && !a->raced && !a->scope_cancelled && draw(2)) {
    a->scope_paused = pause;
    (pause ? fm_pause : fm_resume)(a->scope);
  } else {
    a->paused = pause;
    (pause ? fm_pause : fm_resume)(a->id);
  }
  if (held && !is_held(a))
    a->since = now;
}

static inline void disturb(Actor *a) {
  settle();
  if (!a->lives) {
    start(a);
    return;
  }
  switch (draw(7)) {
  case 0: cancel_actor(a); break;
  case 1: case 2: cancel_scope(a); break;
  case 3: case 4: pause_or_resume(a, true); break;
  default: pause_or_resume(a, false); break;
  }
}

// ---- memory: what the runtime has asked for and not given back ----
static size_t in_use;
static inline void *counting(void *ctx, void *p, size_t n) {
  size_t *block = p ? (size_t *)p - 2 : NULL;
  (void)ctx;
  if (block)
    in_use -= *block;
  if (n == 0) {
    free(block);
    return NULL;
  }
  if (!(block = realloc(block, n + 16)))
    return NULL;
  *block = n;
  in_use += n;
  return block + 2;
}

static inline void check_growth(long total) {
  static size_t early;
  if (!early && budget < total / 2)
    early = in_use;
  CHECK(!early || in_use <= early + (256 << 10), "memory leaks");
}

// Whoever has been served, or cancelled, goes on before time does: at a later time there is none left but those that are paused.
static inline void nobody_is_late(void) {
  settle();
  for (Actor *a = actors; a < actors + ACTORS; a++)
    CHECK(a->state == QUIET || a->state == WAITS || is_held(a) || a->since == now, "it could go on, and does not");
}

static async void drive(void) {
  long total = budget;
  for (int i = 0; i < ACTORS; i++)
    start(&actors[i]);
  while (budget > 0) {
    if (draw(3))
      yield;
    else
      fm_sleep(1 + draw(2));
    nobody_is_late();
    disturb(&actors[draw(ACTORS)]);
    check_growth(total);
  }
  settle();
  for (int i = 0; i < ACTORS; i++)
    if (actors[i].lives)
      cancel_actor(&actors[i]);
  fm_sleep(1000);
  for (int i = 0; i < ACTORS; i++)
    CHECK(!actors[i].lives, "it was cancelled, and lives");
}

static async void play(void);

int main(int argc, char **argv) {
  budget = argc > 1 ? atol(argv[1]) : 30000;
  seed = argc > 2 ? strtoull(argv[2], NULL, 10) * 2862933555777941757u + 1 : 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  fm_set_allocator(counting, NULL);
  run play();
  printf("ok\n");
  return 0;
}
#endif
