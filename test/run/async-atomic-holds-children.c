// An atomic holds back cancels aimed at what is around it from all activities that were made in it:
// contained, delayed and then awaited, in another domain, made after the cancel, in nested atomics.
// They get the mark when the atomic ends. What is cancelled inside unwinds there.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/pool.h>
#include <fermata/sync.h>
#include <fermata/time.h>

static async int child(const char *name, int ms) {
  fm_sleep((unsigned)ms);
  printf("  %s done\n", name);
  return ms;
}

static async void stays(void) {
  try {
    fm_sleep(1000);
    puts("  not reached");
  } finally {
    puts("  delayed one unwinds");
  }
}

static async void contained(void) {
  atomic {
    auto t = spawn contained child("contained", 10);
    printf("  %d\n", await t);
  }
  fm_sleep(1);
  puts("  not reached");
}

// no one awaits it: the end of the atomic does
static async void dropped(void) {
  atomic {
    spawn contained child("dropped", 10);
  }
  fm_sleep(1);
  puts("  not reached");
}

static async void delayed(void) {
  atomic {
    auto t = spawn child("delayed", 10);
    printf("  %d\n", await t);
  }
  fm_sleep(1);
  puts("  not reached");
}

static async void after_the_cancel(void) {
  atomic {
    fm_sleep(7);
    auto t = spawn child("late", 10);
    printf("  %d\n", await t);
  }
  fm_sleep(1);
  puts("  not reached");
}

static async void left_over(void) {
  atomic {
    spawn stays();
    fm_sleep(10);
    puts("  atomic ends");
  }
  fm_sleep(1);
  puts("  not reached");
}

static async void grandchild(void) {
  auto t = spawn contained child("grandchild", 5);
  fm_sleep(10);
  await t;
}

static async void below(void) {
  atomic {
    await spawn contained grandchild();
    puts("  atomic ends");
  }
  fm_sleep(1);
  puts("  not reached");
}

static async void nested_inside(void) {
  atomic {
    auto t = spawn contained child("nested", 10);
    await t;
  }
  fm_sleep(1);
  puts("  not reached: the inner one is in the outer one's extent, and was cancelled there");
}

// the contained child is cancelled within the outer atomic, while it is in one of its own
static async void nested(void) {
  atomic {
    auto t = spawn contained nested_inside();
    fm_cancel_after(fm_id(t), 5);
    try {
      await t;
    } catch (struct fm_cancelled c) {
      (void)c;
      puts("  cancelled inside");
    }
  }
}

static async void tells(fm_activity who) {
  fm_cancel(who);
  fm_sleep(5);
  puts("  who cancels goes on");
}

static async void by_child(void) {
  atomic {
    auto t = spawn contained tells(fm_self());
    await t;
  }
  fm_sleep(1);
  puts("  not reached");
}

static async int contains(void) {
  auto t = spawn contained child("contained", 10);
  return await t;
}

static async void called(void) {
  printf("  %d\n", atomic contains());
  fm_sleep(1);
  puts("  not reached");
}

static async void scope_inside(void) {
  atomic {
    scope (s) {
      fm_cancel_after(s, 5);
      spawn child("not reached", 10);
    } else puts("  the scope inside was cancelled");
  }
}

static async void in_scope(void) {
  scope (s) {
    fm_cancel_after(s, 5);
    atomic {
      auto t = spawn contained child("in a scope", 10);
      printf("  %d\n", await t);
    }
    fm_sleep(1);
    puts("  not reached");
  } else puts("  the scope around was cancelled");
}

static fm_sem gate;
static fm_pool *pool;

static async int remote(void) {
  fm_sem_wait(&gate);
  return 7;
}

static async void elsewhere(void) {
  atomic {
    auto t = spawn on(pool) remote();
    fm_cancel(fm_self());
    fm_sem_post(&gate);
    printf("  %d\n", await t);
  }
  fm_sleep(1);
  puts("  not reached");
}

static async void each(const char *name, async void (*f)(void)) {
  uint64_t begin = fm_now();
  puts(name);
  auto t = spawn f();
  fm_cancel_after(fm_id(t), 5);
  try {
    await t;
    puts("  was not cancelled");
  } catch (struct fm_cancelled c) {
    (void)c;
    printf("  cancelled after %d\n", (int)((fm_now() - begin) / 1000000));
  }
}

async int main(void) {
  each("contained", contained); // expect: contained
                                // expect:   contained done
                                // expect:   10
                                // expect:   cancelled after 10
  each("dropped", dropped);     // expect: dropped
                                // expect:   dropped done
                                // expect:   cancelled after 10
  each("delayed", delayed);     // expect: delayed
                                // expect:   delayed done
                                // expect:   10
                                // expect:   cancelled after 10
  each("made after the cancel", after_the_cancel); // expect: made after the cancel
                                // expect:   late done
                                // expect:   10
                                // expect:   cancelled after 17
  each("left over", left_over); // expect: left over
                                // expect:   atomic ends
                                // expect:   delayed one unwinds
                                // expect:   cancelled after 10
  each("below", below);         // expect: below
                                // expect:   grandchild done
                                // expect:   atomic ends
                                // expect:   cancelled after 10
  each("nested", nested);       // expect: nested
                                // expect:   nested done
                                // expect:   cancelled inside
                                // expect:   was not cancelled
  each("by a child", by_child); // expect: by a child
                                // expect:   who cancels goes on
                                // expect:   cancelled after 5
  each("called", called);       // expect: called
                                // expect:   contained done
                                // expect:   10
                                // expect:   cancelled after 10
  each("scope inside", scope_inside); // expect: scope inside
                                // expect:   the scope inside was cancelled
                                // expect:   was not cancelled
  in_scope();                   // expect:   in a scope done
                                // expect:   10
                                // expect:   the scope around was cancelled
  pool = fm_pool_new(1);
  fm_sem_init(&gate, 0);
  auto t = spawn elsewhere();
  try {
    await t;                    // expect:   7
  } catch (struct fm_cancelled c) {
    (void)c;
    puts("  cancelled");        // expect:   cancelled
  }
  fm_pool_free(pool);
}
