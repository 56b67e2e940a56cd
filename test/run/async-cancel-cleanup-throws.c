// An error that finally or defer throws during a cancel does not stop the unwinding, is caught by no one on the way, and is not lost: what was
// cancelled ends with it.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>
#include <string.h>

struct bad { int n; };

async static int fails(int n) throws(struct bad) {
  try {
    fm_sleep(1000);
  } finally {
    if (n > 100) fm_sleep(5);
    throw (struct bad){ n };
  }
  return 0;
}

async static int fails_twice(int n) throws(struct bad) {
  defer throw (struct bad){ n + 1 };
  return fails(n);
}

async static int catches(void) {                  // in vain
  try {
    return fails_twice(20);
  } catch (struct bad b) {
    printf("caught %d\n", b.n);
  }
  return 1;
}

async static void parent(void) throws(struct bad) {
  spawn in(fm_self()) fm_sleep(2000);
  scope {
    spawn fails(30);
    fm_sleep(2000);
  } else printf("no\n");
}

async static void shares(void) throws(struct bad) {
  int n = 40;
  scope {
    activate {
      n++;
      fails(n);
    }
    fm_sleep(2000);
  }
}

async static int inner_and_outer(void) throws(struct bad) {
  scope (s) {
    fm_cancel_after(s, 1);
    try {
      fails(150);                                 // its cleanup lasts until the cancel from above has come
    } catch (struct bad b) {
      printf("caught %d\n", b.n);
    }
  } else printf("no\n");
  return 1;
}

async static void grandchild(void) {
  spawn in(fm_self()) fm_sleep(1000);
}

async static int returns(void) {                  // the return has no effect: what the child has made is cut short
  scope (s) {
    spawn grandchild();
    fm_cancel_after(s, 5);
    return 1;
  } else printf("else ");
  return 2;
}

async static int returns_unmet(void) {
  scope (s) {
    spawn fm_sleep(1);
    fm_cancel_after(s, 5);
    shield fm_sleep(10);
    return 1;
  } else printf("no ");
  return 2;
}

async static int own_child_first(void) {          // the child's own cancel cut it short, not the scope's
  scope (s) {
    auto t = spawn fm_sleep(1000);
    yield;
    fm_cancel(fm_id(t));
    fm_cancel(s);
    return 1;
  } else printf("no ");
  return 2;
}

static fm_activity detached_one;

async static void tells(void) throws(struct bad) {
  detached_one = fm_self();
  fails(80);
}

static void print(const fm_error *e) {
  for (; e; e = fm_error_next(e)) {
    struct bad b = { 0 };
    if (strcmp(fm_error_name(e), "bad") == 0) memcpy(&b, fm_error_value(e), sizeof b);
    printf(" %s %d", fm_error_name(e), b.n);
  }
  printf("\n");
}

static void handle(const fm_error *e, fm_activity a, void *arg) {
  (void)a;
  (void)arg;
  printf("handler:");
  print(e);
}

#define CANCELLED(call)                                              \
  {                                                                  \
    auto t = spawn call;                                             \
    fm_sleep(3);                                                     \
    fm_cancel(fm_id(t));                                             \
    printf("%s:", #call);                                            \
    try { (void)await t; printf(" ended\n"); } catch (fm_error *e) { print(e); } \
  }

async int main(void) {
  CANCELLED(fails(1));            // expect: fails(1): bad 1
  CANCELLED(fails_twice(10));     // expect: fails_twice(10): bad 11 bad 10
  CANCELLED(catches());           // expect: catches(): bad 21 bad 20
  CANCELLED(parent());            // expect: parent(): bad 30
  CANCELLED(shares());            // expect: shares(): bad 41
  CANCELLED(inner_and_outer());   // expect: inner_and_outer(): bad 150
  printf("%d\n", returns());      // expect: else 2
  printf("%d\n", returns_unmet()); // expect: 1
  printf("%d\n", own_child_first()); // expect: 1
  try {
    scope (s) {
      fm_cancel_after(s, 1);
      try { fails(50); } catch (struct bad b) { printf("caught %d\n", b.n); }
    } else printf("no\n");
  } catch (fm_error *e) {
    print(e);                     // expect:  bad 50
  }
  try {
    task(int) throws(struct bad) both[2] = { spawn fails(60), spawn fails(61) };
    fm_sleep(1);
    fm_cancel(fm_id(both[0]));    // fm_all cancels the other
    fm_all(both, 2);
  } catch (fm_error *e) {
    print(e);                     // expect:  bad 60 bad 61
  }
  fm_on_error(handle, NULL);
  try {
    race {
      case fails(70): printf("no\n");
      case fm_sleep(5): printf("slept\n"); // expect: handler: bad 70
    }                             // expect: slept
  } catch (struct bad b) {
    printf("caught %d\n", b.n);
  }
  spawn detached tells();
  fm_sleep(1);
  fm_cancel(detached_one);
  fm_sleep(1);                    // expect: handler: bad 80
  return 0;
}
