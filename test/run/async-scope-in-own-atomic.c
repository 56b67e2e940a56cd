// A scope in an atomic of the same function is cancelled as elsewhere: by itself, by its deadline,
// by who runs beside it. What waits in it is interrupted, what leaves the scope runs what it has
// to, and a cancel of what is around the atomic is held back.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <errno.h>
#include <fermata.h>
#include <fermata/time.h>

struct bad { int v; };

static async void cancel(fm_activity s) {
  fm_sleep(1);
  fm_cancel(s);
}

static async int slow(int n) {
  defer printf("slow %d out\n", n);
  fm_sleep(1000);
  return n;
}

static async int quick(int n) {
  fm_sleep(1);
  return n + 1;
}

static async int fails(int n) throws(struct bad) {
  fm_sleep(1);
  if (n) throw (struct bad){n};
  errno = EDOM;
  return 7;
}

static async int asks(void) {
  errno = ERANGE;
  return -1;
}

static async int tail(void) { return asks(); }

static async void plain(void) {
  atomic {
    scope (s) {
      fm_cancel(s);
      fm_checkpoint();
      printf("not here\n");
    } else printf("1\n");         // expect: 1
    scope (s) {
      fm_cancel_after(s, 5);
      fm_sleep(1000);
      printf("not here\n");
    } else printf("2\n");         // expect: 2
    scope (s) {
      spawn contained cancel(s);
      fm_sleep(1000);
      printf("not here\n");
    } else printf("3\n");         // expect: 3
    scope (s) {
      fm_cancel(s);
      for (;;) yield;
    } else printf("4\n");         // expect: 4
  }
}

static async void values(void) {
  atomic {
    int n = 0;
    scope (s) {
      spawn contained cancel(s);
      n = quick(1) + quick(2);    // its first call is done when the cancel comes
      printf("not here\n");
    } else printf("values %d\n", n);        // expect: values 0
    scope (s) {
      auto t = spawn quick(3);
      async int (*pointer)(int) = quick;
      n = await t + pointer(4) * 10;
      auto j = job quick(0);
      n += await j;
      fm_job_free(j);
    }
    printf("values %d\n", n);     // expect: values 55
    scope (s) {
      auto t = spawn slow(1);
      fm_cancel_after(s, 5);
      n = await t;                // expect: slow 1 out
      printf("not here\n");
    } else printf("await\n");     // expect: await
    errno = 0;
    scope (s) {
      n = tail();
      printf("%d %d\n", n, errno == ERANGE);   // expect: -1 1
      quick(1);
      printf("%d\n", errno == ERANGE);         // expect: 1
      n = quick(1) > 1 && slow(8) ? 1 : 2;     // expect: slow 8 out
      printf("%d\n", n);          // expect: 1
    }
  }
}

static async int leaves(int how) throws(struct bad) {
  for (int i = 0; i < 3; i++) {
    atomic {
      defer printf("left %d\n", how);
      scope (s) {
        try {
          fm_cancel_after(s, 5);
          if (how == 0) { quick(1); return 10; }
          if (how == 1) break;
          if (how == 2 && i == 0) continue;
          if (how == 3) goto out;
          if (how == 4) fails(4);
          slow(2);
          printf("not here\n");
        } finally {
          fm_sleep(1);
          printf("finally\n");
        }
      } else printf("else\n");
      if (how == 2) return 20 + i;
    }
  }
  return 30;
out:
  return 40;
}

static async void exits(void) {
  for (int i = 0; i < 6; i++)
    try {
      printf("%d\n", leaves(i));
    } catch (struct bad e) {
      printf("bad %d\n", e.v);
    }
  // expect: finally
  // expect: left 0
  // expect: 10
  // expect: finally
  // expect: left 1
  // expect: 30
  // expect: finally
  // expect: left 2
  // expect: slow 2 out
  // expect: finally
  // expect: else
  // expect: left 2
  // expect: 21
  // expect: finally
  // expect: left 3
  // expect: 40
  // expect: finally
  // expect: left 4
  // expect: bad 4
  // expect: slow 2 out
  // expect: finally
  // expect: else
  // expect: left 5
  // expect: slow 2 out
  // expect: finally
  // expect: else
  // expect: left 5
  // expect: slow 2 out
  // expect: finally
  // expect: else
  // expect: left 5
  // expect: 30
}

static async void nested(void) {
  atomic {
    scope (o) {
      fm_cancel_after(o, 5);
      scope (s) {
        spawn slow(3);
        fm_sleep(1000);           // expect: slow 3 out
        printf("not here\n");
      } else printf("not here\n");
      printf("not here\n");
    } else printf("outer\n");     // expect: outer
    scope (o) {
      fm_cancel_after(o, 5);
      scope (s) spawn slow(4);    // expect: slow 4 out
      printf("not here\n");
    } else printf("at its end\n");          // expect: at its end
    scope (o) {
      fm_cancel_after(o, 5);
      atomic {
        quick(1);
        fm_sleep(20);
        printf("held back\n");    // expect: held back
      }
      int n = atomic quick(5);
      printf("%d\n", n);          // expect: 6
      shield fm_sleep(5);
      printf("shielded\n");       // expect: shielded
      fm_sleep(1);
      printf("not here\n");
    } else printf("then\n");      // expect: then
    scope (o) {
      fm_cancel_after(o, 5);
      race {
        case slow(5): printf("not here\n");
        case slow(6): printf("not here\n");
      }                           // expect: slow 5 out
      printf("not here\n");       // expect: slow 6 out
    } else printf("race\n");      // expect: race
    scope (o) {
      fm_cancel(o);
      scope (s) {
        fm_checkpoint();
        printf("not here\n");
      }
      printf("not here\n");
    } else printf("inherited\n"); // expect: inherited
  }
}

static async void children(void) {
  try {
    atomic {
      scope (s) {
        spawn contained fails(9);
        slow(7);                  // expect: slow 7 out
        printf("not here\n");
      } else printf("not here\n");
    }
  } catch (struct bad e) {
    printf("bad %d\n", e.v);      // expect: bad 9
  }
}

static async void around(void) {
  scope (o) {
    fm_cancel_after(o, 5);
    atomic {
      scope (s) {
        spawn quick(1);
        fm_sleep(20);
        printf("goes on\n");      // expect: goes on
      } else printf("not here\n");
      fm_sleep(20);
      printf("still\n");          // expect: still
    }
    printf("after\n");            // expect: after
    fm_checkpoint();
    printf("not here\n");
  } else printf("around\n");      // expect: around
}

static async int with_scope(void) {
  scope (s) {
    spawn quick(1);
    fm_sleep(20);
  } else printf("not here\n");
  errno = ERANGE;
  return 3;
}

static async void called(void) {
  scope (o) {
    fm_cancel_after(o, 5);
    atomic printf("%d\n", with_scope());    // expect: 3
    printf("%d\n", errno == ERANGE);        // expect: 1
    fm_checkpoint();
    printf("not here\n");
  } else printf("called\n");      // expect: called
}

async int main(void) {
  plain();
  values();
  exits();
  nested();
  children();
  around();
  called();
}
