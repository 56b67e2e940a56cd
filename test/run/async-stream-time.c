// Operators that wait for time, or for several streams: when which values come.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/stream.h"

typedef fm_batch(int, 3) three;
typedef fm_stream(three) threes;
static ints inner(int x) { return every(7, x * 10, 3); }
static ints sum(ints w) { return fm_stream_reduce(ints, w, add, 0); }
static ints first(ints w) { return fm_stream_take(w, 1); }
static async int slow(int x, uint64_t ms) { fm_sleep(ms); return x; }

static async void batches(const char *what, threes s) throws(fm_error) {
  uint64_t then = fm_now();
  printf("%s:", what);
  fm_for_each (b, s) {
    printf(" ");
    for (size_t i = 0; i < b.count; i++) printf("%s%d", i ? "," : "", b.at[i]);
    printf("@%d", ms_since(then));
  }
  printf(" |%d\n", ms_since(then));
}

async int main(void) {
  show("timer", fm_stream_map(ints, fm_stream_timer(20), number, 5));
  // expect: timer: 5@20 |20
  show("interval", every(10, 0, 4));
  // expect: interval: 0@10 1@20 2@30 3@40 |40
  show("interval, missed", fm_stream_map(ints, every(10, 0, 4), slow, 25));
  // expect: interval, missed: 0@35 1@60 2@85 3@110 |110
  show("merge", fm_stream_merge(every(10, 0, 4), every(15, 100, 3), fm_stream_of(ints, 7, 8)));
  // expect: merge: 7@0 8@0 0@10 100@15 1@20 101@30 2@30 3@40 102@45 |45
  show("concat", fm_stream_concat(every(10, 0, 2), fm_stream_of(ints, 7), every(5, 50, 2)));
  // expect: concat: 0@10 1@20 7@20 50@25 51@30 |30
  show("zip", fm_stream_zip(ints, every(10, 0, 4), every(15, 50, 3), pair));
  // expect: zip: 50@15 151@30 252@45 |45
  show("combine_latest", fm_stream_combine_latest(ints, every(10, 0, 4), every(15, 50, 3), pair));
  // expect: combine_latest: 50@15 150@20 151@30 251@30 351@40 352@45 |45
  show("combine_latest", fm_stream_combine_latest(ints, every(10, 0, 4), fm_stream_empty(ints), pair));
  // expect: combine_latest: |0
  show("take_until", fm_stream_take_until(every(10, 0, 9), fm_stream_timer(35)));
  // expect: take_until: 0@10 1@20 2@30 |35
  show("take_until", fm_stream_take_until(every(10, 0, 2), fm_stream_timer(35)));
  // expect: take_until: 0@10 1@20 |20
  show("take_until", fm_stream_take_until(every(10, 0, 2), fm_stream_empty(ints)));
  // expect: take_until: 0@10 1@20 |20
  show("take_until", fm_stream_take_until(every(10, 0, 3), fm_stream_map(ints, every(5, 3, 5), fragile, 3)));
  // expect: take_until: !bad 3@5
  show("switch_map", fm_stream_switch_map(ints, every(15, 1, 3), inner));
  // expect: switch_map: 10@22 11@29 20@37 21@44 30@52 31@59 32@66 |66
  show("switch_map", fm_stream_switch_map(ints, fm_stream_map(ints, every(15, 1, 3), fragile, 2), inner));
  // expect: switch_map: 10@22 11@29 !bad 2@30
  show("merge_map", fm_stream_merge_map(ints, every(15, 1, 3), 0, inner));
  // expect: merge_map: 10@22 11@29 12@36 20@37 21@44 22@51 30@52 31@59 32@66 |66
  show("merge_map, 2", fm_stream_merge_map(ints, every(5, 1, 3), 2, inner));
  // expect: merge_map, 2: 10@12 20@17 11@19 21@24 12@26 22@31 30@33 31@40 32@47 |47
  show("debounce", fm_stream_debounce(fm_stream_concat(every(3, 0, 3), every(20, 10, 2)), 10));
  // expect: debounce: 2@19 10@39 11@49 |49
  show("debounce", fm_stream_debounce(fm_stream_map(ints, every(20, 0, 3), fragile, 2), 10));
  // expect: debounce: 0@30 1@50 !bad 2@60
  show("debounce, slow", fm_stream_map(ints, fm_stream_debounce(every(20, 0, 6), 5), slow, 50));
  // expect: debounce, slow: 0@75 2@125 5@175 |175
  show("throttle", fm_stream_throttle(every(3, 0, 10), 10));
  // expect: throttle: 0@3 4@15 8@27 |30
  show("window_time", fm_stream_window_time(ints, every(10, 0, 9), 35, sum));
  // expect: window_time: 3@35 12@70 21@90 |90
  show("window_time", fm_stream_window_time(ints, every(10, 0, 9), 35, first));
  // expect: window_time: 0@10 3@40 6@70 |90
  show("window_time", fm_stream_window_time(ints, every(100, 0, 2), 35, first));
  // expect: window_time: 0@100 1@200 |200
  show("hold", fm_stream_map(ints, fm_stream_hold(every(10, 0, 8), 2, FM_WAIT), slow, 35));
  // expect: hold: 0@45 1@80 2@115 3@150 4@185 5@220 6@255 7@290 |290
  show("hold, oldest", fm_stream_map(ints, fm_stream_hold(every(10, 0, 8), 2, FM_DROP_OLDEST), slow, 35));
  // expect: hold, oldest: 0@45 2@80 5@115 6@150 7@185 |185
  show("hold, newest", fm_stream_map(ints, fm_stream_hold(every(10, 0, 8), 2, FM_DROP_NEWEST), slow, 35));
  // expect: hold, newest: 0@45 1@80 2@115 4@150 7@185 |185
  try {
    batches("buffer_time", fm_stream_buffer_time(threes, every(10, 1, 7), 25));
    // expect: buffer_time: 1,2@25 3,4@50 5,6,7@70 |70
    batches("buffer_time", fm_stream_buffer_time(threes, every(100, 1, 2), 25));
    // expect: buffer_time: 1@125 2@200 |200
    batches("buffer_time", fm_stream_buffer_time(threes, every(5, 1, 7), 25));
    // expect: buffer_time: 1,2,3@15 4@25 5,6,7@35 |35
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
}
