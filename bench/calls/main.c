// main.c: Figures 10 and 11 of paper 004: what a call costs that does not pause, in nanoseconds;
// the best of many chunks, taken in turns. plain_: the C compiler alone; on_: Fermata; off_:
// Fermata with -fauto-yield=off.
#define PREFIX on_
#include "figures.h"
async int off_f10a(int d, int x);
int plain_self(int d, int x);
int plain_f10a(int d, int x);

#include "../clock.h"
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16, CALLS = (2 << DEPTH) - 1 + (1 << DEPTH), CHUNKS = 300 };

static int plain_10(int x) { return plain_f10a(DEPTH, x); }
static int plain_itself(int x) { return plain_self(DEPTH, x); }
static int on_10(int x) { return run on_f10a(DEPTH, x); }
static int on_itself(int x) { return run on_self(DEPTH, x); }
static int off_10(int x) { return run off_f10a(DEPTH, x); }
static int atomic_10(int x) { return atomic on_f10a(DEPTH, x); }
static int on_n4(int x) { return run on_n4a(DEPTH, x); }
static int on_n8(int x) { return run on_n8a(DEPTH, x); }

static const struct { const char *name; int (*f)(int x); } side[] = {
  { "plain", plain_10 }, { "on", on_10 }, { "atomic", atomic_10 }, { "off", off_10 }, { "n4", on_n4 }, { "n8", on_n8 },
  { "plain_self", plain_itself }, { "self", on_itself },
};
enum { SIDES = sizeof side / sizeof *side };

static double time_of(int (*f)(int), int x) {
  double start = now();
  if (f(x) != x + (1 << DEPTH))
    abort();
  return now() - start;
}

// With a name: that one alone, once, for tools that count instructions.
int main(int argc, char **argv) {
  double best[SIDES] = { 0 };
  for (int k = 0; k < (argc > 1 ? 1 : chunks(CHUNKS)); k++)
    for (int i = 0; i < SIDES; i++)
      if (argc < 2 || !strcmp(argv[1], side[i].name))
        keep_best(&best[i], time_of(side[i].f, k));
  for (int i = 0; i < SIDES; i++)
    if (best[i] > 0)
      printf("%s %.3f\n", side[i].name, best[i] / CALLS);
  return 0;
}
