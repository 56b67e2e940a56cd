// jspi.c: what is measured with stacks of the engine (JSPI), as plain WebAssembly: jspi.js wraps
// the import `suspend` by WebAssembly.Suspending, and the exports by WebAssembly.promising. Each
// call of such an export has a stack of its own.
#define EXPORT __attribute__((visibility("default"), used))

__attribute__((import_module("env"), import_name("suspend"))) void suspend(void);

// Something that may pause is called in each leaf, though it never does.
static volatile int never;
EXPORT int fib(int n) {
  if (n < 2) {
    if (never)
      suspend();
    return n;
  }
  return fib(n - 1) + fib(n - 2);
}

EXPORT int yields(int n) {
  while (n-- > 0)
    suspend();
  return 0;
}

EXPORT int one(void) {
  return 1;
}

// With 64 variables that live across the call.
#define EIGHT(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#define DECLARE(i)                                             \
  int a##i = n + i, b##i = n - i, c##i = n ^ i, d##i = n + 2 * i; \
  int e##i = n - 3 * i, f##i = n + 4 * i, g##i = n ^ 5 * i, h##i = n + 7 * i;
#define ADD(i) +a##i + b##i + c##i + d##i + e##i + f##i + g##i + h##i
EXPORT int deep(int n) {
  if (n == 0) {
    suspend();
    return 0;
  }
  EIGHT(DECLARE)
  int below = deep(n - 1);
  return (below EIGHT(ADD)) % 1000003;
}
