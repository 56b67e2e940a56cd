// Spawn and await in functions as people write them: real.c, in C++20.
#include "../channels/channel.hpp"

enum { N = 100000, CHUNKS = 200, BATCH = 50000, CREDIT = 1000, PAGE = 1 << 14 };

struct Refused {
  int order;
};

// Not static: no compiler can know that these seldom change.
Channel wanted, deliveries, claims, answers, pages;
int stock, open_orders, refusals, counting;
static Task tasks[N];

struct Open {
  Open() { open_orders++; }
  ~Open() { open_orders--; }
};

static int price_of(int id, int amount) {
  if (amount < 1) throw Refused{ id };
  return amount;
}

static Task order(int id, int amount) {
  int cost = 0, tries = 0;
  Open open;
  try {
    while (counting) {
      if (++tries > 5) throw Refused{ id };
      co_await Yield();
    }
    while (amount > stock) {
      co_await wanted.send(BATCH);
      stock += co_await deliveries.recv();
    }
    stock -= amount;
    cost = price_of(id, amount);
    if (cost > CREDIT) {
      co_await claims.send(cost);
      int allowed = co_await answers.recv();
      co_await Yield();
      if (cost > allowed) throw Refused{ id };
    }
    if (open_orders > N) {
      co_await Yield();
      co_await claims.send(-open_orders);
      open_orders -= co_await answers.recv();
      co_await Yield();
    }
    if (id % PAGE == PAGE - 1) {
      co_await pages.send(id / PAGE);
      co_await Yield();
    }
  } catch (const Refused &e) {
    refusals += e.order;
  }
  co_return cost;
}

// ---- those whom orders seldom need; 0 ends them ----
static Task supplier() {
  for (;;) {
    int n = co_await wanted.recv();
    if (n == 0) co_return 0;
    co_await deliveries.send(n);
  }
}

static Task bank() {
  for (;;) {
    int n = co_await claims.recv();
    if (n == 0) co_return 0;
    co_await answers.send(n < 0 ? 1 : n);
  }
}

static Task printer() {
  for (;;) {
    int page = co_await pages.recv();
    if (page < 0) co_return 0;
  }
}

// As in real.c. begin: before the loop; cost_of: the cost of the order i.
#define SHOP(name, begin, cost_of) \
  static Task name(int n, Task *t) {                  \
    int sum = 0, worst = 0, since = 0;                \
    Open open;                                        \
    co_await Yield();                                 \
    try {                                             \
      co_await wanted.send(BATCH);                    \
      stock = co_await deliveries.recv();             \
      begin;                                          \
      for (int i = 0; i < n; i++) {                   \
        int cost = cost_of;                           \
        if (cost > worst) worst = price_of(i, cost);  \
        sum += cost;                                  \
        if (++since == PAGE) {                        \
          co_await pages.send(i);                     \
          since = 0;                                  \
          co_await Yield();                           \
        }                                             \
        if (sum < 0) {                                \
          co_await claims.send(sum);                  \
          sum = co_await answers.recv();              \
        }                                             \
      }                                               \
      co_await wanted.send(0);                        \
      co_await claims.send(0);                        \
      co_await pages.send(-1);                        \
      co_await Yield();                               \
    } catch (const Refused &e) {                      \
      sum = -e.order;                                 \
    }                                                 \
    co_return sum;                                    \
  }

SHOP(shop_in_turn, (void)t, co_await spawn(order(i, 1)))
SHOP(shop_many, for (int i = 0; i < n; i++) t[i] = spawn(order(i, 1)), co_await t[i])

static Task day(bool in_turn) {
  Task s = spawn(supplier()), b = spawn(bank()), p = spawn(printer());
  Task shop = in_turn ? shop_in_turn(N, tasks) : shop_many(N, tasks);
  int got = co_await spawn(shop);
  co_await s;
  co_await b;
  co_await p;
  co_return got;
}

static double time_of(bool in_turn) {
  double start = now();
  if (run(day(in_turn)) != N || open_orders != 0 || refusals != 0) abort();
  return (now() - start) / double(N);
}

int main() {
  double turn = 0, all = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    keep_best(&turn, time_of(true));
    keep_best(&all, time_of(false));
  }
  printf("spawn %.2f\nmany %.2f\n", turn, all);
}
