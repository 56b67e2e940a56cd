// explore.h: shared by the files of `fermata explore`, which runs a program under many schedules
// until one fails.
//
//     explore.c    the command: its options, which schedules are tried, what is printed
//     runs.c       one run of the program under one schedule, several at a time
//     schedule.c   schedules as text; a failing one is made short
//     story.c      a run as a story: who ran from line to line
//     coverage.c   between which places switches were tried
#ifndef EXPLORE_H
#define EXPLORE_H

#include "driver/driver.h"
#include "explore/explore-file.h"

#include <sys/types.h>

// ---- a schedule: how choices are made, and the deviations that are given ----
typedef struct Schedule {
  uint32_t how; // FM__X_DEFAULT …
  uint64_t seed;
  fm__x_deviation *given; // in the arena of the command
  size_t count;
} Schedule;

typedef struct Failure {
  enum { FINE, STATUS, SIGNAL, HANGS, OUTPUT } kind; // FINE: none
  int code;                                          // of STATUS and SIGNAL
} Failure;

// ---- one run at a time in each ----
typedef struct Slot {
  fm__x_file *file; // shared with the program
  int fd;           // of it
  int out, err;     // standard output and standard error of the program
  pid_t process;    // 0: no run is under way
  int status;       // as waitpid gave it
  uint64_t ends;    // when it is ended as hanging, in nanoseconds
  bool late;        // it was
  Schedule schedule;
  size_t number; // of the run
} Slot;

typedef struct Explore {
  Arena arena;
  // ---- options ----
  size_t schedules;    // to try at most
  uint64_t seconds;    // … and for how long; 0: no limit
  uint64_t seed;       // of the first random one
  size_t jobs;         // at a time
  double timeout;      // seconds of one run
  const char *expect;  // file with the right output; NULL: any is right
  const char *replay;  // the one schedule to run; NULL: none
  bool real_time;      // no virtual time
  bool sanitize;       // compile with -fsanitize=atomicity
  bool gdb;            // replay under gdb
  bool all_pairs;      // list all pairs of places that were not tried
  char **program;      // words, NULL at the end
  const char *command; // the words of the user, to repeat
  Buf expected;        // content of `expect`
  // ---- the work ----
  Slot *slots;
  uint64_t patience; // choices after which a program hangs
} Explore;

// ---- runs.c ----
bool slots_open(Explore *x); // false: an error was reported
void slots_close(Explore *x);
void run_start(Explore *x, Slot *s, Schedule schedule, bool told);
// Waits for the end of some run. NULL: none is under way.
Slot *run_wait(Explore *x);
Failure run_failure(Explore *x, Slot *s);
// The run in s from its start to its end.
Failure run_whole(Explore *x, Slot *s, Schedule schedule, bool told);
void run_describe(Explore *x, Slot *s, Failure f, Buf *to);
bool same_failure(Failure a, Failure b);
void output_read(int fd, Buf *to); // all of Slot.out or Slot.err
uint64_t now_ns(void);

// ---- schedule.c ----
uint64_t activity_hash(const fm__x_file *f, uint32_t who);
// The deviations that were made in the run.
Schedule schedule_made(Arena *a, const fm__x_file *f);
void schedule_print(const fm__x_file *f, Buf *to); // … as text
// false: an error was reported.
bool schedule_read(Arena *a, const char *text, Schedule *s);
void activity_print(const fm__x_file *f, uint32_t who, Buf *to); // "1/3"
// The shortest schedule found that fails in the same way; the run in x->slots[0] is that one.
Schedule schedule_shorten(Explore *x, Schedule s, Failure f, size_t *tries);

// ---- story.c ----
void story_print(const fm__x_file *f, FILE *to);
void place_print(const fm__x_file *f, uint32_t place, Buf *to); // "bank.c:12"

// ---- coverage.c ----
typedef struct Coverage Coverage;
Coverage *coverage_new(void);
void coverage_add(Coverage *c, const fm__x_file *f);
void coverage_print(const Coverage *c, bool all, FILE *to);
void coverage_free(Coverage *c);

#endif
