// In async functions there is a yield around every full expression that calls a function, once the slice is over.
// env: FERMATA_TICK=1
#include "parts/async.h"

static volatile int flag;
static int plain(void) { return flag; }
static async void set(void) { flag = 1; }
static async int not_pausing(void) { return flag; }

async int main(void) {
  spawn set();
  while (!flag) plain();                    // without a yield here it would never end
  printf("called\n");             // expect: called
  flag = 0;
  spawn set();
  while (!plain()) {}
  printf("condition\n");          // expect: condition
  flag = 0;
  spawn set();
  while (!flag) not_pausing();
  printf("async\n");              // expect: async
  flag = 0;
  spawn set();
  for (; !flag; plain()) {}
  printf("step\n");               // expect: step
  flag = 0;
  spawn set();
  for (;;) if (plain()) break;
  printf("if\n");                 // expect: if
}
