// Channels and MVars between domains: values in order, closing, races, cancels, a try from elsewhere, many senders.
// flags: -pthread
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) int_chan;
typedef struct wide { char name[40]; int n; } wide;
typedef fm_chan(wide) wide_chan;
typedef fm_mvar(long) long_var;

static async int add_all(int_chan *c) {
  int sum = 0;
  try {
    for (;;) sum += fm_recv(c);
  } catch (struct fm_closed e) { (void)e; }
  return sum;
}

static async void count(int_chan *c, int from, int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++) fm_send(c, from + i);
}

static async int in_order(int_chan *c, int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++) if (fm_recv(c) != i) return 0;
  return 1;
}

static async void echo(wide_chan *in, wide_chan *out) throws(struct fm_closed) {
  for (int i = 0; i < 100; i++) {
    wide w = fm_recv(in);
    w.n++;
    fm_send(out, w);
  }
}

static async int take_or_stop(int_chan *c, int_chan *stop) throws(struct fm_closed) {
  int got = 0;
  for (;;) {
    bool over = false;
    race {
      case fm_recv(c): got++;
      case fm_recv(stop): over = true;
    }
    if (over) return got;
  }
}

static async void swap(long_var *a, long_var *b, int n) {
  for (int i = 0; i < n; i++) fm_put(b, fm_take(a) + 1);
}

static async bool try_here(int_chan *c) {
  int v;
  return fm_try_send(c, 1) || fm_try_recv(c, &v);
}

static async void close_it(int_chan *c) { fm_chan_close(c); }

static async void wait_for_one(int_chan *c) throws(struct fm_closed) { fm_recv(c); }

async int main(void) {
  fm_pool *p = fm_pool_new(2);
  try {
    int caps[] = { 0, 1, 100 };
    for (int i = 0; i < 3; i++) {
      int_chan c;
      fm_chan_init(&c, (size_t)caps[i]);
      auto t = spawn on(p) in_order(&c, 1000);
      count(&c, 0, 1000);
      printf("%d\n", await t); // expect: 1
                               // expect: 1
                               // expect: 1
      auto u = spawn on(p) count(&c, 0, 1000);
      printf("%d\n", in_order(&c, 1000)); // expect: 1
                                          // expect: 1
                                          // expect: 1
      await u;
      fm_chan_free(&c);
    }

    int_chan many;
    fm_chan_init(&many, 3);
    auto sum = spawn on(p) add_all(&many);
    auto sum2 = spawn add_all(&many);
    auto s1 = spawn on(p) count(&many, 0, 500);
    auto s2 = spawn on(p) count(&many, 500, 500);
    auto s3 = spawn count(&many, 1000, 500);
    await s1;
    await s2;
    await s3;
    auto closing = spawn on(p) close_it(&many);
    await closing;
    int total = await sum;
    printf("%d\n", total + await sum2); // expect: 1124250
    try {
      fm_send(&many, 1);
    } catch (struct fm_closed e) {
      (void)e;
      printf("closed\n"); // expect: closed
    }

    wide_chan in, out;
    fm_chan_init(&in, 0);
    fm_chan_init(&out, 0);
    auto e = spawn on(p) echo(&in, &out);
    int right = 0;
    for (int i = 0; i < 100; i++) {
      wide w = { "a name", i };
      fm_send(&in, w);
      right += fm_recv(&out).n == i + 1;
    }
    await e;
    printf("%d\n", right); // expect: 100

    long_var a, b;
    fm_mvar_init(&a);
    fm_mvar_init(&b);
    auto s = spawn on(p) swap(&a, &b, 100);
    fm_put(&a, 0);
    for (int i = 0; i < 99; i++) fm_put(&a, fm_take(&b));
    await s;
    printf("%ld\n", fm_take(&b)); // expect: 100

    int_chan c, stop;
    fm_chan_init(&c, 0);
    fm_chan_init(&stop, 0);
    auto racer = spawn on(p) take_or_stop(&c, &stop);
    for (int i = 0; i < 50; i++) fm_send(&c, i);
    fm_send(&stop, 1);
    printf("%d\n", await racer); // expect: 50

    auto tried = spawn on(p) try_here(&c);
    printf("%d\n", await tried); // expect: 0

    for (int i = 0; i < 20; i++) {          // each value is taken, by the one who is cancelled or by us
      auto w = spawn on(p) wait_for_one(&c);
      bool taken = true;
      if (i & 1) yield;
      fm_cancel(fm_id(w));
      race {
        case fm_send(&c, i): break;
        case fm_sleep(20): taken = false;
      }
      try {
        await w;
        if (!taken) printf("lost\n");
      } catch (struct fm_cancelled k) {
        (void)k;
        if (taken) printf("sent to no one\n");
      }
    }
    printf("end\n"); // expect: end
  } catch (struct fm_closed e) {
    (void)e;
    printf("closed too early\n");
  }
  fm_pool_free(p);
  return 0;
}
