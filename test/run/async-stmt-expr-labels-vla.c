// gcc gives a statement expression no value if an array of variable length is declared in it after
// a label. The labels of the translation, and of the text that the compiler checks, do no such harm.
#include <fermata.h>
#include <stdio.h>
static int cond(int n) { return n; }
static async int slow(int n) { yield; return n; }
struct E { int v; };
static async int fails(int n) throws(struct E) { yield; if (n == 3) throw (struct E){n}; return n; }
static int plain(int n) {
  int x = n;
  x = ({ try { if (cond(n) == 7) throw (struct E){ 2 }; } catch (struct E e) { x += e.v; }
         int v[cond(1) + 2]; v[1] = x; x + v[1]; });
  int y = ({ { defer x++; cond(1); if (x == 77) return 3; }
             int v[cond(1) + 2]; v[1] = x; x + v[1]; });
  return y;
}
static async int f(int n) {
  int x = n;
  // the labels of each construct stand before the array
  x = ({ try { if (cond(n) == 7) throw (struct E){2}; } catch (struct E e) { x += e.v; }
         int v[cond(1) + 2]; v[1] = x; x + v[1]; });
  x += ({ int got = 0; race { case got = slow(5): got++; case slow(6): got--; }
          int v[cond(2) + 2]; v[2] = got; (void)x, v[2] + 1; });
  x += ({ activate { if (x) return; x = 9; } yield;
          char v[cond(2) + 2], *p = v; *p = 3; *p; });
  x += ({ auto j = job (x) { if (x) return 1L; return 2L; }; long r = await j; fm_job_free(j);
          short v[cond(2) + 2]; v[0] = (short)r; v[0]; });
  try {
    x += ({ scope { yield; } else { x++; }
            try { cond(1); yield; } finally { x++; }
            int v[cond(3)]; v[0] = 2; fails(cond(2)) + v[0]; });
    x += ({ try { fails(2); } catch (struct E e) { x = e.v; }
            double v[cond(3)]; v[0] = 2; fails(cond(3)) + (int)v[0]; });
  } catch (struct E e) { printf("caught %d\n", e.v); }
  defer {
    int d = ({ try { fails(3); } catch (struct E e) { x = e.v * 100; }
               int v[cond(3)][cond(2)]; v[2][1] = x; v[2][1] + 1; });
    printf("deferred %d\n", d);
  }
  struct pair { int a, b; } q = ({ try { fails(3); } catch (struct E e) { x += e.v; }
                                   int v[cond(3)]; v[1] = x; (struct pair){ v[1], 2 }; });
  return x + q.a;
}
async int main(void) {
  // expect: caught 3
  // expect: deferred 301
  printf("%d %d %d\n", f(4), plain(7), plain(8)); // expect: 54 38 34
  // expect: caught 3
  // expect: deferred 301
  printf("%d\n", atomic f(4)); // expect: 54
  return 0;
}
