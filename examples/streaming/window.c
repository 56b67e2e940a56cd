// window.c: each point is added and dropped once, so a point costs the same in a long window and in
// a short one.
#include "window.h"

#include <math.h>
#include <stdlib.h>

static double price(const struct window *w, size_t number) {
  return w->points[number % WINDOW_MOST].price;
}

bool window_init(struct window *w) {
  *w = (struct window){ .points = malloc(WINDOW_MOST * sizeof *w->points) };
  w->low.at = malloc(WINDOW_MOST * sizeof *w->low.at);
  w->high.at = malloc(WINDOW_MOST * sizeof *w->high.at);
  return w->points && w->low.at && w->high.at;
}

void window_free(struct window *w) {
  free(w->points);
  free(w->low.at);
  free(w->high.at);
}

// Prices that can never be the extreme again go: a later one is beyond them. sign -1: the lowest.
static void extreme_add(struct window *w, struct extreme *e, size_t number, double sign) {
  while (e->end > e->begin &&
         sign * price(w, e->at[(e->end - 1) % WINDOW_MOST]) <= sign * price(w, number))
    e->end--;
  e->at[e->end++ % WINDOW_MOST] = number;
}

static void extreme_drop(struct extreme *e, size_t number) {
  if (e->begin < e->end && e->at[e->begin % WINDOW_MOST] == number)
    e->begin++;
}

static void count(struct window *w, size_t number, double sign) {
  double d = price(w, number) - w->base;
  w->sum += sign * d;
  w->squares += sign * d * d;
}

static void drop_first(struct window *w) {
  count(w, w->begin, -1);
  extreme_drop(&w->low, w->begin);
  extreme_drop(&w->high, w->begin);
  w->begin++;
}

static void take_in(struct window *w, size_t number) {
  count(w, number, 1);
  extreme_add(w, &w->low, number, -1);
  extreme_add(w, &w->high, number, 1);
}

static void empty(struct window *w) {
  w->sum = w->squares = 0; // without what rounding has left
  w->low.begin = w->low.end = 0;
  w->high.begin = w->high.end = 0;
}

// The window has another length: it is made anew from the points that are kept.
static void rebuild(struct window *w, int64_t after) {
  empty(w);
  w->begin = w->end < WINDOW_MOST ? 0 : w->end - WINDOW_MOST + 1; // one place is for the new point
  while (w->begin < w->end && w->points[w->begin % WINDOW_MOST].time <= after)
    w->begin++;
  for (size_t i = w->begin; i < w->end; i++)
    take_in(w, i);
}

// Sums are made anew once in a window's length: rounding errors do not grow, and the base stays near
// the prices.
static void refresh(struct window *w) {
  w->base = price(w, w->end - 1);
  w->sum = w->squares = 0;
  for (size_t i = w->begin; i < w->end; i++)
    count(w, i, 1);
  w->fresh = w->end;
}

void window_add(struct window *w, struct point p, int64_t length) {
  if (length != w->length)
    rebuild(w, p.time - length);
  w->length = length;
  while (w->begin < w->end && (w->end - w->begin == WINDOW_MOST ||
                               w->points[w->begin % WINDOW_MOST].time <= p.time - length))
    drop_first(w);
  w->points[w->end % WINDOW_MOST] = p;
  take_in(w, w->end);
  w->end++;
  if (w->begin >= w->fresh)
    refresh(w);
}

struct figures window_figures(const struct window *w) {
  size_t n = w->end - w->begin;
  if (!n)
    return (struct figures){ 0 };
  double mean = w->sum / (double)n;
  double variance = w->squares / (double)n - mean * mean;
  return (struct figures){ .count = n,
                           .first = price(w, w->begin),
                           .last = price(w, w->end - 1),
                           .low = price(w, w->low.at[w->low.begin % WINDOW_MOST]),
                           .high = price(w, w->high.at[w->high.begin % WINDOW_MOST]),
                           .mean = w->base + mean,
                           .deviation = variance > 0 ? sqrt(variance) : 0 };
}
