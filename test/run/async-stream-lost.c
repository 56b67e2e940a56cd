// Nothing is lost on the way to the consumer: values before an error, values that come when an arm of a race has just lost, what
// a batch has so far; and an emit that is given up has had no effect.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/stream.h"

typedef fm_batch(int, 3) three;
typedef fm_stream(three) threes;
static ints self(ints w) { return w; }
static ints broken(void) { return fm_stream_map(ints, fm_stream_of(ints, 1, 2, 3, 4), fragile, 3); }

static void print(three b) {
  printf(" ");
  for (size_t i = 0; i < b.count; i++) printf("%s%d", i ? "," : "", b.at[i]);
}

static async void batches(const char *what, threes s) {
  printf("%s:", what);
  try {
    fm_for_each (b, s) print(b);
    printf(" |\n");
  } catch (fm_error *e) {
    printf(" !%s\n", fm_error_name(e));
  }
}

// Does not wait longer than ms for each of them.
static async void impatient(const char *what, threes s, uint64_t ms) throws(fm_error) {
  three b;
  printf("%s:", what);
  fm_stream_open(&s);
  defer fm_stream_close(&s);
  for (bool more = true; more;) {
    race {
    case more = fm_stream_next(&s, &b): if (more) print(b);
    case fm_sleep(ms): printf(".");
    }
  }
  printf(" |\n");
}

static async void emit_all(ints out, int n) throws(struct bad) {
  for (int i = 1; i <= n; i++) fm_stream_emit(out, i);
  throw (struct bad){ n };
}

static async void gives_up(ints out) {
  fm_stream_emit(out, 1);
  race {
  case fm_stream_emit(out, 2): printf(" too early");
  case fm_sleep(10): printf(" given up");
  }
  fm_sleep(50);
  for (int i = 3; i <= 6; i++) fm_stream_emit(out, i);
}

// The other arm ends when the first has been woken, and has not run yet.
static async void just_lost(ints s) throws(fm_error) {
  int x = 0;
  fm_stream_open(&s);
  defer fm_stream_close(&s);
  for (bool more = true; more;) {
    race {
    case more = fm_stream_next(&s, &x): printf(" %d", more ? x : 0);
    case fm_sleep(0): printf(" lost");
    }
  }
}

async int main(void) {
  batches("buffer", fm_stream_buffer(threes, broken()));                            // expect: buffer: 1,2 !bad
  batches("buffer_time", fm_stream_buffer_time(threes, broken(), 10));              // expect: buffer_time: 1,2 !bad
  list("window", fm_stream_window(ints, broken(), 5, self));                        // expect: window: 1 2 !bad 3
  list("window_time", fm_stream_window_time(ints, broken(), 5, self));              // expect: window_time: 1 2 !bad 3
  list("debounce", fm_stream_debounce(broken(), 5));                                // expect: debounce: 2 !bad 3
  list("hold", fm_stream_hold(broken(), 5, FM_DROP_OLDEST));                        // expect: hold: 1 2 !bad 3
  try {
    impatient("buffer", fm_stream_buffer(threes, every(10, 1, 7)), 15);
    // expect: buffer:.. 1,2,3.. 4,5,6 7 |
    impatient("buffer_time", fm_stream_buffer_time(threes, every(10, 1, 7), 25), 7);
    // expect: buffer_time:... 1,2... 3,4.. 5,6,7 |
    printf("emit:");
    fm_for_each (x, fm_stream_generate(ints, gives_up)) {
      printf(" %d", x);
      fm_sleep(30);
    }
    printf(" |\n");                                                                 // expect: emit: 1 given up 3 4 5 6 |
    just_lost(fm_stream_generate(ints, emit_all, 3));
  } catch (fm_error *e) {
    printf(" !%s\n", fm_error_name(e));                                             // expect:  lost 1 2 lost 3 !bad
  }
  // What is too far away is never.
  list("throttle", fm_stream_throttle(every(10, 1, 4), UINT64_MAX));                // expect: throttle: 1 |
  list("debounce", fm_stream_debounce(every(10, 1, 4), UINT64_MAX));                // expect: debounce: 4 |
  batches("buffer_time", fm_stream_buffer_time(threes, every(10, 1, 4), UINT64_MAX / 1000000)); // expect: buffer_time: 1,2,3 4 |
  list("window_time", fm_stream_window_time(ints, every(10, 1, 2), UINT64_MAX, self)); // expect: window_time: 1 2 |
  return 0;
}
