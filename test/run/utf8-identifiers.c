// Names beyond ASCII: as UTF-8, as universal character names, with dollars; a name has one meaning in both spellings.
#include <stdio.h>

struct größe { int höhe, breite; };
enum { ΑΛΦΑ = 1, ΒΗΤΑ };
static int $dollar$ = 3, a$b = 4;
static int naïve(int é) { return é + ΒΗΤΑ; }
#define 変数(x) int x##値 = 7

int main(void) {
  struct größe g = {.höhe = 2, .breite = 5};
  int \u00fc = 10;
  ü++;
  変数(数);
  printf("%d %d\n", g.höhe + g.breite, naïve(ΑΛΦΑ)); // expect: 7 3
  printf("%d %d %d\n", ü, $dollar$ * a$b, 数値);  // expect: 11 12 7
  goto ende_ß;
ende_ß:
  puts("größe → \u00e9");                         // expect: größe → é
  return 0;
}
