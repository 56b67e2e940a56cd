// Two structures of one name are two types: of different size they are not mistaken for each other, in one unit by their declarations.
#include <fermata.h>

struct bad { int v; };
static void outer_bad(void) throws(struct bad) { throw (struct bad){1}; }
int main(void) {
  struct other { int w[4]; };
  try {
    try { outer_bad(); }
    catch (struct other e) { printf("other %d\n", e.w[0]); }
  } catch (struct bad e) { printf("bad %d\n", e.v); } // expect: bad 1
  {
    struct bad { char big[100]; };
    try {
      try { throw (struct bad){"hidden"}; }
      catch (struct other e) { printf("other %d\n", e.w[0]); }
    } catch (struct bad e) { puts(e.big); }       // expect: hidden
  }
}
