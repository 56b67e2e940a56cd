// Broadcasts: every subscriber gets every value; a slow one holds the publisher, or loses the
// oldest values and learns how many.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_broadcast(int) int_cast;
typedef fm_subscriber(int) int_sub;
struct wide { char c[3]; _Alignas(16) long l; };
typedef fm_broadcast(struct wide) wide_cast;
typedef fm_subscriber(struct wide) wide_sub;
static int_cast b;

static async void publish(int from, int to) throws(struct fm_closed) {
  for (int i = from; i <= to; i++)
    fm_publish(&b, i);
  printf("published\n");
}

static async void hear_all(const char *who) {
  int_sub s;
  int v;
  fm_subscriber_init(&s, &b, 0);
  defer fm_subscriber_free(&s);
  while (fm_hear_or_closed(&s, &v))
    printf("%s %d\n", who, v);
  printf("%s closed\n", who);
}

static async void all_get_all(void) throws(struct fm_closed) {
  fm_broadcast_init(&b, 4, FM_HOLD);
  auto x = spawn now hear_all("x");
  auto y = spawn now hear_all("y");
  printf("%zu\n", fm_broadcast_subscribers(&b)); // expect: 2
  fm_publish(&b, 1);
  fm_publish(&b, 2);
  fm_broadcast_close(&b);
  await x;
  await y;
  // expect: x 1
  // expect: x 2
  // expect: x closed
  // expect: y 1
  // expect: y 2
  // expect: y closed
  try {
    fm_publish(&b, 3);
  } catch (struct fm_closed e) {
    printf("closed %d\n", fm_try_publish(&b, 4)); // expect: closed 0
  }
  fm_broadcast_free(&b);
}

static async void until_freed(void) throws(struct fm_closed) {
  int_sub s, t;
  int v = 0;
  fm_broadcast_init(&b, 2, FM_HOLD);
  fm_subscriber_init(&s, &b, 0);
  fm_subscriber_init(&t, &b, 0);
  auto p = spawn now publish(1, 4);
  while (fm_try_hear(&s, &v))
    printf("%d ", v);
  printf("held, %d\n", fm_try_publish(&b, 9)); // expect: 1 2 held, 0
  printf("%d\n", fm_hear(&t));                 // expect: 1
  printf("%d\n", fm_hear(&s));                 // expect: 3
  fm_subscriber_free(&t);
  fm_subscriber_free(&t);
  printf("%d\n", fm_hear(&s)); // it waits until p has run
  // expect: published
  // expect: 4
  await p;
  fm_subscriber_init(&t, &b, 7);
  printf("%d %d\n", fm_hear(&t), fm_hear(&t)); // expect: 3 4
  fm_subscriber_free(&t);
  fm_subscriber_free(&s);
  fm_broadcast_free(&b);
}

static async void loses(void) throws(struct fm_closed) {
  int_sub s;
  fm_broadcast_init(&b, 3, FM_LOSE);
  fm_subscriber_init(&s, &b, 0);
  publish(1, 10); // expect: published
  for (int i = 0; i < 3; i++) {
    int v = fm_hear(&s);
    printf("%d missed %d\n", v, (int)fm_missed(&s));
  }
  // expect: 8 missed 7
  // expect: 9 missed 0
  // expect: 10 missed 0
  publish(11, 15);             // expect: published
  printf("%d ", fm_hear(&s));
  printf("%d\n", (int)fm_missed(&s)); // expect: 13 2
  fm_subscriber_free(&s);
  fm_broadcast_free(&b);
}

// A value is not lost by an arm that loses, nor by a cancel.
static async void in_a_race(void) throws(struct fm_closed) {
  int_sub s, t;
  fm_broadcast_init(&b, 4, FM_HOLD);
  fm_subscriber_init(&s, &b, 0);
  fm_subscriber_init(&t, &b, 0);
  race {
  case int v = fm_hear(&s): printf("heard %d\n", v);
  case fm_sleep(10): printf("nothing\n"); // expect: nothing
  }
  fm_publish(&b, 1);
  race {
  case int v = fm_hear(&s): printf("s %d\n", v); // expect: s 1
  case int v = fm_hear(&t): printf("t %d\n", v);
  }
  printf("%d\n", fm_hear(&t)); // expect: 1
  try {
    fm_within(5, fm_hear(&s));
  } catch (struct fm_timeout e) {
    printf("timeout\n"); // expect: timeout
  }
  atomic fm_publish(&b, 2);
  printf("%d %d\n", atomic fm_hear(&s), fm_hear(&t)); // expect: 2 2
  fm_subscriber_free(&s);
  fm_subscriber_free(&t);
  fm_broadcast_free(&b);
}

static async void wide_values(void) throws(struct fm_closed) {
  wide_cast w;
  wide_sub s;
  fm_broadcast_init(&w, 1, FM_LOSE);
  fm_subscriber_init(&s, &w, 0);
  fm_publish(&w, { "a", 1 });
  fm_publish(&w, (struct wide){ "b", 2 });
  struct wide v = fm_hear(&s);
  printf("%s %ld %d\n", v.c, v.l, (int)fm_missed(&s)); // expect: b 2 1
  fm_subscriber_free(&s);
}

async int main(void) {
  try {
    all_get_all();
    until_freed();
    loses();
    in_a_race();
    wide_values();
  } catch (struct fm_closed e) {
    printf("closed\n");
  }
  return 0;
}
