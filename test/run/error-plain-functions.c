// Plain functions throw, catch and clean up without a scheduler.
#include <fermata.h>

struct parse_error { int line; const char *what; };
struct empty_input { int unused; };

static int digit(const char *s) throws(struct parse_error, struct empty_input) {
  if (!*s) throw (struct empty_input){0};
  if (*s < '0' || *s > '9') throw (struct parse_error){ .line = 3, .what = s };
  return *s - '0';
}

static int twice(const char *s) throws(struct parse_error) {
  defer printf("[%s] ", s);
  try { return digit(s) * 2; }
  catch (struct empty_input e) { (void)e; return -1; }
}

int main(void) {
  const char *all[] = {"4", "", "x"};
  for (int i = 0; i < 3; i++) {
    try { printf("%d\n", twice(all[i])); }
    catch (struct parse_error e) { printf("line %d: %s\n", e.line, e.what); }
  }
  // expect: [4] 8
  // expect: [] -1
  // expect: [x] line 3: x
}
