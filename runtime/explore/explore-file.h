// explore-file.h: the file that `fermata explore` and a program share while the program runs under
// one schedule. The tool writes how to choose; the program writes what happened. The program maps
// the file, so nothing is lost however it ends.
//
// An activity is an index: its number in its domain; 0 is plain code. Its name in a schedule is the
// way from plain code to it: `1/3` is the third activity that activity `1` made. That is the same
// in all schedules, and so is its hash. A *choice* is made each time the loop takes the next
// activity. It is known by the activity that ran before it, and how many choices came after that
// activity so far. A choice that differs from the default is a *deviation*, written `1/3.82>1/4`:
// at the 82nd choice after 1/3, activity 1/4 went on. `1/3.82>t`: there time passed to the next
// timer although activities were ready, and a further choice followed.
#ifndef FM_EXPLORE_FILE_H
#define FM_EXPLORE_FILE_H

#include <stdint.h>

#define FM__EXPLORE_MAGIC "fm-expl1"

enum {
  FM__X_ACTIVITIES = 1 << 17,
  FM__X_PLACES = 1 << 12,
  FM__X_TEXT = 1 << 18,
  FM__X_STEPS = 1 << 16,
  FM__X_CHOICES = 1 << 16,
  FM__X_MADE = 1 << 17,
  FM__X_PAIRS = 1 << 14
};

// How choices are made where no deviation is given.
enum {
  FM__X_DEFAULT, // an activity goes on at automatic yields; otherwise the first that is ready
  FM__X_SWITCH, // always the first that is ready
  FM__X_MIX     // by chance, with a probability of the run
};

// As an activity that goes on: none, time passes.
#define FM__X_TIME 0xffffffffu
#define FM__X_TIME_HASH 1u

// The default is kept at most so many times while the first one that is ready waits.
enum { FM__X_PATIENCE = 1000 };

typedef struct fm__x_deviation {
  uint64_t after;  // hash of the activity that ran before
  uint64_t next;   // hash of the one that goes on
  uint32_t number; // of the choice among those after that activity, from 1
  uint32_t unused;
} fm__x_deviation;

typedef struct fm__x_activity {
  uint64_t hash;
  uint32_t by, number; // by: the activity that made it, which is its number-th
  uint32_t made;       // how many it has made
  uint32_t choices;    // how many came after it
  uint32_t place;      // where it paused last; 0: not known
  uint32_t function;   // text; 0: it has not run
} fm__x_activity;

typedef struct fm__x_place {
  uint32_t file, function; // text
  uint32_t line;
} fm__x_place;

// Why a step ended.
enum {
  FM__X_INTERRUPTED, // an automatic yield
  FM__X_YIELDED,
  FM__X_WAITS,
  FM__X_ENDED
};

// Deviations at the end of a step.
enum {
  FM__X_SWITCHED = 1, // by default another one would have gone on
  FM__X_PASSED = 2    // time passed
};

typedef struct fm__x_step { // an activity ran, without another one between
  uint32_t who;
  uint32_t from, to; // places
  uint32_t why;      // why it ended
  uint32_t wanted;   // text: what it waits for; 0: nothing, or not asked for
  uint32_t deviates; // FM__X_SWITCHED …, at its end
} fm__x_step;

typedef struct fm__x_choice { // one that had an alternative
  uint32_t after, number;
  uint32_t place;
  uint32_t
      other; // the first activity that was ready and is not the default, or FM__X_TIME
} fm__x_choice;

typedef struct fm__x_made { // a deviation, with indices
  uint32_t after, number, next;
} fm__x_made;

// Places between which a switch can be: where an activity is interrupted, where another goes on.
typedef struct fm__x_pair {
  uint32_t at, to;
  uint32_t tried;
} fm__x_pair;

typedef struct fm__x_file {
  char magic[8];
  // ---- written by the tool ----
  uint32_t how;      // FM__X_DEFAULT …
  uint32_t told;     // 1: steps name what activities wait for
  uint64_t seed;     // of FM__X_MIX
  uint32_t timeless; // 1: time passes only when nothing is ready
  uint64_t patience; // choices after which the program hangs; 0: no limit
  uint32_t given_count;
  // ---- written by the program; the tool clears it first ----
  uint32_t process; // that uses the file
  uint64_t choices; // all of them
  uint32_t place_count, text_used;
  uint32_t step_count, choice_count, made_count, pair_count; // may exceed room
  uint32_t missed; // deviations that could not be made
  uint32_t hangs;  // 1: the program was ended because of `patience`
  uint32_t full;   // 1: a table was too small, and choices were the default's
  uint32_t others; // domains that the program has made beside the first
  // ---- tables ----
  fm__x_deviation given[FM__X_MADE];
  fm__x_activity activities[FM__X_ACTIVITIES];
  fm__x_place places[FM__X_PLACES];
  fm__x_step steps[FM__X_STEPS];
  fm__x_choice open[FM__X_CHOICES];
  fm__x_made made[FM__X_MADE];
  fm__x_pair pairs[FM__X_PAIRS];
  char text[FM__X_TEXT]; // strings with a NUL; the first one is empty
} fm__x_file;

// The exit status of a program that hangs.
enum { FM__X_HANGS = 124 };

static inline uint64_t fm__x_mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  return x;
}

// The hash of the number-th activity made by one with hash `by`; plain code has hash 0.
static inline uint64_t fm__x_hash(uint64_t by, uint32_t number) {
  return fm__x_mix(by * 31 + number + 1);
}

#endif
