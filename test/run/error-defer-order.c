// Several defers: last first; an error in one does not keep the others from running.
#include <fermata.h>

struct bad { int v; };
static void work(int n) throws(struct bad) {
  defer printf("1\n");
  defer { printf("2 "); if (n == 2) throw (struct bad){2}; }
  defer { printf("3 "); if (n) throw (struct bad){3}; }
  defer printf("4 ");
  if (n == 3) throw (struct bad){9};
}
int main(void) {
  for (int n = 0; n < 4; n++) { try { work(n); } catch (struct bad e) { printf("bad %d\n", e.v); } }
  // expect: 4 3 2 1
  // expect: 4 3 2 1
  // expect: bad 3
  // expect: 4 3 2 1
  // expect: bad 2
  // expect: 4 3 2 1
  // expect: bad 3
}
