// A cleanup that waits for nothing is a shield, too: what it has started, and what runs at an
// automatic yield before its end, meets the cancel of the code around it when the cleanup ends.
// env: FERMATA_TICK=always
#include <fermata.h>
#include <stdio.h>

static void say(const char *s) {
  printf("%s\n", s);
}

static async void child(const char *reached, const char *not_reached) {
  fm_checkpoint();
  say(reached);
  yield;
  say(not_reached);
}

static async void in_defer(void) {
  defer {
    spawn child("child of a defer", "not reached");
    say("defer");    // expect: defer
    say("its end");  // expect: child of a defer
                     // expect: its end
  }
  fm_cancel(fm_self());
}

static async void in_finally(void) {
  try {
    fm_cancel(fm_self());
  } finally {
    spawn child("child of a finally", "not reached");
    say("finally");  // expect: finally
    say("its end");  // expect: child of a finally
                     // expect: its end
  }
}

static async void starts(void) {
  spawn child("child of an atomic", "not reached");
}

static async void in_atomic_call(void) {
  defer {
    atomic starts();
    say("defer");    // expect: defer
    say("its end");  // expect: child of an atomic
                     // expect: its end
  }
  fm_cancel(fm_self());
}

async int main(void) {
  fm_join(fm_id(spawn in_defer()));
  fm_join(fm_id(spawn in_finally()));
  fm_join(fm_id(spawn in_atomic_call()));
  return 0;
}
