// market.c: prices that look like random walks, but are functions of time. A price is a sum of
// noises: each has random values at moments that are a period apart, and is smooth between them;
// periods double from 80 ms to 45 minutes. A random walk moves by the square root of the time, so
// each noise is as strong as the root of its period.
#include "market.h"

#include <math.h>
#include <string.h>

const struct instrument market[MARKET_INSTRUMENTS] = {
  { "NORD", "Nordlicht Wind", "EUR", 84.20, 0.0021, 2 },
  { "KILN", "Kiln & Clay", "USD", 212.75, 0.0014, 2 },
  { "TIDE", "Tidewater Freight", "GBP", 37.46, 0.0032, 2 },
  { "OPAL", "Opal Instruments", "USD", 1184.30, 0.0011, 2 },
  { "FERN", "Fernweh Railways", "CHF", 59.88, 0.0018, 2 },
  { "HELI", "Helios Storage", "EUR", 146.05, 0.0040, 2 },
};

int market_find(const char *symbol) {
  for (int i = 0; i < MARKET_INSTRUMENTS; i++)
    if (!strcmp(market[i].symbol, symbol))
      return i;
  return -1;
}

// ---- noise ----
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

// From -1 to 1.
static double random_at(int instrument, int octave, int64_t step) {
  uint64_t key = mix((uint64_t)step * 64 + (uint64_t)octave) + (uint64_t)instrument * 0x9e3779b9u;
  return (double)(mix(key) >> 11) / (double)(1ull << 52) - 1;
}

static double noise(int instrument, int octave, double period, int64_t time) {
  double at = (double)time / period;
  double step = floor(at);
  double part = at - step;
  double weight = part * part * (3 - 2 * part);
  double before = random_at(instrument, octave, (int64_t)step);
  double after = random_at(instrument, octave, (int64_t)step + 1);
  return before + (after - before) * weight;
}

double market_price(int instrument, int64_t time) {
  const struct instrument *m = &market[instrument];
  double sum = 0;
  for (int octave = 0; octave < 16; octave++) {
    double period = 80.0 * (1 << octave);
    sum += noise(instrument, octave, period, time) * sqrt(period / 60000);
  }
  double price = m->price * exp(sum * m->volatility);
  double steps = pow(10, m->digits);
  return round(price * steps) / steps;
}

// ---- rates ----
int market_rate(int wanted) {
  static const int rates[] = { 50, 25, 10, 5, 2 };
  for (unsigned i = 0; i < sizeof rates / sizeof *rates; i++)
    if (wanted >= rates[i])
      return rates[i];
  return 1;
}

int market_due(int64_t time, int rate) {
  return time / MARKET_TICK % (MARKET_FASTEST / rate) == 0;
}

int64_t market_between(int64_t after, int64_t before, int rate) {
  int64_t step = 1000 / rate;
  return before > after ? (before - 1) / step - after / step : 0;
}
