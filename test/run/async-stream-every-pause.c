// Consumers of streams, one for each operator, are cancelled, paused, raced and given deadlines at each of their pauses: each cleanup of
// the program's functions is done, and no activity, frame or subscription is left.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata/stream.h>

#include "parts/every-pause.h"

typedef fm_stream(int) ints;
typedef fm_batch(int, 3) three;
typedef fm_stream(three) threes;
typedef fm_chan(int) int_chan;
typedef fm_event(int) int_event;
typedef fm_stamped(int) stamped;
typedef fm_stream(stamped) stampeds;
struct bad { int n; };

// ---- functions that pause, each with something to clean up ----
static async int slow(int x) { OPEN; yield; fm_sleep(1); return x; }
static async int number(uint64_t n, int from) { OPEN; yield; return (int)n + from; }
static async bool odd(int x) { OPEN; yield; return x & 1; }
static async bool below(int x, int most) { OPEN; yield; return x < most; }
static async int add(int a, int b) { OPEN; yield; return a + b; }
static async bool same(int a, int b) { OPEN; yield; return a % 3 == b % 3; }
static async int fragile(int x, int at) throws(struct bad) { OPEN; yield; if (x == at) throw (struct bad){ x }; return x; }
static async void emit(ints out, int n) {
  for (int i = 0; i < n; i++) {
    OPEN;
    fm_sleep(2);
    fm_stream_emit(out, i);
  }
}
static async void emit_many(ints out) {
  for (int i = 0; i < 3; i++) activate (i) {
    OPEN;
    fm_sleep((uint64_t)i);
    fm_stream_emit(out, i);
    fm_stream_emit(out, 10 + i);
  }
}
static ints every(uint64_t ms, int from, int n) { return fm_stream_take(fm_stream_map(ints, fm_stream_interval(ms), number, from), (uint64_t)n); }
static ints some(void) { return fm_stream_map(ints, fm_stream_of(ints, 1, 2, 3, 4, 5, 6), slow); }
static async ints inner(int x) { OPEN; yield; return every(2, x * 10, 3); }
static async ints sum(ints w) { OPEN; yield; return fm_stream_reduce(ints, w, add, 0); }
static ints first_and_more(ints w) { return fm_stream_merge(fm_stream_take(w, 1), every(1, 50, 2)); }
static async int rest(int x) { OPEN; yield; return x % 2; }
static async ints group(int k, ints w) { OPEN; yield; return k ? fm_stream_map(ints, w, slow) : fm_stream_take(w, 2); }
static async int unstamped(stamped s) { OPEN; yield; return s.value; }
static ints merged(void) { ints all[] = { every(3, 0, 3), some() }; return fm_stream_merge_array(all, 2); }
static ints shared(void) { // the run goes on while its consumers are paused
  ints s = fm_stream_share(fm_stream_of(ints, 1, 2, 3, 4, 5, 6), 1);
  return fm_stream_merge(fm_stream_keep(s), fm_stream_map(ints, s, slow));
}
static ints instead(fm_error *e) { CHECK(strcmp(fm_error_name(e), "bad") == 0); return every(1, 7, 2); }

// ---- the programs ----
static async int total(ints s) {
  OPEN;
  int n = 0;
  try {
    fm_for_each (x, s) {
      OPEN;
      yield;
      STEP;
      n += x;
    }
  } catch (fm_error *e) {
    CHECK(strcmp(fm_error_name(e), "bad") == 0);
    n += 100000;
  }
  return n;
}

#define PROGRAM(name, s) static async int name(void) { return total(s); }
#define TIMED(name, s) static async int name(void) { total(s); return 0; } // what comes depends on when it is disturbed
PROGRAM(map, some())
PROGRAM(filter, fm_stream_filter(some(), odd))
PROGRAM(take, fm_stream_take(some(), 3))
PROGRAM(take_while, fm_stream_take_while(some(), below, 4))
PROGRAM(skip, fm_stream_skip(some(), 3))
PROGRAM(distinct, fm_stream_distinct_by(some(), same))
PROGRAM(changed, fm_stream_changed_by(some(), same))
PROGRAM(scan, fm_stream_scan(ints, some(), add, 0))
PROGRAM(reduce, fm_stream_reduce(ints, some(), add, 0))
PROGRAM(interval, every(3, 0, 4))
PROGRAM(merge, fm_stream_merge(every(3, 0, 3), some(), every(2, 50, 3)))
PROGRAM(concat, fm_stream_concat(every(3, 0, 2), some()))
PROGRAM(zip, fm_stream_zip(ints, every(3, 0, 3), some(), add))
TIMED(combine_latest, fm_stream_combine_latest(ints, every(3, 0, 3), some(), add))
TIMED(take_until, fm_stream_take_until(some(), fm_stream_timer(4)))
TIMED(switch_map, fm_stream_switch_map(ints, every(4, 1, 3), inner))
PROGRAM(merge_map, fm_stream_merge_map(ints, every(4, 1, 3), 2, inner))
TIMED(debounce, fm_stream_debounce(fm_stream_concat(every(1, 0, 3), every(6, 10, 2)), 4))
TIMED(throttle, fm_stream_throttle(every(1, 0, 8), 3))
PROGRAM(window, fm_stream_window(ints, some(), 2, sum))
PROGRAM(window_merged, fm_stream_window(ints, some(), 3, first_and_more))
PROGRAM(window_time, fm_stream_window_time(ints, every(2, 0, 6), 5, sum))
PROGRAM(caught, fm_stream_catch(fm_stream_map(ints, some(), fragile, 3), instead))
PROGRAM(retry, fm_stream_retry(fm_stream_map(ints, some(), fragile, 3), 1))
PROGRAM(hold, fm_stream_hold(some(), 2, FM_WAIT))
TIMED(hold_newest, fm_stream_hold(every(1, 0, 6), 1, FM_DROP_OLDEST))
PROGRAM(generate, fm_stream_generate(ints, emit, 4))
PROGRAM(generate_many, fm_stream_generate(ints, emit_many))
TIMED(nested, fm_stream_take(fm_stream_merge(fm_stream_merge(every(2, 0, 9), fm_stream_switch_map(ints, every(3, 1, 3), inner)), some()), 9))
TIMED(delay, fm_stream_delay(some(), 3))
TIMED(timeout, fm_stream_timeout(some(), 9))
TIMED(sample, fm_stream_sample(every(1, 0, 8), every(3, 0, 3)))
TIMED(with_latest, fm_stream_with_latest_from(ints, every(2, 0, 5), every(3, 50, 2), add))
TIMED(exhaust_map, fm_stream_exhaust_map(ints, every(2, 1, 6), inner))
TIMED(group_by, fm_stream_group_by(ints, int, some(), rest, group))
PROGRAM(timestamp, fm_stream_map(ints, fm_stream_timestamp(stampeds, some()), unstamped))
PROGRAM(merge_array, merged())
TIMED(share, shared())

