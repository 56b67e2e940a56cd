// Spawns in functions called from a scope are its children.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int alive;

async static void child(void) {
  alive++;
  defer alive--;
  fm_sleep(1000);
}

async static void deeper(void) {
  spawn child();
  activate { child(); }
}

async static void function(void) {
  spawn child();
  yield;
  deeper();
  yield;
}

async static void root(void) { spawn detached child(); }

async int main(void) {
  scope (s) {
    function();
    root();
    yield;
    printf("%d\n", alive);        // expect: 4
    fm_cancel(s);
  }
  printf("%d\n", alive);          // expect: 1
}
