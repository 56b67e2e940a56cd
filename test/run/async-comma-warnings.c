// What is left of a comma expression when the pause in it has come first draws no warning that the source does not: self-assignment,
// `?:` as a truth value, an assignment or a comparison in more parentheses than it needs.
#include <fermata.h>

static async int f(void) { yield; return 1; }
static int one(void) { return 1; }
static int calls;

async int main(void) {
  int x = 3, y = 3;
  x = (f(), x);
  if ((f(), x ? y : 5) || one()) printf("%d\n", x);                 // expect: 3
  if ((unsigned)((void)f(), (unsigned)(x ? y : 5)) && one()) printf("%d\n", y); // expect: 3
  if (f(), x = y - 2) printf("%d\n", x);                            // expect: 1
  if ((f(), x == y)) printf("no\n");
  while (f(), (y = y - 1)) printf("%d\n", y);                       // expect: 2
                                                                    // expect: 1
  for (int i = 0; i < 2; f(), i++) calls++;
  f(), calls++;
  printf("%d\n", calls);                                            // expect: 3
  printf("%d\n", (f(), x) + (calls++, f(), calls));                 // expect: 5
  return 0;
}
