// case a ... b, with constants of every kind, negative bounds, characters, enumerators, in nested switches.
#include <stdio.h>

enum { LOW = 10, HIGH = LOW + 5 };

static const char *kind(int c) {
  switch (c) {
  case '0' ... '9': return "digit";
  case 'a' ... 'z':
  case 'A' ... 'Z':
  case '_': return "letter";
  case -128 ... -1: return "negative";
  case LOW ... HIGH: return "small";
  case 0x100 ... (0x100 | 0xff): return "high";
  default: return "other";
  }
}

static int nested(int a, int b) {
  int r = 0;
  switch (a) {
  case 0 ... 3:
    switch (b) {
    case 0: r++; __attribute__((fallthrough));
    case 1 ... 2: r += 10; break;
    default: r += 100;
    }
    r *= 2;
    break;
  case 4: {
    case 5: r = -1;
  }
  }
  return r;
}

int main(void) {
  const int probes[] = {'5', 'q', 'Q', '_', -7, 12, 15, 16, 0x180, 0x200};
  for (unsigned i = 0; i < sizeof probes / sizeof *probes; i++) puts(kind(probes[i]));
  // expect: digit
  // expect: letter
  // expect: letter
  // expect: letter
  // expect: negative
  // expect: small
  // expect: small
  // expect: other
  // expect: high
  // expect: other
  printf("%d %d %d %d %d\n", nested(0, 0), nested(3, 2), nested(1, 9), nested(4, 0), nested(6, 0)); // expect: 22 20 200 -1 0
  return 0;
}
