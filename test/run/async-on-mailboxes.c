// Mailboxes between domains: what several post arrives, in the order of each; and posting when the domain that received has ended is harmless.
#include "parts/async.h"
#include <fermata/agent.h>
#include <fermata/pool.h>

enum { EACH = 2000, POSTERS = 3 };

typedef fm_mailbox(int) int_box;
static int_box box, orphan;

static async void posts(int who) {
  for (int i = 0; i < EACH; i++) {
    fm_post(&box, who * EACH + i);
    if (i % 100 == 0) yield;
  }
}

static async int in_order(void) {
  int next[POSTERS] = { 0 }, good = 0;
  for (int i = 0; i < POSTERS * EACH; i++) {
    int v = fm_receive(&box);
    good += v % EACH == next[v / EACH]++;
  }
  fm_mailbox_free(&box);
  return good;
}

static async int receives_one(void) { return fm_receive(&orphan); }

async int main(void) {
  fm_domain *d = fm_domain_new(NULL);
  fm_pool *pool = fm_pool_new(2);
  fm_mailbox_init(&box);
  auto t = spawn on(d) in_order();
  for (int i = 0; i < POSTERS; i++) spawn on(pool) posts(i);
  printf("%d\n", await t);                        // expect: 6000
  fm_pool_free(pool);

  fm_mailbox_init(&orphan);
  t = spawn on(d) receives_one();
  fm_post(&orphan, 5);
  printf("%d\n", await t);                        // expect: 5
  fm_domain_free(d);
  fm_post(&orphan, 6);
  d = fm_domain_new(NULL);                        // it has the memory of the one before, but not its mailboxes' messages
  auto u = spawn on(d) later(7);
  fm_post(&orphan, 8);
  printf("%d\n", await u);                        // expect: 7
  fm_domain_free(d);
}
