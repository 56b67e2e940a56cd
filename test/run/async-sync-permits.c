// Semaphores of weight n: a heavy waiter is not overtaken; when it leaves, those after it go on.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

static fm_sem s;

static async void want(size_t n, const char *who) {
  fm_sem_wait_n(&s, n);
  printf("%s has %zu\n", who, n);
}

static async void overtaken(void) {
  fm_sem_init(&s, 2);
  auto heavy = spawn now want(3, "heavy");
  auto light = spawn now want(1, "light");
  printf("%zu %d %d\n", fm_sem_value(&s), fm_sem_try_wait(&s), fm_sem_try_wait_n(&s, 2));
  // expect: 0 0 0
  fm_sem_post(&s);
  await heavy; // expect: heavy has 3
  fm_sem_post_n(&s, 4);
  await light; // expect: light has 1
  printf("%zu\n", fm_sem_value(&s)); // expect: 3
}

static async void leaves(void) {
  fm_sem_init(&s, 2);
  auto heavy = spawn now want(9, "heavy");
  auto one = spawn now want(1, "one");
  auto two = spawn now want(2, "two");
  auto three = spawn now want(1, "three");
  fm_cancel(fm_id(heavy));
  printf("cancelled\n"); // expect: cancelled
  await one;             // expect: one has 1
  fm_sem_post(&s);
  await two; // expect: two has 2
  fm_cancel(fm_id(three));
  fm_join(fm_id(three));
  fm_detach(heavy);
  fm_detach(three);
  printf("%zu\n", fm_sem_value(&s)); // expect: 0
}

// Both arms stand in one line: when the race is over, neither has taken anything.
static async void in_a_race(void) {
  fm_sem_init(&s, 3);
  race {
  case fm_sem_wait_n(&s, 5): printf("five\n");
  case fm_sem_wait_n(&s, 4): printf("four\n");
  case fm_sleep(10): printf("late %zu\n", fm_sem_value(&s)); // expect: late 3
  }
  try {
    fm_within(5, fm_sem_wait_n(&s, 4));
  } catch (struct fm_timeout e) {
    printf("timeout %zu\n", fm_sem_value(&s)); // expect: timeout 3
  }
  atomic fm_sem_wait_n(&s, 3);
  printf("%zu\n", fm_sem_value(&s)); // expect: 0
  fm_sem_wait_n(&s, 0);
}

// All of a scope are cancelled in one step: none of them gets what another leaves.
static async void together(void) {
  fm_sem_init(&s, 2);
  scope (all) {
    spawn now want(3, "a");
    spawn now want(2, "b");
    spawn now want(1, "c");
    fm_cancel(all);
  }
  printf("%zu\n", fm_sem_value(&s)); // expect: 2
}

static async void from_there(fm_sem *there) {
  fm_sem_wait_n(there, 2);
  fm_sem_post_n(there, 5);
}

static async void between_domains(void) {
  fm_domain *d = fm_domain_new(NULL);
  fm_sem_init(&s, 1);
  auto t = spawn on(d) from_there(&s);
  fm_sem_post(&s);
  await t;
  want(4, "after it");               // expect: after it has 4
  printf("%zu\n", fm_sem_value(&s)); // expect: 1
  auto gives_up = spawn on(d) from_there(&s);
  auto light = spawn want(1, "unhindered");
  fm_cancel(fm_id(gives_up));
  fm_join(fm_id(gives_up));
  await light; // expect: unhindered has 1
  fm_detach(gives_up);
  fm_domain_free(d);
}

async int main(void) {
  overtaken();
  leaves();
  in_a_race();
  together();
  between_domains();
  return 0;
}
