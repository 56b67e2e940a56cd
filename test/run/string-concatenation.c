// Adjacent strings, over lines and macros, with escapes that must not run into the next piece; in arrays and arguments.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define A "a"
#define B A "b"
#define STR(x) #x
#define XSTR(x) STR(x)

static const char text[] = "one "
                           "two "  /* between */ "three"
  // and
  " four";
static const char *const list[] = {"x" "y", "z", "" "" "", "\x41" "B", "\0" "1", "\12" "3"};

int main(void) {
  puts(text);                                     // expect: one two three four
  printf("%zu %zu\n", sizeof text, sizeof("a" "b" "c")); // expect: 19 4
  puts(B A B);                                    // expect: abaab
  printf("%s %s|%s\n", list[0], list[2], list[3]); // expect: xy |AB
  printf("%zu %d %d\n", sizeof "\x41" "B", list[4][1], list[5][0]); // expect: 3 49 10
  printf("%" PRIu64 " %" PRIx32 "\n", (uint64_t)5, (uint32_t)255); // expect: 5 ff
  puts(XSTR(B) STR(a "q\n" \\ 'c'));              // expect: "a" "b"a "q\n" \ 'c'
  char c = "abc" "def"[4];
  printf("%c %c\n", c, *&("x" "y")[1]);           // expect: e y
  printf("%zu\n", strlen("quote\" \\ \? \a\b\f\n\r\t\v\e\101\x7f" "")); // expect: 21
  static const char exact[3] = "ab" "c", quoted[] = {"bra" "ced"}, paren[] = "par" "en";
  printf("%.3s %s %s\n", exact, quoted, paren);   // expect: abc braced paren
  printf("%s\n", __func__);                       // expect: main
  return "" "x"[0] == 'x' ? 0 : 1;
}
