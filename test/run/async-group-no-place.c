// spawn in(g) without a place in the group ends the program, with a message.
// status: 1
#include <fermata.h>
#include <fermata/group.h>

static async void nothing(void) {
  yield;
}

async int main(void) {
  fm_group g;
  fm_group_init(&g, 2);
  fm_group_wait(&g);
  spawn in(&g) nothing();
  printf("%zu alive\n", fm_group_alive(&g)); // expect: 1 alive
  fflush(stdout);
  spawn in(&g) nothing();
  printf("never\n");
  return 0;
}
