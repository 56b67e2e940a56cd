// Groups with a limit, and maps over arrays.
#include <fermata.h>
#include <fermata/group.h>
#include <fermata/pool.h>
#include <fermata/time.h>

struct bad {
  int n;
};

static int alive, most;

static async int work(int n) throws(struct bad) {
  if (++alive > most)
    most = alive;
  defer alive--;
  fm_sleep(10 + (uint64_t)n * 7 % 13);
  if (n >= 77)
    throw (struct bad){ n };
  return n * n;
}

static async int argument(int n) {
  fm_sleep(1);
  return n;
}

static async int square(int n) {
  yield;
  return n * n;
}

static async void nothing(int n) {
  fm_sleep((uint64_t)n);
  most += n;
}

// At most three at once; arguments are evaluated before the wait.
static async void limit(void) {
  fm_group g;
  fm_group_init(&g, 3);
  most = 0;
  try {
    scope for (int i = 0; i < 20; i++) fm_group_spawn(&g, work(argument(i)));
    printf("at most %d, now %zu\n", most, fm_group_alive(&g)); // expect: at most 3, now 0
    scope for (int i = 70; i < 90; i++) fm_group_spawn(&g, work(i));
  } catch (struct bad e) {
    printf("%d failed, %d alive, %zu in the group\n", e.n, alive, fm_group_alive(&g));
    // expect: 78 failed, 0 alive, 0 in the group
  }
  int failed = 0;
  scope for (int i = 70; i < 90; i++) fm_group_spawn(&g, work(i));
  catch each (struct bad e) failed += e.n > 0;
  printf("%d failed, at most %d\n", failed, most); // expect: 13 failed, at most 3
}

// Activities that wait are served in order; a cancelled one is not.
static async void enter(fm_group *g, int n) {
  printf("%d waits\n", n);
  fm_group_spawn(g, fm_sleep(10));
  printf("%d has spawned\n", n);
}

static async void first_come(void) {
  fm_group g;
  fm_group_init(&g, 1);
  scope {
    fm_group_spawn(&g, fm_sleep(10));
    spawn enter(&g, 1);
    auto t = spawn enter(&g, 2);
    spawn enter(&g, 3);
    yield;
    fm_cancel(fm_id(t));
    fm_detach(t);
  }
  // expect: 1 waits
  // expect: 2 waits
  // expect: 3 waits
  // expect: 1 has spawned
  // expect: 3 has spawned
  scope (s) {
    fm_cancel_after(s, 25);
    for (int i = 0;; i++) {
      fm_group_spawn(&g, fm_sleep(10));
      printf("%d\n", i);
    }
    // expect: 0
    // expect: 1
    // expect: 2
  } else printf("cancelled, %zu alive\n", fm_group_alive(&g)); // expect: cancelled, 0 alive
  fm_group_spawn(&g, fm_sleep(1)); // the place is free
}

// Results in the order of the calls, and as they come.
static async void results(void) throws(struct bad) {
  task(int) throws(struct bad) t[8];
  fm_group g;
  fm_group_init(&g, 0);
  for (int i = 0; i < 8; i++) t[i] = fm_group_spawn(&g, work(i));
  for (int i = 0; i < 8; i++) printf(" %d", await t[i]);
  printf("\n"); // expect:  0 1 4 9 16 25 36 49
  fm_group_init(&g, 4);
  fm_group_collect(&g);
  fm_group_spawn(&g, fm_sleep(1)); // number 0, dropped
  for (int i = 0; i < 8; i++) t[i] = fm_group_spawn(&g, work(i));
  for (size_t k; (k = fm_group_next(&g)) != FM_NONE;) printf(" %zu:%d", k, await t[k - 1]);
  printf("\n"); // expect:  1:0 3:4 2:1 4:9 5:16 6:25 7:36 8:49
  auto u = fm_group_spawn(&g, fm_sleep(1));
  await u; // known by now
  fm_group_free(&g);
  printf("%d\n", fm_group_next(&g) == FM_NONE); // expect: 1
}

static async int on_a_pool(int n) throws(struct bad) {
  if (n == 5)
    throw (struct bad){ n };
  return n + 1;
}

static async void pools(void) {
  fm_pool *pool = fm_pool_new(2);
  fm_group g;
  int in[100];
  int out[100] = { 0 };
  int sum = 0;
  fm_group_init(&g, 4);
  fm_group_on(&g, pool);
  scope for (int i = 0; i < 20; i++) fm_group_spawn(&g, on_a_pool(i));
  catch each (struct bad e) printf("%d failed elsewhere\n", e.n); // expect: 5 failed elsewhere
  for (int i = 0; i < 100; i++) in[i] = i;
  fm_map_on(pool, out, in, 100, 4, square);
  for (int i = 0; i < 100; i++) sum += out[i] == i * i;
  printf("%d right\n", sum); // expect: 100 right
  try {
    fm_map_on(pool, out, in, 100, 4, on_a_pool);
  } catch (struct bad e) {
    printf("thrown: %d\n", e.n); // expect: thrown: 5
  }
  fm_pool_free(pool);
}

static async void arrays(void) {
  int in[30];
  int out[30] = { 0 };
  async int (*f)(int) throws(struct bad) = work;
  for (int i = 0; i < 30; i++) in[i] = i;
  for (size_t n = 0; n < 30; n += 10) {
    fm_map(out, in, n, n / 3, square);
    printf("%d %d\n", n ? out[n - 1] : -1, out[n]);
  }
  // expect: -1 0
  // expect: 81 0
  // expect: 361 0
  most = 0;
  try {
    fm_map(out, in, 30, 7, f);
    printf("%d, at most %d\n", out[29], most); // expect: 841, at most 7
    in[3] = 80;
    in[4] = 90;
    out[29] = -1;
    fm_map(out, in, 30, 7, f);
  } catch (struct bad e) {
    printf("%d failed, %d alive, the last is %d\n", e.n, alive, out[29]);
    // expect: 80 failed, 0 alive, the last is -1
  }
  most = 0;
  fm_each(in, 5, 2, nothing);
  printf("%d\n", most); // expect: 173
  scope (s) {
    fm_cancel_after(s, 12);
    fm_each(in, 30, 1, nothing);
  } else printf("%d\n", most); // expect: 176
}

async int main(void) {
  limit();
  first_come();
  try {
    results();
  } catch (struct bad e) {
    printf("never %d\n", e.n);
  }
  pools();
  arrays();
  return 0;
}
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
