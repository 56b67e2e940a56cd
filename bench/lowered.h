// lowered.h: async functions of the benchmarks, as fmcc translates them, written by hand.
#ifndef LOWERED_H
#define LOWERED_H
#define FERMATA_NO_KEYWORDS
#include <fermata.h>
#include <stdlib.h>
#include <time.h>

#define CODE(f, T, member)                                                                                             \
  static const fm_code f##__fm_code = { f##__fm_resume, #f, __FILE__, NULL, 0, sizeof(f##_frame), member, sizeof(T), 0 }
#define NOT_VOID(f) offsetof(f##_frame, result)

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
#endif
