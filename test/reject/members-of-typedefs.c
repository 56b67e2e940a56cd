typedef struct list { struct list *next; union { int a; struct { int b; }; }; } list;
int f(list *l, const list *c) {
  return l->next->c + c->b + l->a + c->next.b + l->b.a; // error: 3:19: `struct list` has no member named `c`
}
// error: 3:44: a value of type `struct list *const` has no members; use `->` with a pointer
// error: 3:53: a value of type `int` has no members
