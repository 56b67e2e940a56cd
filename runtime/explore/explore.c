// explore.c: FERMATA_EXPLORE=FILE, set by `fermata explore`: the order in which activities run is
// chosen as that file says, and written into it (explore-file.h).
//
// The one place of choice is where the loop takes the next activity (sched.c); the tool sets
// FERMATA_TICK=always, so each automatic yield gets there. Only the first domain of the process is
// explored: threads beside it run as they like. Children of fork, and programs that the process
// starts, leave the file alone.
#define _GNU_SOURCE
#include "fm.h"
#include "core/forked.h"
#include "explore/explore-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  READY = 64, // so many ready activities are chosen from
  PLACE_SLOTS = FM__X_PLACES * 2,
  PAIR_SLOTS = FM__X_PAIRS * 2,
  GIVEN_SLOTS = FM__X_MADE * 2,
  NAME = 160
};

typedef struct fm__explorer {
  fm__x_file *file;
  uint64_t random;
  // of FM__X_MIX: a switch at an automatic yield, of 1000; whether activities have weights
  unsigned switches;
  bool weighted;
  unsigned passes;    // time passes at a choice, of 1000
  uint32_t last;      // the activity that ran last; 0: none
  fm_node *last_node; // its node, if that is still its own
  uint64_t named;     // activities up to this number are in the file
  const fm_node
      *first;      // the one that was first in the queue at the last choice …
  unsigned passed; // … and how often it was not taken
  // tables of indices plus 1 into those of the file
  uint32_t place_slots[PLACE_SLOTS];
  const char *place_keys[FM__X_PLACES][2]; // file and function, as addresses
  uint32_t pair_slots[PAIR_SLOTS];
  uint32_t given_slots[GIVEN_SLOTS];
} explorer;

// ---- the start ----
static void index_given(explorer *e) {
  fm__x_file *f = e->file;
  for (uint32_t i = 0; i < f->given_count; i++) {
    uint64_t at = fm__x_mix(f->given[i].after + f->given[i].number);
    while (e->given_slots[at % GIVEN_SLOTS])
      at++;
    e->given_slots[at % GIVEN_SLOTS] = i + 1;
  }
}

static uint64_t draw(explorer *e, uint64_t n) {
  e->random += 0x9e3779b97f4a7c15u;
  return (fm__x_mix(e->random) >> 16) % n;
}

static void begin(explorer *e) {
  static const unsigned chances[] = { 0, 30, 150, 600 };
  fm__x_file *f = e->file;
  e->random = f->seed;
  e->switches = chances[draw(e, 4)];
  e->weighted = draw(e, 2);
  e->passes = chances[draw(e, 3)];
  index_given(e);
  f->text_used = 1;
  f->place_count = 1;
  f->activities[0] = (fm__x_activity){ 0 };
}

static _Noreturn void refuse(const char *path, const char *why) {
  fprintf(stderr, "fermata: FERMATA_EXPLORE=%s: %s\n", path, why);
  exit(1);
}

static fm__x_file *map(const char *path) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    refuse(path, strerror(errno));
  struct stat info;
  bool right = fstat(fd, &info) == 0 && info.st_size == sizeof(fm__x_file);
  fm__x_file *f =
      mmap(NULL, sizeof *f, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (!right || f == MAP_FAILED ||
      memcmp(f->magic, FM__EXPLORE_MAGIC, sizeof f->magic) != 0)
    refuse(path, "this is no file of a `fermata explore` of the same version");
  return f;
}

// Of the first domain; it stays mapped, because other domains count themselves there.
static fm__x_file *_Atomic explored;

void fm__explore_begin(fm__runtime *d) {
  const char *path = d->life == 1 ? fm__setting("FERMATA_EXPLORE") : NULL;
  fm__x_file *first = explored;
  if (d->life > 1 && first)
    __atomic_add_fetch(&first->others, 1, __ATOMIC_RELAXED);
  uint32_t none = 0;
  if (!path)
    return;
  fm__x_file *f = map(path);
  if (!__atomic_compare_exchange_n(&f->process,
                                   &none,
                                   (uint32_t)getpid(),
                                   false,
                                   __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST)) {
    munmap(f, sizeof *f);
    return;
  }
  // mapped, because most of it stays untouched
  explorer *e = mmap(NULL,
                     sizeof *e,
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS,
                     -1,
                     0);
  if (e == MAP_FAILED)
    fm__out_of_memory("explorer", "", sizeof *e);
  d->explorer = e;
  d->explorer->file = f;
  explored = f;
  begin(d->explorer);
  d->attention |= FM__RANDOM;
}

