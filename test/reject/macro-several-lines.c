#define LOOP(n)            \
  for (int i = 0; i < (n)  \
       i++)
int f(int n) {
  LOOP(n) n--;
  return n;
}
// error: 5:3: expected `;` after the condition of `for`, found `i`
// A mistake in a macro's expansion is shown where the macro is used.
