// Random pipelines of streams, with sources that run by themselves, consumed by many activities at once, some of which are cancelled,
// paused and resumed at random. Whatever happens, each value that a consumer gets is in order and right, each function of the program's
// that has begun has ended, and in the end no subscription is left.
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/stream.h>

#include <stdlib.h>

enum { ROUNDS = 40, CONSUMERS = 12, LONG = 30 };
typedef fm_stream(int) ints;
typedef fm_batch(int, 4) four;
typedef fm_stream(four) fours;
typedef fm_stamped(int) stamped;
typedef fm_stream(stamped) stampeds;
struct bad { int n; };

static uint64_t seed = 99;
static int below(int n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (int)((seed >> 33) % (uint64_t)n);
}

static int running, errors, values, ended, cut;
static void fail(const char *what) {
  printf("%s\n", what);
  exit(1);
}

// ---- what the pipelines use; a value is even, and of one source they rise ----
static async int pass(int x) {
  running++;
  defer running--;
  if (below(3) == 0) fm_sleep((uint64_t)below(4));
  else if (below(3) == 0) yield;
  return x;
}
static async int risky(int x) throws(struct bad) {
  running++;
  defer running--;
  yield;
  if (below(40) == 0) throw (struct bad){ x };
  return x;
}
static async bool even(int x) {
  running++;
  defer running--;
  if (below(5) == 0) yield;
  return x % 2 == 0;
}
static async void emit(ints out, int n) {
  running++;
  defer running--;
  for (int i = 0; i < n; i++) {
    if (below(3) == 0) fm_sleep((uint64_t)below(5));
    fm_stream_emit(out, 2 * i);
  }
}
static int of_tick(uint64_t n) { return 2 * (int)n; }
static int sum(int a, int b) { return a + b; }
static int newest(int a, int x) { return x > a ? x : a; }
static ints build(int depth);
static ints any(int x) { (void)x; return fm_stream_take(build(1), 5); }
static ints whole(ints w) { return w; }
static ints part(ints w) { return fm_stream_take(w, 2); }
static ints other(fm_error *e) { (void)e; return fm_stream_of(ints, 2, 4); }
static int first(four b) { return b.at[b.count - 1]; }

static int value_of(stamped s) { return s.value; }
static int rest(int x) { return x / 2 % 3; }
static ints group(int k, ints g) { return k ? fm_stream_map(ints, g, pass) : fm_stream_take(g, 4); }
static ints no_group(int k, ints g) {
  fm_stream_drop(g);
  return fm_stream_of(ints, 2 * k);
}

static ints source(void) {
  int a[LONG];
  for (int i = 0; i < LONG; i++) a[i] = 2 * i;
  switch (below(4)) {
  case 0: return fm_stream_from_array(ints, a, (size_t)below(LONG));
  case 1: return fm_stream_take(fm_stream_map(ints, fm_stream_interval((uint64_t)(1 + below(5))), of_tick), (uint64_t)below(LONG));
  case 2: return fm_stream_generate(ints, emit, below(LONG));
  default: return fm_stream_map(ints, fm_stream_from_array(ints, a, LONG), pass);
  }
}

static ints build(int depth) {
  if (depth == 0) return source();
  ints s = build(depth - 1);
  switch (below(29)) {
  case 0: return fm_stream_map(ints, s, pass);
  case 1: return fm_stream_filter(s, even);
  case 2: return fm_stream_map(ints, s, risky);
  case 3: return fm_stream_merge(s, build(depth - 1), source());
  case 4: return fm_stream_zip(ints, s, build(depth - 1), sum);
  case 5: return fm_stream_combine_latest(ints, s, source(), sum);
  case 6: return fm_stream_take_until(s, fm_stream_timer((uint64_t)below(100)));
  case 7: return fm_stream_switch_map(ints, fm_stream_take(s, 6), any);
  case 8: return fm_stream_merge_map(ints, fm_stream_take(s, 6), (uint64_t)below(4), any);
  case 9: return fm_stream_debounce(s, (uint64_t)(1 + below(5)));
  case 10: return fm_stream_throttle(s, (uint64_t)(1 + below(5)));
  case 11: return fm_stream_window(ints, s, (uint64_t)(1 + below(5)), below(2) ? whole : part);
  case 12: return fm_stream_window_time(ints, s, (uint64_t)(1 + below(9)), below(2) ? whole : part);
  case 13: return fm_stream_catch(s, other);
  case 14: return fm_stream_retry(s, (unsigned)below(3));
  case 15: return fm_stream_hold(s, (size_t)(1 + below(4)), below(3));
  case 16: return fm_stream_scan(ints, s, newest, 0);
  case 17: return fm_stream_map(ints, fm_stream_buffer(fours, s), first);
  case 18: return fm_stream_map(ints, fm_stream_buffer_time(fours, s, (uint64_t)(1 + below(9))), first);
  case 19: return fm_stream_delay(s, (uint64_t)below(20));
  case 20: return fm_stream_timeout(s, (uint64_t)(1 + below(20)));
  case 21: return fm_stream_sample(s, build(depth - 1));
  case 22: return fm_stream_sample_time(s, (uint64_t)(1 + below(9)));
  case 23: return fm_stream_with_latest_from(ints, s, build(depth - 1), sum);
  case 24: return fm_stream_exhaust_map(ints, fm_stream_take(s, 9), any);
  case 25: return fm_stream_group_by(ints, int, s, rest, below(4) ? group : no_group);
  case 26: return fm_stream_map(ints, fm_stream_timestamp(stampeds, s), value_of);
  case 27: {
    ints t = fm_stream_share(s, (uint64_t)below(4));
    ints all[3] = { fm_stream_take(fm_stream_keep(t), 9), fm_stream_keep(t), t };
    return below(2) ? fm_stream_merge_array(all, 3) : fm_stream_concat_array(all, 3);
  }
  default: return fm_stream_concat(s, source());
  }
}

// ---- consumers ----
static async void check(int x) {
  running++;
  defer running--;
  if (x % 2) fail("a value that nobody made");
  values++;
  if (below(4) == 0) fm_sleep((uint64_t)below(3));
}

static async void consume(int how) {
  try {
    if (how == 0) fm_stream_run(build(below(4)), check);
    else fm_for_each (x, build(below(4))) {
      check(x);
      if (below(50) == 0) break;
    }
    ended++;
  } catch (fm_error *e) {
    (void)e;
    errors++;
  }
}

static async void disturb(fm_activity *who, int n) {
  for (int i = 0; i < 3 * n; i++) {
    fm_sleep((uint64_t)below(8));
    int k = below(n);
    switch (below(3)) {
    case 0: fm_cancel(who[k]); break;
    case 1: fm_pause(who[k]); break;
    default: fm_resume(who[k]); break;
    }
  }
  for (int k = 0; k < n; k++) fm_resume(who[k]);
}

static async void round_of(void) {
  fm_activity who[CONSUMERS];
  scope {
    for (int i = 0; i < CONSUMERS; i++) {
      auto t = spawn consume(below(2));
      who[i] = fm_id(t);
      fm_detach(t);
    }
    disturb(who, CONSUMERS);
  }
}

async int main(void) {
  for (int i = 0; i < ROUNDS; i++) {
    int before = ended + errors;
    round_of();
    cut += CONSUMERS - (ended + errors - before);
    if (running) fail("a function has not ended");
    for (fm_stream_info k = { 0 }; fm_stream_each(&k);)
      if (k.state < FM_STREAM_DONE) fail("a subscription is left");
  }
  if (!values || !ended || !errors || !cut) fail("too little happened");
  printf("done\n");                               // expect: done
}
