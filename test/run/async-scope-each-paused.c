// A child that has paused itself fails and ends, and its task is kept: the pause has ended with it,
// so the clause `catch each` runs when the scope ends.
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

struct failure {
  int code;
};

static async int child(void) throws(struct failure) {
  fm_pause(fm_self());
  throw (struct failure){ 3 };
}

async int main(void) {
  scope {
    task(int) throws(struct failure) kept = spawn child();
    (void)kept;
    fm_sleep(1);
    printf("the body ends\n");             // expect: the body ends
  } catch each (struct failure e) {
    printf("child failed: %d\n", e.code);  // expect: child failed: 3
  }
  printf("left\n");                        // expect: left
  return 0;
}
