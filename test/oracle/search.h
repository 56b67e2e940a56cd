// search.h: the traces of a program.
#ifndef SEARCH_H
#define SEARCH_H

#include "machine.h"

#include <stddef.h>

typedef struct Trace {
  int count;
  bool longer; // than the machine's traces can be
  struct {
    int place, value;
  } token[MAX_TRACE];
} Trace;

enum { MAX_NEXT = 8 };
typedef enum { NO, YES, UNKNOWN } Answer;

// In the order of the queue; false: the machine has no room for the program.
bool search_fifo(const Program *p, State *m);
// tick: with automatic yields that switch.
Answer search_member(const Program *p, const Trace *t, bool tick, size_t limit);
// The run of the machine that agrees with the trace for longest. m: its state at the next choice
// after that; next: what the machine can print there.
typedef struct Closest {
  int agrees; // how many tokens
  int nexts;
  struct {
    int place, value;
  } next[MAX_NEXT];
} Closest;
int agreement(const State *m, const Trace *t); // how many tokens are the same
Closest search_closest(const Program *p, const Trace *t, bool tick, size_t limit, State *m);
// false: there are more than limit states.
bool search_all(const Program *p,
                bool tick,
                size_t limit,
                void (*outcome)(const State *m, void *arg),
                void *arg);
#endif