static async int buffer(void) {
  int n = 0;
  try {
    fm_for_each (b, fm_stream_buffer(threes, fm_stream_map(ints, some(), fragile, 100))) n += (int)b.count + b.at[0] + b.at[1] + b.at[2];
    fm_for_each (b, fm_stream_buffer_time(threes, every(2, 0, 5), 5)) n += (int)b.count + b.at[0] + b.at[1] + b.at[2];
  } catch (fm_error *e) {
    CHECK(!e);
  }
  return n;
}

static async void send(int_chan *c, int_event *e) {
  for (int i = 0; i < 4; i++) {
    fm_sleep(1);
    fm_emit(e, i);
    try {
      fm_send(c, i);
    } catch (struct fm_closed closed) {
      (void)closed;
    }
  }
  fm_chan_close(c);
}

static async int sources(void) {
  int_chan c;
  int_event e;
  fm_chan_init(&c, 0);
  defer fm_chan_free(&c);
  fm_event_init(&e);
  scope {
    spawn send(&c, &e);
    total(fm_stream_merge(fm_stream_from_chan(ints, &c), fm_stream_take_until(fm_stream_from_event(ints, &e, 4), fm_stream_timer(9))));
  }
  fm_checkpoint();
  return 0;
}

static async void tally(int x, int *n) { OPEN; yield; *n += x; STEP; }

static async int subscriptions(void) {
  int n = 0;
  try {
    scope {
      fm_subscribe(some(), tally, &n);
      fm_subscribe(fm_stream_merge(every(2, 0, 3), some()), tally, &n);
      auto t = fm_subscribe(fm_stream_map(ints, some(), fragile, 9), tally, &n);
      await t;
    }
    fm_checkpoint();                              // a cancel that came at the end of the scope was for its children
  } catch (fm_error *e) {
    CHECK(!e);
  }
  return n;
}

static async int by_hand(void) {
  ints s = fm_stream_merge(every(2, 0, 3), some());
  int n = 0, x = 0;
  fm_stream_open(&s);
  defer fm_stream_close(&s);
  try {
    while (fm_stream_next(&s, &x)) n += x;
  } catch (fm_error *e) {
    CHECK(!e);
  }
  return n;
}

static async int in_cleanup(void) {
  int n = 0;
  {
    OPEN;
    defer n = total(fm_stream_merge(every(2, 0, 3), some()));
    fm_sleep(3);
  }
  return n;
}

static void none_left(void) {
  for (fm_stream_info i = { 0 }; fm_stream_each(&i);) CHECK(i.state >= FM_STREAM_DONE);
}

#define TRY(f) do { disturb(#f, f, f()); none_left(); } while (0) // expect: map
async int main(void) {
  TRY(map); TRY(filter); TRY(take); TRY(take_while); TRY(skip); TRY(distinct); TRY(changed); TRY(scan); TRY(reduce); TRY(interval);
  TRY(merge); TRY(concat); TRY(zip); TRY(combine_latest); TRY(take_until); TRY(switch_map); TRY(merge_map); TRY(debounce); TRY(throttle);
  TRY(window); TRY(window_merged); TRY(window_time); TRY(caught); TRY(retry); TRY(hold); TRY(hold_newest); TRY(generate);
  TRY(generate_many); TRY(nested); TRY(buffer); TRY(sources); TRY(subscriptions); TRY(by_hand); TRY(in_cleanup);
  TRY(delay); TRY(timeout); TRY(sample); TRY(with_latest); TRY(exhaust_map); TRY(group_by); TRY(timestamp); TRY(merge_array); TRY(share);
}
// expect: filter
// expect: take
// expect: take_while
// expect: skip
// expect: distinct
// expect: changed
// expect: scan
// expect: reduce
// expect: interval
// expect: merge
// expect: concat
// expect: zip
// expect: combine_latest
// expect: take_until
// expect: switch_map
// expect: merge_map
// expect: debounce
// expect: throttle
// expect: window
// expect: window_merged
// expect: window_time
// expect: caught
// expect: retry
// expect: hold
// expect: hold_newest
// expect: generate
// expect: generate_many
// expect: nested
// expect: buffer
// expect: sources
// expect: subscriptions
// expect: by_hand
// expect: in_cleanup
// expect: delay
// expect: timeout
// expect: sample
// expect: with_latest
// expect: exhaust_map
// expect: group_by
// expect: timestamp
// expect: merge_array
// expect: share
