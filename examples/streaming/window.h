// window.h: figures of the prices of the last seconds. Plain C.
#ifndef WINDOW_H
#define WINDOW_H

#include "market.h"

#include <stdbool.h>
#include <stddef.h>

struct figures {
  size_t count;
  double first, last, low, high, mean, deviation;
};

// A queue of numbers of points, oldest first, whose prices only rise (or only fall): the first is
// the lowest (or highest) price of the window.
struct extreme {
  size_t *at;
  size_t begin, end;
};

struct window {
  struct point *points; // the last ones, by number % WINDOW_MOST
  size_t begin, end;    // numbers of the first point of the window, and of the next one
  int64_t length;       // of the window, in ms
  struct extreme low, high;
  double base, sum, squares; // of the prices less base, which keeps the digits of both sums
  size_t fresh;              // when the window begins here, both are summed anew, with a new base
};
enum { WINDOW_MOST = 8192 }; // points that are kept

bool window_init(struct window *w); // false: there is no memory
void window_free(struct window *w);
// Adds a point. The window then has the points that are less than `length` ms older than it; a
// length that has changed changes the window, also to points that it did not have before.
void window_add(struct window *w, struct point p, int64_t length);
struct figures window_figures(const struct window *w);

#endif
