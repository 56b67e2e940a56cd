// More alignment than a frame has, or than memory for an array of variable length.
#include <fermata.h>

typedef struct __attribute__((aligned(128))) wide { int x; } wide;
typedef struct __attribute__((aligned(64))) line { int x; } line;

async int f(int n) {
  _Alignas(128) char page[10];
  wide kept = { n };
  line lines[n];
  char odd[n] __attribute__((aligned(32)));
  _Alignas(256) int no_address = n;               // nobody can see where it is
  page[0] = odd[0] = 1;
  lines[0].x = 3;
  yield;
  return page[0] + kept.x + lines[0].x + odd[0] + no_address;
}
// error: 8:22: `page` is aligned to 128 bytes
// error: 9:8: `kept` is aligned to 128 bytes
// error: 10:8: `lines` is aligned to 64 bytes
// error: 11:8: `odd` is aligned to 32 bytes
