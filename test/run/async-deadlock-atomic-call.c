// A call that an atomic makes as an activity (of a function with `race`, `scope` or `activate`, of
// a job, of any function in a scope of the atomic) waits in vain: the deadlock is thrown there. The
// function can catch it; its cleanup runs before the caller goes on; and nothing is left over.
#include <fermata.h>
#include <fermata/sync.h>
#include <stdio.h>

static fm_chan(int) numbers;

static async int races(void) throws(struct fm_closed) {
  int n = 0;
  defer printf("races left\n");
  race {
  case n = fm_recv(&numbers): printf("%d\n", n);
  }
  return n;
}

static async int waits(void) throws(struct fm_closed) {
  defer printf("waits left\n");
  return fm_recv(&numbers);
}

static async int catches(void) throws(struct fm_closed) {
  int n = 5;
  scope {
    try {
      n = fm_recv(&numbers);
    } catch (struct fm_deadlock d) {
      (void)d;
      printf("caught inside\n");
    }
  }
  return n;
}

static async void of_a_function(void) throws(struct fm_closed) {
  try {
    printf("%d\n", atomic races());
  } catch (struct fm_deadlock d) {
    (void)d;
    printf("deadlock\n");
  }
  // expect: races left
  // expect: deadlock
  printf("%d\n", atomic catches());
  // expect: caught inside
  // expect: 5
}

static async void of_a_job(void) throws(struct fm_closed) {
  auto j = job waits();
  try {
    atomic printf("%d\n", await j);
  } catch (struct fm_deadlock d) {
    (void)d;
    printf("deadlock\n");
  }
  // expect: waits left
  // expect: deadlock
  fm_job_free(j);
}

static async void in_a_scope(void) throws(struct fm_closed) {
  try {
    atomic {
      scope {
        printf("%d\n", waits());
      }
      printf("not here\n");
    }
  } catch (struct fm_deadlock d) {
    (void)d;
    printf("deadlock\n");
  }
  // expect: waits left
  // expect: deadlock
}

// An atomic goes on in spite of a pause.
static async void of_a_paused_one(void) throws(struct fm_closed) {
  try {
    atomic {
      scope (s) {
        fm_pause(s);
        printf("%d\n", waits());
      }
    }
  } catch (struct fm_deadlock d) {
    (void)d;
    printf("deadlock\n");
  }
  // expect: waits left
  // expect: deadlock
}

// A task is not given up: whoever has it may await it again.
static async void of_a_task(void) throws(struct fm_closed) {
  auto t = spawn waits();
  yield;
  atomic {
    scope {
      try {
        await t;
      } catch (struct fm_deadlock d) {
        (void)d;
        printf("deadlock\n");               // expect: deadlock
      }
    }
  }
  fm_chan_close(&numbers);
  try {
    await t;                                // expect: waits left
  } catch (struct fm_closed c) {
    (void)c;
    printf("closed\n");                     // expect: closed
  }
}

static async void test(void) throws(struct fm_closed) {
  fm_chan_init(&numbers, 0);
  of_a_function();
  of_a_job();
  in_a_scope();
  of_a_paused_one();
  of_a_task();
}

// Errors of activities that were left over would be thrown here.
async int main(void) {
  try {
    await spawn test();
  } catch (fm_error *e) {
    printf("%s\n", fm_error_name(e));
  }
  return 0;
}
