// Functions called by the cleanup attribute obey the rules of defer: what they throw goes to the
// handler around, replaces an error on its way, and reaches the caller of a plain function.
#include <fermata.h>

struct first { int v; };
struct second { int v; };

static void plain_close(int *x) throws(struct first) {
  if (*x < 0) throw (struct first){*x};
  printf("close %d\n", *x);
}

static async void slow_close(int *x) throws(struct first) {
  yield;
  if (*x < 0) throw (struct first){*x};
  printf("slow close %d\n", *x);
}

static async void pause(void) { yield; }

static async int inner(int v) throws(struct first) {
  int y __attribute__((cleanup(plain_close))) = v;
  pause();
  return y * 2;
}

static async void replaces(void) throws(struct first, struct second) {
  int y __attribute__((cleanup(slow_close), unused)) = -7;
  pause();
  throw (struct second){1};
}

static int plain(int v) throws(struct first) {
  int a __attribute__((cleanup(plain_close))) = 1, b __attribute__((cleanup(plain_close))) = v;
  return a + b;
}

static void plain_caught(void) throws(struct first) {
  try {
    for (int i = 0; i < 3; i++) {
      int y __attribute__((cleanup(plain_close), unused)) = i - 2;
      if (i == 1) continue;
    }
    puts("not here");
  } catch (struct first e) {
    printf("plain caught %d\n", e.v);
  }
  for (int y __attribute__((cleanup(plain_close), unused)) = 5, n = 0; n < 2; n++) {}
}

async int main(void) {
  try {
    printf("%d\n", inner(4));                     // expect: close 4
    printf("%d\n", inner(-4));                    // expect: 8
  } catch (struct first e) {
    printf("caught %d\n", e.v);                   // expect: caught -4
  }
  try {
    replaces();
  } catch (struct first e) {
    printf("replaced by %d\n", e.v);              // expect: replaced by -7
  } catch (struct second e) {
    printf("second %d\n", e.v);
  }
  try {
    printf("%d\n", plain(2));                     // expect: close 2
    plain(-2);                                    // expect: close 1
  } catch (struct first e) {                      // expect: 3
    printf("plain threw %d\n", e.v);              // expect: close 1
  }                                               // expect: plain threw -2
  try {
    plain_caught();
  } catch (struct first e) {
    printf("through %d\n", e.v);
  }
  return 0;                                       // expect: plain caught -2
}                                                 // expect: close 5
