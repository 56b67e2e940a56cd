// The cases of docs/comparison.md in Fermata. Each stands between its two comments; what is outside
// of them belongs to no language's count. test/sample/comparison.sh runs this program.
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/broadcast.h>
#include <fermata/group.h>
#include <fermata/io.h>
#include <fermata/stream.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include <string.h>

typedef fm_chan(int) ints;
struct bad { int n; };

static async int work(int n) throws(struct bad) {
  fm_sleep((uint64_t)n);
  if (n == 13) throw (struct bad){ n };
  return n * n;
}
static async void fill(ints *c, int n) {
  for (int i = 0; i < n; i++) {
    fm_sleep(1);
    try {
      fm_send(c, i);
    } catch (struct fm_closed e) {
      (void)e;
    }
  }
}

// case: select with a time limit
static async int receive_either(ints *a, ints *b) throws(struct fm_closed) {
  race {
    case int v = fm_recv(a): return v;
    case int v = fm_recv(b): return -v;
    case fm_sleep(100): return 0;
  }
}
// end

// case: select over an array
static async int receive_any(ints *cs, int n) throws(struct fm_closed) {
  race {
    for (int i = 0; i < n; i++) case int v = fm_recv(&cs[i]): return v;
  }
}
// end

// case: select with a condition
static async int receive_if(ints *a, ints *b, bool b_too) throws(struct fm_closed) {
  race {
    case int v = fm_recv(a): return v;
    case if (b_too) int v = fm_recv(b): return v;
  }
}
// end

// case: receive if there is a value
static async int receive_now(ints *c) {
  int v;
  return fm_try_recv(c, &v) ? v : -1;
}
// end

// case: receive until closed
static async long sum_of(ints *c) {
  long sum = 0;
  for (int v; fm_recv_or_closed(c, &v);) sum += v;
  return sum;
}
// end

// case: time limit for a call
static async int in_time(int n) throws(struct bad, struct fm_timeout) {
  return fm_within(50, work(n));
}
// end

// case: time limit for a block, with an alternative
static async int or_nothing(int n) throws(struct bad) {
  int v = 0;
  scope (s) {
    fm_deadline(s, 50);
    v = work(n);
  } else v = -1;
  return v;
}
// end

// case: children, the first error cancels the rest
static async void all_or_none(int n) throws(struct bad) {
  scope for (int i = 0; i < n; i++) spawn work(i);
}
// end

// case: children that fail alone
static async int count_failures(int n) {
  int failed = 0;
  scope for (int i = 0; i < n; i++) spawn work(i);
  catch each (struct bad e) failed += e.n > 0;
  return failed;
}
// end

// case: map over an array, at most four at once, in order
static async void squares(int *out, int *in, size_t n) throws(struct bad) {
  fm_map(out, in, n, 4, work);
}
// end

// case: children, at most four at once
static async void limited(int n) throws(struct bad) {
  fm_group g;
  fm_group_init(&g, 4);
  scope for (int i = 0; i < n; i++) fm_group_spawn(&g, work(i));
}
// end

// case: start a child and wait until it is ready
typedef fm_starting(int) starting;
static async void serve(starting *s) {
  fm_sleep(5);
  fm_ready(s, 8080);
  fm_sleep(1000);
}
static async int start_server(starting *s) throws(struct fm_gone) {
  return fm_start(s, serve(s));
}
// end

// case: retry with growing delays and jitter
static int tries;
static async int fragile(void) throws(struct bad) {
  if (++tries < 4) throw (struct bad){ tries };
  return tries;
}
static async int keep_trying(void) throws(struct bad) {
  struct fm_retry how = { .attempts = 5, .delay_ms = 100, .max_delay_ms = 1000, .jitter = 0.5 };
  return fm_retry(how, fragile());
}
// end

// case: every 10 ms, missed ones left out
static async int tick(int n) {
  fm_timer t = fm_every(10);
  for (; n; n--) fm_tick(&t);
  return (int)t.missed;
}
// end

// case: ten a second, bursts of five
static async void limited_rate(int n) {
  fm_limiter l;
  fm_limiter_init(&l, 10, 1000, 5);
  for (; n; n--) fm_limiter_wait(&l);
}
// end

// case: cleanup that may wait, also when cancelled
static async void with_cleanup(ints *log) {
  defer {
    fm_sleep(5);
    (void)fm_try_send(log, 42);
  }
  fm_sleep(1000);
}
// end

// case: a value that children inherit
static fm_local(const char *) request;
static async const char *who(void) { return fm_local_get(&request); }
static async const char *handle(const char *name) {
  fm_local_set(&request, name);
  return await spawn who();
}
// end

