// async.h: what the programs about async functions share.
#include <fermata.h>

static inline async int later(int v) {
  yield;
  return v;
}

// The three versions of f: its call version up to its first pause; resumed from its beginning, if f begins with
// `if (first) yield;`; and atomic.
#define THREE(f)                     \
  do {                               \
    int a_ = f(0);                   \
    int b_ = f(1);                   \
    int c_ = atomic f(0);            \
    printf("%d %d %d\n", a_, b_, c_); \
  } while (0)
