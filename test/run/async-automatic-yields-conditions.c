// There is an automatic yield after a loop's condition or step that calls an async function, too, if that does not pause.
// env: FERMATA_TICK=1
#include "parts/async.h"

static volatile int flag;
static async void set(void) { flag = 1; }
static async int not_pausing(void) { return flag; }

async int main(void) {
  int n = 0;
  spawn set();
  do {} while (!not_pausing());
  printf("do\n");                 // expect: do
  flag = 0;
  spawn set();
  while (!not_pausing()) {}
  printf("while\n");              // expect: while
  flag = 0;
  spawn set();
  for (; !not_pausing();) {}
  printf("for\n");                // expect: for
  flag = 0;
  spawn set();
  for (; !flag; n += not_pausing()) {}
  printf("step\n");               // expect: step
  flag = 0;
  spawn set();
  while (!not_pausing() && n < 1000000000) {}
  printf("and\n");                // expect: and
}
