// catch each, with every kind of child and in every kind of place.
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/time.h>

#include <string.h>

struct bad {
  int n;
};
struct other {
  int n;
};

static async int bad(int n) throws(struct bad) {
  fm_sleep((uint64_t)n);
  throw (struct bad){ n };
}

static async int bad_at_once(int n) throws(struct bad) {
  throw (struct bad){ n };
}

static async void home(int *sum, fm_activity s) {
  scope {
    spawn in(s) bad(4);
    spawn fm_sleep(1);
  } catch each (struct bad e) *sum += 1000 * e.n; // not its child
}

// spawn in, spawn now, jobs, functions that are called, a shield
static async void every_spawn(void) {
  int sum = 0;
  job(int) j = job bad(2);
  job(int) k = job () {
    fm_sleep(3);
    throw (struct bad){ 300 };
    return 0;
  };
  scope (s) {
    spawn now bad_at_once(1);
    printf("%d so far\n", sum); // expect: 1 so far
    spawn j;
    spawn k;
    shield spawn bad(10);
    spawn home(&sum, s);
  } catch each (struct bad e) sum += e.n;
  fm_job_free(j);
  fm_job_free(k);
  printf("sum %d\n", sum); // expect: sum 317
}

// Children in other domains: the clause runs in the domain of the scope.
static async void other_domains(void) {
  fm_pool *pool = fm_pool_new(2);
  int n = 0;
  int here = 0;
  int t = 0;
  scope for (int i = 0; i < 50; i++) spawn on(pool) bad(0);
  catch each (struct bad e) {
    n += e.n == 0;
    here += ++t > 0;
    yield;
    t--;
  }
  printf("%d of %d\n", n, here); // expect: 50 of 50
  fm_pool_free(pool);
}

// activate: the block whose variables it shares does not wait for the clause.
static async void bodies(void) {
  int total = 0;
  scope {
    int inner = 5;
    activate {
      yield;
      throw (struct bad){ inner++ };
    }
    activate (inner) {
      throw (struct other){ inner };
    }
  } catch each (struct bad e) {
    char text[100];
    snprintf(text, sizeof text, "bad %d", e.n);
    fm_sleep(5);
    total += e.n;
    printf("%s %zu\n", text, strlen(text)); // expect: bad 5 5
  } catch each (struct other e) {
    spawn fm_sleep(20); // the child waits for its own children
    total += 100 * e.n;
  }
  printf("total %d at %d\n", total, (int)(fm_now() / 1000000) % 100); // expect: total 505 at 30
}

static async void grandchild(int n) throws(struct bad) {
  auto t = spawn bad(n);
  (void)t; // not awaited: its error is that of this activity
}

static async void fails_before_its_children(void) throws(struct other) {
  spawn fm_sleep(7);
  throw (struct other){ 1 };
}

// The clause comes after the child's own children.
static async void families(void) {
  uint64_t from = fm_now();
  scope {
    spawn grandchild(3);
    spawn fails_before_its_children();
  } catch each (fm_error *e)
    printf("%s at %d\n", fm_error_name(e), (int)((fm_now() - from) / 1000000));
  // expect: bad at 3
  // expect: other at 7
}

// Nested: the inner scope's clause first; what it throws is the error of its own activity.
static async void nested(void) {
  scope {
    scope {
      spawn bad(1);
    } catch each (struct bad e) printf("inner %d\n", e.n); // expect: inner 1
    activate {
      scope {
        spawn bad(2);
        spawn bad(3);
      } catch each (struct bad e) {
        scope spawn bad(e.n + 10);
        catch each (struct bad f) {
          printf("in the clause %d\n", f.n);
          if (f.n == 12)
            throw (struct other){ f.n };
        }
      }
    }
    // expect: in the clause 12
  } catch each (struct other e) printf("outer %d\n", e.n); // expect: outer 12
}

// In an atomic: contained children, and those that it waits for.
static async void in_atomic(void) {
  int n = 0;
  spawn fm_sleep(0);
  atomic {
    scope {
      spawn contained bad_at_once(1);
      spawn bad_at_once(2);
      auto t = spawn bad_at_once(3);
      fm_detach(t);
      auto u = spawn bad_at_once(4);
      try {
        await u;
      } catch (struct bad e) {
        n += 1000 * e.n;
      }
    } catch each (struct bad e) {
      yield;
      n += e.n;
    }
  }
  printf("atomic %d\n", n); // expect: atomic 4006
}

static async int counted(int limit) {
  int failed = 0;
  for (int turn = 0; turn < 3; turn++) {
    int here = 0;
    scope (s) {
      for (int i = 0; i < 4; i++) spawn bad(i);
    } catch each (struct bad e) {
      if (e.n < 0)
        return;
      for (int i = 0; i < 10; i++) {
        if (i == 5)
          break;
        here += i;
      }
      if (++failed == limit)
        fm_cancel(s);
    } else continue;
    if (here != 4 * 10)
      return -1;
  }
  return failed;
}

// An error of a child that has a clause in a function that is called atomically.
static async void mixed(void) {
  printf("%d %d\n", counted(100), counted(2)); // expect: 12 10
  printf("%d\n", atomic counted(100));         // expect: 12
  // the try is the statement of the scope
  scope try {
    spawn bad(1);
    bad(2);
  } catch (struct bad e) {
    printf("own %d\n", e.n);
  } catch each (struct bad e) printf("child's %d\n", e.n);
  // expect: child's 1
  // expect: own 2
  int each = 1; // it is a word only after catch
  printf("%d\n", each); // expect: 1
}

async int main(void) {
  every_spawn();
  other_domains();
  bodies();
  families();
  nested();
  in_atomic();
  mixed();
  return 0;
}
// flags: -Wno-unawaited-task
// env: FERMATA_DRIVER=virtual
// env: FERMATA_TICK=off
