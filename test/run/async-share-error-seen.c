// Two activities get the error of one task. Each of them may fail with it, and is asked for its own
// result: that another one was thrown the same error, or fails with it, changes nothing.
#include <fermata.h>
#include <stdio.h>

struct failure {
  int code;
};
typedef task(int) throws(struct failure) failing;

static async int fails(void) throws(struct failure) {
  yield;
  throw (struct failure){ 5 };
}

static async int passes_on(failing t) throws(struct failure) {
  return await t;
}

static async void keeps_one_handle(void) {
  int clauses = 0;
  scope {
    failing t = spawn fails();
    failing other = fm_share(t);
    spawn passes_on(other);
    yield;
    yield;
    (void)t; // its error has been read: only the other activity fails
  } catch each (struct failure e) {
    printf("clause %d: error %d\n", ++clauses, e.code);  // expect: clause 1: error 5
  }
}

// The error of the task that nobody awaits is its parent's, although others were thrown it later.
static async void parent(void) throws(struct failure) {
  failing t = spawn fails();
  failing other = fm_share(t);
  failing kept = spawn passes_on(t);
  yield;
  yield;
  yield;
  try {
    await other;
  } catch (struct failure e) {
    printf("read %d\n", e.code);  // expect: read 5
  }
  (void)kept;
}

async int main(void) {
  keeps_one_handle();
  auto t = spawn parent();
  try {
    await t;
    printf("lost\n");
  } catch (struct failure e) {
    printf("of the parent: %d\n", e.code);  // expect: of the parent: 5
  }
  return 0;
}
