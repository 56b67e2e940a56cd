// There and back between two domains, each on its own thread: half of a round trip, in nanoseconds.
//     chan   two channels, one of each domain
//     mail   two mailboxes
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/pool.h>
#include <fermata/sync.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 5000, CHUNKS = 10 };

typedef fm_chan(int) int_chan;
typedef fm_mailbox(int) int_box;

static int_chan there, back;
static int_box to, from;

static async void make_there(void) {
  fm_chan_init(&there, 0);
}

static async void echo(int n) throws(struct fm_closed) {
  for (int i = 0; i < n; i++)
    fm_send(&back, fm_recv(&there));
}

static async int ask(fm_domain *d, int n) throws(struct fm_closed) {
  int sum = 0;
  auto t = spawn on(d) echo(n);
  for (int i = 0; i < n; i++) {
    fm_send(&there, 1);
    sum += fm_recv(&back);
  }
  await t;
  return sum;
}

static async void echo_mail(int n) {
  for (int i = 0; i < n; i++)
    fm_post(&from, fm_receive(&to));
}

static async int ask_mail(fm_domain *d, int n) {
  int sum = 0;
  auto t = spawn on(d) echo_mail(n);
  for (int i = 0; i < n; i++) {
    fm_post(&to, 1);
    sum += fm_receive(&from);
  }
  await t;
  return sum;
}

#define BEST(name, work)                              \
  do {                                                \
    double best = 0;                                  \
    for (int k = 0; k < chunks(CHUNKS); k++) {                \
      double start = now();                           \
      if (work != N)                                  \
        abort();                                      \
      keep_best(&best, (now() - start) / (2.0 * N));  \
    }                                                 \
    printf(name " %.2f\n", best);                     \
  } while (0)

async int main(void) {
  fm_domain *d = fm_domain_new(NULL);
  auto t = spawn on(d) make_there();
  await t;
  fm_chan_init(&back, 0);
  fm_mailbox_init(&to);
  fm_mailbox_init(&from);
  try {
    BEST("chan", ask(d, N));
  } catch (struct fm_closed e) {
    (void)e;
    abort();
  }
  BEST("mail", ask_mail(d, N));
  fm_domain_free(d);
  return 0;
}
