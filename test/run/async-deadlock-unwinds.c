// A deadlock that no one catches goes to those that await, and the process fails, with its cleanup done. Who waits at the end
// of a scope is not thrown it, even if it was the last to block: the scope's activities are.
// status: 1
#include "parts/async.h"

static async void waits(void) {
  defer printf("left\n");
  fm_join(fm_self());
  printf("never\n");
}

static async void scopes(void) {
  defer printf("scope left\n");
  scope {
    spawn waits();
    yield;
    yield;
  }
  printf("never\n");
}

async int main(void) {
  try {
    scopes();
  } finally {
    printf("end\n");
  }
}
// expect: left
// expect: scope left
// expect: end
