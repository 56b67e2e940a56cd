// Locals of activities: every form of spawn begins with the values of the activity that made it;
// what it sets is its own.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <fermata/trace.h>

struct wide {
  _Alignas(64) int words[120];
};

extern fm_local(int) level;
fm_local(int) level = fm_local_initial(int, 3);
static fm_local(const char *) user, role;
static fm_local(struct wide) wide;

static int plain(int add) { // a plain function that an activity called
  fm_local_set(&level, fm_local_get(&level) + add);
  return fm_local_get(&level);
}

static async int child(int add) {
  int first = fm_local_get(&level);
  fm_sleep(1);
  fm_local_set(&level, first + add);
  yield;
  return fm_local_get(&level);
}

static async int later(void) {
  fm_sleep(1);
  return 8;
}

static async void lonely(int *to) {
  *to = fm_local_get(&level);
}

asyncdirect int by_hand(fm_completion(int) *k) {
  fm_complete(k, plain(1));
}

static async void spawns(void) {
  task(int) tasks[3];
  fm_local_set(&level, 10);
  tasks[0] = spawn child(1);
  fm_local_set(&level, 20);
  tasks[1] = spawn now child(2);
  fm_local_set(&level, 30);
  scope (s) {
    fm_local_set(&level, 40);
    tasks[2] = spawn in(s) child(3);
    int a = await tasks[0];
    int b = await tasks[1];
    printf("%d %d ", a, b);
    printf("%d\n", await tasks[2]); // expect: 11 22 43
  }
  int seen = 0;
  spawn detached lonely(&seen);
  fm_local_set(&level, 50);
  yield;
  printf("%d %d\n", seen, fm_local_get(&level)); // expect: 40 50
}

static async void bodies(void) {
  int seen = 0;
  int level_now = 0;
  fm_local_set(&level, 60);
  activate () {
    seen = fm_local_get(&level);
    fm_local_set(&level, 61);
  }
  race {
  case seen += child(5):
    printf("%d\n", seen); // expect: 125
  }
  printf("%d\n", fm_local_get(&level)); // expect: 60
  // a call with a limit, and the body of an asyncdirect function, are calls of this activity
  try {
    level_now = fm_within(100, child(1));
  } catch (struct fm_timeout e) {
    printf("late\n");
  }
  printf("%d %d\n", level_now, fm_local_get(&level)); // expect: 61 61
  printf("%d ", by_hand());
  printf("%d\n", fm_local_get(&level)); // expect: 62 62
}

static async void jobs(void) {
  job(int) j = job child(1);
  fm_local_set(&level, 70);
  int a = await j; // a call
  auto t = spawn j;
  int b = await t;
  printf("%d %d %d\n", a, b, fm_local_get(&level)); // expect: 71 72 71
  fm_job_free(j);
}

static async void atomics(void) {
  fm_local_set(&level, 80);
  int a = atomic child(1);
  printf("%d %d\n", a, fm_local_get(&level)); // expect: 81 81
  atomic {
    scope (s) {
      child(1);
      auto t = spawn contained child(5);
      printf("%d ", await t);
    }
    printf("%d\n", fm_local_get(&level)); // expect: 87 82
  }
}

static async void domains(void) {
  fm_domain *d = fm_domain_new(NULL);
  fm_pool *p = fm_pool_new(2);
  fm_local_set(&level, 90);
  auto t = spawn on(d) child(1);
  auto u = spawn on(p) child(2);
  fm_local_set(&level, 0);
  int a = await t;
  int b = await u;
  printf("%d %d %d\n", a, b, fm_local_get(&level)); // expect: 91 92 0
  fm_pool_free(p);
}

static async void types(void) {
  struct wide w = { { [119] = 5 } };
  printf("%d %s ", fm_local_get(&wide).words[119], fm_local_get(&user) ? "set" : "not set");
  fm_local_set(&wide, w);
  fm_local_set(&user, "ann");
  fm_local_set(&level, later() + fm_local_get(&level));
  printf("%d %s ", fm_local_get(&wide).words[119], fm_local_get(&user));
  printf("%d\n", fm_local_get(&level)); // expect: 0 not set 5 ann 11
  fm_local_set(&role, NULL);
  fm_dump_of(stdout, fm_self());
  // expect: #23 types: running [level = 11, wide = {512 bytes}, user = "ann"]
}

int main(void) {
  run spawns();
  run bodies();
  run jobs();
  run atomics();
  run domains();
  run types();
  printf("%d\n", plain(-2)); // expect: 1
  int first = run child(5);
  printf("%d %d\n", first, fm_local_get(&level)); // expect: 6 1
  return 0;
}
