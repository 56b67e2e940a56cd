// When async main ends, detached activities that remain are cancelled and unwound: they do not go on, and nothing leaks.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void forever(const char *who) {
  char text[100];
  for (int i = 0;; i++) {
    snprintf(text, sizeof text, "%s %d", who, i);
    printf("%s\n", text);
    yield;
  }
}

async int main(void) {
  spawn detached forever("a");
  yield;                          // expect: a 0
  spawn detached forever("b");
  yield;                          // expect: a 1
                                  // expect: b 0
  printf("end\n");                // expect: end
}
