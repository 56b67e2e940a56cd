// idiom.h: an idiom is IDIOM(name, statements): a function that does them three times, with a pause before and behind. `n` is the turn, `r`
// the result. Y pauses, pv(x) is x after a pause. With -DPLAIN all of it is plain C: nothing pauses.
#ifndef IDIOM_H
#define IDIOM_H

#ifdef PLAIN
#define async
#define yield
#define await
#define atomic
#else
#include <fermata.h>
#endif
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define Y yield;
async int pv(int x) { Y return x; }
async long pl(long x) { Y return x; }
async unsigned pu(unsigned x) { Y return x; }
async double pd(double x) { Y return x; }
async void *pp(void *x) { Y return x; }
async char *ps(const char *x) { Y return (char *)x; }
async bool pb(bool x) { Y return x; }
async void po(int *to, int x) { Y *to = x; Y }
static int sv(int x) { return x; }                // a plain call: an automatic yield stands before and behind it

#define IDIOM(name, ...) \
  async int name(void) { int r = 0; for (int n = 0; n < 3; n++) { Y { __VA_ARGS__ } Y } return r; }

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ({ __typeof__(a) min_a = (a); __typeof__(b) min_b = (b); min_a < min_b ? min_a : min_b; })
#define MAX(a, b) ({ __typeof__(a) max_a = (a); __typeof__(b) max_b = (b); max_a > max_b ? max_a : max_b; })
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define SWAP(a, b) do { __typeof__(a) swap_t = (a); (a) = (b); (b) = swap_t; } while (0)

#endif
