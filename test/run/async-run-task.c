// From plain code, `spawn detached` makes a root of this thread's domain; `run t` blocks until the task is done.
// env: FERMATA_TICK=off
#include <fermata.h>

static async int slow(int x, int times) {
  while (times--) yield;
  printf("slow %d\n", x);
  return x * 10;
}

int main(void) {
  task(int) a = spawn detached slow(1, 3);
  task(int) b = spawn detached slow(2, 1);
  printf("made\n");               // expect: made
  printf("%d\n", run a);          // expect: slow 2
                                  // expect: slow 1
                                  // expect: 10
  printf("%d\n", run b);          // expect: 20
}
