// loops.c: see loops.h. In plain C `yield` is nothing, and the counter stands there alone.
#include "loops.h"

async int NAME(calling)(const char *s, const char *t) {
  while (*s && !(*s - *t)) {
    ++s;
    ++t;
    if (NOW_AND_THEN(s))
      tally();
  }
  return *s - *t;
}

async int NAME(waiting)(const char *s, const char *t) {
  yield;
  while (*s && !(*s - *t)) {
    ++s;
    ++t;
    if (NOW_AND_THEN(s))
      tally();
  }
  return *s - *t;
}

async int NAME(yielding)(const char *s, const char *t) {
  while (*s && !(*s - *t)) {
    ++s;
    ++t;
    if (NOW_AND_THEN(s)) {
      tally();
      yield;
    }
  }
  return *s - *t;
}
