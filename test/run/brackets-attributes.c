// [[…]] where C23 has it: before declarations, after names, on parameters, members, enumerators, statements, labels.
// flags: -std=gnu2x -Wno-attributes -Wno-unknown-attributes -Wno-unused-label
#include <stdio.h>
#include <stdlib.h>

[[noreturn]] static void leave(int n) { exit(n); }
[[gnu::noinline]] [[gnu::unused]] static int two(void) { return 2; }
static int named [[maybe_unused]] = 4;
static int list [[maybe_unused]] [3] = {1, 2, 3};
struct [[gnu::packed]] tight { char c; int i; };
struct members { [[maybe_unused]] int a; int b [[gnu::aligned(16)]]; };
enum [[gnu::packed]] small { A [[deprecated("no")]] = 1, B };
typedef int number [[gnu::aligned(8)]];
[[nodiscard]] int other([[maybe_unused]] int a, int b [[maybe_unused]]);
int other(int a, [[]] int b) { return a + b; }
int chosen [[gnu::const]] (int n) { return n; }

static int falls(int n) {
  switch (n) {
  case 1:
    n += 10;
    [[fallthrough]];
  case 2:
    n += 100;
    [[gnu::fallthrough]];
  default:
    n += 1000;
  }
  [[maybe_unused]] int unused, *pointer [[maybe_unused]];
  for ([[maybe_unused]] int i = 0; n < 1112; n++) {}
  [[maybe_unused]] again:
  if (n < 0) [[]] goto again;
  [[]] n++;
  [[]] { n++; }
  [[]];
  return n;
}

int main(void) {
  printf("%zu %zu %zu\n", sizeof(struct tight), _Alignof(struct members), sizeof(enum small)); // expect: 5 16 1
  printf("%zu %d %d\n", _Alignof(number), two(), other(3, 4) + chosen(1)); // expect: 8 2 8
  printf("%d\n", falls(1));                       // expect: 1114
  printf("%d\n", named + list[2]);                // expect: 7
  int x = 1, __attribute__((aligned(64))) y = 2, z [[gnu::aligned(128)]] [2] = {3};
  printf("%d %zu %zu\n", x + y + z[0], __alignof__(y), __alignof__(z)); // expect: 6 64 128
  leave(0);
}
