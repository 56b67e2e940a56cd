// An atomic function, and plain code with `atomic`, use the calls of sync.h: the types of their
// values are known where the generated variables stand.
// env: FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>

struct point {
  int x, y;
};
typedef fm_chan(int) int_chan;
typedef fm_chan(struct point) point_chan;
typedef fm_mvar(int) int_mvar;
static int_chan c;
static point_chan points;
static int_mvar place;

static atomic int received(int add) throws(struct fm_closed) {
  int x = fm_recv(&c);
  return add + x;
}

static atomic int tried(void) {
  int x = 0;
  try {
    x = fm_recv(&c);
    fm_send(&c, x + 1);
  } catch (struct fm_closed e) {
    (void)e;
  } finally {
    x *= 10;
  }
  return x;
}

static atomic int or_closed(int_chan *from) {
  int x;
  return fm_recv_or_closed(from, &x) ? x : -1;
}

static atomic struct point moved(void) throws(struct fm_closed) {
  struct point p = fm_recv(&points);
  fm_put(&place, p.x);
  return (struct point){ p.y, fm_take(&place) };
}

static int plain(void) throws(struct fm_closed) {
  return atomic fm_recv(&c);
}

async int main(void) throws(struct fm_closed) {
  fm_chan_init(&c, 3);
  fm_chan_init(&points, 1);
  fm_mvar_init(&place);
  fm_send(&c, 1);
  fm_send(&c, 2);
  fm_send(&c, 3);
  printf("%d\n", received(10)); // expect: 11
  printf("%d\n", tried());      // expect: 20
  printf("%d\n", or_closed(&c)); // expect: 3
  printf("%d\n", plain());      // expect: 3
  fm_chan_close(&c);
  printf("%d\n", or_closed(&c)); // expect: -1
  fm_send(&points, { 4, 5 });
  struct point p = moved();
  printf("%d %d\n", p.x, p.y); // expect: 5 4
}
