// An arm's operation is its own also in a function that the arm calls, if nothing is waited for after it: of two channels that are ready
// one gives its value, and with a timeout a value is either taken or left.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) chan;
struct odd { int v; };

async int never(void) { for (;;) fm_sleep(1u << 30); }
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

static async void both(chan *a, chan *b) throws(struct fm_closed) { fm_sleep(5); fm_send(a, 1); fm_send(b, 2); }
static async void one(chan *a, int ms) throws(struct fm_closed) { fm_sleep((uint64_t)ms); fm_send(a, 1); }

static void check(const char *way, const char *what, int v, chan *a, chan *b) {
  size_t left = fm_chan_count(a) + (b ? fm_chan_count(b) : 0), sent = b ? 2 : 1;
  if (left + (v != 0) != sent) printf("%s %s: got %d, left %zu\n", way, what, v, left);
}

typedef struct Way { const char *name; async int (*get)(chan *c) throws(struct fm_closed, struct odd); } Way;

static const Way ways[] = {
  { "get", get }, { "chained", chained }, { "chained_far", chained_far }, { "chosen", chosen }, { "kept", kept }, { "used", used },
  { "branches", branches }, { "caught", caught }, { "cleaned", cleaned }, { "pointed", pointed }, { "throwing", throwing },
  { "late", late }, { "converted", converted },
};

static async void two(const Way *w, size_t room) throws(struct fm_closed, struct odd) {
  chan a, b;
  int v = 0;
  fm_chan_init(&a, room);
  fm_chan_init(&b, room);
  scope (s) {
    spawn both(&a, &b);
    race {
    case v = w->get(&a): ;
    case v = w->get(&b): ;
    }
    fm_sleep(1);
    check(w->name, "two", v, &a, &b);
  }
  fm_chan_free(&a);
  fm_chan_free(&b);
}

static async void limited(const Way *w, bool first) throws(struct fm_closed, struct odd) {
  chan a;
  int v = 0;
  fm_chan_init(&a, 1);
  scope (s) {
    spawn one(&a, 50);
    yield;
    if (first) race { case v = w->get(&a): ; case fm_sleep(50): ; }
    else race { case fm_sleep(50): ; case v = w->get(&a): ; }
  }
  check(w->name, "timeout", v, &a, NULL);
  fm_chan_free(&a);
}

async int main(void) {
  try {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
      two(&ways[i], 1);
      two(&ways[i], 2);
      limited(&ways[i], false);
      limited(&ways[i], true);
    }
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  printf("done\n"); // expect: done
  return 0;
}
