// Latest values and one-shots: a waiter gets the newest value, and none twice; a value that is
// given once is there for all.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

struct point { int x, y; };
typedef fm_latest(struct point) place;
typedef fm_latest(int) number;
typedef fm_oneshot(struct point) once;
static number n;
static once o;

static async void follow(const char *who, int until) {
  uint64_t seen = 0;
  int v;
  do {
    v = fm_latest_next(&n, &seen);
    printf("%s %d\n", who, v);
  } while (v != until);
}

static async void newest(void) {
  fm_latest_init(&n, 1);
  auto a = spawn now follow("a", 5); // expect: a 1
  fm_latest_set(&n, 2);
  fm_latest_set(&n, 3); // 2 is never seen
  yield;                // expect: a 3
  fm_latest_set(&n, 4);
  auto b = spawn now follow("b", 5); // expect: b 4
  yield;                             // expect: a 4
  fm_latest_set(&n, 5);
  await a; // b has waited longer
  await b;
  // expect: b 5
  // expect: a 5
  printf("%d\n", fm_latest_get(&n)); // expect: 5
}

static async void given_up(void) {
  place p;
  uint64_t seen = 0;
  fm_latest_init(&p, { 1, 2 });
  struct point v = fm_latest_next(&p, &seen);
  printf("%d %d\n", v.x, v.y); // expect: 1 2
  race {
  case v = fm_latest_next(&p, &seen): printf("no\n");
  case fm_sleep(10): printf("nothing new\n"); // expect: nothing new
  }
  fm_latest_set(&p, (struct point){ 3, 4 });
  race {
  case v = fm_latest_next(&p, &seen): printf("%d\n", v.y); // expect: 4
  case fm_sleep(10): printf("no\n");
  }
  try {
    fm_within(5, fm_latest_next(&p, &seen));
  } catch (struct fm_timeout e) {
    printf("timeout\n"); // expect: timeout
  }
  printf("%d\n", (atomic fm_latest_get(&p)).x); // expect: 3
}

static async void wait_for(const char *who) {
  struct point p = fm_oneshot_wait(&o);
  printf("%s %d\n", who, p.x);
}

static async void one_shot(void) {
  fm_oneshot_init(&o);
  auto a = spawn now wait_for("a");
  auto b = spawn now wait_for("b");
  auto c = spawn now wait_for("c");
  fm_cancel(fm_id(b));
  printf("%d\n", fm_oneshot_is_set(&o));        // expect: 0
  printf("%d\n", fm_oneshot_set(&o, { 7, 0 })); // expect: 1
  printf("%d\n", fm_oneshot_set(&o, { 8, 0 })); // expect: 0
  await a;                                      // expect: a 7
  await c;                                      // expect: c 7
  wait_for("later");                            // expect: later 7
  printf("%d\n", fm_oneshot_is_set(&o));        // expect: 1
  fm_join(fm_id(b));
  fm_detach(b);
}

async int main(void) {
  newest();
  given_up();
  one_shot();
  return 0;
}
