// Thread-local storage in its spellings: each thread has its own.
// flags: -pthread
#include <pthread.h>
#include <stdio.h>

static _Thread_local int a = 1;
static __thread int b[3] = {1, 2, 3};
extern _Thread_local int c;
_Thread_local int c = 5;
_Thread_local static const char *text = "main";

static int *counter(void) {
  static __thread int n = 10;
  n++;
  return &n;
}
static void *other(void *arg) {
  extern __thread int c;
  *(int *)arg = a * 1000 + b[2] * 100 + c * 10 + (*counter() == 11);
  a = b[0] = c = 0;
  text = "other";
  return &a;
}

int main(void) {
  pthread_t t;
  int seen = 0;
  void *theirs;
  a = 9;
  b[2] = 8;
  counter();
  pthread_create(&t, 0, other, &seen);
  pthread_join(t, &theirs);
  printf("%d\n", seen);                           // expect: 1351
  printf("%d %d %d %s\n", a, b[2], c, text);      // expect: 9 8 5 main
  printf("%d %d\n", *counter(), theirs == &a);    // expect: 12 0
  return 0;
}
