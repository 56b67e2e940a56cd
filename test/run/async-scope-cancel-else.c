// fm_cancel of a scope unwinds to its end; else runs if and only if that cut something short; execution goes on after it.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void child(void) {
  defer printf("child out\n");
  fm_sleep(1000);
}

async static void in_function(fm_activity s) {
  defer printf("function out\n");
  fm_cancel(s);
  fm_sleep(100);
  printf("no\n");
}

async int main(void) {
  scope (s) {
    defer printf("defer\n");
    spawn child();
    fm_sleep(1);
    in_function(s);
    printf("no\n");
  }
  else {
    printf("else\n");
    yield;
    printf("else may pause\n");
  }
  // expect: function out
  // expect: defer
  // expect: child out
  // expect: else
  // expect: else may pause
  scope (s) printf("plain\n");    // expect: plain
  else printf("no\n");
  scope (s) {                     // cancelled, but nothing in it meets that
    fm_cancel(s);
    printf("reached\n");          // expect: reached
  }
  else printf("no\n");
  scope (s) {                     // without else
    fm_cancel(s);
    yield;
    printf("no\n");
  }
  printf("after\n");              // expect: after
}
