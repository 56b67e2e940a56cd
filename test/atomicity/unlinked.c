// A list is printed with a pause for each node; meanwhile another activity removes and frees nodes.
// reports: memory is used that was freed meanwhile
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int value;
  int users;
};
static struct node *head;

static void add(int value) {
  struct node *n = malloc(sizeof *n);
  *n = (struct node){ head, value, 0 };
  head = n;
}

static void drop(struct node *n) {
  if (!n->users)
    free(n);
}

static void take_out(int value) {
  for (struct node **p = &head, *n; (n = *p); p = &n->next)
    if (n->value == value) {
      *p = n->next;
      drop(n);
      return;
    }
}

static async long visit(void) {
  long sum = 0;
  for (struct node *n = head; n;) {
    sum += n->value;
#ifdef MENDED
    n->users++;
    fm_sleep(1);
    struct node *next = n->next;
    if (!--n->users && n->value < 0)
      free(n);
    n = next;
#else
    fm_sleep(1);
    n = n->next;
#endif
  }
  return sum;
}

static async void remover(void) {
  for (int i = 9; i >= 0; i--) {
    take_out(i);
    fm_sleep(1);
  }
}

async int main(void) {
  for (int i = 0; i < 10; i++)
    add(i);
  auto r = spawn remover();
  auto v = spawn visit();
  long sum = await v;
  await r;
  printf("%d\n", sum > 0);
  return 0;
}
