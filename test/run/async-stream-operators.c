// Operators that take no time: values, the end, and an error in the middle, which comes after the values before it.
// env: FERMATA_TICK=off
#include "parts/stream.h"

typedef fm_stream(const char *) texts;
typedef fm_batch(int, 2) two;
typedef fm_stream(two) twos;
static int squared(int x) { return x * x; }
static async int times(int x, int by) { yield; return x * by; }
static const char *word(int x) { static const char *const words[] = { "zero", "one", "two", "three" }; return words[x]; }
static async bool shorter(const char *s, size_t n) { return s[n] == 0; }
static bool below(int x, int most) { return x < most; }
static bool close_to(int a, int b, int d) { return a - b < d && b - a < d; }
static double average(double a, int x) { return (a + x) / 2; }
static ints sum(ints w) { return fm_stream_reduce(ints, w, add, 0); }
static ints first(ints w) { return fm_stream_take(w, 1); }
static ints none(ints w) { fm_stream_drop(w); return fm_stream_of(ints, 0); }
static ints twice(int x) { return fm_stream_of(ints, x, x); }
static ints fails(int x) { return fm_stream_map(ints, fm_stream_of(ints, x, x + 1), fragile, 4); }
static ints up_to(int n) { static const int a[] = { 1, 2, 3, 4, 5, 6 }; return fm_stream_from_array(ints, a, (size_t)n); }
static ints broken(void) { return fm_stream_map(ints, up_to(6), fragile, 4); }

#define BOTH(name, op) do { ints s = up_to(5); list(name, op); s = broken(); list(name, op); } while (0)
typedef fm_stream(double) doubles;

static async void others(void) throws(fm_error) {
  fm_for_each (w, fm_stream_filter(fm_stream_map(texts, fm_stream_of(ints, 3, 2, 1, 0), word), shorter, (size_t)3)) printf(" %s", w);
  printf("\n");
  fm_for_each (d, fm_stream_scan(doubles, up_to(3), average, 1)) printf(" %g", d);
  printf("\n");
  fm_for_each (b, fm_stream_buffer(twos, up_to(5))) printf(" %zu:%d,%d", b.count, b.at[0], b.at[1]);
  printf("\n");
  fm_for_each (b, fm_stream_buffer(twos, fm_stream_empty(ints))) printf(" %zu", b.count);
  try {
    fm_for_each (b, fm_stream_buffer(twos, broken())) printf(" %zu:%d,%d", b.count, b.at[0], b.at[1]);
  } catch (struct bad b) {
    printf(" bad %d\n", b.n);
  }
}

