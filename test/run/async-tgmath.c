// Pauses in the arguments of <tgmath.h>; what it returns may have to be kept for one. (clang's functions are overloaded: there the type is not known.)
// only: gcc
// flags: -lm
#include <fermata.h>
#include <tgmath.h>

static async int p(int x) { yield; return x; }

static async double in_conditions(int k, float x) {
  double r = k ? fmax(x, p(3)) : 0;
  return r + (p(k) ? sqrt(x) : sqrt(p(4)));
}

static async int of_size(float x) { return sizeof(fmax(x, p(1))) + sizeof sqrt(x) + sizeof ldexp(x, p(1)) + sizeof ldexp(1.0L, 2); }

static async float in_values(float x) { return ({ p(1); sqrt(p(9)); }) + ldexp(x, p(3)) + (fabs(x) && p(2)); }

async int main(void) {
  printf("%g %g\n", in_conditions(0, 9), in_conditions(1, 16)); // expect: 2 20
  printf("%d %g\n", of_size(1), in_values(2));     // expect: 32 20
  return 0;
}
