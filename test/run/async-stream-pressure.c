// A slow consumer slows its producer: how many values have been made when so many are consumed.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/stream.h"

static int made;
static async int make(int x) { made++; return x; }
static async void emit(ints out) { for (int i = 0; i < 1000; i++) { made++; fm_stream_emit(out, i); } }
static bool all(int x) { return x >= 0; }
static ints many(void) {
  static int a[1000];
  return fm_stream_map(ints, fm_stream_from_array(ints, a, 1000), make);
}
static ints same(int x) { return fm_stream_of(ints, x); }

static async void count(const char *what, ints s) {
  int n = 0, most = 0;
  made = 0;
  try {
    fm_for_each (x, s) {
      (void)x;
      fm_sleep(10);
      if (made - ++n > most) most = made - n;
      if (n == 20) break;
    }
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
  printf("%s: %d ahead\n", what, most);
}

async int main(void) {
  count("linear", fm_stream_skip(fm_stream_filter(many(), all), 0));           // expect: linear: 0 ahead
  count("scan", fm_stream_take(fm_stream_scan(ints, many(), add, 0), 50));     // expect: scan: 0 ahead
  count("generate", fm_stream_generate(ints, emit));                           // expect: generate: 1 ahead
  count("merge", fm_stream_merge(many(), fm_stream_empty(ints)));              // expect: merge: 1 ahead
  count("merge of two", fm_stream_merge(many(), many()));                      // expect: merge of two: 2 ahead
  count("take_until", fm_stream_take_until(many(), fm_stream_timer(100000)));  // expect: take_until: 1 ahead
  count("zip", fm_stream_zip(ints, many(), every(1, 0, 1000), add));           // expect: zip: 1 ahead
  count("merge_map", fm_stream_merge_map(ints, many(), 1, same));              // expect: merge_map: 1 ahead
  count("concat", fm_stream_concat(many(), many()));                           // expect: concat: 0 ahead
  count("hold 5", fm_stream_hold(many(), 5, FM_WAIT));                         // expect: hold 5: 6 ahead
}
