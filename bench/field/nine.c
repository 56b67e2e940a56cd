// nine.c KIND N: does one thing N times, in a function that does nothing else, or (KIND_nine) after
// nine yields in the same function. nine.sh counts the instructions of each.
//     yield    two activities that yield to each other
//     chan     a message there and back
//     spawn    spawn and await
#include <fermata.h>
#include <fermata/sync.h>

#include <stdlib.h>
#include <string.h>

typedef fm_chan(int) int_chan;

#define NINE_YIELDS \
  yield;            \
  yield;            \
  yield;            \
  yield;            \
  yield;            \
  yield;            \
  yield;            \
  yield;            \
  yield

static async int one(int n) {
  return n;
}

// ---- yield ----
static async int bouncer(int n) {
  for (int i = 0; i < n; i++)
    yield;
  return n;
}

static async int bouncer_nine(int n) {
  NINE_YIELDS;
  for (int i = 0; i < n; i++)
    yield;
  return n;
}

static async int yields(int n) {
  auto a = spawn bouncer(n), b = spawn bouncer(n);
  return (await a + await b) / 2;
}

static async int yields_nine(int n) {
  auto a = spawn bouncer_nine(n), b = spawn bouncer_nine(n);
  return (await a + await b) / 2;
}

// ---- chan ----
static async int there(int_chan *to, int_chan *from, int n)
    throws(struct fm_closed) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    fm_send(to, 1);
    sum += fm_recv(from);
  }
  return sum;
}

static async int there_nine(int_chan *to, int_chan *from, int n)
    throws(struct fm_closed) {
  int sum = 0;
  NINE_YIELDS;
  for (int i = 0; i < n; i++) {
    fm_send(to, 1);
    sum += fm_recv(from);
  }
  return sum;
}

static async void back(int_chan *from, int_chan *to, int n)
    throws(struct fm_closed) {
  for (int i = 0; i < n; i++)
    fm_send(to, fm_recv(from));
}

static async void back_nine(int_chan *from, int_chan *to, int n)
    throws(struct fm_closed) {
  NINE_YIELDS;
  for (int i = 0; i < n; i++)
    fm_send(to, fm_recv(from));
}

static async int trips(int n, bool nine) {
  int_chan a, b;
  int sum = 0;
  fm_chan_init(&a, 0);
  fm_chan_init(&b, 0);
  try {
    scope {
      if (nine) {
        spawn back_nine(&a, &b, n);
        sum = there_nine(&a, &b, n);
      } else {
        spawn back(&a, &b, n);
        sum = there(&a, &b, n);
      }
    }
  } catch (struct fm_closed e) {
    (void)e;
  }
  return sum;
}

// ---- spawn ----
static async int spawns(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += await spawn one(1);
  return sum;
}

static async int spawns_nine(int n) {
  int sum = 0;
  NINE_YIELDS;
  for (int i = 0; i < n; i++)
    sum += await spawn one(1);
  return sum;
}

async int main(int argc, char **argv) {
  int n = argc > 2 ? atoi(argv[2]) : 0, done;
  bool nine = argc > 2 && strstr(argv[1], "_nine");
  if (argc < 3)
    return 2;
  if (strncmp(argv[1], "yield", 5) == 0)
    done = nine ? yields_nine(n) : yields(n);
  else if (strncmp(argv[1], "chan", 4) == 0)
    done = trips(n, nine);
  else
    done = nine ? spawns_nine(n) : spawns(n);
  return done != n;
}
