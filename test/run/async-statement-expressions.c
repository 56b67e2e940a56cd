// Statement expressions may pause, have locals of their own, nest, and stand anywhere; their value may be a struct or void.
#include "parts/async.h"

struct p { int x, y; };

#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })

static async int test(int first) {
  if (first) yield;
  int n = ({ int t = later(3); yield; t * 2; });                                   // 6
  n += MAX(later(4), MAX(later(7), 5)) * 10;                                       // 76
  n += ({ struct p p = { 1, later(2) }; yield; p; }).y * 100;                      // 276
  if (({ yield; n > 0; }) && ({ int n = later(0); !n; })) n += 1000;               // 1276
  for (int i = 0; ({ yield; i < 3; }); i++) n += ({ if (i == 1) continue; later(10000); }); // 21276
  ({ yield; });
  return n + later(1) * 100000 + ({ goto skip; 0; });
skip:
  return n + 200000;
}

async int main(void) {
  THREE(test);                    // expect: 221276 221276 221276
}
