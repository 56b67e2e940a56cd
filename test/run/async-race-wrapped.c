// An arm's operation is its own also in a function that the arm calls, if nothing is waited for after it: of two channels that are ready
// one gives its value, and with a timeout a value is either taken or left.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) chan;
struct odd { int v; };

static async int never(void) { for (;;) fm_sleep(1u << 30); }
static async int get(chan *c) throws(struct fm_closed) { return fm_recv(c); }
static async int chained(chan *c) throws(struct fm_closed) { return get(c); }
static async int chained_far(chan *c) throws(struct fm_closed) { return chained(c); }
static async int chosen(chan *c) throws(struct fm_closed) { return c ? fm_recv(c) : never(); }
static async int kept(chan *c) throws(struct fm_closed) { int v = fm_recv(c); return v; }
static async int used(chan *c) throws(struct fm_closed) { int v = kept(c); char text[16]; snprintf(text, sizeof text, "%d", v); return v; }
static async int branches(chan *c) throws(struct fm_closed) {
  int v;
  if (c) v = fm_recv(c);
  else { fm_sleep(1); v = fm_recv(c); }
  for (int i = 0; i < 3; i++) v += i;
  return v - 3;
}
static async int caught(chan *c) { try { return fm_recv(c); } catch (struct fm_closed e) { (void)e; return -1; } }
static async int cleaned(chan *c) throws(struct fm_closed) { int n = 0; defer n++; return fm_recv(c); }
static async int pointed(chan *c) throws(struct fm_closed) { async int (*f)(chan *) throws(struct fm_closed) = get; return f(c); }
static async int throwing(chan *c) throws(struct fm_closed, struct odd) { int v = fm_recv(c); if (v > 2) throw (struct odd){ v }; return v; }
static async int late(chan *c) throws(struct fm_closed) { yield; return fm_recv(c); }
static async int converted(chan *c) throws(struct fm_closed) { long v = get(c); return (int)v; }

#define WAYS(X) X(get) X(chained) X(chained_far) X(chosen) X(kept) X(used) X(branches) X(caught) X(cleaned) X(pointed) X(throwing) X(late) X(converted)

static async void both(chan *a, chan *b) throws(struct fm_closed) { fm_sleep(5); fm_send(a, 1); fm_send(b, 2); }
static async void one(chan *a, int ms) throws(struct fm_closed) { fm_sleep((uint64_t)ms); fm_send(a, 1); }

static void check(const char *way, const char *what, int v, chan *a, chan *b) {
  size_t left = fm_chan_count(a) + (b ? fm_chan_count(b) : 0), sent = b ? 2 : 1;
  if (left + (v != 0) != sent) printf("%s %s: got %d, left %zu\n", way, what, v, left);
}

#define TRY(f)                                                                                     \
  static async void try_##f(void) {                                                                \
    for (int how = 0; how < 3; how++) {                                                            \
      chan a, b;                                                                                   \
      int v = 0;                                                                                   \
      fm_chan_init(&a, how);                                                                       \
      fm_chan_init(&b, how);                                                                       \
      try {                                                                                        \
        scope (s) {                                                                                \
          if (how) spawn both(&a, &b);                                                             \
          else { spawn one(&a, 5); spawn one(&b, 5); }                                             \
          race { case v = f(&a): ; case v = f(&b): ; }                                             \
          fm_sleep(1);                                                                             \
          if (how) check(#f, "two", v, &a, &b);                                                    \
          fm_cancel(s);                                                                            \
        }                                                                                          \
      } catch (fm_error *e) { fm_error_print(e, stdout); }                                         \
      fm_chan_free(&a);                                                                            \
      fm_chan_free(&b);                                                                            \
    }                                                                                              \
    for (int first = 0; first < 2; first++) {                                                      \
      chan a;                                                                                      \
      int v = 0;                                                                                   \
      fm_chan_init(&a, 1);                                                                         \
      try {                                                                                        \
        scope (s) {                                                                                \
          spawn one(&a, 50);                                                                       \
          yield;                                                                                   \
          if (first) race { case v = f(&a): ; case fm_sleep(50): ; }                               \
          else race { case fm_sleep(50): ; case v = f(&a): ; }                                     \
        }                                                                                          \
      } catch (fm_error *e) { fm_error_print(e, stdout); }                                         \
      check(#f, "timeout", v, &a, NULL);                                                           \
      fm_chan_free(&a);                                                                            \
    }                                                                                              \
  }
WAYS(TRY)

async int main(void) {
#define CALL(f) try_##f();
  WAYS(CALL)
  printf("done\n"); // expect: done
  return 0;
}
