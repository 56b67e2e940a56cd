// #include inside functions, initializers and expressions; X macros; #line; __FILE__ and __LINE__ are the user's.
// flags: -Wno-overlength-strings
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define ENTRY(name, value) #name,
#include "parts/table.inc"
#undef ENTRY
};
enum {
#define ENTRY(name, value) name##_value = value * 10 + __LINE__ * 0,
#include "parts/table.inc"
#undef ENTRY
};

static int lookup(const char *s) {
#define ENTRY(name, value) if (strcmp(s, #name) == 0) return name##_value;
#include "parts/table.inc"
#undef ENTRY
  return -1;
}
static int lines(void) {
  int sum = 0;
#define ENTRY(name, value) sum += __LINE__; if (__FILE__[0] == 'g') sum += 1000;
#include "parts/table.inc"
#undef ENTRY
  return sum;
}

int main(void) {
  printf("%zu %s\n", sizeof names / sizeof *names, names[2]); // expect: 3 two
  printf("%d %d %d\n", lookup("one"), lookup("two"), lookup("x")); // expect: 10 20 -1
  printf("%d\n", lines());                        // expect: 1073
  printf("%d %s\n", __LINE__, strrchr("/" __FILE__, '/') + 1); // expect: 35 include-in-body.c
#line 500 "other.y"
  printf("%d %s\n", __LINE__, __FILE__);          // expect: 500 other.y
  printf("%d\n",
         __LINE__);                               // expect: 502
  return 0;
}
