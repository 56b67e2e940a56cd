// return, break, continue and goto pass through finally and defer, innermost first.
#include <fermata.h>

static void say(const char *s) { printf("%s ", s); }

static int how(int n) {
  for (int i = 0; i < 2; i++) {
    defer say("d1");
    try {
      defer say("d2");
      try {
        if (n == 0) break;
        if (n == 1) continue;
        if (n == 2) return 5;
        if (n == 3) goto out;
        if (n == 4) goto next;
        say("end");
      } finally { say("f1"); }
    } finally { say("f2"); }
    say("behind");
  next:
    say("next");
  }
  return 0;
out:
  return 1;
}

int main(void) {
  for (int n = 0; n < 6; n++) printf("= %d\n", how(n));
  // expect: f1 d2 f2 d1 = 0
  // expect: f1 d2 f2 d1 f1 d2 f2 d1 = 0
  // expect: f1 d2 f2 d1 = 5
  // expect: f1 d2 f2 d1 = 1
  // expect: f1 d2 f2 next d1 f1 d2 f2 next d1 = 0
  // expect: end f1 d2 f2 behind next d1 end f1 d2 f2 behind next d1 = 0
}
