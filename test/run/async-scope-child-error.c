// A child's error cancels the rest, and is thrown when all have ended; later ones hang on it.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };
struct worse { int n; };

async static void fails(int n, int ms) throws(struct bad) {
  fm_sleep(ms);
  throw (struct bad){n};
}

async static void sleeper(void) throws(struct worse) {
  try {
    fm_sleep(1000);
  } finally {
    fm_sleep(5);
    printf("sleeper out at %d\n", (int)(fm_now() / 1000000));
  }
}

async static void stubborn(void) throws(struct worse) {
  shield fm_sleep(20);
  throw (struct worse){7};
}

async static void group(void) throws(struct bad, struct worse) {
  scope (s) {
    spawn sleeper();
    spawn fails(1, 10);
    spawn fails(2, 10);
    spawn stubborn();
    spawn fails(3, 500);
    defer printf("body out at %d\n", (int)(fm_now() / 1000000));
    fm_sleep(1000);
  }
  else printf("no\n");
}

async int main(void) {
  try {
    group();
  } catch (fm_error *e) {
    printf("at %d:", (int)(fm_now() / 1000000));
    for (const fm_error *k = e; k; k = fm_error_next(k)) printf(" %s %d", fm_error_name(k), *(const int *)fm_error_value(k));
    printf("\n");
  }
  // expect: body out at 10
  // expect: sleeper out at 15
  // expect: at 20: bad 1 bad 2 worse 7
}
