// asyncify.c QUESTION: the same with emscripten's Asyncify and its fibers.
#include <emscripten.h>
#include <emscripten/fiber.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Something that may pause is called in each leaf, though it never does: so all of it is
// instrumented, as functions are that really wait.
static volatile int never;
__attribute__((noinline)) static long fib(int n) {
  if (n < 2) {
    if (never)
      emscripten_sleep(0);
    return n;
  }
  return fib(n - 1) + fib(n - 2);
}

enum { STACK = 16 << 10 };
typedef struct Fiber {
  emscripten_fiber_t fiber;
  _Alignas(16) char c_stack[STACK];
  _Alignas(16) char asyncify_stack[STACK];
} Fiber;

static emscripten_fiber_t main_fiber;
static char main_stack[STACK];
static long left;

static void yields(void *arg) {
  Fiber *f = arg;
  for (;;) {
    left--;
    emscripten_fiber_swap(&f->fiber, &main_fiber);
  }
}

static Fiber *fiber_new(void) {
  Fiber *f = aligned_alloc(16, sizeof *f);
  emscripten_fiber_init(&f->fiber, yields, f, f->c_stack, STACK, f->asyncify_stack, STACK);
  return f;
}

static long switches(void) {
  enum { MANY = 200000 };
  Fiber *f = fiber_new();
  for (left = MANY; left > 0;)
    emscripten_fiber_swap(&main_fiber, &f->fiber);
  return 2 * MANY;
}

static long spawns(void) {
  enum { MANY = 20000 };
  for (int i = 0; i < MANY; i++) {
    Fiber *f = fiber_new();
    emscripten_fiber_swap(&main_fiber, &f->fiber);
    free(f);
  }
  return MANY;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "fib";
  emscripten_fiber_init_from_current_context(&main_fiber, main_stack, sizeof main_stack);
  double start = emscripten_get_now();
  long n = 2692537;
  if (strcmp(what, "fib") == 0)
    fib(30);
  else
    n = strcmp(what, "switch") == 0 ? switches() : spawns();
  if (strcmp(what, "idle") == 0)
    printf("%zu\n", sizeof(Fiber));
  else
    printf("%.1f\n", (emscripten_get_now() - start) * 1e6 / (double)n);
  return 0;
}
