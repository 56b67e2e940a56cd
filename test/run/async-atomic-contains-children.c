// What the end of an activity or a scope waits for in an atomic is contained: also what is made
// there meanwhile, and in the order in which it was made.
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

static async void child(const char *of) {
  printf("child of %s begins\n", of);
  yield;
  printf("child of %s goes on\n", of);
}

// A scope that a contained activity leaves waits for a child that is made there meanwhile.
static async void spawns_later(fm_activity s) {
  fm_sleep(1);
  spawn in(s) child("a scope that is left");
}

static async void leaves_a_scope(void) {
  scope (s)
    spawn spawns_later(s);
}

static async void left_in_an_atomic(void) {
  atomic leaves_a_scope();
}

// They are contained in the order in which they were made, also those of a shield.
static async void two_children(void) {
  fm_activity me = fm_self();
  shield {
    spawn child("a shield");
    spawn in(me) child("the activity around it");
    yield;
  }
}

static async void ordered(void) {
  atomic {
    await spawn contained two_children();
  }
}

async int main(void) {
  left_in_an_atomic();           // expect: child of a scope that is left begins
                                 // expect: child of a scope that is left goes on
  ordered();                     // expect: child of a shield begins
                                 // expect: child of the activity around it begins
                                 // expect: child of a shield goes on
                                 // expect: child of the activity around it goes on
  return 0;
}
