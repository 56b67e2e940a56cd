struct point { int x, y; };
int f(struct point p) {
  return p.z;                  // error: 3:12: `struct point` has no member named `z`
}
