// A value whose type fmcc does not know, as that of an overloaded function, cannot be kept for a pause.
#include <fermata.h>
struct point { double x; };
async int p(int x);
async int f(int k, double v __attribute__((vector_size(16)))) {
  return k ? v.x + p(1) : p(2);
}
// error: 6:12: fmcc does not know the type of this value, which a pause has to keep
