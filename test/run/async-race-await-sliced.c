// An arm that has lost its race in an automatic yield takes no result: the value and the error of a
// task stay for the activity that awaits it next. The result of a race is read all the same.
// env: FERMATA_TICK=always
#include <fermata.h>
#include <fermata/sync.h>
#include <stdio.h>

struct broken {
  int code;
};
static fm_sem free_permit;
static fm_chan(int) numbers;

volatile int sum;

static void compute(int n) {
  for (int i = 0; i < n; i++)
    sum += i;
}

static async int fails(void) throws(struct broken) {
  throw (struct broken){ 5 };
}

static async int is_seven(void) {
  return 7;
}

static async int late_error(task(int) throws(struct broken) t) throws(struct broken) {
  compute(10);
  compute(10); // a yield: the other arm wins meanwhile
  return await t;
}

static async int late_value(task(int) t) {
  compute(10);
  compute(10);
  int v = await t;
  compute(10);
  return v;
}

// A race inside of an arm is won although the arm has lost: its statements run.
static async int passes_on(void) throws(struct fm_closed) {
  race {
  case fm_send(&numbers, 3): printf("sent\n");
  }
  return 0;
}

static async void play(void) throws(struct broken, struct fm_closed) {
  fm_sem_init(&free_permit, 2);
  fm_chan_init(&numbers, 0);
  task(int) throws(struct broken) t = spawn fails();
  task(int) v = spawn is_seven();
  yield;
  yield;
  race {
  case late_error(t): printf("an error was lost\n");
  case fm_sem_wait(&free_permit): printf("the permit\n"); // expect: the permit
  }
  race {
  case late_value(v): printf("a value was lost\n");
  case fm_sem_wait(&free_permit): printf("the permit\n"); // expect: the permit
  }
  printf("%d\n", await v); // expect: 7
  try {
    await t;
  } catch (struct broken e) {
    printf("broken %d\n", e.code); // expect: broken 5
  }
  race {
  case int n = fm_recv(&numbers): printf("%d\n", n);
  case passes_on(): printf("passed on\n");
  }
  // expect: sent
  // expect: 3
}

async int main(void) {
  try {
    play();
  } catch (fm_error *e) {
    printf("%s\n", fm_error_name(e));
  }
  return 0;
}
