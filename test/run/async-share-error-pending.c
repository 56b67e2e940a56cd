// A task with two handles fails. The activity that awaits one of them is ready, and has not read
// the error yet, when the parent of the task ends: the error is the awaiter's alone.
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

static failing first, second;

static async void awaits(void) {
  try {
    int v = await first;
    printf("value %d\n", v);
  } catch (struct failure e) {
    printf("error %d\n", e.code);  // expect: error 5
  }
}

static async void parent(void) {
  first = spawn fails();
  second = fm_share(first);
  spawn detached awaits();
  yield;
}

async int main(void) throws(fm_error) {
  auto p = spawn parent();
  await p;
  yield;
  printf("end\n");                 // expect: end
  return 0;
}
