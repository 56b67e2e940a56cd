// stream.h: what the programs about streams share: small functions, and values with the moments at which they come.
#include <fermata.h>
#include <fermata/stream.h>

typedef fm_stream(int) ints;
struct bad { int n; };

static inline int number(uint64_t n, int from) { return (int)n + from; }
static inline int add(int a, int b) { return a + b; }
static inline int pair(int a, int b) { return a * 100 + b; }
static inline bool odd(int x) { return x & 1; }
static inline async int fragile(int x, int at) throws(struct bad) {
  if (x == at) throw (struct bad){ x };
  return x;
}
static inline ints every(uint64_t ms, int from, int n) { return fm_stream_take(fm_stream_map(ints, fm_stream_interval(ms), number, from), (uint64_t)n); }

static inline int ms_since(uint64_t then) { return (int)((fm_now() - then) / 1000000); }

// Each value as value@ms; then | and the end, or ! and the error.
static inline async void show(const char *what, ints s) {
  uint64_t then = fm_now();
  printf("%s:", what);
  try {
    fm_for_each (x, s) printf(" %d@%d", x, ms_since(then));
    printf(" |%d\n", ms_since(then));
  } catch (struct bad b) {
    printf(" !bad %d@%d\n", b.n, ms_since(then));
  } catch (fm_error *e) {
    printf(" !%s\n", fm_error_name(e));
  }
}
// The same, without time.
static inline async void list(const char *what, ints s) {
  printf("%s:", what);
  try {
    fm_for_each (x, s) printf(" %d", x);
    printf(" |\n");
  } catch (struct bad b) {
    printf(" !bad %d\n", b.n);
  } catch (fm_error *e) {
    printf(" !%s\n", fm_error_name(e));
  }
}
