typedef struct { int x, y; } point;
int f(point *p) {
  return p->z + p->x;          // error: 3:13: `point` has no member named `z`
}
