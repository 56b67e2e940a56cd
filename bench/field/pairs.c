// pairs.c: 10^5 pairs of activities with a channel each, made anew in 25 rounds: nanoseconds a
// pair, with creation, in rounds 1, 2, 10 and 25; late: the median of rounds 10 to 25. A program
// that runs for long is in its late rounds. Processor time.
//
// How late rounds go depends on the order in which memory was freed. With an argument, each pair is
// awaited, sender after reader: memory is freed in the order in which it was taken. Without,
// senders end when they can, before the readers, which are awaited: that order is another one each
// round.
#include <fermata.h>
#include <fermata/sync.h>

#include "../clock.h"
#include <stdlib.h>

enum { PAIRS = 100000, ROUNDS = 25, LATE = 10 };

typedef fm_chan(int) int_chan;
static int_chan chans[PAIRS];
static task(int) readers[PAIRS], senders[PAIRS];

static async int sender(int_chan *c) {
  try {
    fm_send(c, 1);
  } catch (struct fm_closed e) {
    (void)e;
  }
  return 1;
}

static async int reader(int_chan *c) {
  try {
    return fm_recv(c);
  } catch (struct fm_closed e) {
    (void)e;
  }
  return 0;
}

static async int pairs(void) {
  int sum = 0;
  scope {
    for (int i = 0; i < PAIRS; i++) {
      fm_chan_init(&chans[i], 0);
      readers[i] = spawn reader(&chans[i]);
      spawn sender(&chans[i]);
    }
    for (int i = 0; i < PAIRS; i++)
      sum += await readers[i];
  }
  return sum;
}

static async int pairs_in_order(void) {
  int sum = 0;
  for (int i = 0; i < PAIRS; i++) {
    fm_chan_init(&chans[i], 0);
    readers[i] = spawn reader(&chans[i]);
    senders[i] = spawn sender(&chans[i]);
  }
  for (int i = 0; i < PAIRS; i++) {
    sum += await readers[i];
    await senders[i];
  }
  return sum;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

async int main(int argc, char **argv) {
  double time[ROUNDS + 1];
  for (int i = 1; i <= ROUNDS; i++) {
    double start = cpu_now();
    if ((argc > 1 ? pairs_in_order() : pairs()) != PAIRS)
      abort();
    time[i] = (cpu_now() - start) / PAIRS;
  }
  (void)argv;
  printf("round1 %.1f\nround2 %.1f\n", time[1], time[2]);
  (void)argv;
  printf("round10 %.1f\nround25 %.1f\n", time[10], time[25]);
  qsort(time + LATE, ROUNDS - LATE + 1, sizeof *time, by_value);
  printf("late %.1f\n", time[(LATE + ROUNDS) / 2]);
  return 0;
}
