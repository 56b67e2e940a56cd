// market.h: the instruments, and their prices at any moment. Plain C, for the server and the page.
#ifndef MARKET_H
#define MARKET_H

#include <stdint.h>

enum {
  MARKET_INSTRUMENTS = 6,
  MARKET_TICK = 20,    // milliseconds between two prices
  MARKET_KEPT = 9000,  // so many prices are kept for a subscriber that is slow: three minutes
  MARKET_FASTEST = 50, // prices a second; slower rates divide it
};

struct instrument {
  const char *symbol, *name, *unit;
  double price;      // about which it moves
  double volatility; // its part of the price, in a minute
  int digits;        // of a price, after the point
};
extern const struct instrument market[MARKET_INSTRUMENTS];

struct point {
  int64_t time; // milliseconds since 1970, a multiple of MARKET_TICK
  double price;
};

// Returns the number of the instrument; -1: there is none.
int market_find(const char *symbol);
// Returns the price. It depends on the instrument and the moment alone: a server that was started
// again goes on where it was, and a page without a server shows the same prices.
double market_price(int instrument, int64_t time);
// Returns the nearest rate that there is: 1, 2, 5, 10, 25 or 50 prices a second.
int market_rate(int wanted);
// Returns whether a subscriber with that rate gets the price of this moment.
int market_due(int64_t time, int rate);
// Returns how many prices such a subscriber gets after one moment and before another.
int64_t market_between(int64_t after, int64_t before, int rate);

#endif
