// Pauses beside and in the arguments of <tgmath.h>, with both compilers.
// flags: -lm
#include <fermata.h>
#include <tgmath.h>

static async int p(int x) { yield; return x; }
static async double both(double x) {
  double h = 1;
  h += sqrt(x) * p(2);
  h = fmax(h, p(3));
  return h + sqrt(p(9)) + pow(p(2), x);
}

async int main(void) {
  printf("%g\n", both(4));                        // expect: 24
  return 0;
}
