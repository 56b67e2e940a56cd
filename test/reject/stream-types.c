#include <fermata.h>
#include <fermata/stream.h>

struct point { int x, y; };
struct bad { int n; };
typedef fm_stream(int) ints;
typedef fm_stream(struct point) points;

static struct point at(int x) { return (struct point){ x, x }; }
static int across(struct point p) { return p.x; }
static async int risky(int x) throws(struct bad) { throw (struct bad){ x }; }
static points many(int x) { return fm_stream_of(points, { x, x }); }
static void emits(points out) { (void)out; }

static async void f(ints s, points p) throws(fm_error) {
  int n = 0;
  ints a = p;
  ints b = fm_stream_map(ints, s, at);
  ints d = fm_stream_map(ints, p, at);
  points e = fm_stream_map(ints, p, across);
  ints g = fm_stream_filter(s, across);
  ints i = fm_stream_switch_map(ints, s, many);
  ints k = fm_stream_map(ints, s, across, 5);
  ints l = fm_stream_generate(ints, emits);
  fm_subscribe(s, across);
  fm_for_each (x, p) n = x;
  fm_stream_map(ints, n, across);
  (void)a, (void)b, (void)d, (void)e, (void)g, (void)i, (void)k, (void)l;
}

static async void g(ints s) {
  fm_for_each (x, fm_stream_map(ints, s, risky)) (void)x;
}

static async void h(ints s) {
  fm_subscribe(s, risky);
}
// error: 17:12: a value of type `points` is given where `ints` is expected
// error: 18:12: a value of type `struct point` is given where `int` is expected
// error: 19:12: a value of type `const struct point` is given where `int` is expected
// error: 20:27: a value of type `ints` is given where `points` is expected
// error: 21:12: a value of type `const int` is given where `struct point` is expected
// error: 22:12: a value of type `points` is given where `ints` is expected
// error: 23:12: a value of type `const int` is given where `struct point` is expected
// error: 24:12: a value of type `ints` is given where `points` is expected
// error: 25:3: a value of type `const int` is given where `struct point` is expected
// error: 26:26: a value of type `struct point` is given where `int` is expected
// error: 27:3: a stream is expected here, not a value of type `int`
// error: 25:3: this `spawn` may throw `fm_error`
// error: 32:3: `fm_error` may be thrown here and is neither caught nor declared: catch it, or add `throws(fm_error)` to the function
// error: 36:3: this `spawn` may throw `fm_error`
