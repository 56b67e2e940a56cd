// btree.c: a B-tree of long keys, and Fibonacci's numbers; every function is async. See btree.h.
#include "btree.h"
#include <stdlib.h>
#include <string.h>

enum { HALF = 16, FULL = 2 * HALF - 1 };

struct node {
  int count, is_leaf;
  long keys[FULL], values[FULL];
  struct node *kids[FULL + 1];
};

static struct node *root;

static async int order(long a, long b) {
  return a < b ? -1 : a > b;
}

static async struct node *new_node(int is_leaf) {
  struct node *x = calloc(1, sizeof *x);
  if (!x)
    abort();
  x->is_leaf = is_leaf;
  return x;
}

// The place of the key, or the place where it would be.
static async int place(struct node *x, long key, int *is_there) {
  int low = 0, high = x->count;
  *is_there = 0;
  while (low < high) {
    int middle = (low + high) / 2, side = order(key, x->keys[middle]);
    if (side == 0) {
      *is_there = 1;
      return middle;
    }
    if (side < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static async long *search(struct node *x, long key) {
  int is_there, i = place(x, key, &is_there);
  if (is_there)
    return &x->values[i];
  if (x->is_leaf)
    return NULL;
  return search(x->kids[i], key);
}

static async void make_room(struct node *x, int i) {
  size_t moved = (size_t)(x->count - i);
  memmove(x->keys + i + 1, x->keys + i, moved * sizeof x->keys[0]);
  memmove(x->values + i + 1, x->values + i, moved * sizeof x->values[0]);
}

// The full kid i of x becomes two.
static async void split(struct node *x, int i) {
  struct node *low = x->kids[i], *high = new_node(low->is_leaf);
  high->count = low->count = HALF - 1;
  memcpy(high->keys, low->keys + HALF, (HALF - 1) * sizeof high->keys[0]);
  memcpy(high->values, low->values + HALF, (HALF - 1) * sizeof high->values[0]);
  if (!low->is_leaf)
    memcpy(high->kids, low->kids + HALF, HALF * sizeof high->kids[0]);
  memmove(x->kids + i + 2,
          x->kids + i + 1,
          (size_t)(x->count - i) * sizeof x->kids[0]);
  make_room(x, i);
  x->kids[i + 1] = high;
  x->keys[i] = low->keys[HALF - 1];
  x->values[i] = low->values[HALF - 1];
  x->count++;
}

static async void put(struct node *x, long key, long value) {
  int is_there, i = place(x, key, &is_there);
  if (is_there) {
    x->values[i] = value;
    return;
  }
  if (x->is_leaf) {
    make_room(x, i);
    x->keys[i] = key;
    x->values[i] = value;
    x->count++;
    return;
  }
  if (x->kids[i]->count == FULL) {
    split(x, i);
    if (order(key, x->keys[i]) > 0)
      i++;
  }
  put(x->kids[i], key, value);
}

static async void insert(long key, long value) {
  if (root->count == FULL) {
    struct node *x = new_node(0);
    x->kids[0] = root;
    root = x;
    split(x, 0);
  }
  put(root, key, value);
}

static async unsigned next_key(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 4;
}

async void NAME(fill)(int n) {
  unsigned state = 1;
  root = new_node(1);
  for (int i = 0; i < n; i++)
    insert(next_key(&state), i);
}

async int NAME(found)(int n) {
  unsigned state = 1;
  int found = 0;
  for (int i = 0; i < n; i++) {
    long *value = search(root, next_key(&state));
    found += value && *value == i;
  }
  return found;
}

static async void free_below(struct node *x) {
  if (!x->is_leaf)
    for (int i = 0; i <= x->count; i++)
      free_below(x->kids[i]);
  free(x);
}

async void NAME(drop)(void) {
  free_below(root);
  root = NULL;
}

async long NAME(fib)(int n) {
  return n < 2 ? n : NAME(fib)(n - 1) + NAME(fib)(n - 2);
}
