// The value of `return` is taken before finally and defer run; structures and nothing at all are returned, too.
#include <fermata.h>

struct big { int a[30]; };
struct fixed { const int v; int w; };
static int number(void) { int x = 1; defer x = 2; try { return x; } finally { x = 3; } }
static struct big structure(void) { struct big b = {{[29] = 4}}; defer b.a[29] = 5; return b; }
static struct fixed with_const(int n) { defer n = 9; try { return (struct fixed){n, n + 1}; } finally { n = 8; } }
static void nothing(int *p) { defer *p += 1; if (*p) return; *p = 10; }
static char narrow(void) { int x = 'a' + 256; defer x = 0; return (char)x; }
static const char *text(void) { const char *s = "kept"; defer s = "lost"; return s; }

int main(void) {
  int a = 0, b = 1;
  nothing(&a);
  nothing(&b);
  struct fixed f = with_const(6);
  printf("%d %d %d %d %d %d %c %s\n", number(), structure().a[29], f.v, f.w, a, b, narrow(), text()); // expect: 1 4 6 7 11 2 a kept
}
