// Tokens that would paste to another are kept apart, and parentheses stay.
int f(int a, int *p) {
  int r = a - -a + +a - (a) / *p & &*p != p; // emits: a - -a + +a - (a) / *p & &*p != p
  r = - -a; r = + +a; r = -(-a); r = ~-a;    // emits: r = - -a; r = + +a; r = -(-a); r = ~-a;
  return a+++ ++r, a --- --r;                // emits: return a++ + ++r , a-- - --r;
}
