// A macro of several statements stays on the line of its use.
#define TWICE(x) do { x++; \
  x++; } while (0)
int f(int x) {
  TWICE(x);
  return x;
}
// emits: do { x++; x++;
