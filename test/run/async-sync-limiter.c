// Rate limiters: a burst, then a steady rate, in the order of coming; a wait that is cancelled has
// taken nothing.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

static fm_limiter l;
static uint64_t start;

static unsigned now(void) {
  return (unsigned)((fm_now() - start) / 1000000);
}

static async void take(uint64_t n, const char *who) {
  fm_limiter_wait_n(&l, n);
  printf("%s at %u\n", who, now());
}

static async void steady(void) {
  fm_limiter_init(&l, 10, 1000, 3);
  start = fm_now();
  for (int i = 0; i < 5; i++) {
    fm_limiter_wait(&l);
    printf(" %u", now());
  }
  printf("\n"); // expect:  0 0 0 100 200
  fm_sleep(250);
  printf("%d %d\n", fm_limiter_try(&l, 3), fm_limiter_try(&l, 2)); // expect: 0 1
  fm_sleep(10000);
  printf("%d\n", (int)fm_limiter_value(&l)); // expect: 3
}

static async void in_order(void) {
  fm_limiter_init(&l, 10, 1000, 3);
  start = fm_now();
  fm_limiter_wait_n(&l, 3);
  auto heavy = spawn now take(5, "five"); // more than the burst
  auto light = spawn now take(1, "one");
  await heavy; // expect: five at 500
  await light; // expect: one at 600
  heavy = spawn now take(2, "two");
  light = spawn now take(1, "one");
  fm_sleep(50);
  fm_cancel(fm_id(heavy));
  await light; // expect: one at 700
  fm_detach(heavy);
  heavy = spawn now take(3, "given back");
  fm_limiter_give_back(&l, 3);
  await heavy; // expect: given back at 700
}

// Neither arm of a race that is over has taken tokens.
static async void in_a_race(void) {
  fm_limiter_init(&l, 1, 1000, 1);
  start = fm_now();
  fm_limiter_wait(&l);
  race {
  case fm_limiter_wait_n(&l, 2): printf("two\n");
  case fm_limiter_wait(&l): printf("one\n");
  case fm_sleep(1500): printf("late at %u\n", now()); // expect: late at 1500
  }
  atomic fm_limiter_wait(&l);
  printf("%u\n", now()); // expect: 1500
  try {
    fm_within(100, fm_limiter_wait(&l));
  } catch (struct fm_timeout e) {
    printf("%u %d\n", now(), (int)fm_limiter_value(&l)); // expect: 1600 0
  }
}

static async void from_there(fm_limiter *there) {
  fm_limiter_wait_n(there, 2);
  printf("there\n");
}

static async void between_domains(void) {
  fm_domain *d = fm_domain_new(NULL);
  fm_limiter_init(&l, 1, 1, 1);
  auto t = spawn on(d) from_there(&l);
  await t; // expect: there
  fm_domain_free(d);
}

async int main(void) {
  steady();
  in_order();
  in_a_race();
  between_domains();
  return 0;
}
