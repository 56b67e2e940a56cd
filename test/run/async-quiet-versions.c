// A function that cannot pause, called by its name, through a pointer, spawned and under atomic.
// env: FERMATA_TICK=always
#include "parts/async.h"

typedef struct triple { const int a; double b; char c[20]; } triple;
typedef enum colour { RED = 3, BLUE = -4 } colour;

static int noted;
static async int digits(const char *s) {
  int n = 0;
  for (int i = 0; i < 4 && s[i] >= '0' && s[i] <= '9'; i++) n = n * 10 + s[i] - '0';
  return n;
}
static async triple make(int a, double b, const char *c) {
  triple t = { a, b, "" };
  for (int i = 0; i < 19 && c[i]; i++) t.c[i] = c[i];
  return t;
}
static async void note(signed char c, unsigned char u, short s) { noted = c + u * 2 + s * 3; }
static async double half(float f, long long n) { return f / 2 + n; }
static async _Bool is_even(int n, int unused) { (void)unused; return n % 2 == 0; }
static async colour other(colour c) { return c == RED ? BLUE : RED; }
static async int first(const triple t, int (*at)[3]) { return t.a + (*at)[1]; }
static async int nothing(void) { return 7; }
__attribute__((noinline)) async int shared(int n, int k) {
  int s = 0;
  for (int i = 0; i < n; i++) s = s * 31 % 1009 + (k ^ i) + (i & 3 ? k : n);
  return s;
}

static async int by_pointers(void) {
  async int (*d)(const char *) = digits;
  async triple (*m)(int, double, const char *) = make;
  async void (*n)(signed char, unsigned char, short) = note;
  async double (*h)(float, long long) = half;
  async _Bool (*e)(int, int) = is_even;
  async colour (*o)(colour) = other;
  async int (*f)(const triple, int (*)[3]) = first;
  int three[3] = { 1, 2, 3 };
  triple t = m(5, 2.5, "pointer");
  n(-100, 200, -300);
  printf("%d %d %g %s\n", d("12a"), t.a, t.b, t.c);
  printf("%d %g %d %d %d %d\n", noted, h(3, 40), e(4, 1), e(5, 1), o(RED), f(t, &three));
  return 0;
}

async int main(void) {
  int three[3] = { 1, 2, 3 };
  by_pointers();                             // expect: 12 5 2.5 pointer
                                             // expect: -600 41.5 1 0 -4 7
  auto a = spawn digits("34x");
  auto b = spawn make(6, 3.5, "spawned");
  auto c = spawn note(100, 20, 3);
  auto d = spawn half(5, 60);
  auto e = spawn is_even(7, 0);
  auto f = spawn other(BLUE);
  triple t = await b;
  auto g = spawn first(t, &three);
  await c;
  printf("%d %d %g %s %d\n", await a, t.a, t.b, t.c, noted);      // expect: 34 6 3.5 spawned 149
  printf("%g %d %d %d\n", await d, await e, await f, await g);    // expect: 62.5 0 3 8
  auto h = spawn nothing();
  auto i = spawn shared(9, 4);
  int direct = shared(9, 4), held = atomic shared(9, 4);
  printf("%d %d\n", await h, await i == direct && direct == held); // expect: 7 1
  return 0;
}