async int main(void) {
  list("of", fm_stream_of(ints, 7));                                  // expect: of: 7 |
  list("empty", fm_stream_empty(ints));                               // expect: empty: |
  BOTH("map", fm_stream_map(ints, s, squared));                       // expect: map: 1 4 9 16 25 |
                                                                      // expect: map: 1 4 9 !bad 4
  BOTH("async map", fm_stream_map(ints, s, times, 2 + 1));            // expect: async map: 3 6 9 12 15 |
                                                                      // expect: async map: 3 6 9 !bad 4
  BOTH("filter", fm_stream_filter(s, odd));                           // expect: filter: 1 3 5 |
                                                                      // expect: filter: 1 3 !bad 4
  BOTH("take", fm_stream_take(s, 4));                                 // expect: take: 1 2 3 4 |
                                                                      // expect: take: 1 2 3 !bad 4
  BOTH("take", fm_stream_take(s, 3));                                 // expect: take: 1 2 3 |
                                                                      // expect: take: 1 2 3 |
  BOTH("take", fm_stream_take(s, 0));                                 // expect: take: |
                                                                      // expect: take: |
  BOTH("take_while", fm_stream_take_while(s, below, 3));              // expect: take_while: 1 2 |
                                                                      // expect: take_while: 1 2 |
  BOTH("take_while", fm_stream_take_while(s, below, 9));              // expect: take_while: 1 2 3 4 5 |
                                                                      // expect: take_while: 1 2 3 !bad 4
  BOTH("skip", fm_stream_skip(s, 2));                                 // expect: skip: 3 4 5 |
                                                                      // expect: skip: 3 !bad 4
  BOTH("skip", fm_stream_skip(s, 9));                                 // expect: skip: |
                                                                      // expect: skip: !bad 4
  BOTH("scan", fm_stream_scan(ints, s, add, 10));                     // expect: scan: 11 13 16 20 25 |
                                                                      // expect: scan: 11 13 16 !bad 4
  BOTH("reduce", fm_stream_reduce(ints, s, add, 10));                 // expect: reduce: 25 |
                                                                      // expect: reduce: !bad 4
  list("reduce", fm_stream_reduce(ints, fm_stream_empty(ints), add, 3)); // expect: reduce: 3 |
  list("distinct", fm_stream_distinct(fm_stream_of(ints, 3, 1, 3, 2, 1, 4))); // expect: distinct: 3 1 2 4 |
  list("distinct", fm_stream_distinct_by(fm_stream_of(ints, 9, 1, 8, 2, 5, 4), close_to, 2)); // expect: distinct: 9 1 5 |
  list("changed", fm_stream_changed(fm_stream_of(ints, 3, 3, 1, 1, 3))); // expect: changed: 3 1 3 |
  list("changed", fm_stream_changed_by(fm_stream_of(ints, 3, 4, 5, 5, 3), close_to, 2)); // expect: changed: 3 5 3 |
  BOTH("distinct", fm_stream_distinct(s));                            // expect: distinct: 1 2 3 4 5 |
                                                                      // expect: distinct: 1 2 3 !bad 4
  BOTH("concat", fm_stream_concat(fm_stream_of(ints, 8, 9), s, fm_stream_of(ints, 7))); // expect: concat: 8 9 1 2 3 4 5 7 |
                                                                      // expect: concat: 8 9 1 2 3 !bad 4
  list("concat", fm_stream_concat(up_to(2)));                         // expect: concat: 1 2 |
  BOTH("zip", fm_stream_zip(ints, s, fm_stream_of(ints, 6, 7, 8, 9), pair)); // expect: zip: 106 207 308 409 |
                                                                      // expect: zip: 106 207 308 !bad 4
  list("zip", fm_stream_zip(ints, up_to(2), up_to(5), pair));         // expect: zip: 101 202 |
  list("merge", fm_stream_merge(up_to(3), fm_stream_of(ints, 7, 8, 9))); // expect: merge: 1 7 2 8 3 9 |
  list("merge", fm_stream_merge(up_to(6), broken()));                 // expect: merge: 1 1 2 2 3 3 4 !bad 4
  BOTH("merge_map", fm_stream_merge_map(ints, s, 1, twice));          // expect: merge_map: 1 1 2 2 3 3 4 4 5 5 |
                                                                      // expect: merge_map: 1 1 2 2 !bad 4
  list("merge_map", fm_stream_merge_map(ints, up_to(5), 1, fails));   // expect: merge_map: 1 2 2 3 3 !bad 4
  BOTH("switch_map", fm_stream_take(fm_stream_switch_map(ints, fm_stream_skip(s, 2), twice), 1)); // expect: switch_map: 5 |
                                                                      // expect: switch_map: !bad 4
  BOTH("window", fm_stream_window(ints, s, 2, sum));                  // expect: window: 3 7 5 |
                                                                      // expect: window: 3 !bad 4
  BOTH("window", fm_stream_window(ints, s, 2, first));                // expect: window: 1 3 5 |
                                                                      // expect: window: 1 3 !bad 4
  BOTH("window", fm_stream_window(ints, s, 3, none));                 // expect: window: 0 0 |
                                                                      // expect: window: 0 !bad 4
  list("window", fm_stream_window(ints, fm_stream_empty(ints), 3, sum)); // expect: window: |
  BOTH("hold", fm_stream_hold(s, 2, FM_WAIT));                        // expect: hold: 1 2 3 4 5 |
                                                                      // expect: hold: 1 2 3 !bad 4
  try {
    others();
    // expect:  two one
    // expect:  1 1.5 2.25
    // expect:  2:1,2 2:3,4 1:5,0
    // expect:  2:1,2 1:3,0 bad 4
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
}
