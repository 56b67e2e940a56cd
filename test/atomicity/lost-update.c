// Two deposits: the balance is read, the journal is written, which pauses, and the sum is stored.
// reports: an update is lost: accounts.1..balance
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

struct account {
  int id;
  long balance;
};
static struct account accounts[4];

static async void journal(int id, long amount) {
  fm_sleep((uint64_t)(id + amount % 3));
}

static async void deposit(struct account *a, long amount) {
#ifdef MENDED
  journal(a->id, amount);
  a->balance = a->balance + amount;
#else
  long had = a->balance;
  journal(a->id, amount);
  a->balance = had + amount;
#endif
}

static async void customer(int n) {
  for (int i = 0; i < 3; i++)
    deposit(&accounts[1], 10 * n + i);
}

async int main(void) {
  auto a = spawn customer(1);
  auto b = spawn customer(2);
  await a;
  await b;
  printf("%ld\n", accounts[1].balance);
  return 0;
}
