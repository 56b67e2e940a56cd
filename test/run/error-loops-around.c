// try in every kind of loop, with break and continue in try, catch and finally's own loops, and what is behind not reached.
#include <fermata.h>

struct bad { int v; };
static int maybe(int n) throws(struct bad) { if (n % 3 == 0) throw (struct bad){n}; return n; }
int main(void) {
  int s = 0, i = 0;
  while (1) { try { s += maybe(++i); } catch (struct bad e) { if (e.v > 6) break; continue; } s += 100; }
  printf("%d %d\n", s, i);        // expect: 627 9
  i = 0;
  do { try { maybe(i); } catch (struct bad e) { s = e.v; if (s == 6) goto out; } finally { i++; } } while (i < 20);
out:
  printf("%d %d\n", s, i);        // expect: 6 7
  for (i = 1; i < 10; i++) {
    try { switch (maybe(i)) { case 1: continue; case 4: break; default: s += i; } s += 1000; }
    catch (struct bad) { continue; }
    finally { s += 10000; }
    if (i == 7) break;
  }
  printf("%d %d\n", s, i);        // expect: 74020 7
}
