// A cancel from inside an atomic reaches what its target has spawned before that atomic; what the
// target has spawned in it gets the cancel when it ends.
#include <fermata.h>
#include <stdio.h>

static async void child(const char *name) {
  printf("%s begins\n", name);
  yield;
  printf("%s goes on\n", name);
}

static async void cancels_itself(void) {
  spawn child("before");
  scope {
    atomic {
      spawn child("inside");
      fm_cancel(fm_self());
      auto t = spawn contained child("contained");
      await t;
    }
    printf("the atomic has ended\n");
    yield;
    printf("not reached\n");
  }
}

async int main(void) {
  // expect: contained begins
  // expect: contained goes on
  // expect: the atomic has ended
  // expect: inside begins
  // expect: before begins
  // expect: main goes on
  atomic {
    auto t = spawn contained cancels_itself();
    fm_join(fm_id(t));
    fm_detach(t);
  }
  printf("main goes on\n");
  return 0;
}
