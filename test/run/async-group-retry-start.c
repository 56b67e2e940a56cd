// fm_retry: when a call is tried again. fm_start: a child says when it is ready.
#include <fermata.h>
#include <fermata/group.h>
#include <fermata/time.h>

struct bad {
  int n;
};
struct worse {
  int n;
};

static int tries;
static uint64_t last;

static int passed(void) { // milliseconds since the last call
  uint64_t was = last;
  last = fm_now();
  return (int)((last - was) / 1000000);
}

static async int flaky(int n) throws(struct bad, struct worse) {
  printf("%d ", passed());
  if (++tries == n)
    return n;
  if (tries == 50)
    throw (struct worse){ tries };
  throw (struct bad){ tries };
}

static async void flaky_void(int n) throws(struct bad, struct worse) {
  flaky(n);
}

static bool only_bad(const fm_error *e, void *arg) {
  ++*(int *)arg;
  return fm_error_name(e)[0] == 'b';
}

static void begin(void) {
  tries = 0;
  passed();
}

static async void policies(void) throws(struct bad, struct worse) {
  struct fm_retry how = { .attempts = 6, .delay_ms = 100, .max_delay_ms = 500 };
  begin();
  printf("= %d\n", fm_retry(how, flaky(5) + 1)); // expect: 0 100 200 400 500 = 6
  begin();
  fm_retry(((struct fm_retry){ .delay_ms = 10, .factor = 1 }), flaky_void(4));
  printf("over\n"); // expect: 0 10 10 10 over
  begin();
  try {
    fm_retry(how, flaky(100));
  } catch (struct bad e) {
    printf("gave up after %d\n", e.n); // expect: 0 100 200 400 500 500 gave up after 6
  }
  begin();
  try {
    fm_retry(((struct fm_retry){ .delay_ms = 100, .within_ms = 1000 }), flaky_void(100));
  } catch (struct bad e) {
    printf("too late for %d\n", e.n + 1); // expect: 0 100 200 400 too late for 5
  }
  begin();
  int asked = 0;
  tries = 47;
  try {
    fm_retry(((struct fm_retry){ .again = only_bad, .arg = &asked }), flaky(100));
  } catch (struct worse e) {
    printf("%d, asked %d times\n", e.n, asked); // expect: 0 0 0 50, asked 3 times
  }
}

static async bool slow(void) throws(struct bad) {
  throw (struct bad){ passed() };
  return true;
}

static bool in_range(const fm_error *e, void *arg) {
  int ms = ((const struct bad *)fm_error_value(e))->n;
  int *count = arg;
  if (*count >= 0 && *count < 1000 && (ms < 50 || ms > 100) && *count > 0)
    printf("out of range: %d\n", ms);
  return ++*count < 200;
}

// The random part: never more than the delay, never less than it leaves.
static async void jitter(void) {
  int count = 0;
  passed();
  try {
    fm_retry(((struct fm_retry){
                 .delay_ms = 100, .factor = 1, .jitter = 0.5, .again = in_range, .arg = &count }),
             slow());
  } catch (struct bad e) {
    printf("%d attempts\n", count); // expect: 200 attempts
  }
}

// A cancel ends the delay, and is no error.
static async void cancelled(void) throws(struct bad, struct worse) {
  scope (s) {
    begin();
    fm_cancel_after(s, 150);
    fm_retry(((struct fm_retry){ .delay_ms = 100, .factor = 1 }), flaky(100));
  } else printf("cancelled in the delay, after %d\n", passed());
  // expect: 0 100 cancelled in the delay, after 50
}

typedef fm_starting(int) starting;

static async void server(starting *s, int how) throws(struct bad) {
  defer printf("end of %d\n", how);
  fm_sleep(5);
  if (how == 1)
    throw (struct bad){ 3 };
  if (how == 2)
    return;
  fm_ready(s, 8080);
  fm_ready(s, 9090); // changes nothing
  fm_sleep(20);
  if (how == 3)
    throw (struct bad){ 4 };
}

static async void starts(void) {
  starting st;
  for (int how = 0; how < 4; how++) {
    try {
      scope {
        int port = fm_start(&st, server(&st, how));
        printf("port %d\n", port);
      }
    } catch (struct bad e) {
      printf("bad %d\n", e.n);
    } catch (struct fm_gone e) {
      printf("gone%s\n", e.error ? e.error : "");
    }
  }
  // expect: port 8080
  // expect: end of 0
  // expect: end of 1
  // expect: bad 3
  // expect: end of 2
  // expect: gone
  // expect: port 8080
  // expect: end of 3
  // expect: bad 4
}

// A cancel while fm_start waits cancels the child.
static async void started_late(void) throws(struct bad, struct fm_gone) {
  starting st;
  scope (outer) {
    scope (s) {
      fm_cancel_after(s, 2);
      fm_start(&st, server(&st, 5));
    } else printf("cancelled\n");
    // expect: end of 5
    // expect: cancelled
    auto t = spawn in(outer) fm_sleep(1);
    await t;
  }
}

// Ready at once, and the end comes at once, too.
static async void hurries(starting *s) {
  fm_ready(s, 1);
}

async int main(void) {
  starting st;
  try {
    policies();
    jitter();
    cancelled();
    starts();
    started_late();
    printf("%d\n", fm_start(&st, hurries(&st))); // expect: 1
  } catch (fm_error *e) {
    printf("never: %s\n", fm_error_name(e));
  }
  return 0;
}
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
