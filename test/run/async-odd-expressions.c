// The same in async functions, with pauses around and within.
#define _GNU_SOURCE
#include <fermata.h>
#include <sys/socket.h>

int actions[] = {}, rows[][8] = {};
typedef union { int *i; float *f; } either __attribute__((transparent_union));
static int takes(either e, int n) { return *e.i + n; }
typedef int (*exact)(int *, int);
typedef int (*peer)(int, struct sockaddr *, socklen_t *);
async int echo(int x) { yield; return x; }
static async int call(exact f, int *n) { yield; return f(n, echo(1)); }
static async int socket_name(peer p) { yield; return p(-1, NULL, NULL); }
static async int either_of(either e) { yield; return *e.i; }

async int main(void) {
  int n = 3, none[] = {};
  for (int i = 0; i < 2; i++) {
    yield;
    n += --(int){3} + echo(++(__typeof__(n)){i}) + ++(int[]){1, echo(2)}[1];
    int empty[][4] = {};
    yield;
    n += (int)(sizeof actions + sizeof rows + sizeof none + sizeof empty);
  }
  printf("%d\n", n);                              // expect: 16
  printf("%d %d %d\n", call(takes, &n), socket_name(getsockname), either_of((either){&n})); // expect: 17 -1 16
  return 0;
}
