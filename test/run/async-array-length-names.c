// The length of an array may speak of other variables of the function, though the array is kept in the frame.
#include "parts/async.h"

struct pair { long a, b; };

async int lengths(struct pair *from) {
  long c = later(3);
  struct pair *where = from;
  enum { EXTRA = 2 };
  char name[sizeof(c) / 2 + EXTRA + sizeof(*where)] = "abc";
  int (*rows)[sizeof(name) / sizeof(name[0])] = NULL;
  yield;
  return (int)(sizeof name + sizeof *rows) + name[1] - 'a' + (int)c + (int)where->a;
}

async int main(void) {
  printf("%d\n", lengths(&(struct pair){.a = 1}));   // expect: 115
  return 0;
}
