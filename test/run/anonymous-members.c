// Structures and unions without names inside others: access, designators, offsets, in arrays, through pointers.
#include <stddef.h>
#include <stdio.h>

struct node {
  enum { LEAF, FORK } kind;
  union {
    struct { int value, weight; };
    struct { struct node *left, *right; };
    struct { union { char c; struct { short s[2]; }; }; } named;
  };
  const struct { int last; };
};

static int sum(const struct node *n) { return n->kind == LEAF ? n->value : sum(n->left) + sum(n->right); }

int main(void) {
  struct node a = {LEAF, {{3, 1}}, {9}}, b = {.kind = LEAF, .value = 4, .weight = 2, .last = 8};
  struct node c = {.kind = FORK, .left = &a, .right = &b}, v[] = {a, b, [3].kind = FORK, [3].left = &a};
  printf("%d\n", sum(&c));                        // expect: 7
  printf("%d %d %d\n", a.last, b.last, c.last);   // expect: 9 8 0
  printf("%d\n", (&b)->weight + v[1].value + v[3].left->value); // expect: 9
  printf("%zu %zu %zu\n", offsetof(struct node, weight), offsetof(struct node, right), offsetof(struct node, last)); // expect: 12 16 24
  printf("%zu %zu\n", offsetof(struct node, named.s[1]), sizeof(struct node)); // expect: 10 32
  b.named.s[0] = 1;
  b.named.s[1] = 2;
  printf("%d %d\n", b.value, b.named.c);          // expect: 131073 1
  int *p = &a.value;
  *p += 1;
  printf("%d\n", a.value);                        // expect: 4
  struct { union { int i; float f; }; int tag; } list[] = {{{1}, 2}, {.f = 1.0f, .tag = 3}};
  printf("%x %d\n", (unsigned)list[1].i, list[0].i + list[1].tag); // expect: 3f800000 4
  return 0;
}
