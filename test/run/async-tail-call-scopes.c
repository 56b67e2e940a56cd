// `return f(x);` is a tail call where arrays and address-taken locals are no longer in scope, or not yet: in bounded space, called and
// resumed, in functions with few pauses and with many, with large locals, and when what is called only waits.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/time.h>
#include <sys/resource.h>

enum { LONG = 300000 };

static void fill(int *a, int n, int v) { while (n--) a[n] = v; }
static async int sum_later(const int *a, int n) {
  int sum = 0;
  if (a[0] % 100 == 0) yield;
  while (n--) sum += *a++;
  return sum;
}

static async int small(int n, int sum) {
  if (n == 0) return sum;
  { int a[2]; fill(a, 2, n); sum += sum_later(a, 2) == 2 * n; }
  return small(n - 1, sum);
}

static async int large(int n, int sum) {          // it is started in a frame of its arguments alone
  if (n == 0) return sum;
  { int a[40]; fill(a, 40, n); sum += sum_later(a, 40) == 40 * n; }
  return large(n - 1, sum);
}

static async int many(int n, int sum) {           // one body for calling and resuming
  if (n == 0) return sum;
  { int a[3]; fill(a, 3, n); sum += sum_later(a, 3) == 3 * n; sum += sum_later(a, 2) == 2 * n; }
  if (n % 3 == 0) return many(n - 1, sum);
  { int b[3]; fill(b, 3, n); sum += sum_later(b, 3) == 3 * n; sum += sum_later(b, 2) == 2 * n; sum -= sum_later(b, 1) == n; }
  return many(n - 1, sum - 1);
}

static async int later_block(int n, int sum) {
  if (n % 2) return later_block(n - 1, sum + 1);
  if (n == 0) return sum;
  { int a[2]; fill(a, 2, n); sum += sum_later(a, 2) == 2 * n; }
  return later_block(n - 1, sum);
}

static async void wait_small(int ms) {
  { int a[2]; fill(a, 2, ms); if (sum_later(a, 2) != 2 * ms) return; }
  return fm_sleep((uint64_t)ms);
}
static async void wait_large(int ms) {
  { int a[40]; fill(a, 40, ms); if (sum_later(a, 40) != 40 * ms) return; }
  return fm_sleep((uint64_t)ms);
}

struct bad { int n; };
static async int fails(int n) throws(struct bad) {
  { int a[2]; fill(a, 2, n); if (sum_later(a, 2) == 0) { if (n) yield; throw (struct bad){ n }; } }
  return fails(n - 100);
}

typedef fm_agent(int) Agent;
static async int odd(Agent *self, int n);
static async int even(Agent *self, int n) {
  int m = fm_receive(self);
  if (m) return odd(self, n + m);
  return n;
}
static async int odd(Agent *self, int n) { return even(self, n + fm_receive(self)); }
static int received;
static async void begin(void *self, void *unused) {
  (void)unused;
  received = even(self, 0);
}

static async int messages(void) {
  Agent a;
  fm_agent_init(&a);
  auto t = fm_agent_start(&a, begin, NULL, 0);
  for (int i = 0; i < LONG; i++) {
    fm_post(&a, 1);
    yield;
  }
  fm_post(&a, 0);
  try { await t; } catch (fm_error *e) { fm_error_print(e, stdout); }
  fm_agent_free(&a);
  return received;
}

static long megabytes(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return r.ru_maxrss >> 10;
}

async int main(void) {
  long before = megabytes();
  printf("%d %d\n", small(LONG, 0), large(LONG, 0)); // expect: 300000 300000
  printf("%d %d\n", many(LONG, 0), later_block(LONG, 0)); // expect: 600000 300000
  auto s = spawn small(LONG, 0);
  auto l = spawn large(LONG, 0);
  auto m = spawn many(LONG, 0);
  spawn wait_large(2);
  spawn wait_small(2);
  wait_small(1);
  wait_large(1);
  int a = await s, b = await l, c = await m;
  printf("%d %d %d\n", a, b, c);                   // expect: 300000 300000 600000
  try {
    fails(200);
  } catch (struct bad e) {
    printf("%d\n", e.n);                           // expect: 0
  }
  printf("%d\n", messages());                      // expect: 300000
  printf("%d\n", megabytes() - before < 16);       // expect: 1
}
