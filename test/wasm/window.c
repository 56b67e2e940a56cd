// window.c: the window of examples/streaming beside one that looks at all points each time, with
// lengths that change; and its prices: the same at the same moment, moving by the root of the time.
#include "../../examples/streaming/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 60000 };

static struct point points[POINTS];

static struct figures slow_figures(size_t end, int64_t length) {
  size_t begin = end + 1 > WINDOW_MOST ? end + 1 - WINDOW_MOST : 0;
  while (points[begin].time <= points[end].time - length)
    begin++;
  struct figures f = { .count = end + 1 - begin,
                       .first = points[begin].price,
                       .last = points[end].price,
                       .low = points[begin].price,
                       .high = points[begin].price };
  for (size_t i = begin; i <= end; i++) {
    f.low = fmin(f.low, points[i].price);
    f.high = fmax(f.high, points[i].price);
    f.mean += points[i].price / (double)f.count;
  }
  for (size_t i = begin; i <= end; i++)
    f.deviation += pow(points[i].price - f.mean, 2) / (double)f.count;
  f.deviation = sqrt(f.deviation);
  return f;
}

static int differ(struct figures a, struct figures b) {
  return a.count != b.count || a.first != b.first || a.last != b.last || a.low != b.low ||
         a.high != b.high || fabs(a.mean - b.mean) > 1e-6 || fabs(a.deviation - b.deviation) > 1e-6;
}

static int try_window(void) {
  static const int64_t lengths[] = { 10000, 30000, 60000, 120000, 1000000, 1 };
  struct window w;
  bool whole = false;
  int64_t length = 30000;
  if (!window_init(&w))
    return 1;
  for (size_t i = 0; i < POINTS; i++) {
    int64_t step = MARKET_TICK * (1 + rand() % 5 * (rand() % 50 == 0) * 500);
    points[i].time = (i ? points[i - 1].time : 1700000000000) + step;
    points[i].price = market_price((int)(i / 10000), points[i].time);
    if (rand() % 700 == 0)
      length = lengths[rand() % 6];
    window_add(&w, points[i], length);
    if (i % 97 == 0 && differ(window_figures(&w), slow_figures(i, length))) {
      printf("point %zu, length %lld\n", i, (long long)length);
      break;
    }
    whole = i == POINTS - 1;
  }
  window_free(&w);
  return !whole;
}

// The mean square of the moves in `ms`, as a part of the price.
static double move(int instrument, int64_t ms) {
  double sum = 0;
  for (int64_t t = 0; t < 2000; t++) {
    double a = market_price(instrument, 1700000000000 + t * 7000);
    double b = market_price(instrument, 1700000000000 + t * 7000 + ms);
    sum += pow(b / a - 1, 2) / 2000;
  }
  return sqrt(sum);
}

static int try_market(void) {
  for (int i = 0; i < MARKET_INSTRUMENTS; i++) {
    double growth = move(i, 32000) / move(i, 2000); // 16 times as long
    if (growth < 2.5 || growth > 6 || move(i, 60000) > 0.05) {
      printf("%s moves by %g in 60 s; 16 times as long: %g\n", market[i].symbol, move(i, 60000),
             growth);
      return 1;
    }
  }
  for (int64_t a = 0; a < 300; a += 20)
    for (int64_t b = a; b < 1000; b += 20) {
      int64_t n = 0;
      for (int64_t t = a + 20; t < b; t += 20)
        n += market_due(t, 5);
      if (n != market_between(a, b, 5)) {
        printf("between %d and %d\n", (int)a, (int)b);
        return 1;
      }
    }
  return market_rate(0) != 1 || market_rate(7) != 5 || market_rate(1000) != 50 ||
         market_find("TIDE") != 2 || market_find("TID") != -1;
}

int main(void) {
  return try_window() || try_market();
}
