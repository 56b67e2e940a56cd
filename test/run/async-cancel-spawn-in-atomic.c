// `spawn in(x)`, in an atomic, where x is cancelled: the child is cancelled when the atomic ends,
// whichever node x is, and not before, if the atomic waits for it.
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
  return 0;
}