void fm__explore_end(fm__runtime *d) {
  if (!d->explorer)
    return;
  munmap(d->explorer, sizeof *d->explorer);
  d->explorer = NULL;
}

// ---- texts, places, pairs ----
static uint32_t add_text(explorer *e, const char *text) {
  fm__x_file *f = e->file;
  size_t n = text ? strlen(text) + 1 : 1;
  if (n == 1)
    return 0;
  if (n > FM__X_TEXT - f->text_used) {
    f->full = 1;
    return 0;
  }
  uint32_t at = f->text_used;
  memcpy(f->text + at, text, n);
  f->text_used += (uint32_t)n;
  return at;
}

static uint32_t add_place(explorer *e, fm__place p, uint32_t *slot) {
  fm__x_file *f = e->file;
  uint32_t i = f->place_count;
  if (i == FM__X_PLACES) {
    f->full = 1;
    return 0;
  }
  e->place_keys[i][0] = p.file;
  e->place_keys[i][1] = p.function;
  f->places[i] =
      (fm__x_place){ add_text(e, p.file), add_text(e, p.function), p.line };
  f->place_count = i + 1;
  *slot = i + 1;
  return i;
}

static uint32_t place_of(explorer *e, fm__runtime *d, const fm_node *a) {
  fm__place p = fm__place_of(d, a);
  uint64_t at = fm__x_mix((uintptr_t)p.function + p.line);
  for (uint32_t i; (i = e->place_slots[at % PLACE_SLOTS]); at++)
    if (e->place_keys[i - 1][0] == p.file &&
        e->place_keys[i - 1][1] == p.function &&
        e->file->places[i - 1].line == p.line)
      return i - 1;
  return add_place(e, p, &e->place_slots[at % PLACE_SLOTS]);
}

static void note_pair(explorer *e, uint32_t from, uint32_t to, bool tried) {
  fm__x_file *f = e->file;
  uint64_t at = fm__x_mix(from * (uint64_t)FM__X_PLACES + to);
  for (uint32_t i; (i = e->pair_slots[at % PAIR_SLOTS]); at++)
    if (f->pairs[i - 1].at == from && f->pairs[i - 1].to == to) {
      f->pairs[i - 1].tried |= tried;
      return;
    }
  if (f->pair_count == FM__X_PAIRS)
    return;
  f->pairs[f->pair_count] = (fm__x_pair){ from, to, tried };
  e->pair_slots[at % PAIR_SLOTS] = ++f->pair_count;
}

// ---- activities ----
// Those made since the last choice were made by the activity that ran.
static void name_new(explorer *e, fm__runtime *d) {
  fm__x_file *f = e->file;
  fm__x_activity *by = &f->activities[e->last];
  for (; e->named < d->serial; e->named++) {
    if (e->named + 1 >= FM__X_ACTIVITIES) {
      f->full = 1;
      return;
    }
    by->made++;
    f->activities[e->named + 1] = (fm__x_activity){
      .hash = fm__x_hash(by->hash, by->made), .by = e->last, .number = by->made
    };
  }
}

static uint32_t index_of(const fm_node *a) {
  return (uint32_t)fm__generation(a);
}

static uint64_t hash_of(const explorer *e, const fm_node *a) {
  return e->file->activities[index_of(a)].hash;
}

static bool lives(const explorer *e) {
  return e->last_node && fm__is_valid(e->last_node, e->last) &&
         !(e->last_node->word & (FM__ENDED | FM__BODY));
}

