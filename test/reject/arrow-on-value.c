struct point { int x, y; };
int f(struct point p) {
  return p->x;                 // error: 3:11: a value of type `struct point` is not a pointer; use `.` with it
}
