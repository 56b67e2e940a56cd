// flags: -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wcast-qual -Wswitch-enum -Wswitch-default -Wformat=2
// The generated code draws none of the warnings that careful users ask for, where theirs does not.
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

enum kind { SMALL, LARGE };
struct bad { const char *why; };
struct fixed { const int a; int b; };
struct bits { unsigned low : 3, high : 5; };
typedef fm_chan(int) int_chan;

static async void nothing(int n) { if (n) yield; }
static async char letter(int n) { yield; return (char)('a' + n); }
static async struct fixed fixed(int n) { yield; return (struct fixed){.a = n, .b = n}; }
static async int fail(int n) throws(struct bad) { yield; if (n) throw (struct bad){"wanted"}; return n; }
static async const char *name(enum kind k) {
  switch (k) {
  case SMALL: yield; return "small";
  case LARGE: return "large";
  default: return "none";
  }
}
static async void sends(int_chan *c, int n) {
  for (int i = 0; i < n; i++) try { fm_send(c, i); } catch (struct fm_closed e) { (void)e; return; }
}
static async int receives(int_chan *c) {
  try { return fm_recv(c) + fm_recv(c); } catch (struct fm_closed e) { (void)e; }
  return -1;
}
static async long lengths(int n) {
  short grid[n][n + 1];
  for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) { grid[i][j] = (short)(i + j); nothing(j); }
  return grid[n - 1][n] + (long)sizeof grid;
}
static async int values(int n) {
  const char c = letter(n);
  unsigned char u = (unsigned char)letter(1);
  struct bits b = {.low = 1};
  struct fixed f = fixed(n);
  u = (unsigned char)(u + (unsigned char)letter(0));
  b.high = (unsigned)(letter(2) - 'a') & 31u;
  float x = (float)letter(3);
  auto y = letter(4);
  int first[] = {letter(5), f.a, (int)b.high}, *p = first;
  yield;
  return c + u + (int)x + y + *p + p[2];
}
static async int leaves(int n) {
  int seen = 0;
  defer nothing(seen);
  try {
    seen = fail(n);
  } catch (struct bad e) {
    printf("%s ", e.why);
    return 1;
  } catch (fm_error *e) {
    return fm_error_value(e) ? 2 : 3;
  } finally {
    nothing(n);
  }
  return seen;
}
static async int count(int n) { yield; return n; }
static async int activities(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) activate (i) { fm_sleep(1); (void)i; }
  activate { sum += n; }
  race {
    case sum = count(n): sum++;
    case fm_sleep(1000): sum = -1;
  }
  scope (s) { fm_cancel_after(s, 1); fm_sleep(100); } else { sum += 2; }
  return sum;
}

async int main(void) {
  int_chan c;
  fm_chan_init(&c, 0);
  nothing(1);
  task(int) t = spawn receives(&c);
  spawn sends(&c, 2);
  printf("%d %s %s\n", await t, name(SMALL), name(LARGE));            // expect: 1 small large
  printf("%ld %d\n", lengths(3), values(1));                          // expect: 29 598
  int one = leaves(1), none = leaves(0);
  printf("%d %d\n", one, none);                                       // expect: wanted 1 0
  job(long) j = job lengths(2);
  long twice = await j + await j;
  fm_job_free(j);
  printf("%ld %d %d\n", twice, activities(2), atomic leaves(0));      // expect: 30 5 0
  return 0;
}