// ---- steps ----
// The step of the activity that ran last is over.
static void end_step(explorer *e, fm__runtime *d, unsigned why) {
  fm__x_file *f = e->file;
  char room[NAME];
  if (!e->last)
    return;
  fm__x_activity *a = &f->activities[e->last];
  a->choices++;
  a->place = why == FM__X_ENDED ? 0 : place_of(e, d, e->last_node);
  uint32_t n = f->step_count - 1;
  if (n >= FM__X_STEPS)
    return;
  f->steps[n].to = a->place;
  f->steps[n].why = why;
  if (f->told && why == FM__X_WAITS && fm__is_waiting(e->last_node))
    f->steps[n].wanted =
        add_text(e, fm__wanted(d, e->last_node, room, sizeof room));
}

static void begin_step(explorer *e, fm__runtime *d, fm_node *a) {
  fm__x_file *f = e->file;
  uint32_t i = index_of(a);
  fm__x_activity *act = &f->activities[i];
  if (!act->function)
    act->function = add_text(e, fm__outermost(a->leaf)->code->name);
  if (!act->place)
    act->place = place_of(e, d, a);
  bool goes_on = i == e->last && f->step_count;
  e->last = i;
  e->last_node = a;
  if (goes_on)
    return;
  if (f->step_count < FM__X_STEPS)
    f->steps[f->step_count] = (fm__x_step){ .who = i, .from = act->place };
  f->step_count++;
}

static unsigned why_ended(const explorer *e, const fm__set *s) {
  if (!lives(e))
    return FM__X_ENDED;
  if (s->tail != e->last_node)
    return FM__X_WAITS;
  return e->last_node->waits & FM__HOLDS ? FM__X_INTERRUPTED : FM__X_YIELDED;
}

// ---- choices ----
typedef struct choice {
  fm_node *ready[READY + 1];
  unsigned count;
  unsigned usual; // the default's
  unsigned why;   // why the step before ended
} choice;

// The activity that ran last is listed, if it is ready, however long the queue is.
static void list_ready(explorer *e, choice *c, fm__set *s) {
  bool sliced = c->why == FM__X_INTERRUPTED;
  for (fm_node *a = s->head; c->count < READY; a = a->link) {
    if (sliced && a == e->last_node)
      c->usual = c->count;
    c->ready[c->count++] = a;
    if (a == s->tail)
      return;
  }
  if (sliced && !c->usual) {
    c->usual = c->count;
    c->ready[c->count++] = e->last_node;
  }
}

// The deviation that is given for this choice; NULL: none.
static const fm__x_deviation *given(const explorer *e) {
  fm__x_file *f = e->file;
  const fm__x_activity *last = &f->activities[e->last];
  uint64_t at = fm__x_mix(last->hash + last->choices);
  for (uint32_t i; (i = e->given_slots[at % GIVEN_SLOTS]); at++) {
    const fm__x_deviation *g = &f->given[i - 1];
    if (g->after == last->hash && g->number == last->choices)
      return g;
  }
  return NULL;
}

static bool find_given(const explorer *e, const choice *c, unsigned *k) {
  const fm__x_deviation *g = given(e);
  if (!g)
    return false;
  for (*k = 0; *k < c->count; ++*k)
    if (hash_of(e, c->ready[*k]) == g->next)
      return true;
  e->file->missed++;
  return false;
}

static uint64_t weight(const explorer *e, const fm_node *a) {
  uint64_t drawn = fm__x_mix(hash_of(e, a) ^ e->file->seed);
  return e->weighted ? 1u << drawn % 8 : 1;
}

// `except`: this one is not chosen.
static unsigned by_weight(explorer *e, const choice *c, unsigned except) {
  uint64_t sum = 0;
  unsigned k = 0;
  for (unsigned i = 0; i < c->count; i++)
    sum += i == except ? 0 : weight(e, c->ready[i]);
  uint64_t at = draw(e, sum);
  for (;; k++) {
    uint64_t w = k == except ? 0 : weight(e, c->ready[k]);
    if (at < w)
      return k;
    at -= w;
  }
}

