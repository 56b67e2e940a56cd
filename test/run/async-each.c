// catch each: children of a scope fail alone. The clause runs as the last act of the child that
// failed; the other children go on.
#include <fermata.h>
#include <fermata/time.h>

struct bad {
  int n;
};
struct worse {
  int n;
};

static async void work(int n) throws(struct bad, struct worse) {
  fm_sleep((uint64_t)n);
  if (n % 3 == 1)
    throw (struct bad){ n };
  if (n % 3 == 2)
    throw (struct worse){ n };
  printf("%d done\n", n);
}

static async void bad(int n) throws(struct bad) {
  fm_sleep((uint64_t)n);
  throw (struct bad){ n };
}

// Several clauses; the scope throws nothing, and nothing has to be declared.
static async void two_clauses(void) {
  int failed = 0;
  scope for (int i = 1; i <= 6; i++) spawn work(i);
  catch each (struct bad e) {
    failed++;
    printf("bad %d\n", e.n);
  } catch each (struct worse e) printf("worse %d, after %d bad\n", e.n, failed);
  printf("all ended, %d failed badly\n", failed);
  // expect: bad 1
  // expect: worse 2, after 1 bad
  // expect: 3 done
  // expect: bad 4
  // expect: worse 5, after 2 bad
  // expect: 6 done
  // expect: all ended, 2 failed badly
}

// An error that no clause takes cancels the scope, and is thrown.
static async void not_taken(void) {
  try {
    scope {
      spawn work(1);
      spawn work(2);
      spawn work(9);
    } catch each (struct bad e) printf("taken: %d\n", e.n);
  } catch (struct worse e) {
    printf("thrown: %d at %llu ms\n", e.n, (unsigned long long)(fm_now() / 1000000));
  }
  // expect: taken: 1
  // expect: thrown: 2 at 8 ms
}

// The clause may pause; the scope waits for it, and the child is alive in it.
static async void pauses(void) {
  fm_activity child = { 0 };
  scope {
    auto t = spawn bad(1);
    child = fm_id(t);
    fm_detach(t);
    spawn work(3);
  } catch each (fm_error *e) {
    printf("%s, self %d\n", fm_error_name(e), fm_self().node == child.node);
    fm_sleep(10);
    printf("slept, alive %d\n", fm_alive(child));
  }
  printf("over, alive %d\n", fm_alive(child));
  // expect: bad, self 1
  // expect: 3 done
  // expect: slept, alive 1
  // expect: over, alive 0
}

// An error of the clause is that of the scope.
static async void clause_throws(void) {
  try {
    scope {
      spawn bad(1);
      spawn work(3);
    } catch each (struct bad e) {
      if (e.n == 1)
        throw (struct worse){ 7 };
    }
  } catch (struct worse e) {
    printf("the clause threw %d\n", e.n); // expect: the clause threw 7
  }
  try {
    scope {
      spawn bad(2);
      spawn work(3);
    } catch each (fm_error *e) {
      printf("again: %s\n", fm_error_name(e)); // expect: again: bad
      throw;
    }
  } catch (fm_error *e) {
    printf("thrown again: %s\n", fm_error_name(e)); // expect: thrown again: bad
  }
}

// Errors of the body are its own.
static async void body_throws(void) {
  try {
    scope {
      spawn work(3);
      bad(1);
    } catch each (fm_error *e) printf("never: %s\n", fm_error_name(e));
  } catch (struct bad e) {
    printf("the body threw %d\n", e.n); // expect: the body threw 1
  }
}

// A task's awaiter gets the error; the clause gets those of tasks that nobody awaits.
static async void kept_tasks(void) {
  scope {
    auto t = spawn bad(1);
    auto u = spawn bad(2);
    auto v = spawn bad(3);
    try {
      await t;
    } catch (struct bad e) {
      printf("awaited: %d\n", e.n); // expect: awaited: 1
    }
    fm_sleep(5);
    fm_detach(u); // it has ended
    (void)v;
    printf("end of the body\n"); // expect: end of the body
    // expect: not awaited: 2
    // expect: not awaited: 3
  } catch each (struct bad e) printf("not awaited: %d\n", e.n);
}

// A cancel is no error. The clause of a cancelled child runs to its first pause.
static async void cancelled(void) {
  scope (s) {
    spawn fm_sleep(30);
    spawn bad(1);
    spawn bad(2);
  } catch each (struct bad e) {
    printf("cancel after %d\n", e.n); // expect: cancel after 1
    fm_cancel(s);
    fm_checkpoint();
    printf("never\n");
  } else printf("else\n"); // expect: else
}

static async void cleans_up_badly(void) throws(struct bad) {
  try {
    fm_sleep(100);
  } finally {
    throw (struct bad){ 5 };
  }
}

static async void error_in_cancel(void) {
  scope (s) {
    spawn cleans_up_badly();
    yield;
    fm_cancel(s);
  } catch each (struct bad e) {
    printf("while it was cancelled: %d\n", e.n); // expect: while it was cancelled: 5
    return;
  } else printf("and else\n"); // expect: and else
}

async int main(void) {
  two_clauses();
  not_taken();
  pauses();
  clause_throws();
  body_throws();
  kept_tasks();
  cancelled();
  error_in_cancel();
  return 0;
}
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
