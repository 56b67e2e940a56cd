// Spawn and await as in language.c, in functions as people write them: some thirty lines, a dozen
// pauses, a loop, errors and a defer. Nearly all orders take the way on which nothing has to be
// waited for, so what is measured is spawn and await; the rest is taken now and then, and checked.
#include <fermata.h>
#include <fermata/sync.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 100000, CHUNKS = 200, BATCH = 50000, CREDIT = 1000, PAGE = 1 << 14 };

typedef fm_chan(int) int_chan;
struct refused {
  int order;
};

// Not static: no compiler can know that these seldom change.
int_chan wanted, deliveries, claims, answers, pages;
int stock, open_orders, refusals, counting;
static task(int) tasks[N];

static int price_of(int id, int amount) throws(struct refused) {
  if (amount < 1)
    throw(struct refused){ id };
  return amount;
}

async static int order(int id, int amount) {
  int cost = 0, tries = 0;
  open_orders++;
  defer open_orders--;
  try {
    while (counting) {
      if (++tries > 5)
        throw(struct refused){ id };
      yield;
    }
    while (amount > stock) {
      fm_send(&wanted, BATCH);
      stock += fm_recv(&deliveries);
    }
    stock -= amount;
    cost = price_of(id, amount);
    if (cost > CREDIT) {
      fm_send(&claims, cost);
      int allowed = fm_recv(&answers);
      yield;
      if (cost > allowed)
        throw(struct refused){ id };
    }
    if (open_orders > N) {
      yield;
      fm_send(&claims, -open_orders);
      open_orders -= fm_recv(&answers);
      yield;
    }
    if (id % PAGE == PAGE - 1) {
      fm_send(&pages, id / PAGE);
      yield;
    }
  } catch (struct refused e) {
    refusals += e.order;
  } catch (struct fm_closed e) {
    cost = 0;
  }
  return cost;
}

// ---- those whom orders seldom need; 0 ends them ----
async static void supplier(void) throws(struct fm_closed) {
  for (int n; (n = fm_recv(&wanted)) != 0;)
    fm_send(&deliveries, n);
}

async static void bank(void) throws(struct fm_closed) {
  for (int n; (n = fm_recv(&claims)) != 0;)
    fm_send(&answers, n < 0 ? 1 : n);
}

async static void printer(void) throws(struct fm_closed) {
  while (fm_recv(&pages) >= 0)
    ;
}

// A function of thirty lines with a dozen pauses. begin: before the loop; cost_of: the cost of the
// order i. It is text, because a function would have pauses of its own.
#define SHOP(name, begin, cost_of)                    \
  async static int name(int n, task(int) *t) {        \
    int sum = 0, worst = 0, since = 0;                \
    open_orders++;                                    \
    defer open_orders--;                              \
    yield;                                            \
    try {                                             \
      fm_send(&wanted, BATCH);                        \
      stock = fm_recv(&deliveries);                   \
      begin;                                          \
      for (int i = 0; i < n; i++) {                   \
        int cost = cost_of;                           \
        if (cost > worst)                             \
          worst = price_of(i, cost);                  \
        sum += cost;                                  \
        if (++since == PAGE) {                        \
          fm_send(&pages, i);                         \
          since = 0;                                  \
          yield;                                      \
        }                                             \
        if (sum < 0) {                                \
          fm_send(&claims, sum);                      \
          sum = fm_recv(&answers);                    \
        }                                             \
      }                                               \
      fm_send(&wanted, 0);                            \
      fm_send(&claims, 0);                            \
      fm_send(&pages, -1);                            \
      yield;                                          \
    } catch (struct refused e) {                      \
      sum = -e.order;                                 \
    } catch (struct fm_closed e) {                    \
      sum = -1;                                       \
    }                                                 \
    return sum;                                       \
  }

SHOP(shop_in_turn, (void)t, await spawn order(i, 1))
SHOP(shop_many, for (int i = 0; i < n; i++) t[i] = spawn order(i, 1), await t[i])

async static int day(bool in_turn) throws(struct fm_closed) {
  fm_chan_init(&wanted, 0);
  fm_chan_init(&deliveries, 0);
  fm_chan_init(&claims, 0);
  fm_chan_init(&answers, 0);
  fm_chan_init(&pages, 0);
  int sum = 0;
  scope {
    spawn supplier();
    spawn bank();
    spawn printer();
    sum = in_turn ? shop_in_turn(N, tasks) : shop_many(N, tasks);
  }
  return sum;
}

static double time_of(bool in_turn) {
  double start = now();
  int got = 0;
  try {
    got = run day(in_turn);
  } catch (struct fm_closed e) {
    (void)e;
  }
  if (got != N || open_orders != 0 || refusals != 0)
    abort();
  return (now() - start) / N;
}

int main(void) {
  double turn = 0, all = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    keep_best(&turn, time_of(true));
    keep_best(&all, time_of(false));
  }
  printf("spawn %.2f\nmany %.2f\n", turn, all);
  return 0;
}
