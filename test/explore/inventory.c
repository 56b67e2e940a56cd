// A shop: an order is checked against the stock, paid, and then taken from the stock.
#include <assert.h>
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>
#include <string.h>

struct item {
  const char *name;
  int stock;
  int sold;
};

static struct item items[] = {
  { "lamp", 3, 0 },
  { "chair", 2, 0 },
  { "table", 1, 0 },
};
enum { ITEMS = sizeof items / sizeof *items };

struct basket {
  const char *customer;
  int wants[ITEMS];
  int delay; // of the bank
};

static int paid;
#ifdef MENDED
static int refunded;
#endif

static async bool pay(const struct basket *b) {
  if (b->delay)
    fm_sleep((uint64_t)b->delay);
  paid++;
  return true;
}

static bool available(const struct basket *b) {
  for (int i = 0; i < ITEMS; i++)
    if (items[i].stock < b->wants[i])
      return false;
  return true;
}

static void take(const struct basket *b) {
  for (int i = 0; i < ITEMS; i++) {
    items[i].stock -= b->wants[i];
    items[i].sold += b->wants[i];
  }
}

static async void check_out(struct basket b) {
  if (!available(&b))
    return;
  if (!pay(&b))
    return;
#ifdef MENDED
  atomic {
    if (available(&b))
      take(&b);
    else
      refunded++;
  }
#else
  take(&b);
#endif
}

static void print_stock(void) {
  for (int i = 0; i < ITEMS; i++)
    printf("%s: %d left, %d sold\n",
           items[i].name,
           items[i].stock,
           items[i].sold);
}

async int main(void) {
  scope {
    spawn check_out((struct basket){ "ann", { 1, 1, 0 }, 3 });
    spawn check_out((struct basket){ "bob", { 0, 1, 1 }, 1 });
    spawn check_out((struct basket){ "cleo", { 2, 0, 1 }, 2 });
  }
  print_stock();
  for (int i = 0; i < ITEMS; i++)
    assert(items[i].stock >= 0);
  return 0;
}
