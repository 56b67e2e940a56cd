// A bank: a transfer is allowed if the account has the money, and is authorised by another service
// before it is booked.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>
#include <fermata/time.h>

struct account {
  const char *owner;
  long cents;
  fm_mutex lock;
};

static struct account accounts[] = {
  { .owner = "ann", .cents = 10000 },
  { .owner = "bob", .cents = 5000 },
  { .owner = "cleo", .cents = 0 },
};
enum { ACCOUNTS = sizeof accounts / sizeof *accounts };

struct order {
  struct account *from, *to;
  long cents;
};

static int refused;

static async bool authorise(const struct order *o) {
  fm_sleep((uint64_t)(1 + o->cents % 7)); // the other service takes its time
  return o->cents < 1000000;
}

static async bool transfer(const struct order *o) {
#ifdef MENDED
  if (!authorise(o))
    return false;
  if (o->from->cents < o->cents)
    return false;
#else
  if (o->from->cents < o->cents)
    return false;
  if (!authorise(o))
    return false;
#endif
  o->from->cents -= o->cents;
  o->to->cents += o->cents;
  return true;
}

static async void execute(struct order o) {
  if (!transfer(&o))
    refused++;
}

async int main(void) {
  struct order orders[] = {
    { &accounts[0], &accounts[1], 6000 },
    { &accounts[1], &accounts[2], 2500 },
    { &accounts[0], &accounts[2], 7001 },
    { &accounts[2], &accounts[0], 100 },
  };
  scope {
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
      spawn execute(orders[i]);
  }
  long sum = 0;
  for (int i = 0; i < ACCOUNTS; i++) {
    assert(accounts[i].cents >= 0);
    sum += accounts[i].cents;
  }
  assert(sum == 15000);
  return 0;
}
