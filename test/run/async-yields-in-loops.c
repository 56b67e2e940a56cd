// -fauto-yield=loops adds a yield at the back-edges of loops.
// env: FERMATA_TICK=1
// flags: -fauto-yield=loops
#include "parts/async.h"

static volatile int flag;
static async void set(void) { flag = 1; }

async int main(void) {
  spawn set();
  while (!flag) {}
  printf("while\n");              // expect: while
  flag = 0;
  spawn set();
  do {} while (!flag);
  printf("do\n");                 // expect: do
  flag = 0;
  spawn set();
  for (int i = 0; !flag; i++) {}
  printf("for\n");                // expect: for
}
