// Spawns in an atomic are delayed until the outermost atomic ends; contained ones run inside, and its end waits for them.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void say(const char *s, int pauses) {
  while (pauses--) yield;
  printf("%s\n", s);
}

async int main(void) {
  spawn say("before", 0);
  atomic {
    spawn say("delayed", 0);
    spawn contained say("contained", 3);
    printf("inside\n");           // expect: inside
    yield;
    atomic {
      spawn say("delayed too", 0);
      spawn contained say("inner contained", 2);
      spawn now say("now", 1);
      printf("inner\n");          // expect: inner
    }                             // expect: now
                                  // expect: inner contained
    printf("outer again\n");      // expect: outer again
  }                               // expect: contained
  printf("outside\n");            // expect: outside
  yield;                          // expect: before
                                  // expect: delayed
                                  // expect: delayed too
  printf("end\n");                // expect: end
}
