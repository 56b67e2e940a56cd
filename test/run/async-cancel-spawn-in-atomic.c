// A cancel and a child that an atomic has delayed, by `spawn` or `spawn in(x)`: the child is
// cancelled when the atomic ends, whichever node x is, and not before, if the atomic waits for it;
// a cancel of a scope of the atomic, or of the child itself, is not held back.
#include <fermata.h>
#include <stdio.h>

static async void child(const char *of) {
  printf("child of %s begins\n", of);
  yield;
  printf("child of %s goes on\n", of);
}

static async void itself(void) {
  fm_activity me = fm_self();
  atomic {
    fm_cancel(me);
    spawn in(me) child("itself");
  }
}

static async void around_a_scope(void) {
  fm_activity me = fm_self();
  scope {
    atomic {
      fm_cancel(me);
      spawn in(me) child("the activity around a scope");
    }
  }
}

static async void a_scope(void) {
  scope (own) {
    scope {
      atomic {
        fm_cancel(own);
        spawn in(own) child("a scope around the scope");
      }
    }
  }
}

static bool may_end;
static async void victim(void) {
  try {
    yield;
    yield;
  } finally {
    while (!may_end)
      yield;
  }
}

static async void another(void) {
  auto v = spawn victim();
  yield;
  fm_activity a = fm_id(v);
  fm_cancel(a);
  yield;
  atomic {
    spawn in(a) child("another activity");
  }
  yield;
  yield;
  may_end = true;
  try {
    await v;
  } catch (struct fm_cancelled e) {
    (void)e;
    printf("it was cancelled\n");
  }
}

static async void waits(void) {
  while (!may_end)
    yield;
}

static async void awaited(void) {
  may_end = false;
  auto v = spawn waits();
  fm_activity a = fm_id(v);
  yield;
  atomic {
    auto t = spawn in(a) child("one that is awaited");
    fm_cancel(a);
    try {
      await t;
    } catch (struct fm_cancelled e) {
      (void)e;
      printf("too early\n");
    }
  }
  fm_join(a);
  fm_detach(v);
}

static async void spawns_in(fm_activity a) {
  auto t = spawn in(a) child("one that a contained activity made");
  try {
    await t;
  } catch (struct fm_cancelled e) {
    (void)e;
    printf("too early\n");
  }
}

// The cancel of the parent has come before the child is made.
static async void made_by_a_contained_one(void) {
  fm_activity me = fm_self();
  atomic {
    spawn contained spawns_in(me);
    fm_cancel(me);
  }
}

// The cancel has come before the inner atomic contains the child.
static async void cancelled_before(void) {
  atomic {
    scope (s) {
      auto t = spawn child("one that was cancelled before");
      fm_cancel(s);
      atomic {
        try {
          await t;
        } catch (struct fm_cancelled e) {
          (void)e;
          printf("too early\n");
        }
      }
      fm_checkpoint();
      printf("too late\n");
    } else {
      printf("the scope was cancelled\n");
    }
  }
}

// Its own cancel is not one from outside.
static async void cancelled_itself(void) {
  atomic {
    auto t = spawn child("no cancelled one");
    fm_cancel(fm_id(t));
    atomic {
      try {
        await t;
      } catch (struct fm_cancelled e) {
        (void)e;
        printf("it was cancelled itself\n");
      }
    }
  }
}

// A detached one that the atomic contains has cancelled itself: its child is below it.
static fm_activity detached_one;

static async void has_a_child(void) {
  fm_cancel(detached_one);
  spawn child("a detached one");
}

static async void below_a_detached_one(void) {
  atomic {
    auto t = spawn detached has_a_child();
    detached_one = fm_id(t);
    await t;
  }
}

// The cancel was held back while an inner atomic went on; then the outer one contains the child.
static async void from_an_inner_atomic(fm_activity s) {
  fm_cancel(s);
  atomic {
    spawn in(s) child("an inner atomic");
  }
}

static async void held_by_an_inner_atomic(void) {
  atomic {
    scope (s) {
      auto t = spawn contained from_an_inner_atomic(s);
      await t;
    } else {
      printf("that scope was cancelled\n");
    }
  }
}

// The cancel that comes when the atomic ends lifts a pause of the child.
static async void paused_child(void) {
  fm_activity me = fm_self();
  scope {
    atomic {
      fm_cancel(me);
      auto t = spawn in(me) child("a cancelled one, which was paused,");
      fm_pause(fm_id(t));
      fm_detach(t);
    }
  }
}

async int main(void) {
  scope spawn itself();          // expect: child of itself begins
  scope spawn around_a_scope();  // expect: child of the activity around a scope begins
  a_scope();                     // expect: child of a scope around the scope begins
  another();                     // expect: child of another activity begins
                                 // expect: it was cancelled
  awaited();                     // expect: child of one that is awaited begins
                                 // expect: child of one that is awaited goes on
  scope spawn made_by_a_contained_one();
  // expect: child of one that a contained activity made begins
  // expect: child of one that a contained activity made goes on
  cancelled_before();            // expect: child of one that was cancelled before begins
                                 // expect: child of one that was cancelled before goes on
                                 // expect: the scope was cancelled
  cancelled_itself();            // expect: child of no cancelled one begins
                                 // expect: it was cancelled itself
  below_a_detached_one();        // expect: child of a detached one begins
  held_by_an_inner_atomic();     // expect: child of an inner atomic begins
                                 // expect: that scope was cancelled
  scope spawn paused_child();    // expect: child of a cancelled one, which was paused, begins
  return 0;
}
