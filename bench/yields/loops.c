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

enum { PAGES = 1 << 20 };

async int NAME(comparing)(const char *s, const char *t) {
  int pages = 0, tries = 0, result = 0;
  while (stopped) {
    if (++tries > 100)
      goto out;
    yield;
  }
  if (traced) {
    tally();
    yield;
  }
  while (*s && !(*s - *t)) {
    ++s;
    ++t;
    if (NOW_AND_THEN(s)) {
      tally();
      if (stopped) {
        tally();
        yield;
        yield;
      }
      if (++pages == PAGES) {
        tally();
        yield;
        pages = 0;
      }
    }
  }
  result = *s - *t;
  if (traced && result) {
    tally();
    yield;
    tally();
  }
out:
  if (traced) {
    yield;
  }
  return result;
}
