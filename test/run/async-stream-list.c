// Listings: every subscription with its state, what it is made of, how many events it has had and its last ones; those that have ended.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/stream.h"

struct point { int x, y; };
typedef fm_stream(struct point) points;
static struct point at(int x) { return (struct point){ x, -x }; }
static void show_point(FILE *to, struct point p) { fprintf(to, "(%d %d)", p.x, p.y); }
static void show_int(FILE *to, int x, const char *unit) { fprintf(to, "%d%s", x, unit); }
static async void hard(FILE *to, int x) throws(struct bad) { fputs("?", to); throw (struct bad){ x }; }
static async void nothing(int x) { (void)x; }
static async void nothing_at(struct point p) { (void)p; }

async int main(void) {
  try {
    auto a = fm_subscribe(fm_stream_named(fm_stream_merge(every(10, 0, 9), fm_stream_named(every(15, 40, 9), "fifteen")), "merged"), nothing);
    auto b = fm_subscribe(fm_stream_shown(fm_stream_named(fm_stream_map(points, every(10, 0, 3), at), "points"), show_point), nothing_at);
    auto c = fm_subscribe(fm_stream_shown(fm_stream_map(ints, every(10, 0, 9), fragile, 2), show_int, "ms"), nothing);
    auto d = fm_subscribe(every(10, 0, 9), nothing);
    fm_set_name(fm_id(d), "d");
    fm_sleep(25);
    fm_pause(fm_id(d));
    fm_sleep(21);
    fm_stream_dump(stdout);
    // expect: merged: waiting, 7 events: 0x0 0x28 0x1 0x29 0x2 0x3 0x2a
    // expect:   take: waiting, 4 events
    // expect:     map: waiting, 4 events
    // expect:       interval: waiting, 4 events
    // expect:   fifteen: waiting, 3 events: 0x28 0x29 0x2a
    // expect:     map: waiting, 3 events
    // expect:       interval: waiting, 3 events
    // expect: take: paused, 2 events: 0x0 0x1
    // expect:   map: paused, 2 events
    // expect:     interval: paused, 2 events
    // expect: points: done, 3 events: (0 0) (1 -1) (2 -2)
    // expect: map: failed, 2 events: 0ms 1ms
    fm_cancel(fm_id(d));
    fm_join(fm_id(d));
    fm_detach(d);
    for (fm_stream_info i = { 0 }; fm_stream_each(&i);)
      if (i.depth == 0) printf("%s %s %d %d\n", i.name, fm_stream_state_name(i.state), (int)i.events, fm_alive(i.activity));
    // expect: merged waiting 7 1
    // expect: points done 3 0
    // expect: map failed 2 0
    // expect: take cancelled 4 0
    fm_cancel(fm_id(a));
    fm_join(fm_id(a));
    fm_detach(a);
    await b;
    try {
      await c;
    } catch (struct bad e) {
      printf("bad %d\n", e.n);
      // expect: bad 2
    }
    fm_stream_history(2, 1);
    fm_for_each (x, fm_stream_shown(fm_stream_of(ints, 1, 2, 3), hard)) {
      if (x < 3) continue;
      fm_stream_dump(stdout);
      // expect: array: running, 3 events: ?(bad) ?(bad)
      // expect: merged: cancelled, 7 events: 0x0 0x28 0x1 0x29 0x2 0x3 0x2a
    }
    fm_stream_history(0, 0);
    fm_for_each (x, fm_stream_of(ints, 1, 2, 3)) {
      if (x < 3) continue;
      fm_stream_dump(stdout);
      // expect: array: running, 3 events
    }
    fm_stream_dump(stdout);
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
}
