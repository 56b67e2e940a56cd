// Complex numbers: arithmetic, parts as lvalues, imaginary constants, conjugation, comparison, conversion, integer complex.
// flags: -Wno-pedantic
#include <complex.h>
#include <stdio.h>

static double _Complex rotate(double _Complex z) { return z * 1.0i; }
static float _Complex narrow = 1.0f + 2.0fi;

int main(void) {
  double _Complex z = 3.0 + 4.0i, w = ~z;
  printf("%.0f %.0f\n", __real__ z, __imag__ z);  // expect: 3 4
  printf("%.0f\n", __imag__ w);                   // expect: -4
  printf("%.0f\n", __real__ (z * w));             // expect: 25
  __real__ z = 1;
  __imag__ z += 1;
  printf("%.0f %.0f\n", creal(z), cimag(z));      // expect: 1 5
  z = rotate(z);
  printf("%.0f %.0f\n", creal(z), cimag(z));      // expect: -5 1
  printf("%d %d\n", z == -5.0 + 1.0i, z != w);    // expect: 1 1
  printf("%zu %zu %zu\n", sizeof z, sizeof narrow, sizeof(long double _Complex)); // expect: 16 8 32
  printf("%.1f\n", (double)crealf(narrow * 2));   // expect: 2.0
  double plain = narrow * narrow;
  printf("%.1f\n", plain);                        // expect: -3.0
  _Complex int k = 2 + 3i;
  k *= k;
  printf("%d %d\n", __real__ k, __imag__ k);      // expect: -5 12
  printf("%zu %zu\n", sizeof k, sizeof(1.0fi));   // expect: 8 8
  double _Complex v[] = {1, 1i, [3] = 2 + 2i};
  printf("%.0f\n", __imag__ (v[1] + v[3]) + __real__ (v[0] - v[2])); // expect: 4
  printf("%.0f\n", __imag__ 5.0 + __real__ 6);    // expect: 6
  printf("%d\n", !z || (z ? 1 : 0));              // expect: 1
  return 0;
}
