// setjmp cannot be used across a pause.
#include <fermata.h>
#include <setjmp.h>

async int later(int x);
static jmp_buf env;

async int a(int n) {
  if (setjmp(env)) return 1;
  n += later(n);
  longjmp(env, n);
}
// error: 10:8: cannot be kept across a pause
