// Two tellers read a balance, write the journal, and store the sum.
#include <assert.h>
#include <fermata.h>
#include <fermata/sync.h>

static long balance;
static long journal[16];
static int entries;
static fm_mutex lock;

static async void note(long amount) {
  fm_lock(&lock);
  journal[entries++] = amount;
  fm_unlock(&lock);
}

static async void deposit(long amount) {
#ifdef MENDED
  note(amount);
  balance += amount;
#else
  long had = balance;
  note(amount);
  balance = had + amount;
#endif
}

static async void teller(int n) {
  for (int i = 0; i < 3; i++)
    deposit(10 * n + i);
}

async int main(void) {
  auto a = spawn teller(1);
  auto b = spawn teller(2);
  await a;
  await b;
  assert(balance == 3 * 30 + 6);
  return 0;
}
