// A computed goto in an atomic function, in an atomic, and in a body behind a defer, among labels that stand in the same place.
#include <fermata.h>
#include <stdio.h>

async int twice(int x) {
  yield;
  return 2 * x;
}

atomic int machine(const char *code) { // as interpreters have it
  static void *const step[] = { &&end, &&add, &&mul, &&neg };
  int x = 1;
  goto *step[(int)*code++];
add:
  x += 3;
  goto *step[(int)*code++];
mul:
  x = twice(x);
  goto *step[(int)*code++];
neg:
  x = -x;
  goto *step[(int)*code++];
end:
  return x;
}

static void say(const char *what) {
  puts(what);
}

atomic int within(int k) {
  int n = 0;
  if (k > 9)
    goto out; // an ordinary label elsewhere is no matter
  {
    void *where[2] = { &&even, &&odd };
    defer say("left");
    goto *where[k & 1];
  odd:
    n += 100;
  even:
    n += twice(k);
    if (--k & 1)
      goto *where[1];
  }
out:
  return n;
}

async int statement(int k) {
  int n = 0;
  atomic {
    void *to = k ? &&one : &&two;
    goto *to;
  one:
    n = twice(n + 1);
  two:
    n++;
  }
  return n;
}

async int main(void) {
  printf("%d\n", machine("\1\2\3\0"));     // expect: -8
  printf("%d\n", within(3));               // expect: left
                                           // expect: 106
  printf("%d\n", within(2));               // expect: left
                                           // expect: 106
  printf("%d\n", within(10));              // expect: 0
  printf("%d %d\n", statement(1), statement(0)); // expect: 3 1
  return 0;
}
