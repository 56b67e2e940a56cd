// Compound literals: arrays, structures, scalars, static ones, their addresses, as arguments, with members and subscripts.
#include <stdio.h>
#include <string.h>

struct p { int x, y; };
static int *const fixed = (int[]){1, 2, 3};
static struct p *chain = &(struct p){4, 5};

static int sum(const int *v, size_t n) {
  int s = 0;
  for (size_t i = 0; i < n; i++) s += v[i];
  return s;
}
static struct p add(struct p a, const struct p *b) { return (struct p){a.x + b->x, .y = a.y + b->y}; }

int main(void) {
  printf("%d %d\n", fixed[2], chain->y);          // expect: 3 5
  printf("%d\n", sum((int[]){1, 2, [4] = 9}, 5)); // expect: 12
  printf("%zu\n", sizeof (int[]){1, 2, 3});       // expect: 12
  printf("%zu\n", sizeof (char[]){"four"} + 0);   // expect: 5
  printf("%d\n", (struct p){7, 8}.y);             // expect: 8
  printf("%d\n", (int[]){3, 4, 5}[1]);            // expect: 4
  printf("%d\n", add((struct p){1, 2}, &(struct p){.y = 3}).y); // expect: 5
  (*(&(int){1}))++;
  int *q = &(int){41};
  ++*q;
  printf("%d\n", *q);                             // expect: 42
  printf("%d\n", -(int){5} + (int){6}++);         // expect: 1
  printf("%s\n", (char *[]){"a", "b", "c"}[2]);   // expect: c
  const char *s = (const char[]){'h', 'i', 0};
  printf("%s %zu\n", s, strlen(s));               // expect: hi 2
  struct p list[] = {(struct p){1, 1}, {2, 2}, *chain};
  printf("%d\n", list[0].x + list[1].x + list[2].x); // expect: 7
  printf("%d\n", ((struct { int n; int v[2]; }){1, {2, 3}}).v[1]); // expect: 3
  printf("%zu\n", sizeof (struct p){0}.x);        // expect: 4
  int (*f)(const int *, size_t) = (int (*)(const int *, size_t)){sum};
  printf("%d\n", f((const int[2]){20, 22}, 2));   // expect: 42
  if ((struct p){.x = 1}.x) puts("taken");        // expect: taken
  return 0;
}
