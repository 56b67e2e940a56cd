// Functions with many pauses have one text for calls and for going on. Called and resumed, with a frame from the beginning and
// without, they do what small functions do: inline operations, yields, waits, tail calls, errors, results of all sizes.
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>
#include <stdio.h>

#define NINE(x)                                                                                                        \
  if (x) {                                                                                                             \
    yield; yield; yield; yield; yield; yield; yield; yield; yield;                                                     \
  }
typedef fm_chan(long) chan;
typedef struct { long a, b, c; } three;
struct oops { int n; };

// ---- frame from the beginning: channels, arrays ----
static async void echo(chan *in, chan *out, long n, int first) {
  NINE(first)
  try {
    for (long i = 0; i < n; i++)
      fm_send(out, fm_recv(in) + 1);
  } catch (struct fm_closed e) {
    printf("closed\n");
  }
}

static async long ping(chan *out, chan *in, long n, int first) {
  NINE(first)
  long v = 0;
  try {
    for (long i = 0; i < n; i++) {
      fm_send(out, v);
      v = fm_recv(in);
    }
  } catch (struct fm_closed e) {
    return -v;
  }
  return v;
}

static async three framed(int n, int first) {
  int all[4] = { n, n + 1, n + 2, n + 3 }, *p = all;
  NINE(first)
  for (int i = 0; i < 4; i++) {
    yield;
    p[i] *= 2;
  }
  return (three){ all[0], all[1] + all[2], all[3] };
}

static async int variable(int n, int first) throws(struct oops) {
  int v[n];
  for (int i = 0; i < n; i++)
    v[i] = i;
  NINE(first)
  if (n == 3)
    throw (struct oops){ n };
  return v[n - 1];
}

// ---- no frame before the first pause ----
static async three lazy(long n, int first) {
  three t = { n, 0, 0 };
  NINE(first)
  t.b = n + 1;
  yield;
  t.c = n + 2;
  return t;
}

static async int call(int n, int pauses) {
  if (pauses)
    yield;
  return n;
}

static async int calls(int n, int pauses) throws(struct oops) {
  int sum = call(n, pauses) + call(n + 1, 0) + call(n + 2, pauses);
  for (int i = 0; i < 3; i++)
    sum += call(i, pauses) * call(1, i == 1);
  if (call(n, pauses) == 13)
    throw (struct oops){ sum };
  { int i = sum; sum += call(i, pauses); }
  { int i = sum + 1; sum = call(i, pauses); }
  return sum;
}

static async int tail(int n, int pauses) {
  NINE(pauses & 2)
  if (n == 0)
    return call(7, pauses & 1);
  return tail(n - 1, pauses);
}

// `return f(x);` of a function that has its frame from the beginning
static async int framed_tail(int n, int pauses) {
  {
    char text[16];
    snprintf(text, sizeof text, "%d", n);
    NINE(pauses & 2)
    if (text[0] == '0')
      return call(8, pauses & 1);
  }
  return framed_tail(n - 1, pauses);
}

static async void sleeps(int n, int first) {
  NINE(first)
  for (int i = 0; i < n; i++)
    fm_sleep(1);
}

static async long awaits(int n, int first) {
  long sum = 0;
  NINE(first)
  for (int i = 0; i < n; i++) {
    auto t = spawn call(i, i & 1);
    sum += await t;
  }
  return sum;
}

#define SAY(format, value)                                                                                             \
  do {                                                                                                                 \
    long v = value;                                                                                                    \
    sum = sum * 31 % 1000003 + v;                                                                                                \
    if (loud)                                                                                                          \
      printf(format, v);                                                                                               \
  } while (0)

static async long all(int first, int loud) {
  long sum = 0;
  chan a, b;
  fm_chan_init(&a, 0);
  fm_chan_init(&b, 0);
  auto e = spawn echo(&a, &b, 5, first);
  SAY("ping %ld\n", ping(&a, &b, 5, first));
  await e;
  e = spawn echo(&a, &b, 2, first);
  SAY("ping %ld\n", ping(&a, &b, 2, first));
  await e;
  fm_chan_close(&a);
  SAY("closed %ld\n", ping(&a, &b, 5, first));
  three t = framed(1, first), u = lazy(5, first);
  SAY("framed %ld\n", t.a * 10000 + t.b * 100 + t.c);
  SAY("lazy %ld\n", u.a * 10000 + u.b * 100 + u.c);
  for (int n = 2; n < 5; n++) {
    try {
      SAY("variable %ld\n", variable(n, first));
    } catch (struct oops o) {
      SAY("oops %ld\n", o.n);
    }
  }
  for (int n = 12; n < 15; n++) {
    try {
      SAY("calls %ld\n", calls(n, 0) + 1000 * calls(n, 1));
    } catch (struct oops o) {
      SAY("oops %ld\n", o.n);
    }
  }
  for (int pauses = 0; pauses < 4; pauses++)
    SAY("tail %ld\n", tail(20, pauses) * 10 + framed_tail(9, pauses));
  sleeps(3, first);
  SAY("awaits %ld\n", awaits(4, first));
  return sum;
}

// Several at once, in a scope that a cancel ends while all of them wait.
static async void cancelled(void) {
  chan none;
  fm_chan_init(&none, 0);
  scope (these) {
    spawn echo(&none, &none, 1, 0);
    spawn echo(&none, &none, 1, 1);
    spawn sleeps(1000, 0);
    spawn sleeps(1000, 1);
    fm_sleep(5);
    fm_cancel(these);
    fm_sleep(1);
  } else {
    printf("cancelled\n");
  }
}

async int main(void) {
  long sum = all(0, 1);
  printf("%d\n", all(1, 1) == sum);
  auto t = spawn all(0, 0), u = spawn all(1, 0);
  printf("%d\n", await t == sum && await u == sum);
  cancelled();
  return 0;
}
// expect: ping 5
// expect: ping 2
// expect: closed 0
// expect: framed 21008
// expect: lazy 50607
// expect: variable 1
// expect: oops 3
// expect: variable 3
// expect: calls 85085
// expect: oops 45
// expect: calls 97097
// expect: tail 78
// expect: tail 78
// expect: tail 78
// expect: tail 78
// expect: awaits 6
// expect: ping 5
// expect: ping 2
// expect: closed 0
// expect: framed 21008
// expect: lazy 50607
// expect: variable 1
// expect: oops 3
// expect: variable 3
// expect: calls 85085
// expect: oops 45
// expect: calls 97097
// expect: tail 78
// expect: tail 78
// expect: tail 78
// expect: tail 78
// expect: awaits 6
// expect: 1
// expect: 1
// expect: cancelled