static unsigned choose(explorer *e, const choice *c) {
  unsigned k;
  if (find_given(e, c, &k))
    return k;
  if (e->file->how == FM__X_SWITCH)
    return 0;
  if (e->file->how == FM__X_DEFAULT || e->file->full)
    return c->usual;
  if (c->why != FM__X_INTERRUPTED)
    return by_weight(e, c, READY + 1);
  return draw(e, 1000) < e->switches ? by_weight(e, c, c->usual) : c->usual;
}

// No activity waits for ever because another one is always ready.
static bool is_impatient(explorer *e, const fm__set *s) {
  e->passed = s->head == e->first ? e->passed + 1 : 0;
  e->first = s->head;
  return e->passed > FM__X_PATIENCE;
}

static void note_open(explorer *e, uint32_t other) {
  fm__x_file *f = e->file;
  const fm__x_activity *last = &f->activities[e->last];
  if (f->choice_count < FM__X_CHOICES)
    f->open[f->choice_count] =
        (fm__x_choice){ e->last, last->choices, last->place, other };
  f->choice_count++;
}

static void
note_pairs(explorer *e, fm__runtime *d, const choice *c, unsigned taken) {
  fm__x_file *f = e->file;
  uint32_t at = f->activities[e->last].place;
  for (unsigned i = 0; i < c->count; i++) {
    fm__x_activity *a = &f->activities[index_of(c->ready[i])];
    if (i == c->usual)
      continue;
    if (!a->place)
      a->place = place_of(e, d, c->ready[i]);
    note_pair(e, at, a->place, i == taken);
  }
}

static void note_made(explorer *e, uint32_t next, unsigned what) {
  fm__x_file *f = e->file;
  if (f->step_count && f->step_count <= FM__X_STEPS)
    f->steps[f->step_count - 1].deviates |= what;
  if (f->made_count < FM__X_MADE)
    f->made[f->made_count] =
        (fm__x_made){ e->last, f->activities[e->last].choices, next };
  else
    f->full = 1;
  f->made_count++;
}

// ---- time ----
static bool time_passes(explorer *e) {
  fm__x_file *f = e->file;
  const fm__x_deviation *g = given(e);
  if (g)
    return g->next == FM__X_TIME_HASH;
  return f->how == FM__X_MIX && !f->full && draw(e, 1000) < e->passes;
}

// Timers are due at any moment: the program may be slow.
static void pass_time(explorer *e, fm__runtime *d, fm__set *s) {
  if (e->file->timeless || s != &d->base || !fm__has_alarms(d))
    return;
  note_open(e, FM__X_TIME);
  if (!time_passes(e))
    return;
  note_made(e, FM__X_TIME, FM__X_PASSED);
  e->file->activities[e->last].choices++;
  fm__time_passes(d);
}

static unsigned decide(explorer *e, fm__runtime *d, fm__set *s, choice *c) {
  list_ready(e, c, s);
  if (c->count == 1 || s->head->word & FM__FIRST)
    return 0;
  bool impatient = is_impatient(e, s);
  if (impatient)
    c->usual = 0;
  note_open(e, index_of(c->ready[c->usual == 0]));
  unsigned k = impatient ? 0 : choose(e, c);
  if (c->why == FM__X_INTERRUPTED && !impatient)
    note_pairs(e, d, c, k);
  if (k != c->usual)
    note_made(e, index_of(c->ready[k]), FM__X_SWITCHED);
  return k;
}

static FM_COLD void hang(explorer *e) {
  e->file->hangs = 1;
  fprintf(stderr,
          "fermata: the program has not ended after %llu choices of the next "
          "activity\n",
          (unsigned long long)e->file->choices);
  _exit(FM__X_HANGS);
}

fm_node *fm__explore_choose(fm__runtime *d, fm__set *s) {
  explorer *e = d->explorer;
  choice c = { .count = 0 };
  if (d->forks != fm__forks || d->serial >= FM__X_ACTIVITIES)
    return s->head;
  name_new(e, d);
  c.why = why_ended(e, s);
  end_step(e, d, c.why);
  if (++e->file->choices == e->file->patience)
    hang(e);
  pass_time(e, d, s);
  fm_node *a = c.ready[decide(e, d, s, &c)];
  if (a == s->head)
    e->first = NULL;
  begin_step(e, d, a);
  return a;
}
