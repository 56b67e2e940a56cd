// atomic.c: the same code with and without a gap in which others can come: f_risky and f_safer of "Cooperative Concurrency Needs atomic"
// (paper 004, Fig. 6).
//
// Two asynchronous calls give two values that belong together. Between them someone else may run, and change what the second one
// sees. Whether that matters only the caller knows, so the caller says it: `atomic` around both, and nobody comes in between. The API stays as
// it is, and remains asynchronous for everyone else.
//   fmcc -O2 -o atomic atomic.c && FERMATA_DRIVER=virtual ./atomic
#include <fermata.h>
#include <fermata/time.h>

static struct { long euros, cents; } price = { 9, 99 }; // kept by a service that is asked for each half

static async long api1(void) { fm_sleep(1); return price.euros; }
static async long api2(void) { fm_sleep(1); return price.cents; }

static async long f_risky(void) {
  long x1 = api1();
  long x2 = api2();
  return x1 * 100 + x2;
}

static async long f_safer(void) {
  long x1, x2;
  atomic {
    x1 = api1();
    x2 = api2();
  }
  return x1 * 100 + x2;
}

static async void raise_price(void) {             // from 9.99 to 10.00
  fm_sleep(1);
  price.euros = 10;
  price.cents = 0;
}

static async void play(const char *name, async long (*f)(void)) {
  price.euros = 9;
  price.cents = 99;
  auto t = spawn f();
  spawn raise_price();
  printf("%s: %ld cents\n", name, await t);
}

async int main(void) {
  play("risky", f_risky);
  play("safer", f_safer);
  return 0;
}
// env: FERMATA_DRIVER=virtual
// output: risky: 900 cents
// output: safer: 999 cents
