// A cancel of a scope that stands in an atomic of the same function waits for the end of a shield,
// a cleanup or an inner atomic in it; then it reaches the activities that were made there.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

static async void child(const char *of) {
  printf("child of %s\n", of);
  fm_sleep(1000);
  printf("the child of %s was not cancelled\n", of);
}

static async void while_it_goes_on(void) {
  atomic {
    scope (s) {
      fm_cancel_after(s, 5);
      shield {
        spawn child("the shield");          // expect: child of the shield
        fm_sleep(20);
      }
    } else printf("shield left\n");         // expect: shield left
    scope (s) {
      fm_cancel_after(s, 5);
      atomic {
        spawn contained child("the atomic");
        spawn child("the inner atomic, delayed");
        fm_sleep(20);
      }
    } else printf("atomic left\n");
    scope (s) {
      fm_cancel_after(s, 5);
      try {
        fm_sleep(0);
      } finally {
        spawn child("the cleanup");
        fm_sleep(20);
      }
    } else printf("cleanup left\n");
  }
}
// The inner atomic waits for what it contains: 1000 ms.
// expect: child of the atomic
// expect: the child of the atomic was not cancelled
// expect: child of the inner atomic, delayed
// expect: atomic left
// expect: child of the cleanup
// expect: cleanup left

static async void before_it_begins(void) {
  atomic {
    scope (s) {
      fm_cancel(s);
      shield spawn child("the shield");
      atomic spawn child("the inner atomic");
    } else printf("left\n");
  }
}
// expect: child of the shield
// expect: child of the inner atomic
// expect: left

// The atomic holds a cancel of what is around it back from all these.
static async void around(void) {
  scope (o) {
    fm_cancel(o);
    atomic {
      scope {
        shield spawn child("a scope that is not cancelled");
        atomic spawn child("another one");
        shield fm_sleep(1);
      } else printf("not here\n");
    }
    fm_checkpoint();
    printf("not here\n");
  } else printf("around\n");
}
// expect: child of a scope that is not cancelled
// expect: child of another one
// expect: the child of a scope that is not cancelled was not cancelled
// expect: the child of another one was not cancelled
// expect: around

async int main(void) {
  while_it_goes_on();
  before_it_begins();
  around();
  return 0;
}