// case: no interruption across several waits
static int balance = 100;
static async void transfer(int n) {
  atomic {
    int old = balance;
    fm_sleep(1);
    balance = old - n;
  }
}
// end

// case: pause and resume a tree
static async void pause_for(fm_activity tree, uint64_t ms) {
  fm_pause(tree);
  fm_sleep(ms);
  fm_resume(tree);
}
// end

// case: lines, then counted bytes, from one connection
static async size_t head_and_body(int fd, char *body, size_t n) throws(struct os_error) {
  fm_reader r;
  fm_reader_init(&r, fd);
  defer fm_reader_free(&r);
  for (char *line; (line = fm_reader_line(&r)) && *line;) printf("%s\n", line);
  return fm_reader_exactly(&r, body, n);
}
// end

// case: a command with input, output and a time limit
static async int sort_text(const char *text, fm_run_result *r) throws(struct os_error) {
  char *argv[] = { "sort", NULL };
  return fm_run(argv, &(fm_run_options){ .input = text, .time_limit = 5000 }, r);
}
// end

static async void channels(void) {
  ints cs[3], *a = &cs[0], *b = &cs[1];
  for (int i = 0; i < 3; i++) fm_chan_init(&cs[i], 4);
  try {
    printf("%d\n", receive_either(a, b));         // expect: 0
    (void)fm_try_send(b, 7);
    printf("%d\n", receive_either(a, b));         // expect: -7
    (void)fm_try_send(&cs[2], 8);
    printf("%d\n", receive_any(cs, 3));           // expect: 8
    (void)fm_try_send(b, 9);
    printf("%d\n", receive_if(a, b, true));       // expect: 9
    printf("%d\n", receive_now(a));               // expect: -1
    spawn fill(a, 4);
    activate { fm_sleep(10); fm_chan_close(a); }
    printf("%ld\n", sum_of(a));                   // expect: 6
  } catch (struct fm_closed e) {
    (void)e;
  }
  for (int i = 0; i < 3; i++) fm_chan_free(&cs[i]);
}

static async void calls(void) {
  int in[] = { 1, 2, 3, 4, 5, 6 }, out[6];
  starting s;
  try {
    printf("%d\n", in_time(5));                   // expect: 25
    printf("%d %d\n", or_nothing(5), or_nothing(60)); // expect: 25 -1
    printf("%d\n", count_failures(20));           // expect: 1
    squares(out, in, 6);
    printf("%d %d\n", out[0], out[5]);            // expect: 1 36
    limited(10);
    printf("%d\n", keep_trying());                // expect: 4
    scope (k) {
      printf("%d\n", start_server(&s));           // expect: 8080
      fm_cancel(k);
    }
    all_or_none(20);
  } catch (struct bad e) {
    printf("bad %d\n", e.n);                      // expect: bad 13
  } catch (struct fm_timeout e) {
    printf("late\n");
  } catch (struct fm_gone e) {
    printf("gone\n");
  }
}

static async void others(void) {
  ints log;
  uint64_t then = fm_now();
  fm_chan_init(&log, 1);
  printf("%d\n", tick(3));                        // expect: 0
  limited_rate(15);
  printf("%d\n", (int)((fm_now() - then) / 1000000)); // expect: 1030
  auto t = spawn with_cleanup(&log);
  fm_sleep(1);
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  fm_detach(t);
  printf("%d\n", receive_now(&log));              // expect: 42
  fm_chan_free(&log);
  printf("%s\n", handle("first"));                // expect: first
  scope {
    spawn transfer(10);
    spawn transfer(20);
  }
  printf("%d\n", balance);                        // expect: 70
  auto last = spawn transfer(30);
  pause_for(fm_id(last), 5);
  printf("%d\n", balance);                        // expect: 70
  await last;
  printf("%d\n", balance);                        // expect: 40
}

static async void bytes(void) {
  int fds[2];
  char body[4];
  fm_run_result r = { 0 };
  defer fm_run_free(&r);
  try {
    fm_pipe(fds);
    fm_write_all(fds[1], "Length: 4\n\nbody", 15);
    printf("%zu\n", head_and_body(fds[0], body, 4)); // expect: Length: 4
                                                  // expect: 4
    fm_close(fds[0]);
    fm_close(fds[1]);
    sort_text("b\na\n", &r);
    printf("%s", r.out);                          // expect: a
                                                  // expect: b
  } catch (struct os_error e) {
    printf("error %d\n", e.code);
  }
}

// Virtual time does not wait for processes: with an argument, what needs real time.
async int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    bytes();
    return 0;
  }
  channels();
  calls();
  others();
  return 0;
}
