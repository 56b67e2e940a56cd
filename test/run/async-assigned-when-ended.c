// x = f(); gives x its value when f has ended: meanwhile other activities, and f itself, see x as it
// was before, also if they share x or have its address; and so does a handler after an error.
// env: FERMATA_TICK=off
#include <fermata.h>

static async int seven(int fails) throws(struct os_error) {
  yield;
  if (fails)
    throw (struct os_error){ 1 };
  return 7;
}

static async int twice(int *x) {
  yield;
  yield;
  return *x + *x;
}

static async void shows(int *x) {
  printf("shown %d\n", *x);
}

static async void shared(void) throws(struct os_error) {
  int x = 3;
  scope (s) {
    activate () { x = seven(0); }
    yield;
    printf("shared %d\n", x);
  }
  printf("shared %d\n", x);
}

static async int failed(int *other) throws(struct os_error) {
  int x = 5;
  scope (s) {
    activate () { x = seven(1); }
    yield;
    *other = x;
  }
  return x;
}

async int main(void) {
  int x = 4;
  int other = 0;
  auto t = spawn shows(&x);
  x = twice(&x); // expect: shown 4
  printf("%d\n", x); // expect: 8
  await t;
  try {
    shared(); // expect: shared 3
              // expect: shared 7
    failed(&other);
  } catch (struct os_error e) {
    printf("%d %d\n", e.code, other); // expect: 1 5
  }
}
