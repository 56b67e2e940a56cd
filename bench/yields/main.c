// main.c: Figure 12 of paper 004: microseconds for strcmp of two equal strings of 1 MB; the best of
// many chunks, taken in turns. before: the automatic yields of a call that has not paused; after:
// of one that has; explicit: `yield;`, which pauses each time; real: as before, in a function of
// thirty lines with a dozen pauses. Each beside the same loop, with the counter and without yields,
// in plain C.
#define PREFIX fm_
#include "loops.h"
int plain_calling(const char *s, const char *t);
int plain_waiting(const char *s, const char *t);
int plain_yielding(const char *s, const char *t);
int plain_comparing(const char *s, const char *t);

#include "../clock.h"
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1 << 20, CHUNKS = 200 };
static const char *s, *t;

static int plain_before(void) { return plain_calling(s, t); }
static int before(void) { return run fm_calling(s, t); }
static int plain_after(void) { return plain_waiting(s, t); }
static int after(void) { return run fm_waiting(s, t); }
static int plain_explicit(void) { return plain_yielding(s, t); }
static int explicit(void) { return run fm_yielding(s, t); }
static int plain_real(void) { return plain_comparing(s, t); }
static int real(void) { return run fm_comparing(s, t); }
static int atomically(void) { return atomic fm_calling(s, t); }

static const struct { const char *name; int (*f)(void); } side[] = {
  { "plain_before", plain_before }, { "before", before }, { "plain_after", plain_after }, { "after", after },
  { "plain_explicit", plain_explicit }, { "explicit", explicit }, 
  { "plain_real", plain_real }, { "real", real }, { "atomic", atomically },
};
enum { SIDES = sizeof side / sizeof *side };

static double time_of(int (*f)(void)) {
  long was = tallied;
  double start = now();
  if (f() != 0)
    abort();
  start = now() - start;
  if (tallied != was + SIZE / 4096)
    abort();
  return start;
}

static char *text(void) {
  char *p = aligned_alloc(4096, SIZE + 4096);
  if (!p)
    abort();
  memset(p, 'x', SIZE);
  p[SIZE] = 0;
  return p;
}

int main(int argc, char **argv) {
  double best[SIDES] = { 0 };
  s = text();
  t = text();
  for (int k = 0; k < (argc > 1 ? 1 : chunks(CHUNKS)); k++)
    for (int i = 0; i < SIDES; i++)
      if (argc < 2 || !strcmp(argv[1], side[i].name))
        keep_best(&best[i], time_of(side[i].f));
  for (int i = 0; i < SIDES; i++)
    if (best[i] > 0)
      printf("%s %.3f\n", side[i].name, best[i] / 1000);
  return 0;
}
